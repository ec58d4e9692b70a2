package sections

import (
	"fmt"
	"path"

	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// Site holds what the sections of a scenario set for one seed: the graph, the network and the engine's configuration.
// Each section has a Set method that fills in its part.
type Site struct {
	Seed     uint64
	Topology TopologySpec
	Dir      string // the folder that paths in the scenario are relative to
	// Fail returns an error located at a path of the file.
	Fail     func(path, format string, args ...any) *keys.FileError
	Graph    *topologies.Graph
	Mixing   *topologies.Mixing
	Dynamics *topologies.Dynamics // nil: the graph is static
	Platform *platform.Platform   // nil: each edge is a dedicated link
	Host     []int                // by node, an index into Platform.Hosts
	Engine   node.Config          // shared by all runs
}

// LosesMessages reports whether messages can be lost.
func (s *Site) LosesMessages() bool {
	f := &s.Engine.Faults
	return f.Loss.Kind != channel.NoLoss || f.Host != nil || f.Link != nil
}

// CheckNeighbors returns an error unless the keys from and to of x name two neighbours.
func (s *Site) CheckNeighbors(x keys.Args) error {
	if from, to := x.Int("from"), x.Int("to"); !s.Graph.MayHaveEdge(from, to) {
		return s.Fail(x.Path(""), "nodes %d and %d are not neighbours in this graph", from, to)
	}
	return nil
}

// perDirection returns the items of a list by the directed edge (from, to) that they describe. An item without
// oneway describes both directions.
func (s *Site) perDirection(list []keys.Args) (map[[2]int]keys.Args, error) {
	edges := map[[2]int]keys.Args{}
	for _, x := range list {
		if err := s.CheckNeighbors(x); err != nil {
			return nil, err
		}
		from, to := x.Int("from"), x.Int("to")
		edges[[2]int{from, to}] = x
		if !x.Bool("oneway") {
			edges[[2]int{to, from}] = x
		}
	}
	return edges, nil
}

// linkNames returns the names of the physical links in the engine's order. It returns nil if every edge is a
// dedicated link.
func (s *Site) linkNames() []string {
	var names []string
	switch {
	case s.Engine.Platform != nil:
		for _, l := range s.Engine.Platform.Links {
			names = append(names, l.Name)
		}
	case s.Engine.NICs != nil:
		for i := range s.Graph.Nodes() {
			names = append(names, fmt.Sprintf("node %d up", i), fmt.Sprintf("node %d down", i))
		}
	}
	return names
}

// matchingLinks returns the indices of the names that match the key name of x, a pattern as in [path.Match] or a
// literal name. No match is an error.
func (s *Site) matchingLinks(x keys.Args, names []string) ([]int, error) {
	pattern := x.String("name")
	var links []int
	for i, name := range names {
		matches, err := path.Match(pattern, name)
		if err == nil && matches || name == pattern {
			links = append(links, i)
		}
	}
	if links == nil {
		return nil, s.Fail(x.Path("name"), "no link is called %q; the first of %d is %q", pattern, len(names),
			append(names, "")[0])
	}
	return links, nil
}
