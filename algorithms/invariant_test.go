package algorithms_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// In every iteration the trackers sum to the gradients. The test observes this from
// outside: mixing keeps sums, so sum x⁺ = sum x - alpha sum t.
func TestGradientTrackingSums(t *testing.T) {
	const alpha = .03
	s := stack(star(4), fourNodes(), waveStart(3, 5))
	at := finish(t, world{w: star(4), on: s.single()}, algorithms.GradientTracking{Outer: 40, Alpha: alpha}).at
	for k := range at[1:] {
		track, grad := make([]float64, 3), make([]float64, 3)
		for i := range 4 {
			floats.AddScaled(track, 1/alpha, at[k].X[i])
			floats.AddScaled(track, -1/alpha, at[k+1].X[i])
			g := make([]float64, 3)
			s.single().local(i).GradFx(g, at[k].X[i], nil)
			floats.Add(grad, g)
		}
		if d := floats.Distance(track, grad, math.Inf(1)); !(d <= 1e-11) {
			t.Fatalf("iteration %d: trackers sum to %v, gradients to %v", k, track, grad)
		}
	}
}

// JHIP has the same invariant: sum Z⁺ = sum Z - gamma sum (H_i Z_i - J_i').
func TestJHIPSums(t *testing.T) {
	const gamma, most = .05, 12
	sums := make([]*mat.Dense, most+1)  // of Z after each number of steps
	grads := make([]*mat.Dense, most+1) // of H Z - J'
	spec := instanceV()
	for n := 1; n <= most; n++ {
		sums[n], grads[n] = mat.NewDense(3, 2, nil), mat.NewDense(3, 2, nil)
		onInstanceV(t, func(p *node.Proc, o algorithms.Oracle) {
			z := algorithms.RunJHIP(p, o, n, gamma, make([]float64, 2), vInner)
			h, j := mat.NewDense(3, 3, nil), mat.NewDense(2, 3, nil)
			block(h, 0, 0, spec.Nodes[p.ID()].H)
			block(j, 0, 0, spec.Nodes[p.ID()].P)
			sums[n] = sum(sums[n], z)
			grads[n] = sum(grads[n], mul(h, z), times(-1, j.T()))
		})
	}
	for n := 1; n < most; n++ {
		want := sum(sums[n], times(-gamma, grads[n]))
		if !mat.EqualApprox(sums[n+1], want, 1e-12) {
			t.Errorf("step %d: sum Z = %v, want %v", n+1, mat.Formatted(sums[n+1]), mat.Formatted(want))
		}
	}
}

// Gossip keeps the mean and contracts the disagreement by sigma; on the
// eigenvector of sigma, exactly so.
func TestGossipContracts(t *testing.T) {
	w := ringA(4, .4) // eigenvalues 1, .4, .4, -.2
	spectrum, err := w.Spectrum()
	if err != nil {
		t.Fatal(err)
	}
	sigma := spectrum.Sigma()
	if !(math.Abs(sigma-.4) <= 1e-12) {
		t.Fatalf("sigma = %g, want 0.4", sigma)
	}
	starts := map[string]func(i int) float64{
		"eigenvector": func(i int) float64 { return []float64{1, 0, -1, 0}[i] },
		"any":         func(i int) float64 { return wave(i, 0, 0) },
	}
	for name, start := range starts {
		on := split{p: 1, local: func(int) algorithms.Local { return alone{lin: []float64{0}} },
			start: func(i int) (x, y []float64) { return []float64{start(i)}, nil }}
		var mean, before float64
		for k, s := range finish(t, world{w: w, on: on}, algorithms.Gossip{Rounds: 20}).at {
			var x []float64
			for i := range s.X {
				x = append(x, s.X[i][0])
			}
			m := floats.Sum(x) / 4
			floats.AddConst(-m, x)
			d := floats.Norm(x, 2)
			if k == 0 {
				mean = m
			} else if !(math.Abs(m-mean) <= 1e-15) || !(d <= sigma*before+1e-15) {
				t.Errorf("%s, round %d: mean %g, was %g; disagreement %g, was %g", name, k, m, mean, d, before)
			} else if name == "eigenvector" && !(math.Abs(d-math.Sqrt2*math.Pow(.4, float64(k))) <= 1e-15) {
				t.Errorf("round %d: disagreement %g, want sqrt(2) 0.4^%d", k, d, k)
			}
			before = d
		}
	}
}

