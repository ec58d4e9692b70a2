package algorithms_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/sim"
	"tallynet/topologies"
)

// suite returns every method with steps that are stable on suiteProblem.
func suite() map[string]algorithms.Method {
	return suiteOf(60, 1)
}

// suiteOf returns the methods with the given iterations and the stable steps times a factor: s = 0.03 is stable as a
// step of y. Methods without a step are included only for factor 1. So is bvfsm, which leaves the domain of its
// barrier where others diverge.
func suiteOf(outer int, times float64) map[string]algorithms.Method {
	s := 0.03 * times
	a := 2. / 3 * s
	mdbo := algorithms.MDBO{Outer: outer, Alpha1: 1.5, Alpha2: 1.5, Beta1: 2 * a, Beta2: 2 * s, Eta: .5, Neumann: 3,
		Lipschitz: 7}
	m := map[string]algorithms.Method{
		"dgd":               algorithms.DGD{Outer: outer, Alpha: s},
		"gradient-tracking": algorithms.GradientTracking{Outer: outer, Alpha: s},
		"extra":             algorithms.EXTRA{Outer: outer, Alpha: s},
		"dagm": algorithms.DAGM{Outer: outer, Inner: 2, Neumann: 3, Alpha: 0.02, Beta: s,
			Solve: algorithms.SolveCholesky},
		"dagm-cg": algorithms.DAGM{Outer: outer, Inner: 2, Neumann: 3, Alpha: 0.02, Beta: s,
			Solve: algorithms.SolveCG, CGTolerance: 1e-10, CGIterations: 20},
		"dgbo": algorithms.DGBO{Outer: outer, Terms: 3, Alpha: 0.02, Gamma: s, Beta: 0.5, Lipschitz: 7},
		"dbo":  algorithms.DBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s},

		"dbo-homogeneous": algorithms.DBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s,
			Mode: algorithms.Homogeneous},
		"dbogt": algorithms.DBOGT{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s},
		"dbogt-homogeneous": algorithms.DBOGT{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s,
			Mode: algorithms.Homogeneous},
		"dsbo": algorithms.DSBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s},
		"dsbo-homogeneous": algorithms.DSBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s,
			Mode: algorithms.Homogeneous},
		"ma-dbo": algorithms.MADBO{Outer: outer, Inner: 2, HIGP: 3, Alpha: 0.02, EtaY: s, Gamma: s,
			Theta: .5, Tracking: true},
		"ma-dbo-plain": algorithms.MADBO{Outer: outer, Inner: 2, HIGP: 3, Alpha: 0.02, EtaY: s, Gamma: s,
			Theta: .5},
		"l-pdbo":   algorithms.LPDBO{Outer: outer, Alpha: 0.02, Beta: s, Lambda: s},
		"spdb":     algorithms.SPDB{Outer: outer, Beta: s, Rho: 4, Eta: .1},
		"interact": algorithms.INTERACT{Outer: outer, Alpha: 0.02, Beta: s},
		"prometheus": algorithms.Prometheus{Outer: outer, Alpha: .8, Beta: s, Tau: 40, Neumann: 3,
			Lipschitz: 7, Period: 4},
		"mdbo":  mdbo,
		"vrdbo": algorithms.VRDBO(mdbo),
		"sldbo": algorithms.SLDBO{Outer: outer, Alpha: 0.02, Beta: s, Eta: s},
		"sparkle-ed": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5, Lazy: true,
			Upper: algorithms.ExactDiffusion, Lower: algorithms.ExactDiffusion, Adjoint: algorithms.ExactDiffusion},
		"sparkle-extra": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5, Lazy: true,
			Upper: algorithms.ExactFirstOrder, Lower: algorithms.ExactFirstOrder, Adjoint: algorithms.ExactFirstOrder},
		"sparkle-gt": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5,
			Upper: algorithms.ATCTracking, Lower: algorithms.ATCTracking, Adjoint: algorithms.ATCTracking},
		"sparkle-mixed": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5,
			Order: algorithms.Sequential, Upper: algorithms.NonATCTracking, Lower: algorithms.ExactDiffusion,
			Adjoint: algorithms.SemiATCTracking,
			Lazy:    true},
		"d-soba": algorithms.DSOBA{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5},
		"d-soba-fo": algorithms.DSOBA{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5,
			Order: algorithms.FirstOrder, Delta: .1},
		"penalty-gt": algorithms.PenaltyGT{Outer: outer, Lambda: 10, EtaX: a, EtaY: s / 20, EtaZ: s / 10},
		"c2dfb": algorithms.C2DFB{Outer: outer, Inner: 2, Lambda: 10, EtaX: a, EtaY: s / 10, EtaZ: s, GammaX: .5,
			GammaD: .5},
		"c-soba":  algorithms.CSOBA{Outer: outer, Alpha: a, Beta: s, Gamma: s},
		"ef-soba": algorithms.CSOBA{Outer: outer, Alpha: a, Beta: s, Gamma: s, Theta: .5, Delta: .5, Clip: 50},
		"fednest": algorithms.FedNest{Outer: outer, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 3,
			Alpha: 0.02, Beta: s, Lipschitz: 7},
		"fednest-whole": algorithms.FedNest{Outer: outer, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 3,
			Alpha: 0.02, Beta: s, Lipschitz: 7, Correction: algorithms.CorrectWhole},
		"lfednest": algorithms.LFedNest{Outer: outer, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 3,
			Alpha: 0.01, Beta: s, Lipschitz: 7},
		"centralized-dagm": algorithms.CentralizedDAGM{Outer: outer, Inner: 2, Neumann: 3, Alpha: 0.02, Beta: s},

		"aid": algorithms.AID{Outer: outer, Inner: 2, Q: 3, Solve: algorithms.SolveGD, Alpha: s, Beta: 0.02,
			Eta: s, Warm: true},
		"aid-zero": algorithms.AID{Outer: outer, Inner: 1, Q: 1, Alpha: s, Beta: 0.02, Eta: 0.03},
		"aid-neumann": algorithms.AID{Outer: outer, Inner: 2, Q: 3, Solve: algorithms.SolveNeumann, Alpha: s,
			Beta: 0.02, Eta: 0.03},
		"aid-cg": algorithms.AID{Outer: outer, Inner: 2, Q: 3, Solve: algorithms.SolveCG, Alpha: s, Beta: 0.02,
			CGTolerance: 1e-12},
		"aid-warm-cg": algorithms.AID{Outer: outer, Inner: 2, Q: 3, Solve: algorithms.SolveCG, Alpha: s, Beta: 0.02,
			CGTolerance: 1e-12, Warm: true},
		"itd":       algorithms.ITD{Outer: outer, Inner: 3, Alpha: s, Beta: 0.02, Warm: true},
		"reverse":   algorithms.ITD{Outer: outer, Inner: 4, Back: 2, Alpha: s, Beta: 0.02},
		"ba":        algorithms.BA{Outer: outer, Alpha: s, Beta: 0.02, Warm: true},
		"ba-linear": algorithms.BA{Outer: outer, Alpha: s, Beta: 0.02, Schedule: algorithms.LinearSchedule, Warm: true},
		"bsa":       algorithms.BSA{Outer: outer, Q: 1, Alpha: s, Beta: 0.02, Eta: 0.03},

		"stocbio": algorithms.StocBiO{Outer: outer, Inner: 2, Q: 3, Alpha: s, Beta: 0.02, Eta: 0.03},
		"vrbo":    algorithms.VRBO{Outer: outer, Inner: 2, Period: 4, Q: 3, Alpha: 0.02, Beta: s, Eta: 0.03},
		"vrbo-after": algorithms.VRBO{Outer: outer, Inner: 2, Period: 4, Q: 3, Alpha: 0.02, Beta: s, Eta: 0.03,
			Estimates: algorithms.EstimateAfter},
		"mrbo":  algorithms.MRBO{Outer: outer, Q: 3, Alpha: 0.02, Beta: s, Eta: 0.03, Weight: 0.3},
		"amigo": algorithms.AmIGO{Outer: outer, Inner: 2, Linear: 2, Alpha: s, Beta: 0.02, Eta: s},
		"accbio": algorithms.AccBiO{Outer: outer, Inner: 2, Linear: 3, Alpha: 0.02 * times, MuX: 1, MuY: .1 / times,
			LY: 10 / times},
		"accbio-bg": algorithms.AccBiO{Outer: outer, Inner: 2, Linear: 3, Alpha: 0.02 * times, MuX: .1 / times,
			MuY: .1 / times, LY: 10 / times, BoundedGradient: true, Regularize: .01},
		"soba": algorithms.SOBA{Outer: outer, Rho: s, Gamma: 0.02},
		"saba": algorithms.SABA{Outer: outer, Rho: s, Gamma: 0.02},

		"bome":       algorithms.BOME{Outer: outer, Inner: 3, Alpha: 0.03, Xi: s, Eta: 0.5},
		"bome-value": algorithms.BOME{Outer: outer, Inner: 3, Alpha: 0.03, Xi: s, Eta: 0.5, Phi: algorithms.ControlValue},
		"bsg-1":      algorithms.BSG1{Outer: outer, Inner: 2, Alpha: s, Beta: 0.02},
		"penalty": algorithms.Penalty{Outer: outer, Inner: 2, Alpha: s, Beta: 0.02, Gamma: 0.1, Lambda: 0.1,
			Epsilon: 0.01, Nu: 1e-4},
		"f2sa":          algorithms.F2SA{Outer: outer, Inner: 2, EtaX: 0.02, EtaY: 0.01, EtaZ: s, Lambda: 5},
		"optimistic-gd": algorithms.OptimisticGD{Outer: outer, Eta: s},
	}
	if times == 1 {
		m["gossip"] = algorithms.Gossip{Rounds: outer}
		m["randomized-gossip"] = algorithms.RandomizedGossip{Ticks: outer, Interval: sim.Millisecond}
		m["bvfsm"] = algorithms.BVFSM{Outer: outer, InnerZ: 3, InnerY: 2, AlphaZ: s, AlphaY: 0.02, Beta: 0.02,
			L2Z: 0.01, L2Y: 0.01, Barrier: 0.1, Offset: 50}
		m["bvfsm-detached"] = algorithms.BVFSM{Outer: outer, InnerZ: 3, InnerY: 2, AlphaZ: s, AlphaY: 0.02,
			Beta: 0.02, Barrier: 0.1, Offset: 50, Detached: true, Constant: true}
	}
	return m
}

