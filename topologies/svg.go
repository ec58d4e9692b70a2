package topologies

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
)

const (
	labelNodes = 200     // the most nodes that are numbered
	drawNodes  = 20_000  // the most nodes that are drawn at all
	drawEdges  = 200_000 // the most edges
	margin     = 36.0
)

// WriteSVG draws the graph with the positions of Layout as a self-contained SVG. Up to 200 nodes are numbered;
// above, a line below the title says that numbers are left out. The edges that join opposite borders of a torus
// are dashed stubs. A graph of more than 20,000 nodes or 200,000 edges is an error.
func (g *Graph) WriteSVG(w io.Writer) error {
	if err := g.checkDrawing(); err != nil {
		return err
	}
	c := newCanvas(g)
	b := bufio.NewWriter(w)
	openSVG(b, c.width, c.height)
	c.writeHeader(b)
	c.writeEdges(b)
	c.writeNodes(b, c.numbered())
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// openSVG begins an SVG with a white background.
func openSVG(w io.Writer, width, height float64) {
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="Helvetica, Arial, sans-serif">`+"\n", width, height, width, height)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
}

func (g *Graph) checkDrawing() error {
	if g.Nodes() > drawNodes || g.Edges() > drawEdges {
		return fmt.Errorf("drawing: %s and %s are too many to draw; the limits are %d and %d",
			count(g.Nodes(), "node"), count(g.Edges(), "edge"), drawNodes, drawEdges)
	}
	return nil
}

// canvas is a layout in pixels.
type canvas struct {
	g             *Graph
	at            []Position
	radius        float64 // of a node
	text          float64 // the scale of the header, which grows with the drawing
	header        float64 // the height above the drawing proper
	width, height float64
}

// newCanvas scales the layout so that most nodes have room for a number, within limits.
func newCanvas(g *Graph) *canvas {
	c := &canvas{g: g, at: g.Layout()}
	low, high := c.at[0], c.at[0]
	for _, p := range c.at {
		low = Position{min(low.X, p.X), min(low.Y, p.Y)}
		high = Position{max(high.X, p.X), max(high.Y, p.Y)}
	}
	extent := max(high.X-low.X, high.Y-low.Y, 1e-9)
	room := spacing(c.at) / extent // of a node, as a fraction of the drawing
	side := min(max(34/room, 360), 1600)
	c.radius = min(max(0.36*room*side, 1.5), 13)
	if len(c.at) <= labelNodes {
		c.radius = max(c.radius, 0.0065*side) // a number must fit, even if nodes overlap
	}
	c.text = max(1, side/700)
	c.header = 56 * c.text
	scale := side / extent
	c.width = max((high.X-low.X)*scale+2*margin, 420)
	c.height = (high.Y-low.Y)*scale + 2*margin + c.header
	left := (c.width - (high.X-low.X)*scale) / 2
	for i, p := range c.at {
		c.at[i] = Position{left + (p.X-low.X)*scale, c.header + margin + (p.Y-low.Y)*scale}
	}
	return c
}

// spacing returns the distance that nine tenths of the points keep from all others.
func spacing(p []Position) float64 {
	if len(p) == 1 {
		return 1
	}
	if len(p) > 2000 { // too many for numbers: assume even spacing
		return 1 / math.Sqrt(float64(len(p)))
	}
	nearest := make([]float64, len(p))
	for i, a := range p {
		nearest[i] = math.Inf(1)
		for j, b := range p {
			if i != j {
				nearest[i] = min(nearest[i], math.Hypot(a.X-b.X, a.Y-b.Y))
			}
		}
	}
	slices.Sort(nearest)
	return nearest[len(p)/10]
}

func (c *canvas) writeHeader(w io.Writer) {
	about := c.g.about()
	if c.g.Nodes() > labelNodes {
		about += fmt.Sprintf("; no numbers above %d nodes", labelNodes)
	}
	line := func(y, size float64, style, text string) {
		fmt.Fprintf(w, `<text x="20" y="%.0f" font-size="%.1f" %s>%s</text>`+"\n",
			y*c.text, size*c.text, style, html.EscapeString(text))
	}
	line(30, 17, `font-weight="bold" fill="#1b2733"`, c.g.Name())
	line(50, 12.5, `fill="#5b6875"`, about)
}

// about returns the line below the title.
func (g *Graph) about() string {
	deg := g.Degrees()
	degrees := fmt.Sprintf("degree %d to %d", deg.Min, deg.Max)
	if deg.Min == deg.Max {
		degrees = fmt.Sprintf("degree %d", deg.Min)
	}
	return fmt.Sprintf("%s, %s, %s", count(g.Nodes(), "node"), count(g.Edges(), "edge"), degrees)
}

func (c *canvas) writeEdges(w io.Writer) {
	// The more edges, the fainter each of them, so that only dense regions stand out.
	perNode := float64(c.g.Edges()) / float64(c.g.Nodes())
	thick := min(max(0.12*c.radius, 0.7), 1.5)
	fmt.Fprintf(w, `<g stroke="#8796a5" stroke-width="%.2f" stroke-opacity="%.2f" stroke-linecap="round">`+"\n",
		thick, min(max(3/perNode, 0.25), 1))
	for i, j := range c.g.EdgeSeq() {
		a, b := c.at[i], c.at[j]
		if c.g.shape.wrap && (j-i > c.g.shape.cols || (j-i > 1 && j-i < c.g.shape.cols)) {
			c.writeStub(w, a, b)
			c.writeStub(w, b, a)
			continue
		}
		fmt.Fprintf(w, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", a.X, a.Y, b.X, b.Y)
	}
	fmt.Fprintln(w, "</g>")
}

// writeStub draws the beginning of an edge that leaves node a across the border, away from
// its other end b.
func (c *canvas) writeStub(w io.Writer, a, b Position) {
	length := 2.1 * c.radius / math.Hypot(a.X-b.X, a.Y-b.Y)
	fmt.Fprintf(w, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-dasharray="3 3"/>`+"\n",
		a.X, a.Y, a.X+length*(a.X-b.X), a.Y+length*(a.Y-b.Y))
}

func (c *canvas) writeNodes(w io.Writer, numbered bool) {
	fmt.Fprintf(w, `<g fill="#2f6fb0" stroke="#ffffff" stroke-width="%.2f">`+"\n", min(1.5, c.radius/6))
	for _, p := range c.at {
		fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="%.1f"/>`+"\n", p.X, p.Y, c.radius)
	}
	fmt.Fprintln(w, "</g>")
	if !numbered {
		return
	}
	size := c.numberSize()
	fmt.Fprintf(w, `<g fill="#ffffff" font-size="%.1f" text-anchor="middle">`+"\n", size)
	for i, p := range c.at {
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f">%d</text>`+"\n", p.X, p.Y+0.36*size, i)
	}
	fmt.Fprintln(w, "</g>")
}

func (c *canvas) numbered() bool { return c.g.Nodes() <= labelNodes }

// numberSize returns the font size of the numbers in the nodes.
func (c *canvas) numberSize() float64 {
	digits := len(fmt.Sprint(c.g.Nodes() - 1))
	return c.radius * []float64{1.15, 1.15, 1.05, 0.85}[digits]
}
