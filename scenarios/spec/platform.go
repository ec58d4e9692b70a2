package spec

import (
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// BuildPlatform makes the network that the nodes talk over; nil where each edge is a line of its
// own. An error names the place in the file.
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

// AsksEdges reports whether a part of the scenario asks more of the graph than its size says.
func (s *Scenario) AsksEdges(size topologies.Size) bool {
	weights := s.Topology.Weights.Kind()
	regular := weights == "uniform-neighbor" && size.Degree > 0 || weights == "ring-a" && size.Degree == 2
	exponential := s.Dynamics.Read() && s.Dynamics.Kind() == "one-peer-exponential" && s.Topology.Kind != "exponential"
	return !regular && !slices.Contains([]string{"metropolis", "lazy-metropolis", "max-degree"}, weights) ||
		exponential || s.Faults.Read() && slices.ContainsFunc(s.Faults.Sections("links"), byName)
}

// byName reports whether a section names a physical link, for which there must be the platform.
func byName(x keys.Args) bool { return x.Declares("name") && x.Given("name") }

// NamesEdges reports whether a part of the scenario refers to edges by their ends.
func (s *Scenario) NamesEdges() bool {
	return len(s.NamedEdges()) > 0 || s.Dynamics.Read() && s.Dynamics.Kind() == "schedule"
}

// NamedEdges are the sections that name two nodes that must be neighbours.
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
