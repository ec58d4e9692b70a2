package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/scenarios/problems"
)

// specOf reads the matrices of a quadratic problem from its derivatives, which are affine.
func specOf(qp *problems.Quadratic) problems.QuadraticSpec {
	var spec problems.QuadraticSpec
	p, q := qp.Dims()
	for i := range qp.Nodes() {
		l := qp.Local(i)
		at := func(d int, grad func(dst, x, y []float64), x, y []float64) []float64 {
			g := make([]float64, d)
			grad(g, x, y)
			return g
		}
		zx, zy := make([]float64, p), make([]float64, q)
		n := problems.QuadraticNode{
			LinearG: at(q, l.GradGy, zx, zy), LinearFx: at(p, l.GradFx, zx, zy), LinearFy: at(q, l.GradFy, zx, zy),
			H: waves(0, q, q, 0), P: waves(0, p, q, 0), A: waves(0, p, p, 0), B: waves(0, p, q, 0), C: waves(0, q, q, 0),
		}
		for c := range q {
			e := make([]float64, q)
			e[c] = 1
			h, b, cc := at(q, l.GradGy, zx, e), at(p, l.GradFx, zx, e), at(q, l.GradFy, zx, e)
			for r := range q {
				n.H[r][c], n.C[r][c] = h[r]-n.LinearG[r], cc[r]-n.LinearFy[r]
			}
			for r := range p {
				n.B[r][c] = b[r] - n.LinearFx[r]
			}
		}
		for r := range p {
			e := make([]float64, p)
			e[r] = 1
			a, pr := at(p, l.GradFx, e, zy), at(q, l.GradGy, e, zy)
			for c := range p {
				n.A[c][r] = a[c] - n.LinearFx[c]
			}
			for c := range q {
				n.P[r][c] = pr[c] - n.LinearG[c]
			}
		}
		spec.Nodes = append(spec.Nodes, n)
	}
	return spec
}

// generatedMean is one node with the mean of eight generated ones of condition 10.
func generatedMean(t *testing.T) stacked {
	t.Helper()
	qp, err := problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 8, P: 4, Q: 6, Condition: 10,
		Heterogeneity: .5, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return stack(single(), meanOf(specOf(qp)), zeroStart(4, 6))
}

// stationary solves A x + B y* + a - P S (B'x + C y* + c) = 0 with y* = -H⁻¹ (P'x + q):
// the limit of a method that approximates H⁻¹ by S.
func (s stacked) stationary(approximation *mat.Dense) []float64 {
	slope, at0 := times(-1, mul(inverse(s.h), s.pm.T())), times(-1, mul(inverse(s.h), s.qv))
	ps := times(-1, mul(s.pm, approximation))
	system := sum(s.a, mul(s.b, slope), mul(ps, sum(s.b.T(), mul(s.c, slope))))
	constant := sum(mul(s.b, at0), s.av, mul(ps, sum(mul(s.c, at0), s.cv)))
	return values(times(-1, mul(inverse(system), constant)))
}

