package sections

import (
	"fmt"

	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// Site is where a scenario becomes real for one seed: the graph, the network and the settings of the engine. Each
// section adds its part.
type Site struct {
	Seed     uint64
	Topology TopologySpec
	Dir      string // the folder that paths in the scenario are relative to
	// Fail returns an error at the place of a path in the file.
	Fail     func(path, format string, args ...any) *keys.FileError
	Graph    *topologies.Graph
	Mixing   *topologies.Mixing
	Dynamics *topologies.Dynamics // nil: the graph stays as it is
	Platform *platform.Platform   // nil: each edge is a line of its own
	Host     []int                // of the platform, by node
	Engine   node.Config          // what all runs have in common
}

// LosesMessages reports whether messages can be lost.
func (s *Site) LosesMessages() bool {
	f := &s.Engine.Faults
	return f.Loss.Kind != channel.NoLoss || f.Host != nil || f.Link != nil
}

// CheckNeighbors returns an error if the nodes that a section names are not neighbours.
func (s *Site) CheckNeighbors(x keys.Args) error {
	if from, to := x.Int("from"), x.Int("to"); !s.Graph.MayHaveEdge(from, to) {
		return s.Fail(x.Path(""), "nodes %d and %d are not neighbours in this graph", from, to)
	}
	return nil
}

// linkNames returns the names of the physical links, as the engine numbers them; nil where each edge is a line
// of its own.
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
