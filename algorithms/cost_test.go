package algorithms_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/topologies"
)

// counted returns what the network has spent by snapshot k, as a Cost.
func counted(s snapshot) metrics.Cost {
	c := metrics.Cost{
		Rounds: s.Rounds, Messages: s.traffic.Messages,
		Broadcast: s.traffic.Broadcast, Wire: s.traffic.Wire, Oracle: s.Oracle,
	}
	c.Oracle.Samples = 0 // a closed form does not know the data
	return c
}

// predicted returns the cost of the start and of iterations 1 ... k.
func predicted(m algorithms.Method, k int, d algorithms.Dims) metrics.Cost {
	var c metrics.Cost
	for i := range k + 1 {
		c = c.Plus(algorithms.CostAt(m, i, d))
	}
	c.Paper = nil
	return c
}

func dims(w *topologies.Mixing, s split) algorithms.Dims {
	return algorithms.Dims{P: s.p, Q: s.q, Nodes: w.Nodes(), Links: 2 * w.Graph().Edges()}
}

func (w world) dims() algorithms.Dims {
	d := dims(w.w, w.on)
	d.Server = w.server
	return d
}

func generated(t *testing.T, nodes, p, q int) split {
	t.Helper()
	qp, err := problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: nodes, P: p, Q: q, Heterogeneity: 0.5,
		Y0: 1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return splitOf(qp)
}

