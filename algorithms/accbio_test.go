package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/scenarios/problems"
)

// momentum is the linear map of a momentum method in the distances to the solution, on now
// above old: [now⁺ old⁺] = [[now old] [I 0]] [now old].
func momentum(now, old *mat.Dense) *mat.Dense {
	q, _ := now.Dims()
	m := mat.NewDense(2*q, 2*q, nil)
	for r := range q {
		for c := range q {
			m.Set(r, c, now.At(r, c))
			m.Set(r, q+c, old.At(r, c))
		}
		m.Set(q+r, r, 1)
	}
	return m
}

// accelerated is a solution plus the first half of map^steps applied to the distance of at,
// twice: a momentum method that starts at rest.
func accelerated(solution, at, step *mat.Dense, steps int) *mat.Dense {
	away := minus(at, solution)
	z := join(away, away)
	for range steps {
		z = mul(step, z)
	}
	q, _ := at.Dims()
	return sum(solution, part(z, 0, q))
}

// accBiOTwin is AccBiO on one node by the linear maps of its loops.
func accBiOTwin(a algorithms.AccBiO) func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
	return func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		l, m := a.LY, a.MuY
		mom := (math.Sqrt(l/m) - 1) / (math.Sqrt(l/m) + 1)
		lambda := 4 / math.Pow(math.Sqrt(l)+math.Sqrt(m), 2)
		descent := sum(eye(s.q), times(-1/l, s.h)) // y⁺ - y* = (I - H/L) ((1 + m) (y - y*) - m (y_old - y*))
		nesterov := momentum(times(1+mom, descent), times(-mom, descent))
		ball := momentum(sum(times(1+mom*mom, eye(s.q)), times(-lambda, s.h)), times(-mom*mom, eye(s.q)))
		root := math.Sqrt(a.Alpha * a.MuX)
		var x, z, y, v *mat.Dense
		return func(k int, _, _ *mat.Dense) (*mat.Dense, *mat.Dense) {
			if k == 1 {
				x, z, y, v = s.x0, s.x0, s.y0, times(0, s.y0)
			}
			u := x
			if !a.BoundedGradient {
				u = sum(times(root/(root+2), x), times(2/(root+2), z))
			}
			if !a.BoundedGradient && !a.Warm {
				y = s.y0
			}
			y = accelerated(s.inner(u), y, nesterov, a.Inner)
			if !a.Warm {
				v = times(0, v)
			}
			v = accelerated(mul(inverse(s.h), s.gradFy(u, y)), v, ball, a.Linear)
			d := sum(s.gradFx(u, y), times(-1, mul(s.pm, v)), times(a.Regularize, u))
			if a.BoundedGradient {
				z2 := stepped(u, a.Alpha, d)
				x, z = sum(z2, times((1-root)/(1+root), minus(z2, z))), z2
			} else {
				x = stepped(sum(times(root/2, u), times(1-root/2, x)), math.Sqrt(a.Alpha/a.MuX), d)
				z = stepped(u, a.Alpha, d)
			}
			return z, y
		}
	}
}

func TestAccBiOTwin(t *testing.T) {
	for name, a := range map[string]algorithms.AccBiO{
		"accbio":      {},
		"warm":        {Warm: true},
		"regularized": {Regularize: .3},
		"bg":          {BoundedGradient: true},
		"bg, warm":    {BoundedGradient: true, Warm: true, Regularize: .1},
	} {
		a.Outer, a.Inner, a.Linear, a.Alpha, a.MuX, a.MuY, a.LY = twinIterations, 3, 4, .06, .8, 1.5, 6
		oneNodeTwin(t, name, a, accBiOTwin(a))
	}
}

// outerProblem is g = 1/2 ||y||² - x'y and f = 1/2 x'A x + b'y. The Hessian of
// Φ = 1/2 x'A x + b'x has the eigenvalues 1 ... 1/kappa.
func outerProblem(kappa float64) stacked {
	const d = 6
	n := problems.QuadraticNode{H: waves(0, d, d, 0), P: waves(0, d, d, 0), A: waves(0, d, d, 0), B: waves(0, d, d, 0),
		C: waves(0, d, d, 0), LinearG: make([]float64, d), LinearFx: make([]float64, d), LinearFy: make([]float64, d)}
	for j := range d {
		n.H[j][j], n.P[j][j] = 1, -1
		n.A[j][j] = math.Pow(kappa, -float64(j)/(d-1))
		n.LinearFy[j] = n.A[j][j] // so that every coordinate of x* is -1
	}
	return stack(single(), problems.QuadraticSpec{Nodes: []problems.QuadraticNode{n}}, zeroStart(d, d))
}

// iterationsTo is the first iteration whose x is within 1e-6 of the solution.
func iterationsTo(t *testing.T, s stacked, m algorithms.Method) int {
	t.Helper()
	xs, _, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	for k, at := range finish(t, world{w: single(), on: s.split()}, m).at {
		if floats.Distance(at.X[0], xs, 2) < 1e-6 {
			return k
		}
	}
	t.Fatalf("%T is not at the solution after %d iterations", m, algorithms.Iterations(m))
	return 0
}

// The outer iterations grow like sqrt(kappa) with AccBiO and like kappa with AID-BiO, the
// known rates. Here kappa is that of Φ, and the inner problem is easy.
func TestAccBiOIsAccelerated(t *testing.T) {
	const low, high = 16, 1024
	exponent := func(of func(kappa float64) algorithms.Method) float64 {
		count := func(kappa float64) float64 {
			return float64(iterationsTo(t, outerProblem(kappa), of(kappa)))
		}
		return math.Log(count(high)/count(low)) / math.Log(high/low)
	}
	accelerated := func(alpha float64, bounded bool) func(kappa float64) algorithms.Method {
		return func(kappa float64) algorithms.Method {
			return algorithms.AccBiO{Outer: 2000, Inner: 1, Linear: 1, Alpha: alpha, MuX: 1 / kappa, MuY: 1, LY: 1,
				BoundedGradient: bounded}
		}
	}
	for name, c := range map[string]struct {
		of   func(kappa float64) algorithms.Method
		want float64
	}{
		"accbio": {accelerated(.5, false), .5}, "accbio-bg": {accelerated(1, true), .5},
		"aid": {func(float64) algorithms.Method {
			return algorithms.AID{Outer: 16000, Inner: 1, Q: 1, Alpha: 1, Beta: 1, Eta: 1}
		}, 1},
	} {
		if got := exponent(c.of); !(math.Abs(got-c.want) <= .08) {
			t.Errorf("%s: iterations grow like kappa^%.3f, want %g", name, got, c.want)
		}
	}
}

// The limit is the solution, even with short loops if they start warm.
func TestAccBiOLimit(t *testing.T) {
	s := generatedMean(t)
	want := s.stationary(inverse(s.h))
	for name, a := range map[string]algorithms.AccBiO{
		"accbio": {Inner: 40, Linear: 60}, "accbio-bg": {Inner: 20, Linear: 60, BoundedGradient: true},
		"warm": {Inner: 3, Linear: 3, Warm: true},
	} {
		a.Outer, a.Alpha, a.MuX, a.MuY, a.LY = 1500, .05, 1, 1, 10
		got := finish(t, world{w: single(), on: s.split()}, a).last().X[0]
		closeTo(t, name, got, want, 1e-7)
	}
}