// on puts a method on the right half of fourNodes, with the number of nodes of w. A
// method for a server and clients gets a star of that many clients with equal starts;
// a method of one node gets one, whatever w is.
func on(w *topologies.Mixing, m algorithms.Method) world {
	if m.Needs().OneNode {
		w = single()
	}
	spec := fourNodes()
	spec.Nodes = spec.Nodes[:w.Nodes()]
	s := stack(w, spec, waveStart(3, 5))
	if m.Needs().Server == algorithms.ServerRequired {
		same := stack(w, spec, func(int) (x, y []float64) { return waveStart(3, 5)(0) })
		return world{w: star(w.Nodes() + 1), on: same.split(), server: true}
	}
	if m.Needs().SingleLevel {
		return world{w: w, on: s.single()}
	}
	return world{w: w, on: s.split()}
}

// slow gives links and machines some time, so that nodes drift apart.
func slow(cfg *node.Config) {
	cfg.Link = func(from, to int) (sim.Time, int64) { return sim.Time(1+from+2*to) * sim.Millisecond, 1e6 }
	m := node.Machine{FlopsPerSecond: 1e6, Round: 10 * sim.Microsecond}
	for c := range m.Calls {
		m.Calls[c] = node.ByFlops
	}
	cfg.Machines = slices.Repeat([]node.Machine{m}, len(cfg.Peers))
	cfg.Machines[0].FlopsPerSecond = 3e5
}

