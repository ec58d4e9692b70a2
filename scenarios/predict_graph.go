package scenarios

import (
	"slices"

	"tallynet/node"
	"tallynet/topologies"
)

// madeUpTo is the number of nodes and edges up to which predict makes the graph, which checks all that refers to
// it. That takes some 0.1 s; above, the size of the graph is taken from its family.
const madeUpTo = 100_000

// sketch returns the instance of the first seed without its problem, its edges and its network, where the graph is
// large and nothing depends on more than its size; nil where it has to be made.
func (s *Scenario) sketch() (*Instance, topologies.Size, error) {
	of := s.cat.Topology(s.Topology.Kind).Size
	if of == nil {
		return nil, topologies.Size{}, nil
	}
	size, err := of(s.Topology.Args, s.Topology.Nodes)
	if err != nil {
		return nil, size, s.errorf("topology", "%w", err)
	}
	if size.Nodes+size.Edges <= madeUpTo || s.namesEdges(size) {
		return nil, size, nil
	}
	in := &Instance{Scenario: s, Seed: s.Seeds[0], Graph: size.Outline()}
	in.engine = node.Config{Seed: in.Seed}
	if err := in.buildDynamics(&in.engine); err != nil {
		return nil, size, err
	}
	if err := in.goWrong(&in.engine); err != nil {
		return nil, size, err
	}
	if err := in.compress(&in.engine); err != nil {
		return nil, size, err
	}
	return in, size, in.makeMethods()
}

// namesEdges reports whether a part of the scenario refers to edges, or asks more of the graph than its size says.
func (s *Scenario) namesEdges(size topologies.Size) bool {
	weights := s.Topology.Weights.Kind()
	regular := weights == "uniform-neighbor" && size.Degree > 0 || weights == "ring-a" && size.Degree == 2
	exponential := s.Dynamics.Read() && s.Dynamics.Kind() == "one-peer-exponential" && s.Topology.Kind != "exponential"
	return !regular && !slices.Contains([]string{"metropolis", "lazy-metropolis", "max-degree"}, weights) ||
		exponential || s.Dynamics.Read() && s.Dynamics.Kind() == "schedule" || s.Faults.Read() ||
		len(s.Network.Sections("links")) > 0 ||
		s.Tariffs.Read() && len(s.Tariffs.Section("link").Sections("links")) > 0
}
