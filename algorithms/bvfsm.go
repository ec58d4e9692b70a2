package algorithms

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// BVFSM minimizes f with a log barrier on the inner problem's value function. z stands for the inner
// solution; y may leave it as far as the barrier lets it. Where g(x, y) >= g(x, z) + offset, the barrier is
// undefined and the run ends with an error. With Detached the barrier does not keep y inside, but y may start
// anywhere.
type BVFSM struct {
	onOneNode
	Outer, InnerZ, InnerY     int
	AlphaZ, AlphaY, Beta      float64
	L2Z, L2Y, Barrier, Offset float64
	Constant, Detached        bool
}

func (BVFSM) Declare() declare.Method {
	return declare.Method{
		Name: "bvfsm", Summary: "a log barrier on the inner problem's value function",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner_z", 1, "50", "z-steps per outer iteration").Or(50, "the authors' program"),
			declare.Count("inner_y", 1, "25", "y-steps per outer iteration").Or(25, "the authors' program"),
			declare.Number("alpha_z", 0.01, declare.Above(0), "the step of z").
				From("the authors' program"),
			declare.Number("alpha_y", 0.01, declare.Above(0), "the step of y").
				From("the authors' program"),
			declare.Step("beta", "the step of x"),
			declare.Number("l2_z", 0.01, declare.AtLeast(0), "the weight of ||z||²").
				From("the authors' program"),
			declare.Number("l2_y", 0.01, declare.AtLeast(0), "the weight of ||y||²").
				From("the authors' program"),
			declare.Number("barrier", 0.001, declare.Above(0), "the weight of the logarithm").
				From("the authors' program"),
			declare.Positive("offset", "50", "how far g(x, y) may be above g(x, z); the authors' program has q"),
			declare.Flag("constant", false, "whether the three weights stay constant instead of falling with k").
				From("they fall in the authors' program"),
			declare.Flag("detached", false, "whether the barrier's slope leaves g(x, y) out, so y may start "+
				"anywhere").
				From("the program of BOME does this, with offset 1e-4 and constant"),
		},
		Updates: `r = 1 / log(1.1 (k + 1)), or 1 / log(1.1 (outer + 1)) if constant;  for k = 1 ... outer:
  inner_z times:  z <- z - alpha_z ∇_z (g(x, z) + r l2_z ||z||²)
  B(x, y, z) = f(x, y) + r l2_y ||y||² - r barrier log(g(x, z) + offset - g(x, y))
  inner_y times:  y <- y - alpha_y ∇_y B
  x <- x - beta ∇_x B
detached: where log' stands in ∇B, it is taken at g(x, z) + offset.`,
		Source: "Liu, Liu, Zeng, Zhang, Zhang: Value-function-based sequential minimization for bi-level " +
			"optimization. arXiv 2110.04974; its public program, and " + byBOME,
		Departures: fromDescription + ` x moves by plain gradient steps, where the authors' program has Adam. k counts from 1.
A run that leaves the barrier's domain fails and says so.`,
	}
}

// weight is r_k.
func (a BVFSM) weight(k int) float64 {
	if a.Constant {
		k = a.Outer
	}
	return 1 / math.Log(1.1*float64(k+1))
}

// Run is the three loops of BVFSM.
func (a BVFSM) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	z := zeros(d2)
	dz, dy, gy := zeros(d2), zeros(d2), zeros(d2)
	dx, gx := zeros(d1), zeros(d1)
	copy(z, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		r := a.weight(k)
		for range a.InnerZ {
			o.GradGy(dz, x, z)
			floats.AddScaled(dz, 2*r*a.L2Z, z)
			descend(z, z, a.AlphaZ, dz)
		}
		bound := o.G(x, z) + a.Offset
		for range a.InnerY {
			slope := r * a.Barrier / a.room(p, k, o, bound, x, y)
			o.GradFy(dy, x, y)
			o.GradGy(gy, x, y)
			floats.AddScaled(dy, 2*r*a.L2Y, y)
			floats.AddScaled(dy, slope, gy)
			descend(y, y, a.AlphaY, dy) // y <- y - alpha_y ∇_y B
		}
		slope := r * a.Barrier / a.room(p, k, o, bound, x, y)
		o.GradFx(dx, x, y)
		o.GradGx(gx, x, y)
		floats.AddScaled(dx, slope, gx)
		o.GradGx(gx, x, z)
		floats.AddScaled(dx, -slope, gx)
		descend(x, x, a.Beta, dx) // x <- x - beta ∇_x B
		p.Report(k, x, y)
	}
}

// room returns the argument of B's logarithm, bound - g(x, y), with bound = g(x, z) + offset.
func (a BVFSM) room(p *node.Proc, k int, o Oracle, bound float64, x, y []float64) float64 {
	room := bound
	if !a.Detached {
		room -= o.G(x, y)
	}
	switch {
	case math.IsNaN(room) || math.IsInf(room, 0):
		p.Fail(fmt.Errorf("%w: g is not finite in iteration %d", node.ErrDiverged, k))
	case room <= 0:
		p.Fail(fmt.Errorf("bvfsm: in iteration %d the barrier has the logarithm of %.3g; take a larger offset, "+
			"or smaller steps", k, room))
	}
	return room
}

// Cost has fewer values of g if the barrier is detached.
func (a BVFSM) Cost(k int, d Dims) (c metrics.Cost) {
	AddCalls(&c, d, Calls{GradG: a.InnerZ + a.InnerY + 2, GradF: a.InnerY + 1})
	values := a.InnerY + 2
	if a.Detached {
		values = 1
	}
	AddCalls(&c, d, Calls{Value: values})
	return c
}
