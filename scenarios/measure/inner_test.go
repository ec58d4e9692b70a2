package measure

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
)

// counted counts the gradients of g.
type counted struct {
	problems.Local
	gradients *int
}

func (c counted) GradGy(dst, x, y []float64) {
	*c.gradients++
	c.Local.GradGy(dst, x, y)
}

// TestSolvesGoOnFromTheLast: the first solve starts at the guess, each later one at the previous solution. A
// second solve at the same x has nothing left to do.
func TestSolvesGoOnFromTheLast(t *testing.T) {
	problem, err := problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 1, P: 3, Q: 5, Condition: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, y := problem.Start(0)
	solution := make([]float64, len(y))
	for _, guess := range [][]float64{y, solution} { // from the start, and from its solution
		var gradients int
		locals := []problems.Local{counted{problem.Local(0), &gradients}}
		s := newInnerSolver(locals, len(x), len(y), newTeam(nil, locals))
		s.solve(x, guess)
		first := gradients
		s.solve(x, y)
		if again := gradients - first; again != 1 || (first == 1) != (&guess[0] == &solution[0]) {
			t.Errorf("%d gradients for the first solve, %d for the same again", first, again)
		}
		locals[0].GradGy(s.d, x, s.y)
		if got := floats.Norm(s.d, 2); got != s.residual || !(got <= innerTolerance) {
			t.Errorf("the gradient has norm %g, and the solver says %g", got, s.residual)
		}
		copy(solution, s.y)
	}
}

// diagonal is an inner problem with a diagonal Hessian that counts products.
type diagonal struct {
	problems.Local
	h        []float64
	products *int
}

func (d diagonal) HessGyyMul(dst, _, _, v []float64) {
	*d.products++
	floats.MulTo(dst, d.h, v)
}

func (d diagonal) HessGyy(dst *mat.SymDense, _, _ []float64) {
	dst.Zero()
	for i, h := range d.h {
		dst.SetSym(i, i, h)
	}
}

// TestConjugateGradients: a diagonal Hessian's inverse is known. With up to FactorUpTo unknowns it is factored, and
// one product is enough. With one more it is not, and the products are as many as the distinct eigenvalues. If the
// Hessian has moved from its factor, the factor is renewed after badPreconditioner products.
func TestConjugateGradients(t *testing.T) {
	for _, c := range []struct {
		q, values int // unknowns, distinct eigenvalues
		moved     bool
		products  [2]int // bounds
	}{
		{1, 1, false, [2]int{1, 1}}, {50, 50, false, [2]int{1, 1}}, {FactorUpTo, FactorUpTo, false, [2]int{1, 1}},
		{FactorUpTo + 1, FactorUpTo + 1, false, [2]int{150, 10*(FactorUpTo+1) + 100}},
		{FactorUpTo + 1, 5, false, [2]int{5, 6}}, {FactorUpTo + 1, 90, false, [2]int{62, 200}},
		{50, 50, true, [2]int{badPreconditioner + 1, badPreconditioner + 1}},
		{50, 4, true, [2]int{4, badPreconditioner}},
	} {
		products := 0
		local := diagonal{h: make([]float64, c.q), products: &products}
		b, want := make([]float64, c.q), make([]float64, c.q)
		locals := []problems.Local{local, local}
		s := newInnerSolver(locals, 0, c.q, newTeam(nil, nil))
		if c.moved { // from the identity
			floats.AddConst(1, local.h)
			s.refactor()
			s.fresh = false
		}
		for i := range b {
			local.h[i] = 1 + 40*float64(i%c.values)
			want[i] = math.Sin(float64(3*i)) + 2
			b[i] = local.h[i] * want[i]
		}
		s.conjugateGradients(b, 1e-12)
		if off := floats.Distance(b, want, 2) / floats.Norm(want, 2); !(off < 1e-9) {
			t.Errorf("%+v: the solution is off by %g", c, off)
		}
		if n := products / len(locals); n < c.products[0] || n > c.products[1] {
			t.Errorf("%+v: %d products", c, n)
		}
	}
}

// TestFlatInnerProblems: there is no step if a product is 0 or NaN.
func TestFlatInnerProblems(t *testing.T) {
	for _, h := range []float64{0, math.NaN()} {
		products := 0
		s := newInnerSolver([]problems.Local{diagonal{h: []float64{h, h}, products: &products}}, 0, 2, newTeam(nil, nil))
		b := []float64{3, -4}
		s.conjugateGradients(b, 1e-12)
		if b[0] != 0 || b[1] != 0 || products != 1 {
			t.Errorf("of a Hessian of %g: %v after %d products", h, b, products)
		}
	}
}

// turning is an inner problem without a factor whose products turn by 45 degrees: conjugate gradients do not converge.
type turning struct {
	problems.Local
	products *int
}

func (t turning) HessGyy(dst *mat.SymDense, _, _ []float64) { dst.Zero() }

func (t turning) HessGyyMul(dst, _, _, v []float64) {
	*t.products++
	dst[0], dst[1] = v[0]-v[1], v[1]+v[0]
}