// The limits of methods that are exact in some parts and biased in others, from the
// stationary equation. The inner H has eigenvalues in [1, 10], so steps of 0.1 are stable.
func TestOneNodeLimits(t *testing.T) {
	const outer, alpha, beta, eta = 800, .1, .05, .08
	s := generatedMean(t)
	optimum := s.stationary(inverse(s.h))
	exact, _, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "the optimum", optimum, exact, 1e-10)
	short := func(step float64, terms int) []float64 { return s.stationary(s.terms(step, terms)) }
	for name, c := range map[string]struct {
		m    algorithms.Method
		want []float64
	}{
		"aid, warm": {algorithms.AID{Outer: outer, Inner: 3, Q: 3, Alpha: alpha, Beta: beta, Eta: eta,
			Warm: true}, optimum},
		"aid, no loop": {algorithms.AID{Outer: outer, Inner: 1, Q: 1, Alpha: alpha, Beta: beta, Eta: eta,
			Warm: true}, optimum},
		"aid, v from 0": {algorithms.AID{Outer: outer, Inner: 3, Q: 4, Alpha: alpha, Beta: beta, Eta: eta},
			short(eta, 4)},
		"aid, v from 0, 1": {algorithms.AID{Outer: outer, Inner: 1, Q: 1, Alpha: alpha, Beta: beta, Eta: eta},
			short(eta, 1)},
		"aid, neumann": {algorithms.AID{Outer: outer, Inner: 3, Q: 4, Solve: algorithms.SolveNeumann,
			Alpha: alpha, Beta: beta, Eta: eta}, short(eta, 5)},
		"aid, cg": {algorithms.AID{Outer: outer, Inner: 2, Q: 10, Solve: algorithms.SolveCG, Alpha: alpha,
			Beta: beta, CGTolerance: 1e-13}, optimum},
		"aid, warm cg": {algorithms.AID{Outer: outer, Inner: 2, Q: 2, Solve: algorithms.SolveCG, Alpha: alpha,
			Beta: beta, Warm: true, CGTolerance: 1e-13}, optimum},
		"itd":          {algorithms.ITD{Outer: outer, Inner: 4, Alpha: alpha, Beta: beta, Warm: true}, short(alpha, 4)},
		"itd, no loop": {algorithms.ITD{Outer: outer, Inner: 1, Alpha: alpha, Beta: beta, Warm: true}, short(alpha, 1)},
		"itd, back 2": {algorithms.ITD{Outer: outer, Inner: 5, Back: 2, Alpha: alpha, Beta: beta, Warm: true},
			short(alpha, 2)},
		"ba": {algorithms.BA{Outer: outer, Alpha: alpha, Beta: beta, Warm: true}, optimum},
		"stocbio": {algorithms.StocBiO{Outer: outer, Inner: 3, Q: 3, Alpha: alpha, Beta: beta, Eta: eta},
			short(eta, 4)},
		"vrbo": {algorithms.VRBO{Outer: outer, Inner: 2, Period: 5, Q: 3, Alpha: beta, Beta: alpha,
			Eta: eta}, short(eta, 4)},
		"vrbo, after": {algorithms.VRBO{Outer: outer, Inner: 2, Period: 5, Q: 3, Alpha: beta, Beta: alpha,
			Eta: eta, Estimates: algorithms.EstimateAfter}, short(eta, 4)},
		"mrbo": {algorithms.MRBO{Outer: outer, Q: 3, Alpha: beta, Beta: alpha, Eta: eta, Weight: .2},
			short(eta, 4)},
		"amigo": {algorithms.AmIGO{Outer: outer, Inner: 2, Linear: 2, Alpha: alpha, Beta: beta,
			Eta: eta}, optimum},
		"soba": {algorithms.SOBA{Outer: outer, Rho: alpha, Gamma: .02}, optimum},
		"saba": {algorithms.SABA{Outer: outer, Rho: alpha, Gamma: .02}, optimum},
	} {
		x, _ := limit(t, single(), s.split(), c.m)
		closeTo(t, name, x, c.want, 1e-8)
		if &c.want[0] != &optimum[0] && floats.Distance(c.want, optimum, math.Inf(1)) < 1e-3 {
			t.Errorf("%s: the biased limit is the optimum, so that this tests nothing", name)
		}
	}
}

// From the starting point, y^N = y* + R (y0 - y*) with R = (I - alpha H)^N, an affine
// function of x, and reverse-mode ITD ends at the minimizer of f(x, y^N(x)).
func TestColdITDMinimizesTheUnrolledObjective(t *testing.T) {
	const alpha, steps = .1, 5
	s := generatedMean(t)
	rest := sum(eye(s.q), times(-1, s.power(alpha, steps)))
	slope := times(-1, mul(rest, mul(inverse(s.h), s.pm.T())))
	at0 := times(-1, mul(rest, mul(inverse(s.h), s.qv))) // y0 = 0
	// ∇ = A x + B y + a + slope' (B'x + C y + c), y = slope x + at0.
	system := sum(s.a, mul(s.b, slope), mul(slope.T(), sum(s.b.T(), mul(s.c, slope))))
	constant := sum(mul(s.b, at0), s.av, mul(slope.T(), sum(mul(s.c, at0), s.cv)))
	want := values(times(-1, mul(inverse(system), constant)))
	x, _ := limit(t, single(), s.split(), algorithms.ITD{Outer: 1000, Inner: steps, Alpha: alpha, Beta: .1})
	closeTo(t, "cold ITD", x, want, 1e-9)
	if d := floats.Distance(want, s.stationary(s.terms(alpha, steps)), math.Inf(1)); d < 1e-3 {
		t.Errorf("a warm start has the same limit to %g", d)
	}
}

