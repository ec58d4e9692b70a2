package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// evaluator measures the iterates of a run. It holds the problem itself, not the
// metered oracles, so measuring costs no simulated time and is never counted.
type evaluator struct {
	problem problems.Problem
	names   []string
	p, q, n int
	// inner solves the inner problem: one solver over all nodes where they share y,
	// one for each node where each has its own. For a single-level problem it only
	// holds the nodes.
	inner  []*innerSolver
	solved problems.InnerSolved // instead of inner's Newton steps, or nil
	x, y   []float64            // averages of the iterates
	grad   []float64
	part   []float64
	worst  float64 // the largest gradient norm at which an inner solve ended
	scale  float64 // the mean squared norm of what each node adds to the last hypergradient
}

// innerTolerance is the gradient norm to which the inner problem is solved.
const innerTolerance = 1e-10

// newEvaluator measures the named metrics, or all that the problem has if names is
// nil. Where personal is set, each node has its own inner problem.
func newEvaluator(problem problems.Problem, personal bool, names []string) (*evaluator, error) {
	p, q := problem.Dims()
	e := &evaluator{problem: problem, p: p, q: q, n: problem.Nodes(), x: make([]float64, p), y: make([]float64, q),
		grad: make([]float64, p), part: make([]float64, max(p, q))}
	has := available(problem)
	for _, n := range names {
		if u, ok := problem.(problems.Unmeasurable); ok && !slices.Contains(has, n) && slices.Contains(innerMetrics(), n) {
			return nil, fmt.Errorf("%s is no metric of this problem: %s", n, u.WhyUnmeasurable())
		}
		if !slices.Contains(has, n) {
			return nil, fmt.Errorf("%s is no metric of this problem, which has %s", n, strings.Join(has, ", "))
		}
	}
	e.names = names
	if names == nil {
		e.names = unasked(has)
	}
	e.solved, _ = problem.(problems.InnerSolved)
	locals := make([]problems.Local, e.n)
	for i := range locals {
		locals[i] = problem.Local(i)
	}
	if !personal {
		e.inner = []*innerSolver{newInnerSolver(locals, p, q)}
		return e, nil
	}
	for i := range locals {
		e.inner = append(e.inner, newInnerSolver(locals[i:i+1], p, q))
	}
	return e, nil
}

// available returns the metrics that a problem has, in the order of Metrics.
func available(problem problems.Problem) []string {
	_, q := problem.Dims()
	_, scores := problem.(problems.Scorer)
	_, known := problem.(problems.Known)
	_, unmeasurable := problem.(problems.Unmeasurable)
	var names []string
	for _, m := range Metrics() {
		if unmeasurable && slices.Contains(innerMetrics(), m.Name) {
			continue
		}
		switch m.Name {
		case "consensus_error_y", "inner_error", "outer_loss", "inner_loss":
			if q == 0 {
				continue
			}
		case "solution_error":
			if !known {
				continue
			}
		case "train_accuracy", "test_accuracy":
			if !scores {
				continue
			}
		}
		names = append(names, m.Name)
	}
	return names
}

// unasked returns those of some metrics that are recorded without being named.
func unasked(names []string) []string {
	asked := func(name string) bool {
		return slices.ContainsFunc(Metrics(), func(m Metric) bool { return m.Name == name && m.Asked })
	}
	return slices.DeleteFunc(slices.Clone(names), asked)
}

// innerMetrics are the metrics that depend on y*(x).
func innerMetrics() []string {
	return []string{"objective", "grad_norm2", "stationarity", "inner_error"}
}

// evaluate returns the value of each metric.
func (e *evaluator) evaluate(s *metrics.Snapshot) []float64 {
	average(e.x, s.X)
	average(e.y, s.Y)
	if e.q > 0 && e.solved == nil && slices.ContainsFunc(innerMetrics(), e.wants) {
		for _, g := range e.inner {
			g.solve(e.x, e.y)
			e.worst = max(e.worst, g.residual)
		}
	}
	var train, test float64
	if e.wants("train_accuracy") || e.wants("test_accuracy") {
		train, test = e.problem.(problems.Scorer).Accuracy(e.x, e.y)
	}
	values := make([]float64, len(e.names))
	for i, name := range e.names {
		switch name {
		case "objective":
			values[i] = e.objective()
		case "grad_norm2":
			e.hypergradient()
			values[i] = floats.Dot(e.grad, e.grad)
		case "consensus_error":
			values[i] = spread(s.X, e.x)
		case "stationarity":
			e.hypergradient()
			values[i] = floats.Dot(e.grad, e.grad) + spread(s.X, e.x)
		case "consensus_error_y":
			values[i] = spread(s.Y, e.y)
		case "inner_error":
			values[i] = e.innerError(s.Y)
		case "outer_loss":
			values[i] = e.loss(problems.Local.F)
		case "inner_loss":
			values[i] = e.loss(problems.Local.G)
		case "solution_error":
			values[i] = e.problem.(problems.Known).SolutionError(e.x, e.y)
		case "train_accuracy":
			values[i] = train
		case "test_accuracy":
			values[i] = test
		}
	}
	return values
}

