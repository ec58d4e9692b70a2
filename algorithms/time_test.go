package algorithms_test

import (
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// One iteration of DAGM on a ring of 4 with p = 2 and q = 3, M = 2, U = 1. Links have
// 1 ms and 1 Mbit/s, so 8 bytes take 64 us; a round costs 100 us, local algebra 1 ns
// a FLOP. All nodes do the same at the same time:
//
//	y and x: 1 ms + 5 * 64 us = 1,320,000   round 100,000   mix 2*5*3 = 30    ∇_y g 2 ms
//	y:       1 ms + 3 * 64 us = 1,192,000   round 100,000   mix 2*3*3 = 18    ∇_y g 2 ms
//	∇_y f 3 ms   Hessian 7 ms   factor 27/3 + 2*9 = 27   solve 5 ms
//	h:       1,192,000                      round 100,000   mix 18            solve 5 ms
//	∇_x f 3 ms   J h 4 ms
func TestTimeOfOneIteration(t *testing.T) {
	const want = (1_320_000 + 100_000 + 30 + 2_000_000) + // 3,420,030
		(1_192_000 + 100_000 + 18 + 2_000_000) + // 3,292,018
		(3_000_000 + 7_000_000 + 27 + 5_000_000) + // 15,000,027
		(1_192_000 + 100_000 + 18 + 5_000_000) + // 6,292,018
		(3_000_000 + 4_000_000)
	if want != 35_004_093 {
		t.Fatal("the sum in the comment is wrong")
	}
	calls := node.Machine{FlopsPerSecond: 1e9, Round: 100 * sim.Microsecond}
	for c, ms := range map[metrics.Call]sim.Time{
		metrics.CallGradF: 3, metrics.CallGradG: 2, metrics.CallHVP: 90, metrics.CallJVP: 4,
		metrics.CallHessian: 7, metrics.CallJacobian: 90, metrics.CallSolve: 5, metrics.CallValue: 90,
	} {
		calls.Calls[c] = ms * sim.Millisecond
	}
	w := world{w: ring(4), on: generated(t, 4, 2, 3), configure: func(cfg *node.Config) {
		cfg.Link = func(int, int) (sim.Time, int64) { return sim.Millisecond, 1e6 }
		cfg.Machines = []node.Machine{calls}
	}}
	m := algorithms.DAGM{Outer: 3, Inner: 2, Neumann: 1, Alpha: .01, Beta: .01, Solve: algorithms.SolveCholesky}
	out := finish(t, w, m)
	for k, s := range out.at {
		if s.At != sim.Time(k)*want {
			t.Errorf("iteration %d ends at %d ns, want %d", k, s.At, k*want)
		}
	}
	// The critical path of an iteration: three latencies, 11 numbers of 64 us, and computing.
	p := out.last().Path
	if want := (metrics.Path{Latency: 9 * sim.Millisecond, Transfer: 3 * 11 * 64 * sim.Microsecond,
		Compute: 3 * (want - 3*sim.Millisecond - 11*64*sim.Microsecond)}); p != want {
		t.Errorf("critical path %+v, want %+v", p, want)
	}
	for i := range 4 {
		o := out.net.Outcome(i)
		if o.Compute+o.Wait != o.Clock || o.Clock != 3*want {
			t.Errorf("node %d: computed %v, waited %v, its clock is %v", i, o.Compute, o.Wait, o.Clock)
		}
	}
	m.Outer, m.Beta = 1, 1 // a scale of 1 with a shift takes as long
	if got := finish(t, w, m).at[1].At; got != want {
		t.Errorf("with beta 1, an iteration takes %d ns, want %d", got, want)
	}
}

// One iteration of DGBO in the same network, with two Hessian estimates; the averages start at derivatives of
// the first point, which take 110 ms.
//
//	∇_x f, ∇_y f 3 ms each   J 90 ms   H 7 ms, twice   ∇_y g 2 ms
//	r: 2 * 2 q² = 36   u r: 2 p q = 12
//	all: 1 ms + 34 * 64 us = 3,176,000   round 100,000   mix 2*34*3 = 204
func TestTimeOfDGBO(t *testing.T) {
	const start, want = 110_000_000, 112_000_000 + 36 + 12 + 3_176_000 + 100_000 + 204
	calls := node.Machine{FlopsPerSecond: 1e9, Round: 100 * sim.Microsecond}
	for c, ms := range map[metrics.Call]sim.Time{metrics.CallGradF: 3, metrics.CallGradG: 2, metrics.CallHessian: 7,
		metrics.CallJacobian: 90} {
		calls.Calls[c] = ms * sim.Millisecond
	}
	w := world{w: ring(4), on: generated(t, 4, 2, 3), configure: func(cfg *node.Config) {
		cfg.Link = func(int, int) (sim.Time, int64) { return sim.Millisecond, 1e6 }
		cfg.Machines = []node.Machine{calls}
	}}
	m := algorithms.DGBO{Outer: 2, Terms: 2, Alpha: .01, Gamma: .01, Beta: .5, Lipschitz: 10}
	for k, s := range finish(t, w, m).at {
		if s.At != start+sim.Time(k)*want {
			t.Errorf("iteration %d ends at %d ns, want %d", k, s.At, start+k*want)
		}
	}
}

// A slow node delays its neighbours one round later and their neighbours two rounds later:
// there is no barrier. Gossip on a ring of 5, 1 ms links; node 0 takes 10 ms a round.
func TestASlowNodeIsFeltByDistance(t *testing.T) {
	w := world{w: ring(5), on: consensus(t, 5, 2), configure: func(cfg *node.Config) {
		cfg.Link = func(int, int) (sim.Time, int64) { return sim.Millisecond, 1e18 }
		cfg.Machines = make([]node.Machine, 5)
		cfg.Machines[0].Round = 10 * sim.Millisecond
	}}
	// After k rounds, in ms. Node 0 waits 1 ms in the first round only; later its
	// neighbours' messages arrive before it asks: 1 + 10 k. A neighbour ends round k when
	// node 0's message arrives, sent at 1 + 10 (k-1): one more. The next nodes wait for
	// that neighbour's message, sent when it ended round k-1.
	for _, c := range []struct {
		k    int
		want [5]sim.Time
	}{{1, [5]sim.Time{11, 1, 1, 1, 1}}, {2, [5]sim.Time{21, 12, 2, 2, 12}}, {3, [5]sim.Time{31, 22, 13, 13, 22}}} {
		net := finish(t, w, algorithms.Gossip{Rounds: c.k}).net
		for i, ms := range c.want {
			if got := net.Outcome(i).Clock; got != ms*sim.Millisecond {
				t.Errorf("node %d after %d rounds: %v, want %v", i, c.k, got, ms*sim.Millisecond)
			}
		}
	}
}