// AID-FP as Grazzi et al. write it: w <- (I - a H) w + ∇_y f, hypergradient ∇_x f - a J w.
// It is AID by gradient descent with eta = a from 0.
func TestAIDIsAIDFP(t *testing.T) {
	const a, beta, inner, steps = .1, .05, 3, 4
	m := algorithms.AID{Outer: twinIterations, Inner: inner, Q: steps, Solve: algorithms.SolveGD, Alpha: a,
		Beta: beta, Eta: a}
	oneNodeTwin(t, "aid-fp", m, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			y = s.descended(x, y, a, inner)
			w := mat.NewDense(s.q, 1, nil)
			for range steps {
				w = sum(mul(s.power(a, 1), w), s.gradFy(x, y))
			}
			return stepped(x, beta, sum(s.gradFx(x, y), times(-a, mul(s.pm, w)))), y
		}
	})
}

// In the instance of Theorem 4 of Ji et al., f = 1/2 x'Z x + M 1'y, g = 1/2 y'Z y - L x'y + 1'y,
// Z = diag(L, mu), ITD with a constant N keeps a gradient of
// ||∇Φ||² -> L² M² ||(I - alpha Z)^N Z⁻¹ 1||². L = 1, mu = 0.1, M = 1, alpha = 0.5.
func TestITDFloor(t *testing.T) {
	zero := [][]float64{{0, 0}, {0, 0}}
	z := [][]float64{{1, 0}, {0, .1}}
	s := stack(single(), problems.QuadraticSpec{Nodes: []problems.QuadraticNode{{
		H: z, P: [][]float64{{-1, 0}, {0, -1}}, LinearG: []float64{1, 1},
		A: z, B: zero, C: zero, LinearFx: []float64{0, 0}, LinearFy: []float64{1, 1},
	}}}, zeroStart(2, 2))
	norm2 := func(x []float64) float64 { // ∇Φ = Z x + L M Z⁻¹ 1
		return math.Pow(x[0]+1, 2) + math.Pow(.1*x[1]+10, 2)
	}
	for n, floor := range map[int]float64{1: 90.5, 5: 59.87467049, 20: 12.85121566, 100: .0035052666} {
		x, _ := limit(t, single(), s.split(), algorithms.ITD{Outer: 600, Inner: n, Alpha: .5, Beta: .9, Warm: true})
		formula := math.Pow(.5, 2*float64(n)) + 100*math.Pow(.95, 2*float64(n))
		if got := norm2(x); !(math.Abs(got-formula) <= 1e-10) || !(math.Abs(got-floor) <= 1e-8) {
			t.Errorf("N = %d: ||∇Φ||² = %.12f, want %.12f, which is %.10f", n, got, formula, floor)
		}
		if want := map[int][]float64{1: {-.5, -5}, 5: {-.96875, -22.621906250}}[n]; want != nil {
			closeTo(t, "x", x, want, 1e-9)
		}
	}
	// AID with single steps and warm starts has no floor.
	x, _ := limit(t, single(), s.split(), algorithms.AID{Outer: 3000, Inner: 1, Q: 1, Alpha: .5, Beta: .5, Eta: .5,
		Warm: true})
	closeTo(t, "AID", x, []float64{-1, -100}, 1e-8)
}