func consensus(t *testing.T, nodes, dim int) split {
	t.Helper()
	c, err := problems.NewConsensus(problems.ConsensusConfig{Nodes: nodes, Dim: dim, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return splitOf(c)
}

// The numbers here are worked out by hand from the papers' boxes, not by Cost.
func TestCostByHand(t *testing.T) {
	// A ring of 4: 8 directed links. p = 2, q = 3.
	hand := []struct {
		m    algorithms.Method
		iter int
		want metrics.Cost
	}{
		{algorithms.Gossip{Rounds: 10}, 10, metrics.Cost{ // 10 rounds of one x
			Rounds: 10, Messages: 80, Broadcast: metrics.Elements{Vector: 4 * 10 * 2},
			Wire: metrics.Elements{Vector: 8 * 10 * 2},
		}},
		{algorithms.DGD{Outer: 10, Alpha: .01}, 10, metrics.Cost{
			Rounds: 10, Messages: 80, Broadcast: metrics.Elements{Vector: 80}, Wire: metrics.Elements{Vector: 160},
			Oracle: metrics.OracleCounts{GradF: 40},
		}},
		{algorithms.EXTRA{Outer: 10, Alpha: .01}, 10, metrics.Cost{
			Rounds: 10, Messages: 80, Broadcast: metrics.Elements{Vector: 80}, Wire: metrics.Elements{Vector: 160},
			Oracle: metrics.OracleCounts{GradF: 40},
		}},
		{algorithms.GradientTracking{Outer: 10, Alpha: .01}, 10, metrics.Cost{ // x and t; one gradient more at the start
			Rounds: 10, Messages: 80, Broadcast: metrics.Elements{Vector: 160}, Wire: metrics.Elements{Vector: 320},
			Oracle: metrics.OracleCounts{GradF: 44},
		}},
		// M = 2, U = 3: a node sends y twice, h three times, x once = 2 + 5*3 = 17.
		{algorithms.DAGM{Outer: 10, Inner: 2, Neumann: 3, Alpha: .01, Beta: .01, Solve: algorithms.SolveCholesky},
			10, metrics.Cost{
				Rounds: 50, Messages: 400, Broadcast: metrics.Elements{Vector: 4 * 10 * 17},
				Wire:   metrics.Elements{Vector: 8 * 10 * 17},
				Oracle: metrics.OracleCounts{GradF: 80, GradG: 80, JVP: 40, Hessian: 40, Solve: 160},
			}},
		// The same with two y-steps for each exchange of y, and exchanges in the iterations 1 and 6.
		{algorithms.DAGM{Outer: 10, Inner: 2, Neumann: 3, Local: 2, Period: 5, Alpha: .01, Beta: .01}, 10, metrics.Cost{
			Rounds: 10, Messages: 80, Broadcast: metrics.Elements{Vector: 4 * 2 * 17},
			Wire:   metrics.Elements{Vector: 8 * 2 * 17},
			Oracle: metrics.OracleCounts{GradF: 80, GradG: 160, JVP: 40, Hessian: 40, Solve: 4 * (2*4 + 8)},
		}},
		// b = 2: x, s, y, h = 2 (2+3) = 10, u = 6, v = 2 * 9 = 18. Derivatives also at the start.
		{algorithms.DGBO{Outer: 10, Terms: 2, Alpha: .01, Gamma: .01, Beta: .5, Lipschitz: 10}, 10, metrics.Cost{
			Rounds: 10, Messages: 80,
			Broadcast: metrics.Elements{Vector: 400, Matrix: 40 * 24}, Wire: metrics.Elements{Vector: 800, Matrix: 80 * 24},
			Oracle: metrics.OracleCounts{GradF: 2 * 44, GradG: 40, Hessian: 2 * 44, Jacobian: 44},
		}},
		// T = 2, N = 3: y and v twice, x once = 2 + 4*3 = 14; Z and Y three times = 6 * 6 = 36.
		// Products: 2 of the 3 JHIP steps need H Z, which is p = 2 products.
		{algorithms.DBO{Outer: 10, Inner: 2, JHIP: 3, EtaX: .01, EtaY: .01, Gamma: .01}, 10, metrics.Cost{
			Rounds: 50, Messages: 400,
			Broadcast: metrics.Elements{Vector: 40 * 14, Matrix: 40 * 36},
			Wire:      metrics.Elements{Vector: 80 * 14, Matrix: 80 * 36},
			Oracle:    metrics.OracleCounts{GradF: 80, GradG: 80, HVP: 160, Jacobian: 40},
		}},
	}
	for _, c := range hand {
		on := generated(t, 4, 2, 3)
		if c.m.Needs().SingleLevel {
			on = consensus(t, 4, 2)
		}
		got := counted(finish(t, world{w: ring(4), on: on}, c.m).last())
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%T counted (- by hand, + counted)\n%s", c.m, d)
		}
		if d := cmp.Diff(c.want, predicted(c.m, c.iter, algorithms.Dims{P: 2, Q: 3, Nodes: 4, Links: 8})); d != "" {
			t.Errorf("%T predicted (- by hand, + predicted)\n%s", c.m, d)
		}
	}
}

// Supplement S1 of Nazari et al. counts per node; the printed formulas and the true
// counts, for the sizes of its examples.
func TestPaperCounts(t *testing.T) {
	two := func(p, q int) algorithms.Dims { return algorithms.Dims{P: p, Q: q, Nodes: 2, Links: 2} }
	for _, c := range []struct {
		m           algorithms.Method
		d           algorithms.Dims
		k           int64 // iterations
		paper, true float64
	}{
		// 100 [(3+1) 2 + 2] and 100 [2 + (1+3) 2]: equal, since d1 = d2.
		{algorithms.DAGM{Inner: 1, Neumann: 3}, two(2, 2), 100, 1000, 1000},
		// 4 * 157000 + 10 * 2010 and 157000 + 13 * 2010.
		{algorithms.DAGM{Inner: 10, Neumann: 3}, two(157000, 2010), 1, 648_100, 183_130},
		// 2010² + 157000 * 2010 + 2 * 159010, and with b = 5.
		{algorithms.DGBO{Terms: 1}, two(157000, 2010), 1, 4_040_100 + 315_570_000 + 318_020, 319_928_120},
		{algorithms.DGBO{Terms: 5}, two(157000, 2010), 1, 5*4_040_100 + 315_570_000 + 318_020, 336_088_520},
		// n = 2, T = 10, N = 4: 10 * 2010 + 157000 + 2*4*315570000 and
		// 157000 + 20 * 2010 + 8 * 315570000.
		{algorithms.DBO{Inner: 10, JHIP: 4}, two(157000, 2010), 1, 2_524_737_100, 2_524_757_200},
	} {
		got := c.m.Cost(1, c.d).Times(c.k)
		if n := float64(got.Broadcast.Total()) / 2; n != c.true {
			t.Errorf("%+v: %.0f elements per node, want %.0f", c.m, n, c.true)
		}
		if n := got.Paper.ElementsPerNode * float64(c.k); n != c.paper {
			t.Errorf("%+v: the paper's formula gives %.0f, want %.0f", c.m, n, c.paper)
		}
	}
	// Their count leaves out what comes before the first iteration, and homogeneous nodes.
	for k, m := range []algorithms.DBO{{Inner: 10, JHIP: 4}, {Inner: 10, JHIP: 4, Mode: algorithms.Homogeneous}} {
		if got := algorithms.CostAt(m, k, two(3, 2)).Paper; got != nil {
			t.Errorf("iteration %d of %+v: %+v", k, m, got)
		}
	}
}

// A node of the smaller example really sends 1000 elements.
func TestDAGMSendsAThousandElements(t *testing.T) {
	on := generated(t, 5, 2, 2)
	m := algorithms.DAGM{Outer: 100, Inner: 1, Neumann: 3, Alpha: 0.01, Beta: 0.01, Solve: algorithms.SolveCholesky}
	out := finish(t, world{w: star(5), on: on, every: 100}, m)
	for i := range 5 {
		sent := out.net.Ledger().Traffic(out.net.Outcome(i).Tallies)
		if want := (metrics.Elements{Vector: 1000}); sent.Broadcast != want {
			t.Errorf("node %d broadcast %+v, want %+v", i, sent.Broadcast, want)
		}
		if want := 1000 * int64(len(out.net.Neighbors(i))); sent.Wire.Vector != want {
			t.Errorf("node %d sent %d elements to its neighbours, want %d", i, sent.Wire.Vector, want)
		}
	}
}
