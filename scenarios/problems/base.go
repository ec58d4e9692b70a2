package problems

import "fmt"

// base is what all problems over samples have in common. Its methods implement part of
// Problem.
type base struct {
	name    string // of the kind
	about   string // the data in a few words
	nodes   int
	samples Samples // of each node
	p, q    int
	x0, y0  float64 // the value of every coordinate of the starting point
}

func (b *base) Dims() (p, q int) { return b.p, b.q }
func (b *base) Nodes() int       { return b.nodes }

func (b *base) Start(i int) (x0, y0 []float64) {
	mustNode(i, b.nodes)
	return fill(b.p, b.x0), fill(b.q, b.y0)
}

func (b *base) About() string {
	return fmt.Sprintf("%s: %s; %d nodes with %d training and %d validation samples, p = %d, q = %d",
		b.name, b.about, b.nodes, b.samples.Train, b.samples.Val, b.p, b.q)
}

// accuracyOfY returns the accuracies of the linear model y.
func (b *base) accuracyOfY(d *dealt, y []float64) (train, test float64) {
	mustLen("y", y, b.q)
	return accuracy(y, d.train), accuracy(y, d.test)
}
