package measure

import (
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// Evaluator measures the iterates of a run. It uses the problem directly instead of the metered oracles, so that
// measuring takes no simulated time and is not counted. It computes expensive quantities on demand, once for each
// sample.
type Evaluator struct {
	problem problems.Problem
	metrics []Metric
	p, q, n int
	// inner solves the inner problem: one solver over all nodes where they share y,
	// one for each node where each has its own. For a single-level problem it only
	// holds the nodes.
	inner    []*innerSolver
	solved   problems.InnerSolved // instead of inner's Newton steps, or nil
	at       *metrics.Snapshot    // the sample
	x, y     []float64            // averages of its iterates
	grad     []float64
	haveGrad bool                         // of this sample
	accuracy func() (train, test float64) // of this sample
	all      *team                        // of the nodes
	own      map[string][]float64         // of this sample: values of each node, by ID
	past     running                      // of all samples so far
	part     []float64                    // scratch
	worst    float64                      // the largest gradient norm at which an inner solve ended
	scale    float64                      // the mean squared norm of what each node adds to the last hypergradient
}

// NewEvaluator returns an evaluator of metrics. If personal is set, each node has its own inner problem. each
// distributes work over goroutines; nil means one goroutine.
func NewEvaluator(problem problems.Problem, personal bool, of []Metric, each Each) *Evaluator {
	p, q := problem.Dims()
	e := &Evaluator{problem: problem, metrics: of, p: p, q: q, n: problem.Nodes(), x: make([]float64, p),
		y:    make([]float64, q),
		grad: make([]float64, p), part: make([]float64, max(p, q)), own: map[string][]float64{}}
	e.solved, _ = problem.(problems.InnerSolved)
	locals := make([]problems.Local, e.n)
	for i := range locals {
		locals[i] = problem.Local(i)
	}
	e.all = newTeam(each, locals)
	if !personal {
		e.inner = []*innerSolver{newInnerSolver(locals, p, q, e.all)}
		return e
	}
	for i := range locals {
		e.inner = append(e.inner, newInnerSolver(locals[i:i+1], p, q, newTeam(nil, nil)))
	}
	return e
}

// Evaluate returns the value of each metric at a sample of the nodes that hold data.
func (e *Evaluator) Evaluate(s *metrics.Snapshot) []float64 {
	e.at, e.haveGrad = s, false
	e.accuracy = sync.OnceValues(e.score)
	clear(e.own)
	Average(e.x, s.X)
	Average(e.y, s.Y)
	if e.q > 0 && e.solved == nil && slices.ContainsFunc(e.metrics, func(m Metric) bool { return m.Inner }) {
		e.solveInner(e.y)
		for _, g := range e.inner {
			e.worst = max(e.worst, g.residual)
		}
	}
	values := make([]float64, len(e.metrics))
	for i, m := range e.metrics {
		values[i] = m.Value(e)
	}
	return values
}

// solveInner solves all inner problems at the average x. guess is where first solves start.
func (e *Evaluator) solveInner(guess []float64) {
	if e.Shared() { // the solver distributes work over the nodes itself
		e.inner[0].solve(e.x, guess)
		return
	}
	e.all.each(len(e.inner), func(i int) { e.inner[i].solve(e.x, guess) })
}

// score returns the accuracies of the average model. train is 0 if it is not measured.
func (e *Evaluator) score() (train, test float64) {
	s := e.problem.(problems.Scorer)
	if !e.Measures("train_accuracy") {
		return 0, s.TestAccuracy(e.x, e.y)
	}
	return s.Accuracy(e.x, e.y)
}

// Problem returns the problem.
func (e *Evaluator) Problem() problems.Problem { return e.problem }

// Sample returns the current sample: the iterates of the nodes that hold data, and the costs so far.
func (e *Evaluator) Sample() *metrics.Snapshot { return e.at }

// X returns the average of the nodes' x (p).
func (e *Evaluator) X() []float64 { return e.x }

// Y returns the average of the nodes' y (q).
func (e *Evaluator) Y() []float64 { return e.y }

// Measures reports whether the named metric is measured.
func (e *Evaluator) Measures(name string) bool {
	return slices.ContainsFunc(e.metrics, func(m Metric) bool { return m.Name == name })
}

// Shared reports whether all nodes share one inner problem.
func (e *Evaluator) Shared() bool { return len(e.inner) == 1 }

// Scale returns the mean squared norm of the nodes' parts of the last hypergradient.
func (e *Evaluator) Scale() float64 { return e.scale }

// Inexact returns an error if an inner problem was not solved to innerTolerance.
func (e *Evaluator) Inexact() error {
	if e.worst > innerTolerance {
		return fmt.Errorf("the evaluator solved the inner problem only to a gradient norm of %.1e; it aims at %.0e", e.worst,
			innerTolerance)
	}
	return nil
}

// Objective returns Φ(x) at the average x.
func (e *Evaluator) Objective() float64 {
	if e.solved != nil {
		return e.solved.Optimistic(e.part[:e.p], e.x)
	}
	return e.all.sum(e.n, func(i int) float64 { return e.local(i).F(e.x, e.innerY(i)) }) / float64(e.n)
}

// innerY returns y*(x) of node i's inner problem.
func (e *Evaluator) innerY(i int) []float64 {
	if e.Shared() {
		return e.inner[0].y
	}
	return e.inner[i].y
}

// Loss returns the mean over the nodes of f or g at the average x and y.
func (e *Evaluator) Loss(of func(l problems.Local, x, y []float64) float64) float64 {
	return e.all.sum(e.n, func(i int) float64 { return of(e.local(i), e.x, e.y) }) / float64(e.n)
}

// Hypergradient returns ∇Φ (p) at the average x: the mean of ∇_x f - J v at y*(x), where v
// is (mean H)⁻¹ mean ∇_y f over the nodes that share an inner problem. It is valid until
// the next Evaluate.
func (e *Evaluator) Hypergradient() []float64 {
	if e.haveGrad {
		return e.grad
	}
	e.haveGrad = true
	if e.solved != nil {
		e.solved.Optimistic(e.grad, e.x)
		return e.grad
	}
	clear(e.grad)
	e.scale = 0
	var shared []float64
	if e.q > 0 && e.Shared() {
		shared = e.inner[0].inverseGradient(e.x)
	}
	e.all.vectors(e.n, 2*e.p, func(i int, part []float64) {
		own, dx := part[:e.p], part[e.p:]
		l, y := e.local(i), e.innerY(i)
		l.GradFx(own, e.x, y)
		if e.q == 0 {
			return
		}
		v := shared
		if !e.Shared() {
			v = e.inner[i].inverseGradient(e.x)
		}
		l.JacGxyMul(dx, e.x, y, v)
		floats.Sub(own, dx)
	}, func(_ int, part []float64) {
		own := part[:e.p]
		floats.AddScaled(e.grad, 1/float64(e.n), own)
		e.scale += floats.Dot(own, own) / float64(e.n)
	})
	return e.grad
}

// InnerError returns the mean squared distance of the y_i to y*(x), or to the nearest minimizer if there are several.
func (e *Evaluator) InnerError() float64 {
	sum := 0.0
	for i := range e.at.Y {
		sum += e.innerErrorOf(i)
	}
	return sum / float64(len(e.at.Y))
}

// innerErrorOf returns the squared distance of y_i to y*(x), or to the nearest minimizer.
func (e *Evaluator) innerErrorOf(i int) float64 {
	to := e.part[:e.q]
	if e.solved != nil {
		e.solved.NearestInner(to, e.x, e.at.Y[i])
	} else {
		to = e.innerY(i)
	}
	return Spread(e.at.Y[i:i+1], to)
}

// innerErrors returns innerErrorOf for each node.
func (e *Evaluator) innerErrors() []float64 {
	values := make([]float64, len(e.at.Y))
	for i := range values {
		values[i] = e.innerErrorOf(i)
	}
	return values
}

// apart returns the squared distance of each row to a point.
func apart(rows [][]float64, to []float64) []float64 {
	values := make([]float64, len(rows))
	for i := range rows {
		values[i] = Spread(rows[i:i+1], to)
	}
	return values
}

// Nodes returns the values of each node that holds data at the last sample, for metrics that are means over the
// nodes. It includes measured metrics, and others that take no more work than an iteration.
func (e *Evaluator) Nodes(table []Metric) (names []string, values [][]float64) {
	for _, m := range table {
		if m.Nodes != nil && (e.Measures(m.Name) || !m.Inner && m.Work == nil) {
			names, values = append(names, m.Name), append(values, m.Nodes(e))
		}
	}
	return names, values
}

// Average sets dst to the mean of the rows. It updates the mean row by row, so that the mean of equal rows is exact.
func Average(dst []float64, rows [][]float64) {
	clear(dst)
	for k, r := range rows {
		for i, v := range r {
			dst[i] += (v - dst[i]) / float64(k+1)
		}
	}
}

// Spread returns the mean squared distance of the rows to a point.
func Spread(rows [][]float64, to []float64) float64 {
	sum := 0.0
	for _, r := range rows {
		d := floats.Distance(r, to, 2)
		sum += d * d
	}
	return sum / float64(len(rows))
}
