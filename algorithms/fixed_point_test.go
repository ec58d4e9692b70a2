package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/topologies"
)

// Values of instance V, computed outside this repository: at x = 0 the inner
// solution y* and v* = H̄⁻¹ ∇_y f̄, the matrix Z* = H̄⁻¹ J̄', and the minimizer x*.
var (
	vInner     = []float64{-.689149560, .601173021, -.228739003}
	vAdjoint   = []float64{.197001230, -.747942484, .596584997}
	vInverse   = [][]float64{{.255131965, -.082111437}, {-.148093842, .369501466}, {.378299120, -.052785924}}
	vMinimizer = []float64{.479105725509, -.318264769392}
)

// limit runs a method for many iterations and returns its last iterates, stacked.
func limit(t *testing.T, w *topologies.Mixing, on split, m algorithms.Method) (x, y []float64) {
	t.Helper()
	last := finish(t, world{w: w, on: on, every: algorithms.Iterations(m)}, m).last()
	for i := range last.X {
		x, y = append(x, last.X[i]...), append(y, last.Y[i]...)
	}
	return x, y
}

func closeTo(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d numbers, want %d", what, len(got), len(want))
	}
	if d := floats.Distance(got, want, math.Inf(1)); !(d <= tolerance) {
		t.Errorf("%s = %.10g, want %.10g: %.2g apart", what, got, want, d)
	}
}

// values returns the elements of a column.
func values(m *mat.Dense) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// repeat returns n copies of v, one after the other.
func repeat(v []float64, n int) []float64 {
	var r []float64
	for range n {
		r = append(r, v...)
	}
	return r
}

// The stationary point of DAGM with fixed alpha, beta, U, from the stacked system
//
//	y(x) = -(L/beta + H)⁻¹ (P'x + q),  h(x) = -K_U (B'x + C y(x) + c),
//	(L/alpha) x + A x + B y(x) + a + beta P h(x) = 0,   L = I - W.
func TestDAGMStationaryPoint(t *testing.T) {
	w := ringA(4, .5)
	s := stack(w, instanceV(), zeroStart(2, 3))
	for _, a := range []algorithms.DAGM{
		{Outer: 300, Inner: 3, Neumann: 5, Alpha: .02, Beta: .05, Solve: algorithms.SolveCholesky},
		{Outer: 120, Inner: 1, Neumann: 40, Alpha: .05, Beta: .1, Solve: algorithms.SolveCG, CGTolerance: 1e-13,
			CGIterations: 20},
	} {
		lx := sum(eye(s.n*s.p), times(-1, s.wx))
		ly := sum(eye(s.n*s.q), times(-1, s.wy))
		inv := inverse(sum(times(1/a.Beta, ly), s.h))
		slope, at0 := times(-1, mul(inv, s.pm.T())), times(-1, mul(inv, s.qv))
		implicit := times(-a.Beta, mul(s.pm, s.dihgpMatrix(a.Beta, a.Neumann))) // beta P h = implicit ∇_y f
		system := sum(times(1/a.Alpha, lx), s.a, mul(s.b, slope), mul(implicit, sum(s.b.T(), mul(s.c, slope))))
		constant := sum(mul(s.b, at0), s.av, mul(implicit, sum(mul(s.c, at0), s.cv)))
		x := times(-1, mul(inverse(system), constant))
		y := sum(mul(slope, x), at0)

		gotX, gotY := limit(t, w, s.split(), a)
		closeTo(t, "x", gotX, values(x), 1e-8)
		closeTo(t, "y", gotY, values(y), 1e-8)
		// The method is biased: its limit is not x*.
		if d := floats.Distance(gotX, repeat(vMinimizer, 4), math.Inf(1)); d < 1e-4 {
			t.Errorf("DAGM with beta = %g is only %g from the optimum", a.Beta, d)
		}
	}
}

// onInstanceV runs f on every node of instance V.
func onInstanceV(t *testing.T, f func(p *node.Proc, o algorithms.Oracle)) {
	s := stack(ringA(4, .5), instanceV(), zeroStart(2, 3)).split()
	program(t, configOf(ringA(4, .5)), func(p *node.Proc) {
		f(p, algorithms.Metered(p.Context, s.local(p.ID()), make([]float64, 2), make([]float64, 3)))
	})
}

func TestJHIPSolves(t *testing.T) {
	onInstanceV(t, func(p *node.Proc, o algorithms.Oracle) {
		z := algorithms.RunJHIP(p, o, 1500, .05, make([]float64, 2), vInner)
		for r, row := range vInverse {
			closeTo(t, "a row of Z", z.RawRowView(r), row, 1e-8)
		}
	})
}

// As beta goes to 0 and the number of terms grows like 1/beta, beta h tends to -v*;
// the error is of the order of beta.
func TestDIHGPTendsToTheInverse(t *testing.T) {
	var before float64
	for _, beta := range []float64{1e-1, 1e-2, 1e-3} {
		worst := 0.0
		onInstanceV(t, func(p *node.Proc, o algorithms.Oracle) {
			h := make([]float64, 3)
			a := algorithms.DAGM{Neumann: int(20 / beta), Beta: beta, Solve: algorithms.SolveCholesky}
			algorithms.RunDIHGP(p, o, a, h, make([]float64, 2), vInner)
			floats.Scale(-beta, h)
			worst = max(worst, floats.Distance(h, vAdjoint, math.Inf(1)))
		})
		if before > 0 && (!(worst <= before/5) || worst < before/20) {
			t.Errorf("beta = %g: %g from -v*, with ten times the beta %g", beta, worst, before)
		}
		before = worst
	}
	if before > 0.01 {
		t.Errorf("beta = 1e-3: still %g from -v*", before)
	}
}