// One node alone is gradient descent or the exact bilevel method: no bias remains.
func TestOneNodeIsCentralized(t *testing.T) {
	s := stack(single(), problemsOfOne(), waveStart(3, 5))
	xs, _, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	optimum := times(-1, mul(inverse(s.a), s.av))
	for name, m := range suiteOf(500, 1) {
		if strings.Contains(name, "gossip") || m.Needs().OneNode { // their limits have tests of their own
			continue
		}
		m, exact := enough(m)
		if !exact {
			continue
		}
		w := on(single(), m)
		w.every = algorithms.Iterations(m)
		last := finish(t, w, m).last()
		got := last.X[len(last.X)-1]
		for c, v := range got {
			want := optimum.At(c, 0)
			if m.Needs().Bilevel {
				want = xs[c]
			}
			if d := v - want; d > 1e-8 || d < -1e-8 {
				t.Errorf("%s: x[%d] = %.12g, the optimum is %.12g", name, c, v, want)
			}
		}
	}
}

// Equal nodes on the complete graph with W = 11'/n do what one node does alone.
// Exceptions: DAGM (D contains 2 (1 - 1/n) I, and the Neumann series is cut), SPDB (its
// step of x depends on the degree), and methods for a server, which have no graph.
func TestEqualNodesAreOneNode(t *testing.T) {
	one, many := problemsOfOne(), problems.QuadraticSpec{}
	for range 5 {
		many.Nodes = append(many.Nodes, one.Nodes[0])
	}
	start := func(int) (x, y []float64) { return waveStart(3, 5)(0) }
	complete := topologies.Metropolis(must(topologies.Make(topologies.Complete(5))))
	for name, m := range suite() {
		if strings.Contains(name, "dagm") || strings.HasSuffix(name, "gossip") || name == "spdb" ||
			m.Needs().Server == algorithms.ServerRequired || m.Needs().OneNode {
			continue
		}
		centre, network := stack(single(), one, start), stack(complete, many, start)
		a, b := world{w: single(), on: centre.split()}, world{w: complete, on: network.split()}
		if m.Needs().SingleLevel {
			a.on, b.on = centre.single(), network.single()
		}
		want := finish(t, a, m)
		for k, s := range finish(t, b, m).at {
			for i := range s.X {
				closeTo(t, name+": x", s.X[i], want.at[k].X[0], 1e-12)
				closeTo(t, name+": y", s.Y[i], want.at[k].Y[0], 1e-12)
			}
		}
	}
}