func (e *evaluator) wants(name string) bool { return slices.Contains(e.names, name) }

// objective returns Φ(x).
func (e *evaluator) objective() float64 {
	if e.solved != nil {
		return e.solved.Optimistic(e.part[:e.p], e.x)
	}
	sum := 0.0
	for _, g := range e.inner {
		for _, l := range g.locals {
			sum += l.F(e.x, g.y)
		}
	}
	return sum / float64(e.n)
}

// loss returns the mean over the nodes of f or g at the average x and y.
func (e *evaluator) loss(of func(l problems.Local, x, y []float64) float64) float64 {
	sum := 0.0
	for _, g := range e.inner {
		for _, l := range g.locals {
			sum += of(l, e.x, e.y)
		}
	}
	return sum / float64(e.n)
}

// hypergradient sets grad = ∇Φ(x): the mean of ∇_x f - J v at y*(x), where v is
// (mean H)⁻¹ mean ∇_y f over the nodes that share an inner problem.
func (e *evaluator) hypergradient() {
	if e.solved != nil {
		e.solved.Optimistic(e.grad, e.x)
		return
	}
	clear(e.grad)
	e.scale = 0
	dx, own := e.part[:e.p], make([]float64, e.p)
	for _, g := range e.inner {
		var v []float64
		if e.q > 0 {
			v = g.inverseGradient(e.x)
		}
		for _, l := range g.locals {
			l.GradFx(own, e.x, g.y)
			if e.q > 0 {
				l.JacGxyMul(dx, e.x, g.y, v)
				floats.Sub(own, dx)
			}
			floats.AddScaled(e.grad, 1/float64(e.n), own)
			e.scale += floats.Dot(own, own) / float64(e.n)
		}
	}
}

// innerError returns the mean squared distance of the y_i to their y*(x), or to the
// nearest minimizer where there are many.
func (e *evaluator) innerError(y [][]float64) float64 {
	if e.solved != nil {
		sum, nearest := 0.0, e.part[:e.q]
		for i := range y {
			e.solved.NearestInner(nearest, e.x, y[i])
			sum += spread(y[i:i+1], nearest)
		}
		return sum / float64(len(y))
	}
	if len(e.inner) == 1 {
		return spread(y, e.inner[0].y)
	}
	sum := 0.0
	for i, g := range e.inner {
		sum += spread(y[i:i+1], g.y)
	}
	return sum / float64(len(y))
}

// average sets dst to the mean of the rows, updated row by row so that the mean
// of equal rows is exactly that row.
func average(dst []float64, rows [][]float64) {
	clear(dst)
	for k, r := range rows {
		for i, v := range r {
			dst[i] += (v - dst[i]) / float64(k+1)
		}
	}
}

// spread returns the mean squared distance of the rows to a point.
func spread(rows [][]float64, to []float64) float64 {
	sum := 0.0
	for _, r := range rows {
		d := floats.Distance(r, to, 2)
		sum += d * d
	}
	return sum / float64(len(rows))
}

// innerSolver minimizes the average of the g_i over y by Newton's method. The
// Newton systems are solved by conjugate gradients; where the Hessian is small
// enough to be factored, a factor of a nearby point is the preconditioner and is
// renewed when it has become a bad one. Solves start at the last solution.
type innerSolver struct {
	locals   []problems.Local
	x        []float64
	y        []float64 // the last solution
	started  bool
	residual float64 // the gradient norm there

	factor   mat.Cholesky
	factored bool
	fresh    bool // factor belongs to the current point

	g, d, trial, trialG, part []float64
	r, z, dir, ad             []float64
}

const (
	// factorUpTo is the largest q whose Hessian is factored.
	factorUpTo = 600
	// badPreconditioner is the number of iterations after which a factor is renewed.
	badPreconditioner = 12
)

func newInnerSolver(locals []problems.Local, p, q int) *innerSolver {
	s := &innerSolver{locals: locals, x: make([]float64, p)}
	for _, v := range []*[]float64{&s.y, &s.g, &s.d, &s.trial, &s.trialG, &s.part, &s.r, &s.z, &s.dir, &s.ad} {
		*v = make([]float64, q)
	}
	return s
}

// solve sets s.y = y*(x). guess is where the first solve starts.
func (s *innerSolver) solve(x, guess []float64) {
	copy(s.x, x)
	if !s.started {
		copy(s.y, guess)
		s.started = true
	}
	s.fresh = false
	s.gradient(s.g, s.y)
	s.residual = floats.Norm(s.g, 2)
	for range 200 {
		if !(s.residual > innerTolerance) {
			break
		}
		if !s.newtonStep() {
			break
		}
	}
}

