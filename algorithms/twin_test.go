package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
)

const (
	twinIterations = 15
	twinTolerance  = 1e-10
)

// everyTwin runs a comparison on each problem and network. world has the bilevel
// problem; single replaces it by the outer quadratics alone.
func everyTwin(t *testing.T, single bool, m algorithms.Method, twin func(s stacked) trajectory) {
	t.Helper()
	w := networks()
	for name, s := range twinCases() {
		t.Run(name, func(t *testing.T) {
			on := s.split()
			if single {
				on = s.single()
			}
			compare(t, finish(t, world{w: w[name], on: on}, m), twin(s), twinTolerance)
		})
	}
}

// x⁺ = W x.
func TestGossipTwin(t *testing.T) {
	everyTwin(t, true, algorithms.Gossip{Rounds: twinIterations}, func(s stacked) (tr trajectory) {
		x := s.x0
		tr.add(x, nil)
		for range twinIterations {
			x = mul(s.wx, x)
			tr.add(x, nil)
		}
		return tr
	})
}

// x⁺ = W x - alpha ∇f(x).
func TestDGDTwin(t *testing.T) {
	const alpha = 0.1
	for _, decay := range []float64{0, .5} {
		m := algorithms.DGD{Outer: twinIterations, Alpha: alpha, Decay: decay}
		everyTwin(t, true, m, func(s stacked) (tr trajectory) {
			x := s.x0
			tr.add(x, nil)
			for k := range twinIterations {
				x = sum(mul(s.wx, x), times(-alpha/math.Pow(float64(k+1), decay), s.grad(x)))
				tr.add(x, nil)
			}
			return tr
		})
	}
}

// x⁺ = W x - alpha t,  t⁺ = W t + ∇f(x⁺) - ∇f(x).
func TestGradientTrackingTwin(t *testing.T) {
	const alpha = 0.03
	everyTwin(t, true, algorithms.GradientTracking{Outer: twinIterations, Alpha: alpha}, func(s stacked) (tr trajectory) {
		x, track := s.x0, s.grad(s.x0)
		tr.add(x, nil)
		for range twinIterations {
			next := sum(mul(s.wx, x), times(-alpha, track))
			track = sum(mul(s.wx, track), s.grad(next), times(-1, s.grad(x)))
			x = next
			tr.add(x, nil)
		}
		return tr
	})
}

// x^(k+2) = (I+W) x^(k+1) - (I+W)/2 x^k - alpha (∇f(x^(k+1)) - ∇f(x^k)).
func TestEXTRATwin(t *testing.T) {
	const alpha = 0.1
	everyTwin(t, true, algorithms.EXTRA{Outer: twinIterations, Alpha: alpha}, func(s stacked) (tr trajectory) {
		plus := sum(eye(s.n*s.p), s.wx)
		old, x := s.x0, sum(mul(s.wx, s.x0), times(-alpha, s.grad(s.x0)))
		tr.add(old, nil)
		tr.add(x, nil)
		for range twinIterations - 1 {
			next := sum(mul(plus, x), times(-.5, mul(plus, old)), times(-alpha, s.grad(x)), times(alpha, s.grad(old)))
			old, x = x, next
			tr.add(x, nil)
		}
		return tr
	})
}

// dihgpMatrix returns K_U with h = -K_U ∇_y f: the sum of U + 1 terms of the Neumann
// series of K⁻¹, K = (I - W) + beta H, split at D = beta H + 2 (I - diag W).
func (s stacked) dihgpMatrix(beta float64, terms int) *mat.Dense {
	id := eye(s.n * s.q)
	k := sum(id, times(-1, s.wy), times(beta, s.h))
	d := sum(times(beta, s.h), times(2, id), times(-2, s.selfY))
	di := inverse(d)
	contraction := mul(di, sum(d, times(-1, k)))
	total, power := di, di
	for range terms {
		power = mul(contraction, power)
		total = sum(total, power)
	}
	return total
}

func (s stacked) dagm(a algorithms.DAGM) (tr trajectory) {
	x, y := s.x0, s.y0
	ku := s.dihgpMatrix(a.Beta, a.Neumann)
	tr.add(x, y)
	for k := range a.Outer {
		wx, wy, inverted := s.wx, s.wy, ku
		if a.Period > 0 && k%a.Period > 0 { // without exchange
			wx, wy, inverted = eye(s.n*s.p), eye(s.n*s.q), inverse(times(a.Beta, s.h))
		}
		for range a.Inner {
			y = sum(mul(wy, y), times(-a.Beta, s.gradGy(x, y)))
			for step := 1; step < a.Local; step++ {
				y = sum(y, times(-a.Beta, s.gradGy(x, y)))
			}
		}
		h := times(-1, mul(inverted, s.gradFy(x, y)))
		x = sum(mul(wx, x), times(-a.Alpha, s.gradFx(x, y)), times(-a.Alpha*a.Beta, mul(s.pm, h)))
		tr.add(x, y)
	}
	return tr
}

