package scenarios

import (
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/topologies"
)

// In a single-level problem without a server the average of the nodes may be right long
// before any node is: averaging keeps it from the start. There a target on the average's
// objective or gradient holds only where the nodes agree too.

// agreement is the largest consensus_error at which nodes agree on an objective. On a
// gradient they agree where consensus_error is at most what grad_norm2 is to be.
const agreement = 1e-4

// agreed adds to the conditions of a target that the nodes agree, if it says nothing of
// that itself.
func (s *Scenario) agreed(of []result.Condition) []result.Condition {
	if !s.canDisagree() {
		return of
	}
	value, asked := agreement, false
	for _, c := range of {
		switch c.Metric {
		case "consensus_error", "stationarity":
			return of
		case "objective":
			asked = true
		case "grad_norm2":
			value, asked = c.Value, true
		}
	}
	if !asked || !slices.ContainsFunc(s.cat.Metrics, measures("consensus_error")) {
		return of
	}
	return append(slices.Clone(of), conditionOn(s.cat.Metrics, "consensus_error", value))
}

// canDisagree reports whether the problem is single-level and several nodes solve it
// without a server.
func (s *Scenario) canDisagree() bool {
	if s.Topology.Nodes < 2 || s.Topology.server() {
		return false
	}
	size, known := s.size(s.Problem.Args, s.Topology.DataNodes(), nil)
	return known && size.Q == 0
}

// mixes says why averaging with W does not lead the nodes to agreement; "" where it does.
// The weights are not negative: the spectral gap is 0 if the edges with a weight do not
// connect the nodes, or where each node takes from the other half of a two-coloured graph
// alone.
func mixes(w *topologies.Mixing) string {
	n := w.Nodes()
	color, queue := make([]int8, n), []int{0}
	color[0] = 1
	halves := true
	for k := 0; k < len(queue); k++ {
		i := queue[k]
		halves = halves && w.Self(i) == 0
		weights := w.Weights(i)
		for j, to := range w.Graph().Neighbors(i) {
			switch {
			case weights[j] == 0:
			case color[to] == 0:
				color[to] = -color[i]
				queue = append(queue, to)
			case color[to] == color[i]:
				halves = false
			}
		}
	}
	switch {
	case len(queue) < n:
		return "the mixing matrix does not mix: spectral gap 0, since its weights connect only some of the nodes"
	case halves && n > 1:
		return "the mixing matrix does not mix: spectral gap 0, since two halves of the nodes swap their values forever"
	}
	return ""
}
