package algorithms_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// starMethods are the methods of one node that also run on a star with a server.
func starMethods(outer int) map[string]algorithms.Method {
	return map[string]algorithms.Method{
		"aid": algorithms.AID{Outer: outer, Inner: 2, Q: 3, Alpha: .1, Beta: .05, Eta: .1, Warm: true},
		"aid-neumann": algorithms.AID{Outer: outer, Inner: 1, Q: 2, Solve: algorithms.SolveNeumann, Alpha: .1,
			Beta: .05, Eta: .1},
		"stocbio": algorithms.StocBiO{Outer: outer, Inner: 3, Q: 2, Alpha: .1, Beta: .05, Eta: .1},
		"amigo":   algorithms.AmIGO{Outer: outer, Inner: 2, Linear: 3, Alpha: .1, Beta: .05, Eta: .1},
		"accbio": algorithms.AccBiO{Outer: outer, Inner: 2, Linear: 3, Alpha: .05, MuX: 1, MuY: 1, LY: 6,
			Regularize: .1},
		"accbio-bg": algorithms.AccBiO{Outer: outer, Inner: 3, Linear: 2, Alpha: .05, MuX: 1, MuY: 1, LY: 6,
			BoundedGradient: true},
		"soba": algorithms.SOBA{Outer: outer, Rho: .1, Gamma: .05},
	}
}

// clients is a star with a server whose clients hold the problem and have equal starts.
func clients(spec problems.QuadraticSpec) world {
	n := len(spec.Nodes)
	s := stack(star(n), spec, func(int) (x, y []float64) {
		return waveStart(len(spec.Nodes[0].A),
			len(spec.Nodes[0].H))(0)
	})
	return world{w: star(n + 1), on: s.split(), server: true}
}

// On a star, the server and every client compute what one node does with the mean of
// all data.
func TestAStarIsOneNodeWithTheMean(t *testing.T) {
	for problem, spec := range map[string]problems.QuadraticSpec{"four nodes": fourNodes(), "instance V": instanceV()} {
		mean := stack(single(), meanOf(spec),
			func(int) (x, y []float64) { return waveStart(len(spec.Nodes[0].A), len(spec.Nodes[0].H))(0) })
		for name, m := range starMethods(twinIterations) {
			want := finish(t, world{w: single(), on: mean.split()}, m)
			for k, s := range finish(t, clients(spec), m).at {
				for i := range s.X {
					closeTo(t, problem+", "+name+": x", s.X[i], want.at[k].X[0], twinTolerance)
					closeTo(t, problem+", "+name+": y", s.Y[i], want.at[k].Y[0], twinTolerance)
				}
			}
		}
	}
}

// By hand: a server and 4 clients, p = 2, q = 3, 10 iterations. A round is 4 messages up
// and 4 down; the server broadcasts the same size as a client.
func TestStarCostByHand(t *testing.T) {
	methods := starMethods(10)
	for name, want := range map[string]metrics.Cost{
		// N = 2, Q = 3: N + Q + 1 = 6 vectors of 3 and one of 2 are 20 numbers in 7 rounds.
		"aid": {Rounds: 70, Messages: 560, Broadcast: metrics.Elements{Vector: 5 * 200},
			Wire:   metrics.Elements{Vector: 8 * 200},
			Oracle: metrics.OracleCounts{GradG: 80, GradF: 80, HVP: 120, JVP: 40}},
		// All three directions at once: 2 + 3 + 3.
		"soba": {Rounds: 10, Messages: 80, Broadcast: metrics.Elements{Vector: 5 * 80},
			Wire:   metrics.Elements{Vector: 8 * 80},
			Oracle: metrics.OracleCounts{GradG: 40, GradF: 80, HVP: 40, JVP: 40}},
	} {
		got := counted(finish(t, world{w: star(5), on: generated(t, 4, 2, 3), server: true}, methods[name]).last())
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (- by hand, + counted)\n%s", name, d)
		}
	}
}