func TestDAGMTwin(t *testing.T) {
	for name, a := range map[string]algorithms.DAGM{
		"cholesky": {Inner: 3, Neumann: 4, Solve: algorithms.SolveCholesky},
		"cg":       {Inner: 2, Neumann: 3, Solve: algorithms.SolveCG, CGTolerance: 1e-14, CGIterations: 40},
		"U=0":      {Inner: 1, Neumann: 0, Solve: algorithms.SolveCholesky},
		"local":    {Inner: 2, Neumann: 2, Local: 3},
		"period":   {Inner: 2, Neumann: 2, Period: 4},
		"both, cg": {Inner: 1, Neumann: 1, Local: 2, Period: 2, Solve: algorithms.SolveCG, CGTolerance: 1e-14,
			CGIterations: 40},
	} {
		a.Outer, a.Alpha, a.Beta = twinIterations, 0.05, 0.1
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.dagm(a) })
		})
	}
}

func TestDGBOTwin(t *testing.T) {
	for name, a := range map[string]algorithms.DGBO{
		"b=1": {Terms: 1, Beta: 0.3}, "b=3": {Terms: 3, Beta: 0.6}, "beta=1": {Terms: 2, Beta: 1},
	} {
		a.Outer, a.Alpha, a.Gamma, a.Lipschitz = twinIterations, 0.05, 0.1, 7
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.dgbo(a) })
		})
	}
}

// dgbo forms q = 1/L (I + (I - v_b/L)(I + ... (I - v_1/L))) as a matrix on each node.
func (s stacked) dgbo(a algorithms.DGBO) (tr trajectory) {
	x, y := s.x0, s.y0
	sv, hv, u := s.gradFx(x, y), s.gradFy(x, y), s.pRows
	v := make([]*mat.Dense, a.Terms)
	for m := range v {
		v[m] = s.hRows
	}
	move := func(w, old, now *mat.Dense) *mat.Dense {
		return sum(times(1-a.Beta, mul(w, old)), times(a.Beta, now))
	}
	tr.add(x, y)
	for range a.Outer {
		dir := mat.DenseCopyOf(sv)
		for i := range s.n {
			q := eye(s.q)
			for m := range v {
				factor := sum(eye(s.q), times(-1/a.Lipschitz, part(v[m], i, s.q)))
				q = sum(eye(s.q), mul(factor, q))
			}
			q.Scale(1/a.Lipschitz, q)
			implicit := mul(part(u, i, s.p), mul(q, part(hv, i, s.q)))
			for c := range s.p {
				dir.Set(i*s.p+c, 0, dir.At(i*s.p+c, 0)-implicit.At(c, 0))
			}
		}
		fx, fy, gy := s.gradFx(x, y), s.gradFy(x, y), s.gradGy(x, y)
		x, y = sum(mul(s.wx, x), times(-a.Alpha, dir)), sum(mul(s.wy, y), times(-a.Gamma, gy))
		sv, hv, u = move(s.wx, sv, fx), move(s.wy, hv, fy), move(s.wx, u, s.pRows)
		for m := range v {
			v[m] = move(s.wy, v[m], s.hRows)
		}
		tr.add(x, y)
	}
	return tr
}

func TestDBOTwin(t *testing.T) {
	for name, a := range map[string]algorithms.DBO{
		"T=4 N=5": {Inner: 4, JHIP: 5}, "T=1 N=1": {Inner: 1, JHIP: 1}, "T=2 N=3": {Inner: 2, JHIP: 3},
	} {
		a.Outer, a.EtaX, a.EtaY, a.Gamma = twinIterations, 0.05, 0.02, 0.03
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.dbo(a) })
		})
	}
}

// jhip returns Z (n q x p) after some steps of gradient tracking from Z = 0.
func (s stacked) jhip(steps int, gamma float64) *mat.Dense {
	jt := mat.NewDense(s.n*s.q, s.p, nil) // the J_i' stacked
	for i := range s.n {
		for r := range s.p {
			for c := range s.q {
				jt.Set(i*s.q+c, r, s.nodes[i].P[r][c])
			}
		}
	}
	z := mat.NewDense(s.n*s.q, s.p, nil)
	grad := sum(mul(s.h, z), times(-1, jt))
	track := grad
	for range steps {
		z = sum(mul(s.wy, z), times(-gamma, track))
		next := sum(mul(s.h, z), times(-1, jt))
		track = sum(mul(s.wy, track), next, times(-1, grad))
		grad = next
	}
	return z
}

func (s stacked) dbo(a algorithms.DBO) (tr trajectory) {
	x, y := s.x0, s.y0
	z := s.jhip(a.JHIP, a.Gamma) // on a quadratic, the same at every point
	tr.add(x, y)
	for range a.Outer {
		v := s.gradGy(x, y)
		for range a.Inner {
			next := sum(mul(s.wy, y), times(-a.EtaY, v))
			v = sum(mul(s.wy, v), s.gradGy(x, next), times(-1, s.gradGy(x, y)))
			y = next
		}
		dir, fy := s.gradFx(x, y), s.gradFy(x, y)
		for i := range s.n {
			implicit := mul(part(z, i, s.q).T(), part(fy, i, s.q))
			for c := range s.p {
				dir.Set(i*s.p+c, 0, dir.At(i*s.p+c, 0)-implicit.At(c, 0))
			}
		}
		x = sum(mul(s.wx, x), times(-a.EtaX, dir))
		tr.add(x, y)
	}
	return tr
}