// watched accounts for a randomized gossip: the sum of all values, minus the changes still
// to be subtracted, never changes, and each exchange leaves two nodes with one value.
type watched struct {
	node.Handler
	account *gossipAccount
}

type gossipAccount struct {
	t        *testing.T
	held     map[int]float64
	agreed   map[int]float64 // by the node that made contact: the value that the other took
	flying   float64         // added by the contacted nodes, not yet subtracted by the others
	total    float64         // at the start
	started  int
	inFlight int // answers under way
	overlaps int // times with several answers under way
}

func (w *watched) Start(c *node.Context) {
	w.Handler.Start(c)
	v := algorithms.GossipValue(w.Handler)[0]
	w.account.held[c.ID()] = v
	w.account.total += v
	w.account.started++
}

func (w *watched) Receive(c *node.Context, m *channel.Message) {
	a := w.account
	before := algorithms.GossipValue(w.Handler)[0]
	if m.Phase == "reply" {
		a.flying -= m.Vec(0)[0]
	}
	if m.Phase != "push" {
		a.inFlight--
	}
	w.Handler.Receive(c, m)
	after := algorithms.GossipValue(w.Handler)[0]
	if m.Phase == "push" {
		a.flying += after - before
		a.inFlight++
		a.agreed[m.From] = after
	}
	if want := a.agreed[c.ID()]; m.Phase == "reply" && !(math.Abs(after-want) <= 1e-12) {
		a.t.Fatalf("at %v: node %d and node %d averaged to %g and %g", c.Now(), c.ID(), m.From, after, want)
	}
	if a.inFlight > 1 {
		a.overlaps++
	}
	a.held[c.ID()] = after
	if a.started < c.Nodes() {
		return
	}
	sum := -a.flying
	for i := range c.Nodes() {
		sum += a.held[i]
	}
	if !(math.Abs(sum-a.total) <= 1e-10) {
		a.t.Fatalf("at %v: values less steps on their way sum to %g, at the start to %g", c.Now(), sum, a.total)
	}
}

// TestGossipCostByHand: two nodes each send at most an x of 3 numbers and an answer; without links, nothing.
func TestGossipCostByHand(t *testing.T) {
	gossip, links := algorithms.RandomizedGossip{Ticks: 9, Interval: sim.Millisecond}, metrics.Elements{Vector: 2 * 2 * 3}
	for _, c := range []struct {
		k, links int
		want     metrics.Cost
	}{{0, 2, metrics.Cost{}}, {4, 0, metrics.Cost{}},
		{4, 2, metrics.Cost{Messages: 4, Broadcast: links, Wire: links, Bound: true}}} {
		if got := algorithms.CostAt(gossip, c.k, algorithms.Dims{P: 3, Nodes: 2, Links: c.links}); got != c.want {
			t.Errorf("iteration %d with %d links costs at most %+v, want %+v", c.k, c.links, got, c.want)
		}
	}
}

// TestGossipTicks: if answers come before the next tick, each of 7 ticks of two nodes costs a push and an answer.
func TestGossipTicks(t *testing.T) {
	on := split{p: 1, local: func(int) algorithms.Local { return alone{lin: []float64{0}} },
		start: func(i int) (x, y []float64) { return []float64{float64(i)}, nil }}
	w := world{w: path(2), on: on, configure: func(cfg *node.Config) {
		cfg.Link = func(int, int) (sim.Time, int64) { return 1, 1e18 }
	}}
	net := finish(t, w, algorithms.RandomizedGossip{Ticks: 7, Interval: sim.Second}).net
	if n := net.Ledger().Traffic(net.Total().Tallies).Messages; n != 4*7 {
		t.Errorf("%d messages, want 28", n)
	}
}

