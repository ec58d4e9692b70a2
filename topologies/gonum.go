package topologies

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/simple"
)

// Gonum returns a view of the graph for the algorithms of gonum.org/v1/gonum/graph; a
// node's ID is its number. It copies nothing.
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

// WriteDOT writes the graph in the DOT language of Graphviz, as [dot.Marshal] does. Each node has the position that
// Layout gives it, so that `neato -n` draws the same picture.
func (g *Graph) WriteDOT(w io.Writer) error {
	// Graphs have up to a million edges, each of which dot.Marshal looks up and quotes: it writes the head alone.
	empty, err := dot.Marshal(simple.NewUndirectedGraph(), g.name, "", "\t")
	if err != nil {
		return fmt.Errorf("dot: %w", err)
	}
	b := bufio.NewWriter(w)
	_, _ = b.Write(bytes.TrimSuffix(empty, []byte("\n}"))) // Flush returns its error, and those of all below
	if g.Nodes() > 0 {
		_, _ = b.WriteString("\n\t// Node definitions.")
	}
	for i, at := range g.Layout() {
		// DOT's y points up, and its unit is a point of 1/72 inch.
		fmt.Fprintf(b, "\n\t%d [pos=\"%.1f,%.1f\"];", i, 100*at.X, 0-100*at.Y)
	}
	if g.Edges() > 0 {
		_, _ = b.WriteString("\n\n\t// Edge definitions.")
	}
	for i, j := range g.EdgeSeq() {
		line := append(b.AvailableBuffer(), "\n\t"...)
		line = append(strconv.AppendInt(line, int64(i), 10), " -- "...)
		_, _ = b.Write(append(strconv.AppendInt(line, int64(j), 10), ';'))
	}
	_, _ = b.WriteString("\n}\n")
	return b.Flush()
}
