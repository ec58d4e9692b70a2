package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// VRDBO is MDBO with variance reduction (Gao, Gu, Thai 2023): the momentum is that of
// STORM, with the derivatives at the old and the new point on the same samples,
//
//	u⁺ = (1 - alpha_1 eta²) (u - d_i(x, y)) + d_i(x⁺, y⁺),  v⁺ likewise with alpha_2 and ∇_y g_i
//
// and everything else as in MDBO.
//
// Source: Gao, Gu, Thai, "On the Convergence of Distributed Stochastic Bilevel
// Optimization Algorithms over a Network", AISTATS 2023, arXiv 2206.15025.
//
// Departure: as for MDBO.
type VRDBO struct {
	Outer     int     // outer iterations K
	Alpha1    float64 // weight of the new hypergradient is Alpha1 Eta², at most 1
	Alpha2    float64 // weight of the new ∇_y g is Alpha2 Eta², at most 1
	Beta1     float64 // step of x is Eta Beta1
	Beta2     float64 // step of y is Eta Beta2
	Eta       float64 // in (0, 1]
	Neumann   int     // products with Hessians; the series has one term more
	Lipschitz float64 // L: an upper bound of the largest eigenvalue of H
	Batch     int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a VRDBO) Iterations() int { return a.Outer }

// Needs says what MDBO needs.
func (a VRDBO) Needs() Requirements { return MDBO(a).Needs() }

// Run is the method as described above.
func (a VRDBO) Run(p *node.Proc, o Oracle) {
	e := newOwnGradients(o, MDBO(a))
	d1, d2 := o.Dims()
	oldD, oldG := zeros(d1), zeros(d2)
	MDBO(a).run(p, o, e, func(u, v, oldX, oldY, x, y []float64) {
		e.draw()
		e.at(oldX, oldY)
		copy(oldD, e.d)
		copy(oldG, e.gy)
		e.at(x, y)
		refine(u, a.Alpha1*a.Eta*a.Eta, e.d, oldD)
		refine(v, a.Alpha2*a.Eta*a.Eta, e.gy, oldG)
	})
}

// Cost is that of MDBO with derivatives at two points in each iteration.
func (a VRDBO) Cost(k int, d Dims) metrics.Cost { return MDBO(a).cost(k, d, 2) }
