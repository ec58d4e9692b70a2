package algorithms_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
)

// served compares a method on a star with a server and 1, 2 or 4 clients with a twin
// on the clients alone, whose mixing matrix is 11'/n.
func served(t *testing.T, m algorithms.Method, twin func(s stacked) trajectory) {
	t.Helper()
	for _, clients := range []int{1, 2, 4} {
		spec := fourNodes()
		spec.Nodes = spec.Nodes[:clients]
		s := stack(mean(clients), spec, func(int) (x, y []float64) { return waveStart(3, 5)(0) })
		out := finish(t, world{w: star(clients + 1), on: s.split(), server: true}, m)
		for k := range out.at {
			out.at[k].X, out.at[k].Y = out.at[k].X[1:], out.at[k].Y[1:]
		}
		compare(t, out, twin(s), twinTolerance)
	}
}

func TestCentralizedDAGMTwin(t *testing.T) {
	for _, solve := range []algorithms.Solve{algorithms.SolveCholesky, algorithms.SolveCG} {
		a := algorithms.CentralizedDAGM{Outer: twinIterations, Inner: 3, Neumann: 4, Alpha: .05, Beta: .1,
			Solve: solve, CGTolerance: 1e-14, CGIterations: 40}
		served(t, a, func(s stacked) trajectory { return s.dagm(algorithms.DAGM(a)) })
		a.Local, a.Period = 2, 3
		served(t, a, func(s stacked) trajectory { return s.dagm(algorithms.DAGM(a)) })
	}
}

func TestFedNestTwin(t *testing.T) {
	for name, a := range map[string]algorithms.FedNest{
		"one local step": {Inner: 2, InnerSteps: 1, OuterSteps: 1, Neumann: 3},
		"several":        {Inner: 2, InnerSteps: 3, OuterSteps: 4, Neumann: 1},
		"several, whole": {Inner: 2, InnerSteps: 3, OuterSteps: 4, Neumann: 1, Correction: algorithms.CorrectWhole},
	} {
		a.Outer, a.Alpha, a.Beta, a.Lipschitz = twinIterations, .05, .1, 7
		t.Run(name, func(t *testing.T) {
			served(t, a, func(s stacked) trajectory { return s.fedNest(a) })
		})
	}
}

// fedNest is FedNest, in which wx and wy are averages over the clients.
func (s stacked) fedNest(a algorithms.FedNest) (tr trajectory) {
	x, y := mul(s.wx, s.x0), mul(s.wy, s.y0)
	tr.add(x, y)
	meanH := minus(eye(s.n*s.q), times(1/a.Lipschitz, mul(s.wy, s.h)))
	for range a.Outer {
		for range a.Inner {
			q := mul(s.wy, s.gradGy(x, y))
			own := y
			for range a.InnerSteps {
				own = sum(own, times(-a.Beta, sum(minus(s.gradGy(x, own), s.gradGy(x, y)), q)))
			}
			y = mul(s.wy, own)
		}
		r := mul(s.wy, s.gradFy(x, y))
		v := r
		for range a.Neumann {
			r = mul(meanH, r)
			v = sum(v, r)
		}
		v = times(1/a.Lipschitz, v)
		h := mul(s.wx, s.implicit(x, y, v))
		own := x
		for range a.OuterSteps {
			change := minus(s.gradFx(own, y), s.gradFx(x, y))
			if a.Correction == algorithms.CorrectWhole {
				change = minus(s.implicit(own, y, v), s.implicit(x, y, v))
			}
			own = sum(own, times(-a.Alpha, sum(change, h)))
		}
		x = mul(s.wx, own)
		tr.add(x, y)
	}
	return tr
}

func TestLFedNestTwin(t *testing.T) {
	for name, a := range map[string]algorithms.LFedNest{
		"one local step": {Inner: 2, InnerSteps: 1, OuterSteps: 1, Neumann: 3},
		"several":        {Inner: 2, InnerSteps: 3, OuterSteps: 4, Neumann: 1},
		"one series":     {Inner: 2, InnerSteps: 3, OuterSteps: 4, Neumann: 1, KeepSeries: true},
	} {
		a.Outer, a.Alpha, a.Beta, a.Lipschitz = twinIterations, .05, .1, 7
		t.Run(name, func(t *testing.T) {
			served(t, a, func(s stacked) (tr trajectory) {
				x, y := s.x0, s.y0
				tr.add(x, y)
				for range a.Outer {
					x, y = s.lfedNest(a, x, y)
					tr.add(x, y)
				}
				return tr
			})
		})
	}
}

func (s stacked) lfedNest(a algorithms.LFedNest, x, y *mat.Dense) (x2, y2 *mat.Dense) {
	for range a.Inner {
		for range a.InnerSteps {
			y = sum(y, times(-a.Beta, s.gradGy(x, y)))
		}
		y = mul(s.wy, y)
	}
	v := mul(s.series(1/a.Lipschitz, a.Neumann), s.gradFy(x, y))
	for range a.OuterSteps {
		if !a.KeepSeries {
			v = mul(s.series(1/a.Lipschitz, a.Neumann), s.gradFy(x, y))
		}
		x = sum(x, times(-a.Alpha, s.implicit(x, y, v)))
	}
	return mul(s.wx, x), y
}

// With one local step and one client FedNest is stocBiO on full batches; with
// equal clients it is the same.
func TestFedNestOfOneClient(t *testing.T) {
	a := algorithms.FedNest{Outer: 20, Inner: 3, InnerSteps: 1, OuterSteps: 1, Neumann: 2, Alpha: .05, Beta: .1,
		Lipschitz: 7}
	s := stack(single(), problemsOfOne(), waveStart(3, 5))
	last := finish(t, world{w: star(2), on: s.split(), server: true}, a).last()
	x, y := s.x0, s.y0
	eta := 1 / a.Lipschitz
	for range a.Outer {
		for range a.Inner {
			y = sum(y, times(-a.Beta, s.gradGy(x, y)))
		}
		x = sum(x, times(-a.Alpha, s.implicit(x, y, mul(s.series(eta, a.Neumann), s.gradFy(x, y)))))
	}
	closeTo(t, "x", last.X[1], values(x), 1e-12)
	closeTo(t, "the server's x", last.X[0], values(x), 1e-12)
	closeTo(t, "the server's y", last.Y[0], values(y), 1e-12)
}
