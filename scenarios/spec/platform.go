package spec

import (
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// BuildPlatform builds the platform once and returns it. It returns nil if each edge is a dedicated link. An error is
// located in the file.
func (s *Scenario) BuildPlatform() (*platform.Platform, error) {
	if !s.Platform.Read() {
		return nil, nil
	}
	return s.links()
}

func (s *Scenario) makePlatform() (*platform.Platform, error) {
	p, err := s.Catalog.Platform(s.Platform.Kind()).New(s.Platform, s.Dir())
	if err != nil {
		return nil, s.Errorf("platform", "%w", err)
	}
	return p, nil
}

// AsksEdges reports whether building the scenario needs the edges of its graph, and not only the graph's size.
func (s *Scenario) AsksEdges(size topologies.Size) bool {
	weights := s.Topology.Weights.Kind()
	regular := weights == "uniform-neighbor" && size.Degree > 0 || weights == "ring-a" && size.Degree == 2
	exponential := s.Dynamics.Read() && s.Dynamics.Kind() == "one-peer-exponential" && s.Topology.Kind != "exponential"
	return !regular && !slices.Contains([]string{"metropolis", "lazy-metropolis", "max-degree"}, weights) ||
		exponential || s.Faults.Read() && slices.ContainsFunc(s.Faults.Sections("links"), byName)
}

// NamesEdges reports whether the scenario refers to edges by their ends.
func (s *Scenario) NamesEdges() bool {
	return len(s.NamedEdges()) > 0 || s.Dynamics.Read() && s.Dynamics.Kind() == "schedule"
}

// NamedEdges returns the sections that name two nodes, which must be neighbours.
func (s *Scenario) NamedEdges() []keys.Args {
	all := slices.Clone(s.Network.Sections("links"))
	if s.Tariffs.Read() {
		all = append(all, s.Tariffs.Section("link").Sections("links")...)
	}
	if s.Faults.Read() {
		all = append(all, s.Faults.Sections("links")...)
	}
	return slices.DeleteFunc(all, byName)
}

// byName reports whether a section names a physical link of the platform.
func byName(x keys.Args) bool { return x.Declares("name") && x.Given("name") }
