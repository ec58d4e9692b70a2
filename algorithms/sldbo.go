package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// SLDBO is the single-loop method of Dong, Ma, Yang and Yin (2023): x, y and the
// solution v of the linear system move together, each along its own tracker. With
// everything at one point (x, y, v) and
//
//	d_y = ∇_y g_i,  d_v = H_i v - ∇_y f_i,  d_x = ∇_x f_i - J_i v
//
// and t = d at first, for k = 1 ... Outer:
//
//	y⁺ = mix(y) - beta t_y
//	v⁺ = projection on the ball of Radius of mix(v) - eta t_v
//	x⁺ = mix(x) - alpha t_x
//	t <- mix(t) + d⁺ - d, for all three
//
// It is exact: nodes agree on the optimum in the limit, also where they differ.
//
// Source: Dong, Ma, Yang, Yin, "A Single-Loop Algorithm for Decentralized Bilevel
// Optimization", Mathematics of Operations Research 2025, arXiv 2311.08945.
//
// Departure: written from the published description, not from the paper's box. The
// projection comes after mixing. v starts at 0.
type SLDBO struct {
	Outer  int     // outer iterations K
	Alpha  float64 // step of x
	Beta   float64 // step of y
	Eta    float64 // step of v
	Radius float64 // of the ball that v is kept in; 0: none
}

// Iterations returns Outer.
func (a SLDBO) Iterations() int { return a.Outer }

// Needs says that SLDBO is bilevel.
func (a SLDBO) Needs() Requirements { return Requirements{Bilevel: true} }

// Run is the method as described above.
func (a SLDBO) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, v := zeros(d1), zeros(d2), zeros(d2)
	mx, my, mv := zeros(d1), zeros(d2), zeros(d2)
	dx, dy, dv := zeros(d1), zeros(d2), zeros(d2)
	jv, fy := zeros(d1), zeros(d2)
	tx, ty, tv := newTracker(d1), newTracker(d2), newTracker(d2)
	objects := []node.Mixed{
		node.MixVec("x", mx, x), tx.mix("tx"), node.MixVec("y", my, y), ty.mix("ty"), node.MixVec("v", mv, v), tv.mix("tv"),
	}
	derive := func() {
		o.GradGy(dy, x, y)
		o.GradFy(fy, x, y)
		o.HessGyyMul(dv, x, y, v)
		floats.Sub(dv, fy)
		implicitGradient(o, dx, jv, x, y, v)
	}
	o.Start(x, y)
	derive()
	tx.start(dx)
	ty.start(dy)
	tv.start(dv)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("gossip", objects...)
		descend(y, my, a.Beta, ty.t)
		descend(v, mv, a.Eta, tv.t)
		projectOnBall(v, a.Radius)
		descend(x, mx, a.Alpha, tx.t)
		derive()
		tx.follow(dx)
		ty.follow(dy)
		tv.follow(dv)
		p.Report(k, x, y)
	}
}

// Cost is one round of 2 p + 4 q vector elements; derivatives also at the start.
func (a SLDBO) Cost(k int, d Dims) (c metrics.Cost) {
	AddCalls(&c, d, Calls{GradG: 1})
	localHypergradientCost(&c, d, 1, 1)
	if k > 0 {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: 2*int64(d.P) + 4*int64(d.Q)})
	}
	return c
}
