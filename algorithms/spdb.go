package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
)

// SPDB is a stochastic primal-dual method for personal inner problems, after Lu, Cui,
// Squillante, Kingsbury and Horesh (2022): the consensus of the x_i is a constraint,
// kept by a multiplier pi_i on each node. With deg neighbours N_i, for
// k = 1 ... Outer, everything at the old point:
//
//	x_i⁺ = x_i/2 + (1/(2 deg)) Σ_{j in N_i} x_j - (d_i + pi_i) / (2 rho deg)
//	y   <- y - beta / k^decay ∇_y g_i
//	pi_i <- pi_i + rho Σ_{j in N_i} (x_i⁺ - x_j⁺)
//
// where d_i = ∇_x f_i - J_i v is node i's own hypergradient, with N_k factors in the
// Neumann series of v (see NeumannAt), eta its step.
//
// Source: Lu, Cui, Squillante, Kingsbury, Horesh, "Decentralized Bilevel Optimization
// for Personalized Client Learning", ICASSP 2022; N_k as given by Niu et al., CDC 2023.
//
// Departure: written from the published description, not from the paper's box, as a
// linearized proximal primal-dual method. x⁺ serves the multiplier in the message of
// the next iteration, in which it is sent anyway. The base of the logarithm in N_k is
// not stated; the default is e, while all products of Table I of Niu et al. fit base 10
// and neither e nor 2. A node without neighbours takes steps 1/(2 rho).
type SPDB struct {
	Outer int     // outer iterations K
	Beta  float64 // step of y, in iteration k divided by k^Decay
	Decay float64 // at least 0
	Rho   float64 // penalty on disagreement; 1/(2 rho deg) is the step of x
	Eta   float64 // step of the Neumann series, at most 1/L
	Base  float64 // of the logarithm in N_k, at least 1.5; 0 stands for e
	Batch int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a SPDB) Iterations() int { return a.Outer }

// Needs says that SPDB is bilevel, with a y of each node's own.
func (a SPDB) Needs() Requirements {
	return Requirements{Bilevel: true, PersonalY: true, AllNeighbors: true, FixedW: true}
}

// NeumannAt returns N_k = ceil(1/2 log sqrt(k+1)), the products with Hessians in
// iteration k, from 1. With base e that is one up to k = 53 and two up to k = 2979, with
// base 10 one up to k = 9999.
func (a SPDB) NeumannAt(k int) int {
	n := 1
	for power := a.fourth(); power < float64(k+1); power *= a.fourth() {
		n++
	}
	return n
}

// fourth is the fourth power of the base: N_k grows by one where k+1 goes past a power of it.
func (a SPDB) fourth() float64 {
	if a.Base == 0 {
		return math.Exp(4)
	}
	return a.Base * a.Base * a.Base * a.Base
}

// Run is the method as described above.
func (a SPDB) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	d, pi, around := zeros(d1), zeros(d1), zeros(d1)
	gy := zeros(d2)
	hyper := newLocalHypergradient(o, a.Eta, a.Batch, a.NeumannAt(a.Outer))
	parts := []channel.Part{channel.Vec("x", x)}
	degree := float64(len(p.Neighbors()))
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		clear(around)
		for _, m := range p.Exchange("x", parts...) {
			floats.Add(around, m.Vec(0))
		}
		p.Work(4 * degree * float64(d1))
		if k > 1 {
			for i := range pi {
				pi[i] += a.Rho * (degree*x[i] - around[i]) // pi <- pi + rho Σ (x_i - x_j)
			}
		}
		o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, y)
		hyper.draw()
		hyper.at(d, x, y, a.NeumannAt(k))
		if degree > 0 {
			for i := range x { // x <- x/2 + Σ x_j / (2 deg) - (d + pi) / (2 rho deg)
				x[i] = x[i]/2 + around[i]/(2*degree) - (d[i]+pi[i])/(2*a.Rho*degree)
			}
		} else {
			floats.AddScaled(x, -1/(2*a.Rho), d)
		}
		floats.AddScaled(y, -a.Beta/math.Pow(float64(k), a.Decay), gy) // y <- y - beta / k^decay ∇_y g
		p.Report(k, x, y)
	}
}

// Cost is one round of p vector elements. The products grow slowly with k.
func (a SPDB) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	AddCalls(&c, d, Calls{GradG: 1})
	localHypergradientCost(&c, d, 1, a.NeumannAt(k))
	return c
}