// newtonStep moves y along the Newton direction, as far as the gradient norm or g
// sufficiently decreases, and g does not grow: where second derivatives jump, as those
// of a smoothed hinge, neither alone leads to the solution. It reports false if it
// cannot, or if numbers overflow.
func (s *innerSolver) newtonStep() bool {
	floats.ScaleTo(s.d, -1, s.g)
	s.conjugateGradients(s.d, min(0.1, s.residual))
	value, slope := s.value(s.y), floats.Dot(s.g, s.d)
	rounding := 1e-14 * (1 + math.Abs(value))
	for step := 1.0; step > 1e-8; step /= 2 {
		floats.AddScaledTo(s.trial, s.y, step, s.d)
		s.gradient(s.trialG, s.trial)
		norm, v := floats.Norm(s.trialG, 2), s.value(s.trial)
		if v <= value+rounding && norm <= (1-1e-4*step)*s.residual || v < value+1e-4*step*slope {
			s.y, s.trial = s.trial, s.y
			s.g, s.trialG = s.trialG, s.g
			s.residual = norm
			s.fresh = false
			return true
		}
	}
	return false
}

// inverseGradient returns (mean H)⁻¹ mean ∇_y f at (x, y*(x)) of the last solve.
func (s *innerSolver) inverseGradient(x []float64) []float64 {
	clear(s.d)
	for _, l := range s.locals {
		l.GradFy(s.part, x, s.y)
		floats.AddScaled(s.d, 1/float64(len(s.locals)), s.part)
	}
	s.conjugateGradients(s.d, 1e-13)
	return s.d
}

// value returns the mean of the g_i at y.
func (s *innerSolver) value(y []float64) float64 {
	sum := 0.0
	for _, l := range s.locals {
		sum += l.G(s.x, y)
	}
	return sum / float64(len(s.locals))
}

func (s *innerSolver) gradient(dst, y []float64) {
	clear(dst)
	for _, l := range s.locals {
		l.GradGy(s.part, s.x, y)
		floats.AddScaled(dst, 1/float64(len(s.locals)), s.part)
	}
}

func (s *innerSolver) product(dst, v []float64) {
	clear(dst)
	for _, l := range s.locals {
		l.HessGyyMul(s.part, s.x, s.y, v)
		floats.AddScaled(dst, 1/float64(len(s.locals)), s.part)
	}
}

// conjugateGradients replaces b by (mean H)⁻¹ b, to a residual relative to ||b||.
func (s *innerSolver) conjugateGradients(b []float64, tolerance float64) {
	q := len(b)
	if q <= factorUpTo && !s.factored {
		s.refactor()
	}
	copy(s.r, b)
	stop := tolerance * floats.Norm(b, 2)
	clear(b) // from here on the iterate
	s.precondition(s.z, s.r)
	copy(s.dir, s.z)
	rz := floats.Dot(s.r, s.z)
	for i := range 10*q + 100 {
		if !(floats.Norm(s.r, 2) > stop) {
			return
		}
		if i >= badPreconditioner && s.factored && !s.fresh {
			s.refactor()
			s.precondition(s.z, s.r)
			copy(s.dir, s.z)
			rz = floats.Dot(s.r, s.z)
		}
		s.product(s.ad, s.dir)
		step := rz / floats.Dot(s.dir, s.ad)
		if math.IsNaN(step) || math.IsInf(step, 0) {
			return
		}
		floats.AddScaled(b, step, s.dir)
		floats.AddScaled(s.r, -step, s.ad)
		s.precondition(s.z, s.r)
		next := floats.Dot(s.r, s.z)
		floats.AddScaledTo(s.dir, s.z, next/rz, s.dir)
		rz = next
		if s.fresh && i > 60 {
			return // at the limit of rounding
		}
	}
}

// refactor factors the Hessian at the current point.
func (s *innerSolver) refactor() {
	q := len(s.y)
	sum, h := mat.NewSymDense(q, nil), mat.NewSymDense(q, nil)
	for _, l := range s.locals {
		l.HessGyy(h, s.x, s.y)
		sum.AddSym(sum, h)
	}
	sum.ScaleSym(1/float64(len(s.locals)), sum)
	s.factored = s.factor.Factorize(sum)
	s.fresh = s.factored
}

func (s *innerSolver) precondition(dst, r []float64) {
	if !s.factored {
		copy(dst, r)
		return
	}
	// A badly conditioned factor is still a preconditioner.
	_ = s.factor.SolveVecTo(mat.NewVecDense(len(dst), dst), mat.NewVecDense(len(r), r))
}
