package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/scenarios/problems"
)

// meanOf returns the problem of one node with the mean of all data, as in a shared
// inner problem.
func meanOf(spec problems.QuadraticSpec) problems.QuadraticSpec {
	n := float64(len(spec.Nodes))
	zero := spec.Nodes[0]
	m := problems.QuadraticNode{
		H: waves(0, len(zero.H), len(zero.H), 0), P: waves(0, len(zero.P), len(zero.H), 0),
		A: waves(0, len(zero.A), len(zero.A), 0),
		B: waves(0, len(zero.B), len(zero.H), 0), C: waves(0, len(zero.C), len(zero.C), 0),
		LinearG: make([]float64, len(zero.H)), LinearFx: make([]float64, len(zero.A)),
		LinearFy: make([]float64, len(zero.H)),
	}
	for _, node := range spec.Nodes {
		for _, pair := range [][2][][]float64{{m.H, node.H}, {m.P, node.P}, {m.A, node.A}, {m.B, node.B}, {m.C, node.C}} {
			for r := range pair[0] {
				floats.AddScaled(pair[0][r], 1/n, pair[1][r])
			}
		}
		floats.AddScaled(m.LinearG, 1/n, node.LinearG)
		floats.AddScaled(m.LinearFx, 1/n, node.LinearFx)
		floats.AddScaled(m.LinearFy, 1/n, node.LinearFy)
	}
	return problems.QuadraticSpec{Nodes: []problems.QuadraticNode{m}}
}

// oneNodeCases are the problems of one node on which the twins are compared.
func oneNodeCases() map[string]stacked {
	other := fourNodes()
	other.Nodes = other.Nodes[2:3]
	return map[string]stacked{
		"first of four": stack(single(), problemsOfOne(), waveStart(3, 5)),
		"third of four": stack(single(), other, waveStart(3, 5)),
		"instance V":    stack(single(), meanOf(instanceV()), zeroStart(2, 3)),
	}
}

// oneNodeTwin compares a method with its twin on each of them. start returns the twin's
// step, which computes iteration k of x and y with its own state.
func oneNodeTwin(t *testing.T, name string, m algorithms.Method,
	start func(s stacked) func(k int, x, y *mat.Dense) (nx, ny *mat.Dense)) {
	t.Helper()
	for on, s := range oneNodeCases() {
		t.Run(name+", "+on, func(t *testing.T) {
			step := start(s)
			var tr trajectory
			x, y := s.x0, s.y0
			tr.add(x, y)
			for k := 1; k <= algorithms.Iterations(m); k++ {
				x, y = step(k, x, y)
				tr.add(x, y)
			}
			compare(t, finish(t, world{w: single(), on: s.split()}, m), tr, twinTolerance)
		})
	}
}

// power is (I - eta H)^k.
func (s stacked) power(eta float64, k int) *mat.Dense {
	m := eye(s.q)
	f := sum(eye(s.q), times(-eta, s.h))
	for range k {
		m = mul(f, m)
	}
	return m
}

// terms is eta times the sum of (I - eta H)^s over s < count, in closed form:
// H⁻¹ (I - (I - eta H)^count).
func (s stacked) terms(eta float64, count int) *mat.Dense {
	return mul(inverse(s.h), sum(eye(s.q), times(-1, s.power(eta, count))))
}

// descended is y after steps of gradient descent: y* + (I - alpha H)^steps (y - y*).
func (s stacked) descended(x, y *mat.Dense, alpha float64, steps int) *mat.Dense {
	inner := s.inner(x)
	return sum(inner, mul(s.power(alpha, steps), sum(y, times(-1, inner))))
}

// inner is y*(x) = -H⁻¹ (P'x + q).
func (s stacked) inner(x *mat.Dense) *mat.Dense {
	return times(-1, mul(inverse(s.h), sum(mul(s.pm.T(), x), s.qv)))
}

// gValue is g = 1/2 y'H y + x'P y + q'y.
func (s stacked) gValue(x, y *mat.Dense) float64 {
	return mat.Dot(y.ColView(0), sum(times(.5, mul(s.h, y)), mul(s.pm.T(), x), s.qv).ColView(0))
}

