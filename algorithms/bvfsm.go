package algorithms

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// BVFSM is the bi-level value-function-based sequential minimization of Liu and others
// (2021), on one node, with a log barrier on the value function. For k = 1 ... Outer,
// with r_k = 1 / log(1.1 (k + 1)), or r_k = 1 / log(1.1 (Outer + 1)) if Constant:
//
//	InnerZ times: z <- z - alpha_z ∇_z (g(x, z) + r_k l2_z ||z||²)
//	B(x, y, z) = f(x, y) + r_k l2_y ||y||² - r_k barrier log(g(x, z) + offset - g(x, y))
//	InnerY times: y <- y - alpha_y ∇_y B
//	x <- x - beta ∇_x B
//
// z stands for the inner solution; y may leave it as far as the barrier lets it. If
// Detached, the barrier has its slope at g(x, z) + offset in place of g(x, z) + offset -
// g(x, y), as in the program of BOME: then it does not keep y in, but y may start anywhere.
//
// Source: Liu, Liu, Zeng, Zhang, Zhang, "Value-function-based sequential minimization
// for bi-level optimization", arXiv 2110.04974, its public program, and that of BOME,
// which compares with it.
//
// Departure: written from the published description. x moves by plain gradient steps;
// the authors' program uses Adam. k counts from 1. Where g(x, y) >= g(x, z) + offset, B
// is not defined; the run ends with an error that says so. The published program has Offset
// = q, that of BOME 1e-4, Constant and Detached.
type BVFSM struct {
	Outer    int     // outer iterations K
	InnerZ   int     // z-steps, at least 1
	InnerY   int     // y-steps, at least 1
	AlphaZ   float64 // step of z
	AlphaY   float64 // step of y
	Beta     float64 // step of x
	L2Z, L2Y float64 // of the regularizers, at least 0
	Barrier  float64 // the weight of the logarithm
	Offset   float64 // how far g(x, y) may be above g(x, z)
	Constant bool    // the weights do not fall with k
	Detached bool    // the barrier's slope does not depend on g(x, y)
}

// Iterations returns Outer.
func (a BVFSM) Iterations() int { return a.Outer }

// Needs says that BVFSM is a method of one node.
func (a BVFSM) Needs() Requirements { return oneNode() }

// weight is r_k.
func (a BVFSM) weight(k int) float64 {
	if a.Constant {
		k = a.Outer
	}
	return 1 / math.Log(1.1*float64(k+1))
}

// Run is the three loops of BVFSM.
func (a BVFSM) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, z := zeros(d1), zeros(d2), zeros(d2)
	dz, dy, gy := zeros(d2), zeros(d2), zeros(d2)
	dx, gx := zeros(d1), zeros(d1)
	o.Start(x, y)
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

// Cost is InnerZ + InnerY + 2 gradients and InnerY + 2 values of g, 1 value if
// Detached, and InnerY + 1 gradients of f.
func (a BVFSM) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradG: a.InnerZ + a.InnerY + 2, GradF: a.InnerY + 1})
	values := a.InnerY + 2
	if a.Detached {
		values = 1
	}
	AddCalls(&c, d, Calls{Value: values})
	return c
}
