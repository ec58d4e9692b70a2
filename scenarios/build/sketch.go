package build

import (
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

// madeUpTo is the number of nodes and edges up to which predict makes the graph, which checks all that refers to
// it. That takes some 0.1 s; above, the size of the graph is taken from its family.
const madeUpTo = 100_000

// namedUpTo is the same where the scenario names edges, so that an edge that the graph does not have is an error
// here too. Making these takes up to 0.5 s; above, a run says it.
const namedUpTo = 1_000_000

// Sketch returns the instance of the first seed without its problem, its edges and its network, where the graph is
// large and nothing depends on more than its size; nil where it has to be made.
func Sketch(s *spec.Scenario) (*Instance, topologies.Size, error) {
	of := s.Catalog.Topology(s.Topology.Kind).Size
	if of == nil {
		return nil, topologies.Size{}, nil
	}
	size, err := of(s.Topology.Args, s.Topology.Nodes)
	if err != nil {
		return nil, size, s.Errorf("topology", "%w", err)
	}
	most := madeUpTo
	if s.NamesEdges() {
		most = namedUpTo
	}
	if size.Nodes+size.Edges <= most || s.AsksEdges(size) {
		return nil, size, nil
	}
	in := &Instance{Site: newSite(s, s.Seeds[0]), Scenario: s}
	in.Graph = size.Outline()
	for _, x := range s.NamedEdges() {
		if err := in.CheckNeighbors(x); err != nil {
			return nil, size, err
		}
	}
	return in, size, in.setRest()
}
