package problems

import "fmt"

// base is what all problems over samples have in common. Its methods implement part of
// Problem.
type base struct {
	name    string // of the kind
	about   string // the data in a few words
	nodes   int
	samples Samples // of each node, unless held says it
	held    *dealt  // nil: the problem has other data
	p, q    int
	x0, y0  float64 // the value of every coordinate of the starting point
}

func (b *base) Dims() (p, q int) { return b.p, b.q }
func (b *base) Nodes() int       { return b.nodes }

func (b *base) Start(i int) (x0, y0 []float64) {
	mustNode(i, b.nodes)
	return fill(b.p, b.x0), fill(b.q, b.y0)
}

// Holdings implements Divided.
func (b *base) Holdings() []Holding {
	if b.held == nil {
		return nil
	}
	return b.held.Holdings()
}

func (b *base) About() string {
	if b.held != nil && b.held.trainAt != nil {
		return fmt.Sprintf("%s: %s; %s with %s, p = %d, q = %d", b.name, b.about, nodesText(b.nodes), b.held.counts(),
			b.p, b.q)
	}
	return fmt.Sprintf("%s: %s; %s with %d training and %d validation samples, p = %d, q = %d",
		b.name, b.about, nodesText(b.nodes), b.samples.Train, b.samples.Val, b.p, b.q)
}
