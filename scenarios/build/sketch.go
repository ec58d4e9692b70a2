package build

import (
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

// madeUpTo is the number of nodes and edges up to which predict makes the graph and checks all that refers to it,
// which takes about 0.1 s. The size of a larger graph comes from its family.
const madeUpTo = 100_000

// namedUpTo is the limit for scenarios that name edges, so that predict refuses an edge that the graph does not have.
// This takes up to 0.5 s; in a larger graph only a run finds the mistake.
const namedUpTo = 1_000_000

// Sketch returns the instance of the first seed without its problem, edges and network if the graph is large and
// nothing depends on more than its size. Otherwise it returns nil, and the graph has to be made.
func Sketch(s *spec.Scenario) (*Instance, topologies.Size, error) {
	family := s.Catalog.Topology(s.Topology.Kind)
	if family.Plan == nil {
		return nil, topologies.Size{}, nil
	}
	size, err := family.Size(s.Topology.Args, s.Topology.Nodes)
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