// With few terms most of the inverse is missing. If all nodes have H = mu I and one
// ∇_y f = c, then beta mu h = -(1 - r^(U+1)) c with r = s / (s + beta mu), s = 2 (1 - w).
func TestDIHGPTruncated(t *testing.T) {
	const mu, s = 1.5, 4. / 3 // a ring of 6 with w = 1/3
	c := []float64{1, -2, .5}
	spec := problems.QuadraticSpec{}
	for range 6 {
		spec.Nodes = append(spec.Nodes, problems.QuadraticNode{
			H: [][]float64{{mu, 0, 0}, {0, mu, 0}, {0, 0, mu}}, P: waves(1, 2, 3, 1), LinearFy: c,
		})
	}
	on := splitOf(must(problems.NewQuadratic(spec)))
	for _, k := range []struct {
		beta  float64
		terms int
	}{{1e-2, 3}, {1e-3, 3}, {1e-3, 30}, {1e-3, 300}, {1e-3, 3000}} {
		share := 1 - math.Pow(s/(s+k.beta*mu), float64(k.terms+1))
		if k.terms == 3 && share > .05 || k.terms == 3000 && share < .9 {
			t.Fatalf("the formula gives %g for %+v", share, k)
		}
		for name, a := range map[string]algorithms.DAGM{
			"cholesky": {Solve: algorithms.SolveCholesky},
			"cg":       {Solve: algorithms.SolveCG, CGTolerance: 1e-14, CGIterations: 10},
		} {
			a.Beta, a.Neumann = k.beta, k.terms
			program(t, configOf(ring(6)), func(p *node.Proc) {
				h := make([]float64, 3)
				o := algorithms.Metered(p.Context, on.local(p.ID()), make([]float64, 2), make([]float64, 3))
				algorithms.RunDIHGP(p, o, a, h, make([]float64, 2), make([]float64, 3))
				floats.Scale(-k.beta*mu, h)
				want := make([]float64, 3)
				floats.AddScaled(want, share, c)
				closeTo(t, name+": -beta mu h", h, want, 1e-9)
			})
		}
	}
}

// Gradient tracking and EXTRA end at the optimum -Ā⁻¹ ā on every node; DGD where
// (I - W + alpha A) x = -alpha a, stacked.
func TestSingleLevelLimits(t *testing.T) {
	for name, w := range map[string]*topologies.Mixing{"ring": ring(4), "star": star(4)} {
		s := stack(w, fourNodes(), waveStart(3, 5))
		meanA, meanLin := mat.NewDense(3, 3, nil), mat.NewDense(3, 1, nil)
		for i := range s.n {
			block := mat.DenseCopyOf(s.a.Slice(3*i, 3*i+3, 3*i, 3*i+3))
			meanA.Add(meanA, block)
			meanLin.Add(meanLin, part(s.av, i, 3))
		}
		optimum := repeat(values(times(-1, mul(inverse(meanA), meanLin))), 4)

		x, _ := limit(t, w, s.single(), algorithms.GradientTracking{Outer: 300, Alpha: .03})
		closeTo(t, name+": gradient tracking", x, optimum, 1e-10)
		x, _ = limit(t, w, s.single(), algorithms.EXTRA{Outer: 300, Alpha: .1})
		closeTo(t, name+": EXTRA", x, optimum, 1e-10)

		const alpha = .1
		x, _ = limit(t, w, s.single(), algorithms.DGD{Outer: 300, Alpha: alpha})
		system := sum(eye(12), times(-1, s.wx), times(alpha, s.a))
		closeTo(t, name+": DGD", x, values(times(-alpha, mul(inverse(system), s.av))), 1e-10)
		if d := floats.Distance(x, optimum, math.Inf(1)); d < 1e-3 {
			t.Errorf("%s: DGD is only %g from the optimum", name, d)
		}
	}
}

// With a long inner loop DBO and DGBO end within about a step of x*: half the
// step, half the distance, to within a quarter.
func TestBilevelBiasShrinksWithTheStep(t *testing.T) {
	s := stack(ringA(4, .5), instanceV(), zeroStart(2, 3))
	for name, method := range map[string]func(step float64) algorithms.Method{
		"dbo": func(step float64) algorithms.Method {
			return algorithms.DBO{Outer: int(3 / step), Inner: 20, JHIP: 150, EtaX: step, EtaY: .05, Gamma: .05}
		},
		"dgbo": func(step float64) algorithms.Method {
			return algorithms.DGBO{Outer: int(20 / step), Terms: 30, Alpha: step, Gamma: step, Beta: step, Lipschitz: 7}
		},
	} {
		var distance [2]float64
		for i, step := range []float64{.02, .01} {
			x, _ := limit(t, ringA(4, .5), s.split(), method(step))
			distance[i] = floats.Distance(x, repeat(vMinimizer, 4), math.Inf(1))
		}
		if r := distance[0] / distance[1]; !(r > 1.7 && r < 4.5) || distance[1] > .03 {
			t.Errorf("%s: distances %g and %g, ratio %g", name, distance[0], distance[1], r)
		}
	}
}

// The optimum that the other tests of this file use equals that of package problems.
func TestInstanceVIsTheSame(t *testing.T) {
	s := stack(ringA(4, .5), instanceV(), zeroStart(2, 3))
	for name, qp := range map[string]*problems.Quadratic{"here": s.problemOfMethods, "problems": problems.InstanceV()} {
		x, _, err := qp.Solution()
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, name+": x*", x, vMinimizer, 1e-11)
	}
}
