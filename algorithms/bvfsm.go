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
// z stands for the inner solution; y may leave it as far as the barrier lets it.
//
// Source: Liu, Liu, Zeng, Zhang, Zhang, "Value-function-based sequential minimization
// for bi-level optimization", arXiv 2110.04974, its public program, and that of BOME,
// which compares with it.
//
// Departure: written from the published description. x moves by plain gradient steps;
// the authors' program uses Adam. k counts from 1. Where g(x, y) >= g(x, z) + offset, B
// is not defined; the run ends with an error that says so.
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
	x, y, z := make([]float64, d1), make([]float64, d2), make([]float64, d2)
	dz, dy, gy := make([]float64, d2), make([]float64, d2), make([]float64, d2)
	dx, gx := make([]float64, d1), make([]float64, d1)
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
			slope := r * a.Barrier / a.room(p, k, bound-o.G(x, y))
			o.GradFy(dy, x, y)
			o.GradGy(gy, x, y)
			floats.AddScaled(dy, 2*r*a.L2Y, y)
			floats.AddScaled(dy, slope, gy)
			descend(y, y, a.AlphaY, dy) // y <- y - alpha_y ∇_y B
		}
		slope := r * a.Barrier / a.room(p, k, bound-o.G(x, y))
		o.GradFx(dx, x, y)
		o.GradGx(gx, x, y)
		floats.AddScaled(dx, slope, gx)
		o.GradGx(gx, x, z)
		floats.AddScaled(dx, -slope, gx)
		descend(x, x, a.Beta, dx) // x <- x - beta ∇_x B
		p.Report(k, x, y)
	}
}

// room returns g(x, z) + offset - g(x, y), of which B has the logarithm.
func (a BVFSM) room(p *node.Proc, k int, room float64) float64 {
	switch {
	case room > 0 && !math.IsInf(room, 0):
		return room
	case math.IsNaN(room) || math.IsInf(room, 0):
		p.Fail(fmt.Errorf("%w: g is not finite in iteration %d", node.ErrDiverged, k))
	}
	p.Fail(fmt.Errorf("bvfsm: in iteration %d g(x, y) is above g(x, z) + offset by %.3g, where the barrier has no value; take a larger offset, or smaller steps", k, -room))
	return 0
}

// Cost is InnerZ + InnerY + 2 gradients and InnerY + 2 values of g, and InnerY + 1
// gradients of f.
func (a BVFSM) Cost(k int, d Dims) metrics.Cost {
	var c metrics.Cost
	if k == 0 {
		return c
	}
	calls(&c, d, metrics.CallGradG, a.InnerZ+a.InnerY+2)
	calls(&c, d, metrics.CallGradF, a.InnerY+1)
	calls(&c, d, metrics.CallValue, a.InnerY+2)
	return c
}
