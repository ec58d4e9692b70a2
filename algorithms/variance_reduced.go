package algorithms

// varianceReduced is a pair of recursive estimates, of the inner gradient dy (q) and of
// the hypergradient dx (p) by a Neumann series, that belong to the point (x, y).
type varianceReduced struct {
	batch, products int

	o             Oracle
	inner         Oracle // of ∇_y g
	hyper         *localHypergradient
	x, y          []float64 // where the estimates were last made
	dx, dy        []float64
	nowX, beforeX []float64
	nowY, beforeY []float64
}

func newVarianceReduced(o Oracle, eta float64, batch, products int) *varianceReduced {
	p, q := o.Dims()
	xs := func() []float64 { return zeros(p) }
	ys := func() []float64 { return zeros(q) }
	return &varianceReduced{batch: batch, products: products, o: o, inner: o,
		hyper: newLocalHypergradient(o, own(o), eta, batch, products),
		x:     xs(), y: ys(), dx: xs(), dy: ys(), nowX: xs(), beforeX: xs(), nowY: ys(), beforeY: ys()}
}

// full selects all samples.
func (v *varianceReduced) full() {
	v.inner = v.o
	v.hyper.full()
}

// draw selects fresh samples, which are used until the next draw.
func (v *varianceReduced) draw() {
	v.inner = v.o.On(v.o.Draw(v.batch, "inner"))
	v.hyper.draw()
}

func (v *varianceReduced) measure(dx, dy, x, y []float64) {
	v.inner.GradGy(dy, x, y)
	v.hyper.at(dx, x, y, v.products)
}

// restart computes the estimates again at (x, y).
func (v *varianceReduced) restart(x, y []float64) {
	v.measure(v.dx, v.dy, x, y)
	copy(v.x, x)
	copy(v.y, y)
}

// move updates the estimates for (x, y), with the same samples at both points.
func (v *varianceReduced) move(x, y []float64, forgetX, forgetY float64) {
	v.measure(v.nowX, v.nowY, x, y)
	v.measure(v.beforeX, v.beforeY, v.x, v.y)
	refine(v.dx, forgetX, v.nowX, v.beforeX)
	refine(v.dy, forgetY, v.nowY, v.beforeY)
	copy(v.x, x)
	copy(v.y, y)
}

// ownGradients are the calls of some evaluations of ∇_y g and of a node's own hypergradient.
func ownGradients(times, products int) Calls {
	return Calls{GradG: times, GradF: 2 * times, HVP: products * times, JVP: times}
}