func dot(a, b *mat.Dense) float64 { return mat.Dot(a.ColView(0), b.ColView(0)) }

func stepped(at *mat.Dense, step float64, dir *mat.Dense) *mat.Dense {
	return sum(at, times(-step, dir))
}

func TestAIDTwin(t *testing.T) {
	for name, a := range map[string]algorithms.AID{
		"gd warm":  {Inner: 3, Q: 4, Solve: algorithms.SolveGD, Warm: true},
		"no loop":  {Inner: 1, Q: 1, Warm: true},
		"gd zero":  {Inner: 2, Q: 5, Solve: algorithms.SolveGD},
		"neumann":  {Inner: 2, Q: 4, Solve: algorithms.SolveNeumann},
		"cg":       {Inner: 2, Q: 2, Solve: algorithms.SolveCG},
		"cg warm":  {Inner: 1, Q: 2, Solve: algorithms.SolveCG, Warm: true},
		"cg exact": {Inner: 1, Q: 20, Solve: algorithms.SolveCG, CGTolerance: 1e-15},
	} {
		a.Outer, a.Alpha, a.Beta, a.Eta = twinIterations, .1, .05, .12
		oneNodeTwin(t, name, a, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			v := mat.NewDense(s.q, 1, nil)
			return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				y = s.descended(x, y, a.Alpha, a.Inner)
				fy := s.gradFy(x, y)
				if !a.Warm {
					v.Zero()
				}
				switch {
				case a.Solve == algorithms.SolveNeumann:
					v = mul(s.terms(a.Eta, a.Q+1), fy)
				case a.Solve == algorithms.SolveCG && a.Q >= s.q:
					v = mul(inverse(s.h), fy)
				case a.Solve == algorithms.SolveCG:
					v = s.krylov(v, fy, a.Q)
				default:
					v = sum(mul(s.power(a.Eta, a.Q), v), mul(s.terms(a.Eta, a.Q), fy))
				}
				return stepped(x, a.Beta, sum(s.gradFx(x, y), times(-1, mul(s.pm, v)))), y
			}
		})
	}
}

// byAdam is Adam's rule (Kingma and Ba, Algorithm 1), with its sums written out: after
// k steps m = 0.1 Σ 0.9^{k-i} d_i and v = 0.001 Σ 0.999^{k-i} d_i².
func byAdam(step float64) func(x, d *mat.Dense) *mat.Dense {
	var past []*mat.Dense
	return func(x, d *mat.Dense) *mat.Dense {
		past = append(past, mat.DenseCopyOf(d))
		k := len(past)
		next := mat.DenseCopyOf(x)
		for j := range d.RawMatrix().Rows {
			m, v := 0., 0.
			for i, e := range past {
				m += .1 * math.Pow(.9, float64(k-1-i)) * e.At(j, 0)
				v += .001 * math.Pow(.999, float64(k-1-i)) * math.Pow(e.At(j, 0), 2)
			}
			m /= 1 - math.Pow(.9, float64(k))
			v /= 1 - math.Pow(.999, float64(k))
			next.Set(j, 0, x.At(j, 0)-step*m/(math.Sqrt(v)+1e-8))
		}
		return next
	}
}

// AID and ITD can move x by Adam's rule along their usual direction.
func TestAdamTwin(t *testing.T) {
	aid := algorithms.AID{Outer: 30, Inner: 2, Q: 3, Alpha: .1, Beta: .03, Eta: .12, Optimizer: algorithms.AdamSteps}
	oneNodeTwin(t, "aid", aid, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		move := byAdam(aid.Beta)
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			y = s.descended(x, y, aid.Alpha, aid.Inner)
			v := mul(s.terms(aid.Eta, aid.Q), s.gradFy(x, y))
			return move(x, sum(s.gradFx(x, y), times(-1, mul(s.pm, v)))), y
		}
	})
	itd := algorithms.ITD{Outer: 30, Inner: 3, Alpha: .1, Beta: .03, Optimizer: algorithms.AdamSteps}
	oneNodeTwin(t, "itd", itd, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		move := byAdam(itd.Beta)
		return func(_ int, x, _ *mat.Dense) (*mat.Dense, *mat.Dense) {
			y := s.descended(x, s.y0, itd.Alpha, itd.Inner)
			v := mul(s.terms(itd.Alpha, itd.Inner), s.gradFy(x, y))
			return move(x, sum(s.gradFx(x, y), times(-1, mul(s.pm, v)))), y
		}
	})
}

