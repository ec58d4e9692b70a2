package topologies

import (
	"bufio"
	"fmt"
	"io"
)

// WriteDOT writes the graph in the DOT language of Graphviz. Nodes have the positions of Layout, so that `neato
// -n` draws the same picture.
func (g *Graph) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "strict graph %q {\n\t// Node definitions.\n", g.name)
	for i, p := range g.Layout() {
		// DOT's y points up, and its unit is a point of 1/72 inch.
		fmt.Fprintf(b, "\t%d [pos=\"%.1f,%.1f\"];\n", i, 100*p.X, 0-100*p.Y)
	}
	if g.edges > 0 {
		fmt.Fprint(b, "\n\t// Edge definitions.\n")
	}
	for i, j := range g.EdgeSeq() {
		fmt.Fprintf(b, "\t%d -- %d;\n", i, j)
	}
	fmt.Fprint(b, "}\n")
	return b.Flush()
}
