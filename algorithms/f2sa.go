package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// F2SA is the fully first-order stochastic approximation of Kwon, Kwon, Wright and
// Nowak (2023), on one node. It descends on the penalized problem
//
//	min over x, y of max over z of f(x, y) + lambda (g(x, y) - g(x, z)).
//
// For k = 1 ... Outer, with new samples in each step:
//
//	Inner times: y <- y - eta_y (∇_y f(x, y) + lambda_k ∇_y g(x, y)),  z <- z - eta_z ∇_y g(x, z)
//	x <- x - eta_x (∇_x f(x, y) + lambda_k (∇_x g(x, y) - ∇_x g(x, z)))
//
// with lambda_k = lambda k^Growth, eta_x = EtaX / k^DecayOuter and eta_y, eta_z = EtaY,
// EtaZ / k^DecayInner. With a fixed lambda the limit is that of the penalized problem,
// at a distance of the order of 1/lambda from the optimum. y needs a step below
// 2 / (L_f + lambda L_g).
//
// Source: Kwon, Kwon, Wright, Nowak, "A fully first-order method for stochastic bilevel
// optimization", ICML 2023, in the form of a public benchmark of bilevel methods.
//
// Departure: lambda grows by a power of k, which fixes the increments that the paper
// leaves as a sequence; the exponents (there 1/7; 5/7 for x, 4/7 for y and z) are
// parameters, 0 if they are not given.
type F2SA struct {
	Outer      int     // outer iterations K
	Inner      int     // steps of y and z, at least 1
	EtaX       float64 // step of x
	EtaY       float64 // step of y
	EtaZ       float64 // step of z
	Lambda     float64 // the penalty
	Growth     float64 // exponent of lambda_k; 0: constant
	DecayOuter float64 // exponent of eta_x; 0: constant
	DecayInner float64 // exponent of eta_y and eta_z; 0: constant
	Batch      int     // samples of each draw; 0: all
}

// Iterations returns Outer.
func (a F2SA) Iterations() int { return a.Outer }

// Needs says that F2SA is a method of one node.
func (a F2SA) Needs() Requirements { return oneNode() }

// Run is the method of Kwon et al.
func (a F2SA) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, z := zeros(d1), zeros(d2), zeros(d2)
	dx, gx, dy, gy := zeros(d1), zeros(d1), zeros(d2), zeros(d2)
	o.Start(x, y)
	copy(z, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		lambda := a.Lambda * math.Pow(float64(k), a.Growth)
		for range a.Inner {
			on := o.On(o.Draw(a.Batch, "inner"))
			on.GradFy(dy, x, y)
			on.GradGy(gy, x, y)
			floats.AddScaled(dy, lambda, gy)
			descend(y, y, decayed(a.EtaY, a.DecayInner, k), dy) // y <- y - eta_y (∇_y f + lambda ∇_y g)
			on.GradGy(gy, x, z)
			descend(z, z, decayed(a.EtaZ, a.DecayInner, k), gy) // z <- z - eta_z ∇_y g
		}
		on := o.On(o.Draw(a.Batch, "outer"))
		on.GradFx(dx, x, y)
		on.GradGx(gx, x, y)
		floats.AddScaled(dx, lambda, gx)
		on.GradGx(gx, x, z)
		floats.AddScaled(dx, -lambda, gx)
		descend(x, x, decayed(a.EtaX, a.DecayOuter, k), dx) // x <- x - eta_x (∇_x f + lambda (...))
		p.Report(k, x, y)
	}
}

// Cost is 2 Inner + 2 gradients of g and Inner + 1 of f.
func (a F2SA) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradG: 2*a.Inner + 2, GradF: a.Inner + 1})
	return c
}
