package measure

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms/cholesky"
	"tallynet/scenarios/problems"
)

// innerTolerance is the gradient norm to which the inner problem is solved.
const innerTolerance = 1e-10

// innerSolver minimizes the average of the g_i over y by Newton's method, starting at the last solution. Conjugate
// gradients solve the Newton systems. If the Hessian is small enough to be factored, the factor at a nearby point is
// the preconditioner. It is renewed when convergence slows.
type innerSolver struct {
	locals   []problems.Local
	all      *team // of the locals
	x        []float64
	y        []float64 // the last solution
	started  bool
	residual float64 // the gradient norm there

	factor   cholesky.Factor
	factored bool
	fresh    bool // factor belongs to the current point

	g, d, trial, trialG []float64
	r, z, dir, ad       []float64
}

const (
	// FactorUpTo is the largest q whose Hessian is factored.
	FactorUpTo = 600
	// badPreconditioner is the number of iterations after which a factor is renewed.
	badPreconditioner = 12
)

func newInnerSolver(locals []problems.Local, p, q int, all *team) *innerSolver {
	s := &innerSolver{locals: locals, all: all, x: make([]float64, p)}
	for _, v := range []*[]float64{&s.y, &s.g, &s.d, &s.trial, &s.trialG, &s.r, &s.z, &s.dir, &s.ad} {
		*v = make([]float64, q)
	}
	return s
}

// solve sets s.y = y*(x). The first solve starts at guess.
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

// newtonStep moves y along the Newton direction. A step is accepted if g decreases sufficiently, or if the gradient
// norm does and g does not grow: if second derivatives jump, as those of a smoothed hinge, neither test alone leads
// to the solution. It reports false if no step is accepted or numbers overflow.
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
	s.mean(s.d, func(l problems.Local, part []float64) { l.GradFy(part, x, s.y) })
	s.conjugateGradients(s.d, 1e-13)
	return s.d
}

// value returns the mean of the g_i at y.
func (s *innerSolver) value(y []float64) float64 {
	n := len(s.locals)
	return s.all.sum(n, func(i int) float64 { return s.locals[i].G(s.x, y) }) / float64(n)
}

// mean sets dst (q) to the mean over the nodes of a vector.
func (s *innerSolver) mean(dst []float64, of func(l problems.Local, part []float64)) {
	clear(dst)
	n := len(s.locals)
	s.all.vectors(n, len(dst), func(i int, part []float64) { of(s.locals[i], part) },
		func(_ int, part []float64) { floats.AddScaled(dst, 1/float64(n), part) })
}

func (s *innerSolver) gradient(dst, y []float64) {
	s.mean(dst, func(l problems.Local, part []float64) { l.GradGy(part, s.x, y) })
}

func (s *innerSolver) product(dst, v []float64) {
	s.mean(dst, func(l problems.Local, part []float64) { l.HessGyyMul(part, s.x, s.y, v) })
}

// conjugateGradients replaces b by (mean H)⁻¹ b, to a residual relative to ||b||.
func (s *innerSolver) conjugateGradients(b []float64, tolerance float64) {
	q := len(b)
	if q <= FactorUpTo && !s.factored {
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
	s.factored = s.factor.Set(sum)
	s.fresh = s.factored
}

func (s *innerSolver) precondition(dst, r []float64) {
	if !s.factored {
		copy(dst, r)
		return
	}
	s.factor.Solve(dst, r) // a badly conditioned factor is still a preconditioner
}
