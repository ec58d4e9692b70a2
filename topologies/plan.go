package topologies

// Size describes a graph of a family before it is made. Making one takes seconds where it has millions of edges.
type Size struct {
	Name   string // as Graph.Name
	Nodes  int
	Edges  int
	Degree int  // of every node; 0 where they differ
	Drawn  bool // the number of edges is random: Edges is its mean
}

// Outline returns a graph of the size that does not know its edges: Nodes, Edges and Name answer, and asking for
// neighbours panics. Dynamics over it know their bounds but not their rounds.
func (s Size) Outline() *Graph {
	return &Graph{name: s.Name, nodes: s.Nodes, edges: s.Edges, outline: true, ring: s.Degree == 2}
}

// Plan is a graph of a family whose parameters have been checked and whose edges are not made yet.
type Plan struct {
	Size
	make func() (*Graph, error)
}

// Make makes the edges. A random family draws them from the stream that its function was given.
func (p Plan) Make() (*Graph, error) { return p.make() }

// Make makes the graph of a plan, as in Make(Ring(8)).
func Make(p Plan, err error) (*Graph, error) {
	if err != nil {
		return nil, err
	}
	return p.Make()
}

// plan returns a Plan of the size that lists its edges. In a transitive graph every node looks like node 0.
func (s Size) plan(drawing shape, transitive bool, edges func() [][2]int) Plan {
	return Plan{s, func() (*Graph, error) {
		g := fromSimple(s.Name, s.Nodes, edges())
		g.shape, g.transitive = drawing, transitive
		return g, nil
	}}
}
