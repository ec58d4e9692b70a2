package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// LPDBO is the loopless method of Niu, Sun, Huang and Xu (2023), L-PDBO, for personal
// inner problems: each node has its own y. For k = 1 ... Outer, all from the old point
// but s, which is taken at the new one:
//
//	x <- mix(x) - alpha s
//	y <- y - beta ∇_y g_i
//	v <- (I - lambda H_i) v + lambda ∇_y f_i
//	s <- ∇_x f_i - J_i v
//
// As x is not tracked, nodes differ on x by O(alpha) in the limit.
//
// Source: Niu, Sun, Huang, Xu, "A Loopless Distributed Algorithm for Personalized
// Bilevel Optimization", CDC 2023.
//
// Departure: v and s start at 0, so that the first iteration only mixes x; the paper
// leaves the start open.
type LPDBO struct {
	Outer  int     // outer iterations K
	Alpha  float64 // step of x
	Beta   float64 // step of y, the paper's theta
	Lambda float64 // step of v
	Batch  int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a LPDBO) Iterations() int { return a.Outer }

// Needs says that L-PDBO is bilevel, with a y of each node's own.
func (a LPDBO) Needs() Requirements { return Requirements{Bilevel: true, PersonalY: true} }

// Run is the paper's algorithm.
func (a LPDBO) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	mx, s, jv := zeros(d1), zeros(d1), zeros(d1)
	gy, fy, v := zeros(d2), zeros(d2), zeros(d2)
	system := newLinearSystem(d2)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.Mix(mx, "x", x)
		o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, y)
		adjoint := o.On(o.Draw(a.Batch, "adjoint")) // validation samples of ∇_y f, training samples of H
		adjoint.GradFy(fy, x, y)
		system.descend(v, adjoint, x, y, fy, a.Lambda, 1) // v <- (I - lambda H) v + lambda ∇_y f
		descend(x, mx, a.Alpha, s)                        // x <- mix(x) - alpha s
		floats.AddScaled(y, -a.Beta, gy)                  // y <- y - beta ∇_y g
		implicitGradient(o.On(o.Draw(a.Batch, "outer")), s, jv, x, y, v)
		p.Report(k, x, y)
	}
}

// Cost is one round of p vector elements, and one call of each kind but two gradients of f.
func (a LPDBO) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	AddCalls(&c, d, Calls{GradG: 1})
	localHypergradientCost(&c, d, 1, 1)
	return c
}
