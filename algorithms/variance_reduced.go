package algorithms

import "tallynet/metrics"

// recursive corrects an estimate d of a gradient by its change on one sample between
// two points: d <- now + keep (d - before), now at the new point and before at the old
// one. keep = 1 is SPIDER (SARAH), keep = 1 - a is STORM.
func recursive(d, now, before []float64, keep float64) {
	for i := range d {
		d[i] = now[i] + keep*(d[i]-before[i])
	}
}

// varianceReduced is a pair of recursive estimates, of the inner gradient dy (q) and of
// the hypergradient dx (p) by a Neumann series, that belong to the point (x, y).
type varianceReduced struct {
	hyper          *neumannGradient
	x, y           []float64 // where the estimates were last made
	dx, dy         []float64
	nowX, beforeX  []float64
	nowY, beforeY  []float64
	current        Oracle
	currentHessian func(int) Oracle
}

func newVarianceReduced(p, q int, eta float64, products int) *varianceReduced {
	xs := func() []float64 { return make([]float64, p) }
	ys := func() []float64 { return make([]float64, q) }
	v := &varianceReduced{hyper: newNeumannGradient(p, q, eta, products), x: xs(), y: ys(), dx: xs(), dy: ys(),
		nowX: xs(), beforeX: xs(), nowY: ys(), beforeY: ys()}
	v.currentHessian = func(int) Oracle { return v.current }
	return v
}

// measure sets dx and dy to the derivatives of one batch at (x, y).
func (v *varianceReduced) measure(dx, dy []float64, o Oracle, x, y []float64) {
	v.current = o
	o.GradGy(dy, x, y)
	v.hyper.at(dx, o, v.currentHessian, o, x, y)
}

// restart makes the estimates anew at (x, y), on the batch of o.
func (v *varianceReduced) restart(o Oracle, x, y []float64) {
	v.measure(v.dx, v.dy, o, x, y)
	copy(v.x, x)
	copy(v.y, y)
}

// move takes the estimates to (x, y) by one batch that is used at both points.
func (v *varianceReduced) move(o Oracle, x, y []float64, keep float64) {
	v.measure(v.nowX, v.nowY, o, x, y)
	v.measure(v.beforeX, v.beforeY, o, v.x, v.y)
	recursive(v.dx, v.nowX, v.beforeX, keep)
	recursive(v.dy, v.nowY, v.beforeY, keep)
	copy(v.x, x)
	copy(v.y, y)
}

// estimates adds the cost of measuring both estimates some times.
func estimates(c *metrics.Cost, d Dims, times, products int) {
	calls(c, d, metrics.CallGradG, times)
	calls(c, d, metrics.CallGradF, 2*times)
	calls(c, d, metrics.CallHVP, products*times)
	calls(c, d, metrics.CallJVP, times)
}
