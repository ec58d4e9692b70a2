package topologies

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
)

const (
	panelSide   = 300.0 // of the square that a graph is drawn in
	panelHeader = 44.0
	panelGap    = 16.0
	// numberPixels is the smallest readable size of a number.
	numberPixels = 6.0
)

// WriteSheet draws graphs side by side, in the given order, row by row, as one self-contained SVG. A single
// graph is drawn as by WriteSVG. All panels have the same size. Nodes are numbered only if the numbers can be
// read, and a line says so otherwise. The limits of WriteSVG apply; no graphs at all is an error.
func WriteSheet(w io.Writer, graphs []*Graph) error {
	switch len(graphs) {
	case 0:
		return fmt.Errorf("drawing: there is no graph to draw")
	case 1:
		return graphs[0].WriteSVG(w)
	}
	for _, g := range graphs {
		if err := g.checkDrawing(); err != nil {
			return fmt.Errorf("%s: %w", g.Name(), err)
		}
	}
	// A sheet is wider than it is high, but no wider than a screen.
	columns := min(int(math.Ceil(math.Sqrt(1.5*float64(len(graphs))))), len(graphs), 5)
	rows := (len(graphs) + columns - 1) / columns
	width := float64(columns)*(panelSide+panelGap) + panelGap
	height := float64(rows)*(panelHeader+panelSide+panelGap) + panelGap
	b := bufio.NewWriter(w)
	openSVG(b, width, height)
	for k, g := range graphs {
		x := panelGap + float64(k%columns)*(panelSide+panelGap)
		y := panelGap + float64(k/columns)*(panelHeader+panelSide+panelGap)
		g.writePanel(b, x, y)
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// writePanel draws one graph at (x, y), its canvas shrunk to the panel.
func (g *Graph) writePanel(w io.Writer, x, y float64) {
	c := newCanvas(g)
	height := c.height - c.header
	numbered := c.numbered() && c.numberSize()*panelSide/max(c.width, height) >= numberPixels
	about := g.about()
	if !numbered {
		about += "; not numbered"
	}
	fmt.Fprintf(w, `<text x="%.0f" y="%.0f" font-size="15" font-weight="bold" fill="#1b2733">%s</text>`+"\n",
		x, y+16, html.EscapeString(g.Name()))
	fmt.Fprintf(w, `<text x="%.0f" y="%.0f" font-size="11.5" fill="#5b6875">%s</text>`+"\n",
		x, y+34, html.EscapeString(about))
	fmt.Fprintf(w, `<svg x="%.0f" y="%.0f" width="%.0f" height="%.0f" viewBox="0 %.1f %.1f %.1f">`+"\n",
		x, y+panelHeader, panelSide, panelSide, c.header, c.width, height)
	c.writeEdges(w)
	c.writeNodes(w, numbered)
	fmt.Fprintln(w, "</svg>")
}