// With a fixed lambda F2SA ends where z = y*(x), (C + lambda H) y = -(B'x + c + lambda
// (P'x + q)), A x + B y + a + lambda P (y - z) = 0. The distance from the optimum falls
// like 1/lambda.
func TestF2SALimit(t *testing.T) {
	s := generatedMean(t)
	optimum := s.stationary(inverse(s.h))
	var before float64
	for _, lambda := range []float64{10, 100} {
		hl := inverse(sum(s.c, times(lambda, s.h)))
		yx, y0 := times(-1, mul(hl, sum(s.b.T(), times(lambda, s.pm.T())))),
			times(-1, mul(hl, sum(s.cv, times(lambda, s.qv))))
		zx, z0 := times(-1, mul(inverse(s.h), s.pm.T())), times(-1, mul(inverse(s.h), s.qv))
		system := sum(s.a, mul(s.b, yx), times(lambda, mul(s.pm, sum(yx, times(-1, zx)))))
		constant := sum(mul(s.b, y0), s.av, times(lambda, mul(s.pm, sum(y0, times(-1, z0)))))
		want := values(times(-1, mul(inverse(system), constant)))
		x, _ := limit(t, single(), s.split(),
			algorithms.F2SA{Outer: 400, Inner: 20, EtaX: .05, EtaY: .1 / lambda, EtaZ: .1, Lambda: lambda})
		closeTo(t, "F2SA", x, want, 1e-8)
		d := floats.Distance(want, optimum, 2)
		if before > 0 && (!(d <= before/8) || d < before/12) {
			t.Errorf("lambda = %g: bias %g, with a tenth of it %g", lambda, d, before)
		}
		before = d
	}
}

// With constant nu and weights, Penalty ends where both its directions are 0. When nu
// moves, it approaches the optimum, where nu = -H⁻¹ ∇_y f.
func TestPenaltyLimit(t *testing.T) {
	s := generatedMean(t)
	a := algorithms.Penalty{Outer: 400, Inner: 5, Alpha: .01, Beta: .05, Gamma: .5, Lambda: .3, Epsilon: 1e-30, Nu: .1}
	nu := mat.NewDense(s.q, 1, nil)
	for i := range s.q {
		nu.Set(i, 0, a.Nu)
	}
	gh := sum(times(a.Gamma, s.h), times(a.Lambda, eye(s.q))) // ∇_y F = ∇_y f + gh ∇_y g + H nu
	n := s.p + s.q
	system, constant := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil)
	put := func(r, c int, m *mat.Dense) {
		rows, cols := m.Dims()
		system.Slice(r, r+rows, c, c+cols).(*mat.Dense).Copy(m)
	}
	put(0, 0, sum(s.a, times(a.Gamma, mul(s.pm, s.pm.T()))))
	put(0, s.p, sum(s.b, times(a.Gamma, mul(s.pm, s.h))))
	put(s.p, 0, sum(s.b.T(), mul(gh, s.pm.T())))
	put(s.p, s.p, sum(s.c, mul(gh, s.h)))
	constant.Slice(0, s.p, 0, 1).(*mat.Dense).Copy(sum(s.av, mul(s.pm, sum(nu, times(a.Gamma, s.qv)))))
	constant.Slice(s.p, n, 0, 1).(*mat.Dense).Copy(sum(s.cv, mul(s.h, nu), mul(gh, s.qv)))
	want := values(times(-1, mul(inverse(system), constant)))
	x, y := limit(t, single(), s.split(), a)
	closeTo(t, "Penalty", append(x, y...), want, 1e-8)

	optimum := s.stationary(inverse(s.h))
	a.Epsilon, a.Gamma, a.Outer = 1, 2, 8000
	x, _ = limit(t, single(), s.split(), a)
	if at, moved := floats.Distance(want[:s.p], optimum, 2), floats.Distance(x, optimum, 2); !(moved <= at/20) {
		t.Errorf("with a multiplier that moves, Penalty is %g from the optimum; at rest %g", moved, at)
	}
}

// On instance V the bias of BOME depends on T and xi, as printed by an independent
// program for alpha = 0.05.
func TestBOMEBiasOnInstanceV(t *testing.T) {
	s := stack(single(), meanOf(instanceV()), zeroStart(2, 3))
	for _, c := range []struct {
		inner        int
		xi, want, to float64
	}{{3, .05, .12, .006}, {3, .01, .12, .006}, {20, .05, .030, .001}, {20, .01, .015, .001}, {20, .002, .013, .001}} {
		x, _ := limit(t, single(), s.split(),
			algorithms.BOME{Outer: int(40 / c.xi), Inner: c.inner, Alpha: .05, Xi: c.xi, Eta: .5})
		if d := floats.Distance(x, vMinimizer, 2); !(math.Abs(d-c.want) <= c.to) {
			t.Errorf("T = %d, xi = %g: %g from the optimum, want %g", c.inner, c.xi, d, c.want)
		}
	}
}
