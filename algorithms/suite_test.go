package algorithms_test

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/sim"
	"tallynet/topologies"
)

// suite is every method, with steps that are stable on suiteProblem.
func suite() map[string]algorithms.Method {
	return suiteOf(60, 1)
}

// suiteOf is every method with the given iterations, and steps some times the
// stable ones. Methods without a step are there only if that is once.
func suiteOf(outer int, times float64) map[string]algorithms.Method {
	s := 0.03 * times
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
	}
	maps.Copy(m, oneNodeSuite(outer, times))
	maps.Copy(m, decentralizedSuite(outer, s))
	if times == 1 {
		m["gossip"] = algorithms.Gossip{Rounds: outer}
		m["randomized-gossip"] = algorithms.RandomizedGossip{Ticks: outer, Interval: sim.Millisecond}
	}
	return m
}

// on puts a method on the right half of fourNodes, as many nodes of it as w has. A
// method for a server and clients gets a star with so many clients, which start alike;
// a method of one node gets one, whatever w has.
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

// One node alone is gradient descent, or the exact bilevel method: no bias is left.
func TestOneNodeIsCentralized(t *testing.T) {
	s := stack(single(), problemsOfOne(), waveStart(3, 5))
	xs, _, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	optimum := times(-1, mul(inverse(s.a), s.av))
	for name, m := range suiteOf(500, 1) {
		if strings.Contains(name, "gossip") || m.Needs().OneNode { // of which the limits are tested on their own
			continue
		}
		m, exact := enough(m)
		if !exact {
			continue
		}
		w := on(single(), m)
		w.every = m.Iterations()
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

// Equal nodes on the complete graph with W = 11'/n do what one node does alone. (Not
// DAGM: there D has 2 (1 - 1/n) I in it, and the Neumann series is cut. Not SPDB,
// whose step of x depends on the degree. Not methods for a server, which have no graph.)
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

// A step of more than ten times the largest stable one (3, where the limits are
// (1 + lambda_min) / L = 0.12 and less) ends as diverged, in a known iteration.
func TestDivergence(t *testing.T) {
	for name, m := range suiteOf(3000, 100) {
		out := run(t, on(ring(4), m), m)
		if out.ending != node.Failed || !errors.Is(out.err, node.ErrDiverged) {
			t.Errorf("%s: ended %d, %v; want it diverged", name, out.ending, out.err)
			continue
		}
		// The last complete snapshot is just before, or one earlier where a node was ahead.
		k := out.last().Iteration
		at := []string{fmt.Sprintf("iteration %d ", k+1), fmt.Sprintf("iteration %d ", k+2)}
		if e := out.err.Error(); !strings.Contains(e, at[0]) && !strings.Contains(e, at[1]) {
			t.Errorf("%s: after %d good iterations: %q names none", name, k, e)
		}
	}
}

// When the recorder has enough, every program is unwound and no coroutine is left.
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

// In steady state an iteration allocates nothing: 100 iterations more, the same
// allocations. The few allowed are pools of gonum that the collector emptied, and
// for each mat.Cholesky.Factorize three slice headers (the race detector, which makes
// pools forget, adds the slices).
func TestIterationsDoNotAllocate(t *testing.T) {
	const few = 20 // in 100 iterations of 4 nodes
	allowed := map[string]float64{"dagm": few + 100*4*6, "centralized-dagm": few + 100*4*6,
		"interact": few + 100*4*6, "ba": few + 100*6, "ba-linear": few + 100*6}
	allocs := func(name string, outer int) float64 {
		m := suiteOf(outer, 1)[name]
		w := on(ring(4), m)
		return testing.AllocsPerRun(1, func() {
			cfg := w.config()
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

// A zero Solve is Cholesky, in what is done and in what is predicted.
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

// An inner problem that cannot be solved is the user's world: the run fails, and says
// of which node and what to do; it has not diverged.
func TestDAGMOnAFlatInnerProblem(t *testing.T) {
	a := algorithms.DAGM{Outer: 5, Inner: 1, Alpha: .01, Beta: .01}
	flat := split{p: 2, q: 3, local: func(int) algorithms.Local { return &spy{} }, start: zeroStart(2, 3)}
	out := run(t, world{w: single(), on: flat}, a)
	if out.ending != node.Failed || errors.Is(out.err, node.ErrDiverged) {
		t.Fatalf("ended %d: %v", out.ending, out.err)
	}
	const want = "node 0 at 0s: dihgp: beta H + 2(1-w)I is not positive definite, so the inner problem " +
		"is not strongly convex here; regularize it, or take a smaller beta"
	if out.err.Error() != want {
		t.Errorf("error %q, want %q", out.err, want)
	}
}

// CG that goes on after it has converged does no harm.
func TestDAGMWithTooManyCGIterations(t *testing.T) {
	exact := algorithms.DAGM{Outer: 10, Inner: 1, Neumann: 2, Alpha: .02, Beta: .03}
	cg := exact
	cg.Solve, cg.CGTolerance, cg.CGIterations = algorithms.SolveCG, 0, 2000
	want, got := finish(t, on(ring(4), exact), exact).last(), finish(t, on(ring(4), cg), cg).last()
	for i := range want.X {
		closeTo(t, "x", got.X[i], want.X[i], 1e-12)
	}
}
