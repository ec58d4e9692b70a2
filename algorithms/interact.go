package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// INTERACT is the method of Liu, Zhang, Khanduri, Lu and Liu (2022) for personal inner
// problems: each node has its own y, a hypergradient with the exact inverse of its own
// Hessian, and the hypergradients are tracked. With
// d_i(x, y) = ∇_x f_i - J_i H_i⁻¹ ∇_y f_i and u = d at first, for k = 1 ... Outer:
//
//	x⁺ = mix(x) - alpha u
//	y⁺ = y - beta ∇_y g_i(x, y)
//	u <- mix(u) + d(x⁺, y⁺) - d(x, y)
//
// Its limit is the optimum of the personal problem, exactly.
//
// Source: Liu, Zhang, Khanduri, Lu, Liu, "INTERACT: Achieving Low Sample and
// Communication Complexities in Decentralized Bilevel Learning over Networks",
// MobiHoc 2022.
//
// Departure: written from the published description, not from the paper's box. The
// step of y takes the gradient at the old x.
type INTERACT struct {
	Outer int     // outer iterations K
	Alpha float64 // step of x
	Beta  float64 // step of y
}

// Iterations returns Outer.
func (a INTERACT) Iterations() int { return a.Outer }

// Needs says that INTERACT is bilevel, with a y of each node's own.
func (a INTERACT) Needs() Requirements { return Requirements{Bilevel: true, PersonalY: true} }

// Run is the method as described above.
func (a INTERACT) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	mx, d, jv := zeros(d1), zeros(d1), zeros(d1)
	gy, fy, v := zeros(d2), zeros(d2), zeros(d2)
	var chol Factor
	u := newTracker(d1)
	objects := []node.Mixed{node.MixVec("x", mx, x), u.mix("u")}
	derive := func() { // gy = ∇_y g, d = ∇_x f - J H⁻¹ ∇_y f
		o.GradGy(gy, x, y)
		o.GradFy(fy, x, y)
		factorGyy(p, o, &chol, x, y, 1, 0,
			"interact: the inner Hessian is not positive definite, so a node's inner problem "+
				"is not strongly convex here; regularize it")
		o.Solve(v, &chol, fy)
		implicitGradient(o, d, jv, x, y, v)
	}
	o.Start(x, y)
	derive()
	u.start(d)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("outer", objects...)
		descend(x, mx, a.Alpha, u.t)     // x <- mix(x) - alpha u
		floats.AddScaled(y, -a.Beta, gy) // y <- y - beta ∇_y g
		derive()
		u.follow(d) // u <- mix(u) + d⁺ - d
		p.Report(k, x, y)
	}
}

// Cost is one round of 2 p vector elements; derivatives also at the start.
func (a INTERACT) Cost(k int, d Dims) (c metrics.Cost) {
	AddCalls(&c, d, Calls{GradG: 1, GradF: 2, Hessian: 1, Solve: 1, JVP: 1})
	if k > 0 {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P)})
	}
	return c
}
