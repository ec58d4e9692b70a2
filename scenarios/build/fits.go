package build

import (
	"errors"
	"fmt"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/node"
	"tallynet/topologies"
)

// checkNodes returns an error if a method for one node cannot run on the graph.
func (in *Instance) checkNodes(needs algorithms.Requirements) error {
	n, star := in.Graph.Nodes(), needs.Server != algorithms.ServerRefused
	if !needs.OneNode || n == 1 || star && in.Scenario.Topology.Server() {
		return nil
	}
	instead := ""
	if star {
		instead = ", or {kind: star, nodes: ..., center: server}, where nodes counts the server too"
	}
	return fmt.Errorf("the method is for one node, and the topology has %d: write topology: {kind: complete, "+
		"nodes: 1}%s", n, instead)
}

// checkNetwork returns an error if a method cannot run on the network of the instance. It runs before the problem is
// made, which may read large data.
func (in *Instance) checkNetwork(n algorithms.Requirements) error {
	switch {
	case n.AllNeighbors && in.Engine.Silence.Kind != node.Wait:
		return errors.New("the method takes the sum over all of its neighbours, and has no weights to give to itself: " +
			"leave silence out")
	case n.Ring && !in.Graph.IsRing():
		return fmt.Errorf(
			"the method goes around a ring, and %s is not a ring: write topology: {kind: ring, nodes: %d}, or collective: tree",
			in.Graph.Name(),
			in.Graph.Nodes(),
		)
	case n.Uncompressed && in.Engine.Compress != nil:
		return errors.New("the method preserves a sum over all nodes, and compressed messages would not: write wire: " +
			"float64")
	case n.OwnMemory && in.Engine.Compress != nil && in.Engine.Compress.Memory != channel.NoMemory:
		return errors.New("the method itself remembers the values that its differences refer to: write wire.memory: none")
	case n.UpOnly && in.Engine.Compress != nil && !in.Engine.Compress.UpOnly:
		return errors.New("the server and all of its clients take the same step, which needs the uncompressed mean: " +
			"write wire.direction: up")
	case !n.Restarts && in.Engine.Faults.Forget:
		return errors.New("the method keeps more than its iterate from step to step, and a host that loses its state " +
			"could not restore it: write faults.state: keep, or take gossip, dgd or async-dgd")
	case n.Server == algorithms.ServerRefused && in.Scenario.Topology.Server():
		return errors.New("the method is for nodes that all hold data, and node 0 is a server; write center: peer, " +
			"or take a method for a star with a server")
	case n.Server == algorithms.ServerRequired && !in.Scenario.Topology.Server():
		return errors.New("the method is for a server and its clients; write topology: {kind: star, nodes: ..., " +
			"center: server}, where nodes counts the server too")
	}
	return nil
}

// checkDifferences returns an error if messages are compressed differences and one may get lost: receivers add
// differences up, so a missing one leaves a lasting error.
func (in *Instance) checkDifferences() error {
	c := &in.Engine
	if c.Compress == nil || c.Compress.Memory != channel.Difference {
		return nil
	}
	const why = "receivers add up differences, and one that misses a message is wrong forever: "
	switch {
	case c.Silence.Kind != node.Wait:
		return in.Scenario.Errorf("silence", why+"leave silence out, or write wire.memory: feedback")
	case in.LosesMessages() && (c.Faults.Retransmit == nil || c.Faults.Retransmit.Attempts > 0):
		return in.Scenario.Errorf("network.loss", why+"write policy: retransmit without attempts, or wire.memory: feedback")
	}
	return nil
}

// CheckProblems returns an error if one of the methods cannot solve the problem of the instance.
func (in *Instance) CheckProblems() error {
	for i, a := range in.Scenario.Algorithms {
		if err := in.checkProblem(in.Methods[i].Needs()); err != nil {
			return in.Scenario.Errorf(fmt.Sprintf("algorithms[%d].name", a.Index), "%s: %w", a.Label, err)
		}
	}
	return nil
}

// checkProblem returns an error if a method cannot solve the problem of the instance.
func (in *Instance) checkProblem(n algorithms.Requirements) error {
	q, kind := in.Q, in.Scenario.Problem.Kind
	switch {
	case n.Bilevel && q == 0:
		return fmt.Errorf("the method is bilevel, and problem %s has no inner problem", kind)
	case n.SingleLevel && q > 0:
		return fmt.Errorf("the method is single-level, and problem %s has an inner problem", kind)
	}
	return nil
}

// Mixes says why averaging with W does not bring the nodes to agreement; it returns "" if it does. Weights are not
// negative, so the spectral gap is 0 exactly if the edges with a positive weight do not connect the nodes, or if they
// form a bipartite graph without self-weights.
func Mixes(w *topologies.Mixing) string {
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