// TestConjugateGradientsEnd: they end after ten products for each unknown and a hundred more.
func TestConjugateGradientsEnd(t *testing.T) {
	products := 0
	s := newInnerSolver([]problems.Local{turning{products: &products}}, 0, 2, newTeam(nil, nil))
	s.conjugateGradients([]float64{3, -4}, 1e-12)
	if products != 120 {
		t.Errorf("%d products, want 120", products)
	}
	// A new factor, and another problem's factor: four distinct eigenvalues take four products.
	products = 0
	local := diagonal{h: []float64{1, 1, 1, 1}, products: &products}
	s = newInnerSolver([]problems.Local{local}, 0, 4, newTeam(nil, nil))
	s.refactor()
	copy(local.h, []float64{1, 2, 3, 4})
	b := []float64{1, 2, 3, 4}
	if s.conjugateGradients(b, 1e-12); floats.Distance(b, []float64{1, 1, 1, 1}, 2) > 1e-10 || products != 4 {
		t.Errorf("%v after %d products, want 1 four times after 4", b, products)
	}
}

// plane is an inner problem of two unknowns with gradient (-3, -4) at the start and another one elsewhere.
type plane struct {
	problems.Local
	elsewhere []float64
}

func (p plane) G(_, y []float64) float64 { return 0 }

func (p plane) GradGy(dst, _, y []float64) {
	copy(dst, []float64{-3, -4})
	if y[0] != 0 {
		copy(dst, p.elsewhere)
	}
}

func (p plane) HessGyy(dst *mat.SymDense, _, _ []float64) {
	dst.SetSym(0, 0, 1)
	dst.SetSym(0, 1, 0)
	dst.SetSym(1, 1, 1)
}

func (p plane) HessGyyMul(dst, _, _, v []float64) { copy(dst, v) }

// TestNewtonStepsInThePlane: gradients are measured by their lengths, 5 at the start.
func TestNewtonStepsInThePlane(t *testing.T) {
	for _, c := range []struct {
		elsewhere []float64
		moved     bool
		residual  float64
	}{{[]float64{4.9, 0}, true, 4.9}, {[]float64{5.1, 0}, false, 5}, {[]float64{0, 0}, true, 0}} {
		s := newInnerSolver([]problems.Local{plane{elsewhere: c.elsewhere}}, 0, 2, newTeam(nil, nil))
		s.solve(nil, []float64{0, 0})
		if moved := s.y[0] != 0; moved != c.moved || s.residual != c.residual {
			t.Errorf("to a gradient of %v: moved to %v, gradient norm %g", c.elsewhere, s.y, s.residual)
		}
	}
	s := newInnerSolver([]problems.Local{plane{elsewhere: []float64{0.3, 0.4}}}, 0, 2, newTeam(nil, nil))
	s.gradient(s.g, s.y)
	s.residual = 5
	if !s.newtonStep() || math.Abs(s.residual-0.5) > 1e-15 {
		t.Errorf("a gradient of (0.3, 0.4) has the norm %g", s.residual)
	}
}

// slope is an inner problem of one unknown with gradient -1 and value at 0. A step from there gives another
// gradient and changes the value by rise + fall y.
type slope struct {
	problems.Local
	value, rise, fall, gradient float64
}

func (s slope) G(_, y []float64) float64 {
	if y[0] == 0 {
		return s.value
	}
	return s.value + s.rise - s.fall*y[0]
}

func (s slope) GradGy(dst, _, y []float64) {
	dst[0] = s.gradient
	if y[0] == 0 {
		dst[0] = -1
	}
}

func (s slope) HessGyy(dst *mat.SymDense, _, _ []float64) { dst.SetSym(0, 0, 1) }

func (s slope) HessGyyMul(dst, _, _, v []float64) { copy(dst, v) }

// TestNewtonSteps: a step of length s from 0 leads to s. It is accepted if the gradient norm falls to 1 - s/10^4
// of its value and the objective grows by no more than rounding, 10^-14 of 1 + its size; or if the objective
// falls by more than s/10^4. Otherwise it is halved, down to 2^-26, the last above 10^-8.
func TestNewtonSteps(t *testing.T) {
	for _, c := range []struct {
		slope
		want float64 // 0: no step is taken
	}{
		{slope{}, 1},
		{slope{rise: 0.9e-14}, 1}, {slope{rise: 1.1e-14}, 0},
		{slope{value: 2, rise: 2.9e-14}, 1}, {slope{value: 2, rise: 3.1e-14}, 0},
		{slope{value: -2, rise: 2.9e-14}, 1}, {slope{value: -2, rise: 3.1e-14}, 0},
		{slope{gradient: 0.99985}, 1}, {slope{gradient: 0.99992}, 0.5}, {slope{gradient: 0.99996}, 0.25},
		{slope{gradient: 1 - 1.5e-12}, 1.0 / (1 << 26)}, {slope{gradient: 1 - 1e-12}, 0},
		{slope{gradient: 9, fall: 1.1e-4}, 1}, {slope{gradient: 9, fall: 0.9e-4}, 0},
		{slope{value: 1e15, gradient: 9}, 0}, {slope{value: 1e15, gradient: 0.5}, 1}, // rounded, 10^15 - 10^-4 is 10^15
	} {
		locals := []problems.Local{c.slope}
		s := newInnerSolver(locals, 0, 1, newTeam(nil, nil))
		s.gradient(s.g, s.y)
		s.residual = floats.Norm(s.g, 2)
		moved := s.newtonStep()
		if moved != (c.want > 0) || s.y[0] != c.want {
			t.Errorf("%+v: a step to %g, %v", c.slope, s.y[0], moved)
		}
		if moved && (s.residual != c.gradient || s.g[0] != c.gradient) {
			t.Errorf("%+v: the gradient is %g, of norm %g", c.slope, s.g[0], s.residual)
		}
	}
}