// On a quadratic the derivative of y^N(x) is -P' times the Neumann series of
// alpha. The derivative of the last B steps has B terms.
func TestITDTwin(t *testing.T) {
	for name, a := range map[string]algorithms.ITD{
		"N=1": {Inner: 1, Warm: true}, "N=6": {Inner: 6, Warm: true}, "cold": {Inner: 4},
		"back 2 of 5": {Inner: 5, Back: 2, Warm: true}, "back too many": {Inner: 3, Back: 9, Warm: true},
	} {
		a.Outer, a.Alpha, a.Beta = twinIterations, .1, .05
		oneNodeTwin(t, name, a, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			terms := a.Inner
			if a.Back > 0 && a.Back < a.Inner {
				terms = a.Back
			}
			return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				if !a.Warm {
					y = s.y0
				}
				y = s.descended(x, y, a.Alpha, a.Inner)
				v := mul(s.terms(a.Alpha, terms), s.gradFy(x, y))
				return stepped(x, a.Beta, sum(s.gradFx(x, y), times(-1, mul(s.pm, v)))), y
			}
		})
	}
}

func TestBATwin(t *testing.T) {
	for name, a := range map[string]algorithms.BA{
		"warm": {Warm: true}, "cold": {}, "linear": {Warm: true, Schedule: algorithms.LinearSchedule},
	} {
		a.Outer, a.Alpha, a.Beta = 20, .1, .05
		oneNodeTwin(t, name, a, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			return func(k int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				steps := 1
				if k > 16 {
					steps = 2
				}
				if a.Schedule == algorithms.LinearSchedule {
					steps = int(math.Ceil(float64(k) / 2))
				}
				if !a.Warm {
					y = s.y0
				}
				y = s.descended(x, y, a.Alpha, steps)
				return stepped(x, a.Beta, s.neumannDirection(x, y, inverse(s.h))), y
			}
		})
	}
}

// neumannDirection is ∇_x f - P v with v = inv ∇_y f.
func (s stacked) neumannDirection(x, y, inv *mat.Dense) *mat.Dense {
	return sum(s.gradFx(x, y), times(-1, mul(s.pm, mul(inv, s.gradFy(x, y)))))
}

