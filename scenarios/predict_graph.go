package scenarios

import (
	"slices"

	"tallynet/node"
	"tallynet/scenarios/keys"
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
	family := s.cat.Topology(s.Topology.Kind)
	if family.Plan == nil {
		return nil, topologies.Size{}, nil
	}
	size, err := family.Size(s.Topology.Args, s.Topology.Nodes)
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
	in := &Instance{Scenario: s, Seed: s.Seeds[0], Graph: size.Outline()}
	in.engine = node.Config{Seed: in.Seed}
	for _, x := range s.namedEdges() {
		if err := in.joined(x); err != nil {
			return nil, size, err
		}
	}
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

// asksEdges reports whether a part of the scenario asks more of the graph than its size says.
func (s *Scenario) asksEdges(size topologies.Size) bool {
	weights := s.Topology.Weights.Kind()
	regular := weights == "uniform-neighbor" && size.Degree > 0 || weights == "ring-a" && size.Degree == 2
	exponential := s.Dynamics.Read() && s.Dynamics.Kind() == "one-peer-exponential" && s.Topology.Kind != "exponential"
	return !regular && !slices.Contains([]string{"metropolis", "lazy-metropolis", "max-degree"}, weights) ||
		exponential || s.Faults.Read() && slices.ContainsFunc(s.Faults.Sections("links"), byName)
}

// byName reports whether a section names a physical link, for which there must be the platform.
func byName(x keys.Args) bool { return x.Declares("name") && x.Given("name") }

// namesEdges reports whether a part of the scenario refers to edges by their ends.
func (s *Scenario) namesEdges() bool {
	return len(s.namedEdges()) > 0 || s.Dynamics.Read() && s.Dynamics.Kind() == "schedule"
}

// namedEdges are the sections that name two nodes that must be neighbours.
func (s *Scenario) namedEdges() []keys.Args {
	all := slices.Clone(s.Network.Sections("links"))
	if s.Tariffs.Read() {
		all = append(all, s.Tariffs.Section("link").Sections("links")...)
	}
	if s.Faults.Read() {
		all = append(all, s.Faults.Sections("links")...)
	}
	return slices.DeleteFunc(all, byName)
}
