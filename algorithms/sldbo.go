package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// SLDBO moves x, y and the solution v of the linear system in a single loop, each along its own tracker.
// Nodes agree on the optimum in the limit, also where they differ. v starts at 0.
type SLDBO struct {
	bilevel
	Outer                    int
	Alpha, Beta, Eta, Radius float64
}

func (SLDBO) Declare() declare.Method {
	return declare.Method{
		Name:    "sldbo",
		Summary: "single loop: x, y and the solution of the linear system move together, all tracked; exact",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", "the step of y; "+trackedStable),
			declare.Step("eta", "the step of v; "+trackedStable),
			declare.Number("radius", 0, declare.AtLeast(0), "of the ball that v is projected on, at least the "+
				"size of ∇_y f over the least eigenvalue of H; 0: no projection").Like("10"),
		},
		Updates: `t = the directions at the start;  for k = 1 ... outer:
  y_i⁺ = Σ_j w_ij y_j - beta t_i^y;  x_i⁺ = Σ_j w_ij x_j - alpha t_i^x
  v_i⁺ = projection of Σ_j w_ij v_j - eta t_i^v
  t_i <- Σ_j w_ij t_j + direction⁺ - direction, the directions being
  ∇_y g_i,  ∇²_yy g_i v_i - ∇_y f_i,  ∇_x f_i - ∇²_xy g_i v_i`,
		Source: "Dong, Ma, Yang, Yin: A Single-Loop Algorithm for Decentralized Bilevel Optimization. " +
			"Mathematics of Operations Research 2025; arXiv 2311.08945",
		Departures: fromDescription + " The projection comes after mixing; v starts at 0.",
	}
}

// Run is the method as described above.
func (a SLDBO) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	v := zeros(d2)
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

// StartCost is that of the derivatives.
func (a SLDBO) StartCost(d Dims) metrics.Cost { return ownGradients(1, 1).Cost(d) }

// Cost is one round of 2 p + 4 q vector elements, and the derivatives.
func (a SLDBO) Cost(_ int, d Dims) metrics.Cost {
	c := a.StartCost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: 2*int64(d.P) + 4*int64(d.Q)})
	return c
}
