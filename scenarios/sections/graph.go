package sections

import (
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// TopologyKey declares the section topology: the graph and its mixing matrix.
func TopologyKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "topology", Title: "graph", Kind: keys.Variant, Required: true,
		Example: "{kind: ring, nodes: 8}",
		About:   "who talks to whom, and the mixing matrix",
		Variants: &keys.Variants{Key: "kind", What: "topology", Entries: catalog.Entries(cat.Topologies),
			Later: catalog.LaterTopologies(),
			First: []keys.Param{
				{Name: "nodes", Kind: keys.Int, Required: true, Example: "8", Range: keys.Between(1, 1e7),
					About: "the number of nodes"},
			},
			Last: []keys.Param{
				{Name: "weights", Kind: keys.Variant, Default: "metropolis", About: "the mixing matrix",
					Variants: &keys.Variants{Key: "kind", What: "mixing matrix", Entries: catalog.Entries(cat.Weights),
						Later:    catalog.LaterWeights(),
						Fallback: "metropolis", Implied: map[string]string{"matrix": "explicit"}}},
			}}}
}

// TopologySpec describes the graph and its mixing matrix.
type TopologySpec struct {
	Kind    string
	Nodes   int
	Args    keys.Args // the parameters of the kind
	Weights keys.Args // of the mixing matrix
}

// ReadTopology checks the section topology and returns what it describes.
func ReadTopology(r *keys.Reader, cat *catalog.Catalog, a keys.Args) TopologySpec {
	t := TopologySpec{Kind: a.Kind(), Nodes: a.Int("nodes"), Args: a, Weights: a.Section("weights")}
	if least := cat.Topology(t.Kind).MinNodes; t.Nodes > 0 && t.Nodes < least {
		hint := ""
		if t.Nodes == 1 {
			hint = "a single node is kind: complete"
		}
		r.Fail(a.PosOf("nodes"), a.Path("nodes"), hint, "want at least %d nodes in a %s, got %d", least, t.Kind,
			t.Nodes)
	}
	if t.Weights.Kind() == "explicit" && t.Weights.Has("matrix") {
		if w := keys.Get[[][]float64](t.Weights, "matrix"); len(w) != t.Nodes || len(w[0]) != t.Nodes {
			r.Fail(t.Weights.PosOf("matrix"), t.Weights.Path("matrix"), "",
				"want %d x %d numbers for %d nodes, got %d x %d", t.Nodes, t.Nodes, t.Nodes, len(w), len(w[0]))
		}
	}
	return t
}

// Server reports whether node 0 is a server, which holds no data.
func (t TopologySpec) Server() bool { return t.Kind == "star" && t.Args.String("center") == "server" }

// DataNodes returns the number of nodes that hold data, which is all but the server.
func (t TopologySpec) DataNodes() int {
	if t.Server() {
		return t.Nodes - 1
	}
	return t.Nodes
}

// SetGraph draws the graph and sets the mixing matrix.
func (s *Site) SetGraph(cat *catalog.Catalog) (err error) {
	t := s.Topology
	if s.Graph, err = cat.Topology(t.Kind).New(t.Args, t.Nodes, sim.Stream(s.Seed, "graph")); err != nil {
		return s.Fail("topology", "%w", err)
	}
	if err := s.Graph.CheckConnected(); err != nil {
		return s.Fail("topology", "%w", err)
	}
	if s.Mixing, err = cat.WeightsRule(t.Weights.Kind()).New(t.Weights, s.Graph); err != nil {
		return s.Fail("topology.weights", "%w", err)
	}
	return nil
}
