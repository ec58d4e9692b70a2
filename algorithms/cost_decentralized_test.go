package algorithms_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/topologies"
)

// costWorld is the network on which the cost of a method is counted.
func costWorld(t *testing.T, m algorithms.Method, w *topologies.Mixing, p, q int) world {
	if m.Needs().SingleLevel {
		return world{w: w, on: consensus(t, w.Nodes(), p)}
	}
	if m.Needs().Server == algorithms.ServerRequired {
		return world{w: w, on: generated(t, w.Nodes()-1, p, q), server: true}
	}
	return world{w: w, on: generated(t, w.Nodes(), p, q)}
}

// By hand, in a ring of 4 with 8 directed links, or a star with a server and 4 clients;
// p = 2, q = 3, 10 iterations.
func TestDecentralizedCostByHand(t *testing.T) {
	const s = .01
	mdbo := algorithms.MDBO{Outer: 10, Alpha1: .5, Alpha2: .5, Beta1: s, Beta2: s, Eta: .5, Neumann: 3, Lipschitz: 10}
	sent := func(rounds, vector, matrix int64) metrics.Cost { // by a node in one iteration
		return metrics.Cost{Rounds: 10 * rounds, Messages: 80 * rounds,
			Broadcast: metrics.Elements{Vector: 40 * vector, Matrix: 40 * matrix},
			Wire:      metrics.Elements{Vector: 80 * vector, Matrix: 80 * matrix}}
	}
	with := func(c metrics.Cost, o metrics.OracleCounts) metrics.Cost { c.Oracle = o; return c }
	for _, c := range []struct {
		m    algorithms.Method
		want metrics.Cost
	}{
		// T = 2, N = 3: y, v twice, x, u once = 4 + 12; Z, Y three times.
		{algorithms.DBOGT{Outer: 10, Inner: 2, JHIP: 3, EtaX: s, EtaY: s, Gamma: s},
			with(sent(5, 16, 36), metrics.OracleCounts{GradF: 80, GradG: 80, HVP: 160, Jacobian: 40})},
		// y twice, x once; a Jacobian in each of the 3 steps.
		{algorithms.DSBO{Outer: 10, Inner: 2, JHIP: 3, EtaX: s, EtaY: s, Gamma: s},
			with(sent(5, 8, 36), metrics.OracleCounts{GradF: 80, GradG: 80, HVP: 160, Jacobian: 120})},
		{algorithms.DSBO{Outer: 10, Inner: 2, JHIP: 3, EtaX: s, EtaY: s, Gamma: s, Mode: algorithms.Homogeneous},
			with(sent(1, 2, 0), metrics.OracleCounts{GradF: 80, GradG: 80, HVP: 120, JVP: 40})},
		// y, v twice, z, d three times, x once = 12 + 18 + 2.
		{algorithms.MADBO{Outer: 10, Inner: 2, HIGP: 3, Alpha: s, EtaY: s, Gamma: s, Theta: 1, Tracking: true},
			with(sent(5, 32, 0), metrics.OracleCounts{GradF: 80, GradG: 80, HVP: 120, JVP: 40})},
		{algorithms.MADBO{Outer: 10, Inner: 2, HIGP: 3, Alpha: s, EtaY: s, Gamma: s, Theta: 1},
			with(sent(5, 26, 0), metrics.OracleCounts{GradF: 80, GradG: 80, HVP: 120, JVP: 40})},
		{algorithms.LPDBO{Outer: 10, Alpha: s, Beta: s, Lambda: s},
			with(sent(1, 2, 0), metrics.OracleCounts{GradF: 80, GradG: 40, HVP: 40, JVP: 40})},
		{algorithms.SPDB{Outer: 10, Beta: s, Rho: 10, Eta: s},
			with(sent(1, 2, 0), metrics.OracleCounts{GradF: 80, GradG: 40, HVP: 40, JVP: 40})},
		{algorithms.INTERACT{Outer: 10, Alpha: s, Beta: s},
			with(sent(1, 4, 0), metrics.OracleCounts{GradF: 88, GradG: 44, Hessian: 44, JVP: 44, Solve: 44})},
		// Iterations 5 and 10 use one point, the other 8 use two, and the start uses one: 19.
		{algorithms.Prometheus{Outer: 10, Alpha: .5, Beta: s, Tau: 10, Neumann: 2, Lipschitz: 10, Period: 5,
			Batch: 1}, with(sent(1, 4, 0), metrics.OracleCounts{GradF: 152, GradG: 76, HVP: 152, JVP: 76})},
		{mdbo, with(sent(1, 10, 0), metrics.OracleCounts{GradF: 88, GradG: 44, HVP: 132, JVP: 44})},
		{algorithms.VRDBO(mdbo), with(sent(1, 10, 0), metrics.OracleCounts{GradF: 168, GradG: 84, HVP: 252, JVP: 84})},
		{algorithms.SLDBO{Outer: 10, Alpha: s, Beta: s, Eta: s},
			with(sent(1, 16, 0), metrics.OracleCounts{GradF: 88, GradG: 44, HVP: 44, JVP: 44})},
		{algorithms.DSOBA{Outer: 10, Alpha: s, Beta: s, Gamma: s, Theta: 1},
			with(sent(1, 8, 0), metrics.OracleCounts{GradF: 80, GradG: 40, HVP: 40, JVP: 40})},
		{algorithms.DSOBA{Outer: 10, Alpha: s, Beta: s, Gamma: s, Theta: 1, Order: algorithms.FirstOrder, Delta: s},
			with(sent(1, 8, 0), metrics.OracleCounts{GradF: 80, GradG: 200})},
		{algorithms.PenaltyGT{Outer: 10, Lambda: 10, EtaX: s, EtaY: s / 10, EtaZ: s / 10},
			with(sent(1, 16, 0), metrics.OracleCounts{GradF: 88, GradG: 176})},
		// M = 2, U = 3 as for DAGM, also on 8 links, but 5 nodes broadcast 17 elements.
		{algorithms.CentralizedDAGM{Outer: 10, Inner: 2, Neumann: 3, Alpha: s, Beta: s}, metrics.Cost{
			Rounds: 50, Messages: 400, Broadcast: metrics.Elements{Vector: 50 * 17}, Wire: metrics.Elements{Vector: 80 * 17},
			Oracle: metrics.OracleCounts{GradF: 80, GradG: 80, JVP: 40, Hessian: 40, Solve: 160}}},
		// T = 2, N = 3: 10 rounds; a client sends q, y twice, r four times, h and x: 8 * 3 + 4.
		// 2 (1 + 2) gradients of g; 1 + 2 hypergradients outside, the 2 without products unless whole.
		{algorithms.FedNest{Outer: 10, Inner: 2, InnerSteps: 2, OuterSteps: 2, Neumann: 3, Alpha: s, Beta: s,
			Lipschitz: 10}, metrics.Cost{
			Rounds: 100, Messages: 800, Broadcast: metrics.Elements{Vector: 50 * 28},
			Wire:   metrics.Elements{Vector: 80 * 28},
			Oracle: metrics.OracleCounts{GradF: 160, GradG: 240, HVP: 120, JVP: 40}}},
		{algorithms.FedNest{Outer: 10, Inner: 2, InnerSteps: 2, OuterSteps: 2, Neumann: 3, Alpha: s, Beta: s,
			Lipschitz: 10, Correction: algorithms.CorrectWhole}, metrics.Cost{
			Rounds: 100, Messages: 800, Broadcast: metrics.Elements{Vector: 50 * 28},
			Wire:   metrics.Elements{Vector: 80 * 28},
			Oracle: metrics.OracleCounts{GradF: 160, GradG: 240, HVP: 120, JVP: 120}}},
		// 3 rounds: y twice and x; 2 * 2 gradients of g, and two hypergradients, or one and a step with its v.
		{algorithms.LFedNest{Outer: 10, Inner: 2, InnerSteps: 2, OuterSteps: 2, Neumann: 3, Alpha: s, Beta: s,
			Lipschitz: 10}, metrics.Cost{
			Rounds: 30, Messages: 240, Broadcast: metrics.Elements{Vector: 50 * 8}, Wire: metrics.Elements{Vector: 80 * 8},
			Oracle: metrics.OracleCounts{GradF: 160, GradG: 160, HVP: 240, JVP: 80}}},
		{algorithms.LFedNest{Outer: 10, Inner: 2, InnerSteps: 2, OuterSteps: 2, Neumann: 3, Alpha: s, Beta: s,
			Lipschitz: 10, KeepSeries: true}, metrics.Cost{
			Rounds: 30, Messages: 240, Broadcast: metrics.Elements{Vector: 50 * 8}, Wire: metrics.Elements{Vector: 80 * 8},
			Oracle: metrics.OracleCounts{GradF: 120, GradG: 160, HVP: 120, JVP: 80}}},
	} {
		w := ring(4)
		if c.m.Needs().Server == algorithms.ServerRequired {
			w = star(5)
		}
		in := costWorld(t, c.m, w, 2, 3)
		got := counted(finish(t, in, c.m).last())
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%T counted (- by hand, + counted)\n%s", c.m, d)
		}
		if d := cmp.Diff(c.want, predicted(c.m, 10, in.dims())); d != "" {
			t.Errorf("%T predicted (- by hand, + predicted)\n%s", c.m, d)
		}
	}
}

// SPDB's number of Hessian products in its first thousands of iterations.
func TestSPDBProducts(t *testing.T) {
	for base, counts := range map[float64]map[int]int{
		0:      {1: 1, 53: 1, 54: 2, 2979: 2, 2980: 3}, // ln(k+1)/4 passes 1 and 2 at k + 1 = 54.6 and 2980.96
		math.E: {1: 1, 53: 1, 54: 2, 2979: 2, 2980: 3},
		2:      {1: 1, 15: 1, 16: 2, 255: 2, 256: 3},
		10:     {1: 1, 952: 1, 9999: 1, 10000: 2},
	} {
		a := algorithms.SPDB{Outer: 3000, Base: base}
		for k, want := range counts {
			if got := a.NeumannAt(k); got != want {
				t.Errorf("base %v: iteration %d takes %d products, want %d", base, k, got, want)
			}
		}
	}
}