// Links take longer than a tick, so exchanges overlap all the time. The sum is kept
// and all nodes approach the mean.
func TestRandomizedGossipKeepsTheSum(t *testing.T) {
	const n = 8
	m := algorithms.RandomizedGossip{Ticks: 2000, Interval: sim.Millisecond}
	on := split{p: 1, local: func(int) algorithms.Local { return alone{lin: []float64{0}} },
		start: func(i int) (x, y []float64) { return []float64{float64(i * i)}, nil }}
	cfg := configOf(ring(n))
	cfg.Link = func(int, int) (sim.Time, int64) { return 2 * sim.Millisecond, 1e9 }
	cfg.Reports = &node.Reports{Last: m.Ticks, P: 1}
	account := &gossipAccount{t: t, held: map[int]float64{}, agreed: map[int]float64{}}
	net := network(t, cfg, func(i int) node.Handler {
		return node.Deferred(func(c *node.Context) node.Handler {
			x0, _ := on.start(i)
			return &watched{m.Handler(algorithms.Metered(c, on.local(i), x0, nil)), account}
		})
	})
	if end, err := net.Run(context.Background(), node.Limits{}); err != nil || end != node.Finished {
		t.Fatalf("ended %d: %v", end, err)
	}
	if account.overlaps < 100 {
		t.Errorf("only %d overlaps: the test does not test much", account.overlaps)
	}
	if account.inFlight != 0 {
		t.Errorf("%d replies never came", account.inFlight)
	}
	for i := range n {
		if v := account.held[i]; !(math.Abs(v-17.5) <= 1e-3) { // the mean of 0, 1, 4, ..., 49
			t.Errorf("node %d ends at %g, the mean is 17.5", i, v)
		}
	}
}

// On equal quadratics of curvature L the stability limits are exact. With l the least
// eigenvalue of W they are alpha L < 1 + l for DGD, (1 + l)²/2 for gradient tracking,
// and (5 + 3 l)/4 for EXTRA, which exceeds the 1 + l that its theory requires.
func TestStabilityLimits(t *testing.T) {
	const curvature, outer = 3, 3000
	for _, l := range []float64{.5, 0, -.2, -.34, -.5} {
		w := ringA(4, (1+l)/2) // eigenvalues 1, a, a, 2a - 1
		on := split{p: 1,
			local: func(int) algorithms.Local { return alone{a: [][]float64{{curvature}}, lin: []float64{0}} },
			start: func(i int) (x, y []float64) { return []float64{1 + wave(i, 0, 0)}, nil }}
		for name, c := range map[string]struct {
			limit  float64
			method func(alpha float64) algorithms.Method
		}{
			"dgd": {1 + l, func(a float64) algorithms.Method { return algorithms.DGD{Outer: outer, Alpha: a} }},
			"tracking": {(1 + l) * (1 + l) / 2,
				func(a float64) algorithms.Method { return algorithms.GradientTracking{Outer: outer, Alpha: a} }},
			"extra": {(5 + 3*l) / 4,
				func(a float64) algorithms.Method { return algorithms.EXTRA{Outer: outer, Alpha: a} }},
		} {
			if c.limit > 2 {
				continue
			}
			m := c.method(.98 * c.limit / curvature)
			end := finish(t, world{w: w, on: on, every: outer}, m).last()
			if d := math.Abs(end.X[0][0]); !(d < 1e-6) {
				t.Errorf("%s, lambda_min = %g, just below the limit: still %g from the optimum", name, l, d)
			}
			m = c.method(1.02 * c.limit / curvature)
			end = run(t, world{w: w, on: on, every: outer}, m).last()
			if d := math.Abs(end.X[0][0]); end.Iteration == outer && !(d > 1e3) {
				t.Errorf("%s, lambda_min = %g, just above the limit: only %g from the optimum", name, l, d)
			}
		}
	}
}
