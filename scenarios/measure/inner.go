package measure

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
)

// innerTolerance is the gradient norm to which the inner problem is solved.
const innerTolerance = 1e-10

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
	// FactorUpTo is the largest q whose Hessian is factored.
	FactorUpTo = 600
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
