package measure

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// running is the state of metrics that depend on all samples so far.
type running struct {
	gradAt, xAt int       // the iterations of the last samples
	grad        float64   // ||∇Φ||² of the last sample
	gradSum     float64   // over the iterations before it
	xSum        []float64 // of the average x over the iterations from 1 on
	hat         *Evaluator
	kkt         float64 // the least kkt_loss, once there is one
	haveKKT     bool
	infimum     float64 // of Φ, once it is computed
	haveInfimum bool
}

// runningMetrics returns means over the iterations of a run, as in theorems on methods that need not settle. Between
// samples, a gradient is that of the sample before, and an iterate that of the sample after.
func runningMetrics() []Metric {
	return []Metric{
		{Name: "running_grad_norm2", Range: keys.AtLeast(0), OnRequest: true, Inner: true, Value: runningGradNorm2,
			About: "the mean of grad_norm2 over the iterations before this one, 0 included; exact where every iteration is " +
				"recorded"},
		{Name: "suboptimality", OnRequest: true, Inner: true, Available: bounded,
			About: "Φ at the average x, less the infimum of Φ",
			Value: func(e *Evaluator) float64 { return e.Objective() - e.infimum() }},
		{Name: "averaged_suboptimality", OnRequest: true, Inner: true, Available: bounded,
			About: "Φ, less its infimum, at the mean of the average x over the iterations from 1 on; exact where every " +
				"iteration is recorded",
			Value: averagedSuboptimality},
	}
}

// runningGradNorm2 returns (1/K) Σ ||∇Φ(x_k)||² over k = 0 ... K-1, and at K = 0 that of the start.
func runningGradNorm2(e *Evaluator) float64 {
	r, k := &e.past, e.at.Iteration
	r.gradSum += float64(k-r.gradAt) * r.grad
	r.grad, r.gradAt = gradNorm2(e), k
	if k == 0 {
		return r.grad
	}
	return r.gradSum / float64(k)
}

// averagedSuboptimality returns the suboptimality of (1/K) Σ x_k over k = 1 ... K, or at K = 0 of the start.
func averagedSuboptimality(e *Evaluator) float64 {
	r, k := &e.past, e.at.Iteration
	if r.hat == nil {
		r.xSum = make([]float64, e.p)
		r.hat = NewEvaluator(e.problem, !e.Shared(), nil, e.all.each)
	}
	for i, v := range e.x {
		r.xSum[i] += float64(k-r.xAt) * v
	}
	r.xAt = k
	x := slices.Clone(e.x)
	if k > 0 {
		for i, v := range r.xSum {
			x[i] = v / float64(k)
		}
	}
	return r.hat.objectiveAt(x, e.y) - e.infimum()
}

// bounded reports whether the infimum of Φ can be computed.
func bounded(p problems.Problem) bool {
	return implements[problems.Bounded](p) || implements[*problems.Quadratic](p) ||
		!bilevel(p) && (implements[problems.Solved](p) || implements[problems.Convex](p))
}

// infimum returns the greatest lower bound of Φ; -Inf if Φ has no unique minimizer in closed form.
func (e *Evaluator) infimum() float64 {
	if !e.past.haveInfimum {
		e.past.haveInfimum, e.past.infimum = true, NewEvaluator(e.problem, !e.Shared(), nil, e.all.each).leastObjective()
	}
	return e.past.infimum
}

// leastObjective is infimum, of an evaluator whose iterate it may change.
func (e *Evaluator) leastObjective() float64 {
	switch p := e.problem.(type) {
	case problems.Bounded:
		return p.Infimum()
	case *problems.Quadratic:
		if of, err := p.ClosedForm(!e.Shared()); err == nil {
			if x, err := of.Minimizer(); err == nil {
				return of.Objective(x)
			}
		}
		return math.Inf(-1)
	case problems.Solved:
		if x, _, err := p.Solution(); err == nil {
			return e.objectiveAt(x, nil)
		}
	}
	least, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return e.objectiveAt(x, nil) },
		Grad: func(grad, x []float64) {
			copy(e.x, x)
			e.haveGrad = false
			copy(grad, e.Hypergradient())
		},
	}, make([]float64, e.p), &optimize.Settings{GradientThreshold: 1e-12, Concurrent: 1}, &optimize.LBFGS{})
	if least == nil {
		panic("measure: the least value of Φ: " + err.Error())
	}
	return least.F // a line search that finds nothing better is an end, too
}

// objectiveAt returns Φ(x), with y as the first guess of the inner solution.
func (e *Evaluator) objectiveAt(x, y []float64) float64 {
	copy(e.x, x)
	if e.q > 0 && e.solved == nil {
		e.solveInner(y)
	}
	return e.Objective()
}