func TestStochasticTwins(t *testing.T) {
	const outer, alpha, beta, eta = twinIterations, .1, .05, .12
	stocbio := algorithms.StocBiO{Outer: outer, Inner: 3, Q: 2, Alpha: alpha, Beta: beta, Eta: eta}
	oneNodeTwin(t, "stocbio", stocbio, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			y = s.descended(x, y, alpha, 3)
			return stepped(x, beta, s.neumannDirection(x, y, s.terms(eta, 3))), y
		}
	})
	amigo := algorithms.AmIGO{Outer: outer, Inner: 3, Linear: 2, Alpha: alpha, Beta: beta, Eta: eta}
	oneNodeTwin(t, "amigo", amigo, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		v := mat.NewDense(s.q, 1, nil)
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			y = s.descended(x, y, alpha, 3)
			v = sum(mul(s.power(eta, 2), v), mul(s.terms(eta, 2), s.gradFy(x, y)))
			return stepped(x, beta, sum(s.gradFx(x, y), times(-1, mul(s.pm, v)))), y
		}
	})
	// With full batches the estimates of VRBO are exact at the point of their update:
	// before the last y-step or, if recomputed, after it.
	vrbo := algorithms.VRBO{Outer: outer, Inner: 3, Period: 4, Q: 2, Alpha: beta, Beta: alpha, Eta: eta}
	oneNodeTwin(t, "vrbo", vrbo, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		var before *mat.Dense // the y of the last estimate
		return func(k int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			if k%4 == 1 {
				before = y
			}
			x = stepped(x, beta, s.neumannDirection(x, before, s.terms(eta, 3)))
			before = s.descended(x, y, alpha, 2)
			return x, s.descended(x, y, alpha, 3)
		}
	})
	after := vrbo
	after.Estimates = algorithms.EstimateAfter // the estimates are exact where x leaves
	oneNodeTwin(t, "vrbo, after", after, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			x = stepped(x, beta, s.neumannDirection(x, y, s.terms(eta, 3)))
			return x, s.descended(x, y, alpha, 3)
		}
	})
	mrbo := algorithms.MRBO{Outer: outer, Q: 2, Alpha: beta, Beta: alpha, Eta: eta, Weight: .3}
	oneNodeTwin(t, "mrbo", mrbo, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			return stepped(x, beta, s.neumannDirection(x, y, s.terms(eta, 3))), stepped(y, alpha, s.gradGy(x, y))
		}
	})
	soba := func(a algorithms.SOBA) func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		return func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			v := mat.NewDense(s.q, 1, nil)
			return func(k int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				rho, gamma := a.Rho/math.Pow(float64(k), a.DecayInner), a.Gamma/math.Pow(float64(k), a.DecayOuter)
				dx := sum(s.gradFx(x, y), mul(s.pm, v))
				dv := sum(mul(s.h, v), s.gradFy(x, y))
				dy := s.gradGy(x, y)
				v = stepped(v, rho, dv)
				return stepped(x, gamma, dx), stepped(y, rho, dy)
			}
		}
	}
	constant := algorithms.SOBA{Outer: outer, Rho: alpha, Gamma: beta}
	falling := algorithms.SOBA{Outer: outer, Rho: alpha, Gamma: beta, DecayInner: .4, DecayOuter: .6}
	oneNodeTwin(t, "soba", constant, soba(constant))
	oneNodeTwin(t, "soba, falling steps", falling, soba(falling))
	oneNodeTwin(t, "saba", algorithms.SABA{Outer: outer, Rho: alpha, Gamma: beta}, soba(constant))
}

