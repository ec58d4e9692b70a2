package topologies

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/simple"
)

// Gonum returns a view of the graph for the algorithms of gonum.org/v1/gonum/graph. The ID of a node is its
// number. It copies nothing.
func (g *Graph) Gonum() graph.Undirected { return view{g} }

type view struct{ g *Graph }

func (v view) has(id int64) bool { return id >= 0 && id < int64(v.g.Nodes()) }

func (v view) Node(id int64) graph.Node {
	if !v.has(id) {
		return nil
	}
	return simple.Node(id)
}

func (v view) Nodes() graph.Nodes {
	nodes := make([]graph.Node, v.g.Nodes())
	for i := range nodes {
		nodes[i] = simple.Node(i)
	}
	return iterator.NewOrderedNodes(nodes)
}

func (v view) From(id int64) graph.Nodes {
	if !v.has(id) || v.g.Degree(int(id)) == 0 {
		return graph.Empty
	}
	nodes := make([]graph.Node, v.g.Degree(int(id)))
	for k, j := range v.g.Neighbors(int(id)) {
		nodes[k] = simple.Node(j)
	}
	return iterator.NewOrderedNodes(nodes)
}

func (v view) HasEdgeBetween(a, b int64) bool {
	return v.has(a) && v.has(b) && v.g.HasEdge(int(a), int(b))
}

func (v view) Edge(a, b int64) graph.Edge { return v.EdgeBetween(a, b) }

func (v view) EdgeBetween(a, b int64) graph.Edge {
	if !v.HasEdgeBetween(a, b) {
		return nil
	}
	return simple.Edge{F: simple.Node(a), T: simple.Node(b)}
}

// WriteDOT writes the graph in the DOT language of Graphviz. Nodes have the positions of Layout, so that `neato
// -n` draws the same picture.
func (g *Graph) WriteDOT(w io.Writer) error {
	text, err := dot.Marshal(positioned{view{g}, g.Layout()}, g.name, "", "\t")
	if err != nil {
		return fmt.Errorf("dot: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// positioned is a view whose nodes have positions.
type positioned struct {
	view
	at []Position
}

func (p positioned) Nodes() graph.Nodes {
	nodes := make([]graph.Node, len(p.at))
	for i, q := range p.at {
		nodes[i] = positionedNode{int64(i), q}
	}
	return iterator.NewOrderedNodes(nodes)
}

type positionedNode struct {
	id int64
	at Position
}

func (n positionedNode) ID() int64     { return n.id }
func (n positionedNode) DOTID() string { return strconv.FormatInt(n.id, 10) }
func (n positionedNode) Attributes() []encoding.Attribute {
	// DOT's y points up, and its unit is a point of 1/72 inch.
	return []encoding.Attribute{{Key: "pos", Value: fmt.Sprintf(`"%.1f,%.1f"`, 100*n.at.X, 0-100*n.at.Y)}}
}