// A step of more than ten times the largest stable one (3; the limits
// (1 + lambda_min) / L are at most 0.12) ends as diverged, in a known iteration.
func TestDivergence(t *testing.T) {
	for name, m := range suiteOf(3000, 100) {
		out := run(t, on(ring(4), m), m)
		if out.ending != node.Failed || !errors.Is(out.err, node.ErrDiverged) {
			t.Errorf("%s: ended %d, %v; want it diverged", name, out.ending, out.err)
			continue
		}
		// The last complete snapshot is the one before, or one earlier if a node was ahead.
		k := out.last().Iteration
		at := []string{fmt.Sprintf("iteration %d ", k+1), fmt.Sprintf("iteration %d ", k+2)}
		if e := out.err.Error(); !strings.Contains(e, at[0]) && !strings.Contains(e, at[1]) {
			t.Errorf("%s: after %d good iterations: %q names none", name, k, e)
		}
	}
}

// When the recorder stops a run, every program is unwound and no coroutine is left.
func TestEarlyStopUnwinds(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, m := range suite() {
		unwound := 0
		w := on(star(4), m)
		w.configure, w.stopAfter, w.unwound = slow, 5, &unwound
		out := run(t, w, m)
		if out.err != nil || out.ending != node.Ended || out.last().Iteration != 5 {
			t.Errorf("%s: ended %d after iteration %d: %v", name, out.ending, out.last().Iteration, out.err)
		}
		want := w.w.Nodes()
		if _, ok := m.(algorithms.Asynchronous); ok {
			want = 0 // a handler has nothing to unwind
		}
		if unwound != want {
			t.Errorf("%s: deferred calls of %d programs ran, want %d", name, unwound, want)
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// In steady state an iteration allocates nothing: 100 more iterations make the same
// allocations. The few that are allowed are pools of gonum that the collector emptied
// and, per mat.Cholesky.Factorize, three slice headers (the race detector, which
// makes pools forget, adds the slices).
func TestIterationsDoNotAllocate(t *testing.T) {
	const few = 20 // in 100 iterations of 4 nodes
	allowed := map[string]float64{"dagm": few + 100*4*6, "centralized-dagm": few + 100*4*6,
		"interact": few + 100*4*6, "ba": few + 100*6, "ba-linear": few + 100*6}
	allocs := func(name string, outer int) float64 {
		m := suiteOf(outer, 1)[name]
		w := on(ring(4), m)
		return testing.AllocsPerRun(1, func() {
			cfg := w.config()
			cfg.Reports = &node.Reports{Last: outer, P: w.on.p, Q: w.on.q}
			net := network(t, cfg, func(i int) node.Handler { return handler(w, m, i) })
			if _, err := net.Run(t.Context(), node.Limits{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	for name := range suite() {
		if short, long := allocs(name, 30), allocs(name, 130); long-short > max(few, allowed[name]) {
			t.Errorf("%s: 100 iterations more make %.0f allocations more", name, long-short)
		}
	}
}

// The zero value of Solve means Cholesky, in the run and in the prediction.
func TestDAGMSolvesByCholeskyByDefault(t *testing.T) {
	a := algorithms.DAGM{Outer: 5, Inner: 1, Neumann: 1, Alpha: .01, Beta: .01}
	b := a
	b.Solve = algorithms.SolveCholesky
	w := on(ring(4), a)
	if x, y := finish(t, w, a).net.Digest(), finish(t, w, b).net.Digest(); x != y {
		t.Errorf("digest %s, with Cholesky %s", x, y)
	}
	d := algorithms.Dims{P: 3, Q: 5, Nodes: 4, Links: 8}
	if x, y := a.Cost(1, d), b.Cost(1, d); x.Oracle != y.Oracle || x.Bound {
		t.Errorf("predicts %+v, with Cholesky %+v", x, y)
	}
}

// saddle has an inner Hessian with the eigenvalues 1, 1 and -9.
type saddle struct{ spy }

func (*saddle) GradFy(dst, _, _ []float64) { copy(dst, []float64{1, 2, 1}) }

func (*saddle) HessGyy(dst *mat.SymDense, _, _ []float64) {
	for i, v := range []float64{1, 1, -9} {
		dst.SetSym(i, i, v)
	}
}

func (*saddle) HessGyyMul(dst, _, _, v []float64) { copy(dst, []float64{v[0], v[1], -9 * v[2]}) }

// If an inner problem cannot be solved, the run fails with the node's name and advice; it has not diverged. Conjugate
// gradients notice it as Cholesky does.
func TestInnerProblemsThatAreNotConvex(t *testing.T) {
	const dihgp = "dihgp: beta H + 2(1-w)I is not positive definite, so the inner problem " +
		"is not strongly convex here; regularize it, or take a smaller beta"
	own := func(name string) string {
		return name + ": the inner Hessian is not positive definite, so the node's inner problem is not strongly " +
			"convex here; regularize it"
	}
	dagm := algorithms.DAGM{Outer: 5, Inner: 1, Alpha: .01, Beta: .01}
	cg := dagm
	cg.Solve, cg.CGTolerance, cg.CGIterations = algorithms.SolveCG, .1, 10
	for _, c := range []struct {
		of     algorithms.Local
		method algorithms.Method
		want   string
	}{
		{&spy{}, dagm, dihgp}, {&saddle{}, dagm, dihgp}, {&saddle{}, cg, dihgp},
		{&saddle{}, algorithms.AID{Outer: 5, Inner: 1, Q: 5, Solve: algorithms.SolveCG, CGTolerance: .1, Alpha: .01,
			Beta: .01}, own("aid")},
		{&saddle{}, algorithms.DBO{Outer: 5, Inner: 1, JHIP: 5, Mode: algorithms.Homogeneous, EtaX: .01, EtaY: .01},
			own("dbo")},
		{&saddle{}, algorithms.INTERACT{Outer: 5, Alpha: .01, Beta: .01}, own("interact")},
	} {
		on := split{p: 2, q: 3, local: func(int) algorithms.Local { return c.of }, start: zeroStart(2, 3)}
		out := run(t, world{w: single(), on: on}, c.method)
		if out.ending != node.Failed || errors.Is(out.err, node.ErrDiverged) || out.err.Error() != "node 0 at 0s: "+c.want {
			t.Errorf("%T: ended %d: %v, want %q", c.method, out.ending, out.err, c.want)
		}
	}
}

// Conjugate gradients may go on after convergence.
func TestDAGMWithTooManyCGIterations(t *testing.T) {
	exact := algorithms.DAGM{Outer: 10, Inner: 1, Neumann: 2, Alpha: .02, Beta: .03}
	cg := exact
	cg.Solve, cg.CGTolerance, cg.CGIterations = algorithms.SolveCG, 0, 2000
	want, got := finish(t, on(ring(4), exact), exact).last(), finish(t, on(ring(4), cg), cg).last()
	for i := range want.X {
		closeTo(t, "x", got.X[i], want.X[i], 1e-12)
	}
}

// enough gives a method enough inner work for an exact hypergradient on one node.
// It reports false if no parameter does.
func enough(m algorithms.Method) (algorithms.Method, bool) {
	switch a := m.(type) {
	case algorithms.DGBO:
		a.Terms = 150
		return a, true
	case algorithms.DBO:
		a.JHIP = 400
		return a, true
	case algorithms.DBOGT:
		a.JHIP = 400
		return a, true
	case algorithms.DSBO:
		a.JHIP = 400
		return a, a.Mode == algorithms.Homogeneous // the steps of JHIP decay
	case algorithms.Prometheus:
		a.Neumann = 150
		return a, true
	case algorithms.MDBO:
		a.Neumann = 150
		return a, true
	case algorithms.VRDBO:
		a.Neumann = 150
		return a, true
	case algorithms.FedNest:
		a.Neumann = 150
		return a, true
	case algorithms.LFedNest:
		a.Neumann = 150
		return a, true
	case algorithms.SPDB: // it chooses the number of products
		return a, false
	case algorithms.PenaltyGT: // biased by 1/lambda
		return a, false
	case algorithms.C2DFB: // likewise
		return a, false
	}
	return m, true
}
