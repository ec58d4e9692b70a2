package scenarios

import (
	"tallynet/topologies"
)

// madeUpTo is the number of nodes and edges up to which predict makes the graph, which checks all that refers to
// it. That takes some 0.1 s; above, the size of the graph is taken from its family.
const madeUpTo = 100_000

// namedUpTo is the same where the scenario names edges, so that an edge that the graph does not have is an error
// here too. Making these takes up to 0.5 s; above, a run says it.
const namedUpTo = 1_000_000

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
	most := madeUpTo
	if s.namesEdges() {
		most = namedUpTo
	}
	if size.Nodes+size.Edges <= most || s.asksEdges(size) {
		return nil, size, nil
	}
	in := &Instance{Site: newSite(s, s.Seeds[0]), Scenario: s}
	in.Graph = size.Outline()
	for _, x := range s.namedEdges() {
		if err := in.CheckNeighbors(x); err != nil {
			return nil, size, err
		}
	}
	return in, size, in.setRest()
}