func TestFirstOrderTwins(t *testing.T) {
	for _, phi := range []algorithms.Control{algorithms.ControlGrad, algorithms.ControlValue} {
		a := algorithms.BOME{Outer: twinIterations, Inner: 4, Alpha: .1, Xi: .05, Eta: .5, Phi: phi, Epsilon: 1e-3}
		oneNodeTwin(t, "bome, "+string(phi), a, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				z := s.descended(x, y, a.Alpha, a.Inner)
				var f, q mat.Dense // x above y
				f.Stack(s.gradFx(x, y), s.gradFy(x, y))
				q.Stack(sum(s.gradGx(y), times(-1, s.gradGx(z))), s.gradGy(x, y))
				control := a.Eta * dot(&q, &q)
				if phi == algorithms.ControlValue {
					control = a.Eta * (s.gValue(x, y) - s.gValue(x, z))
				}
				lambda := max(0, (control-dot(&f, &q))/(dot(&q, &q)+a.Epsilon))
				d := sum(&f, times(lambda, &q))
				return stepped(x, a.Xi, mat.DenseCopyOf(d.Slice(0, s.p, 0, 1))),
					stepped(y, a.Xi, mat.DenseCopyOf(d.Slice(s.p, s.p+s.q, 0, 1)))
			}
		})
	}
	bsg := algorithms.BSG1{Outer: twinIterations, Inner: 2, Alpha: .1, Beta: .01}
	oneNodeTwin(t, "bsg-1", bsg, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			y = s.descended(x, y, .1, 2)
			gy := s.gradGy(x, y)
			return stepped(x, .01, sum(s.gradFx(x, y), times(-dot(s.gradFy(x, y), gy)/dot(gy, gy), s.gradGx(y)))), y
		}
	})
	for name, a := range map[string]algorithms.BVFSM{"falling": {}, "constant": {Constant: true},
		"detached": {Detached: true}} {
		a.Outer, a.InnerZ, a.InnerY, a.AlphaZ, a.AlphaY, a.Beta = twinIterations, 4, 3, .1, .05, .03
		a.L2Z, a.L2Y, a.Barrier, a.Offset = .02, .03, .4, 40
		oneNodeTwin(t, "bvfsm, "+name, a, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			z := s.y0
			return func(k int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				r := 1 / math.Log(1.1*float64(k+1))
				if a.Constant {
					r = 1 / math.Log(1.1*float64(a.Outer+1))
				}
				for range a.InnerZ {
					z = stepped(z, a.AlphaZ, sum(s.gradGy(x, z), times(2*r*a.L2Z, z)))
				}
				slope := func() float64 {
					if a.Detached {
						return r * a.Barrier / (s.gValue(x, z) + a.Offset)
					}
					return r * a.Barrier / (s.gValue(x, z) + a.Offset - s.gValue(x, y))
				}
				for range a.InnerY {
					y = stepped(y, a.AlphaY, sum(s.gradFy(x, y), times(2*r*a.L2Y, y), times(slope(), s.gradGy(x, y))))
				}
				dx := sum(s.gradFx(x, y), times(slope(), sum(s.gradGx(y), times(-1, s.gradGx(z)))))
				return stepped(x, a.Beta, dx), y
			}
		})
	}
	for name, tolerance := range map[string]float64{"multiplier at rest": 1e-9, "multiplier moves": 100,
		"some of both": 2} {
		a := algorithms.Penalty{Outer: twinIterations, Inner: 3, Alpha: .05, Beta: .03, Gamma: .2, Lambda: .3,
			Epsilon: tolerance, Nu: .01}
		oneNodeTwin(t, "penalty, "+name, a, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			nu := mat.NewDense(s.q, 1, nil)
			for i := range s.q {
				nu.Set(i, 0, a.Nu)
			}
			gamma, decay := a.Gamma, 1.
			return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				var dy *mat.Dense
				for range a.Inner {
					gy := s.gradGy(x, y)
					dy = sum(s.gradFy(x, y), mul(s.h, sum(nu, times(gamma, gy))), times(decay*a.Lambda, gy))
					y = stepped(y, decay*a.Alpha, dy)
				}
				gy := s.gradGy(x, y)
				dx := sum(s.gradFx(x, y), mul(s.pm, sum(nu, times(gamma, gy))))
				x = stepped(x, decay*a.Beta, dx)
				if math.Hypot(mat.Norm(dx, 2), mat.Norm(dy, 2)) < decay*a.Epsilon {
					nu, gamma, decay = sum(nu, times(gamma, gy)), 1.1*gamma, .9*decay
				}
				return x, y
			}
		})
	}
	f2sa := algorithms.F2SA{Outer: twinIterations, Inner: 3, EtaX: .02, EtaY: .02, EtaZ: .1, Lambda: 4, Growth: .2,
		DecayOuter: .3, DecayInner: .1}
	oneNodeTwin(t, "f2sa", f2sa, func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
		z := s.y0
		return func(k int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
			n := float64(k)
			lambda, slower := 4*math.Pow(n, .2), math.Pow(n, -.1)
			for range 3 {
				y = stepped(y, .02*slower, sum(s.gradFy(x, y), times(lambda, s.gradGy(x, y))))
			}
			z = s.descended(x, z, .1*slower, 3)
			return stepped(x, .02*math.Pow(n, -.3),
				sum(s.gradFx(x, y), times(lambda, sum(s.gradGx(y), times(-1, s.gradGx(z)))))), y
		}
	})
	optimistic := algorithms.OptimisticGD{Outer: twinIterations, Eta: .05}
	oneNodeTwin(t, "optimistic-gd", optimistic,
		func(s stacked) func(int, *mat.Dense, *mat.Dense) (*mat.Dense, *mat.Dense) {
			fx, gy := s.gradFx(s.x0, s.y0), s.gradGy(s.x0, s.y0)
			return func(_ int, x, y *mat.Dense) (*mat.Dense, *mat.Dense) {
				f := s.gradFx(x, y)
				x, fx = sum(x, times(-.1, f), times(.05, fx)), f
				g := s.gradGy(x, y)
				y, gy = sum(y, times(-.1, g), times(.05, gy)), g
				return x, y
			}
		})
}
