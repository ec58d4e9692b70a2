package build_test

import (
	"testing"

	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/sections"
	"tallynet/sim"
)

// TestPlatformOfMachines: a node's machine combines the section with the node's exceptions. A speed alone replaces
// the durations of calls; calls that are given keep theirs.
func TestPlatformOfMachines(t *testing.T) {
	s := scenariotest.Parse(t, `version: 1
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 1, q: 1}
algorithms: [{name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]
compute:
  calls: {grad_f: 3ms, round: 4ms}
  straggler: {kind: constant, factor: 5, nodes: [1, 2]}
  nodes: [{node: [0], speed: 1GFLOP/s}, {node: [2], calls: {hvp: 7ms}}]
`)
	type want struct {
		flops             int64
		gradF, hvp, round sim.Time
		factor            float64
	}
	const ms = sim.Millisecond
	all := sections.Machines(s.Compute, s.Topology.Nodes)
	if len(all) != 4 {
		t.Fatalf("%d machines", len(all))
	}
	for i, w := range []want{
		{1e9, node.ByFlops, node.ByFlops, 4 * ms, 0}, {0, 3 * ms, node.ByFlops, 4 * ms, 5},
		{0, 3 * ms, 7 * ms, 4 * ms, 5}, {0, 3 * ms, node.ByFlops, 4 * ms, 0},
	} {
		m := all[i]
		got := want{m.FlopsPerSecond, m.Calls[metrics.CallGradF], m.Calls[metrics.CallHVP], m.Round, m.Straggler.Factor}
		if got != w || m.Calls[metrics.CallValue] != node.ByFlops {
			t.Errorf("node %d: %+v, want %+v", i, got, w)
		}
	}
}
