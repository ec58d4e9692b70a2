package problems

import (
	"fmt"
	"slices"
)

// frame holds the dimensions of a problem and a starting point that all nodes share. Its
// methods implement part of Problem.
type frame struct {
	p, q, nodes int
	x0, y0      []float64
}

// Dims implements Problem.
func (f frame) Dims() (p, q int) { return f.p, f.q }

// Nodes implements Problem.
func (f frame) Nodes() int { return f.nodes }

// Start implements Problem.
func (f frame) Start(i int) (x0, y0 []float64) {
	mustNode(i, f.nodes)
	return slices.Clone(f.x0), slices.Clone(f.y0)
}

// base is the common part of all problems over samples.
type base struct {
	frame
	name  string // of the kind
	about string // the data in a few words
	holds string // what a node holds, in words
}

// About implements Problem.
func (b *base) About() string {
	return fmt.Sprintf("%s: %s; %s with %s, p = %d, q = %d", b.name, b.about, nodesText(b.nodes), b.holds, b.p, b.q)
}
