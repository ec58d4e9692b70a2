package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// INTERACT solves personal inner problems: it tracks hypergradients with the exact inverse of each node's own
// Hessian. Its limit is the optimum of the personal problem.
type INTERACT struct {
	personal
	Outer       int
	Alpha, Beta float64
}

func (INTERACT) Declare() declare.Method {
	return declare.Method{
		Name:    "interact",
		Summary: "for personal inner problems: tracks hypergradients with each node's exact inverse Hessian",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step of x; stable below (1 + λ_min(W))² / 2 by the smoothness of the "+
				"objective"),
			declare.Step("beta", "the step of y; stable below 2/L"),
		},
		Updates: `d_i = ∇_x f_i - ∇²_xy g_i (∇²_yy g_i)⁻¹ ∇_y f_i;  u_i = d_i;  for k = 1 ... outer:
  x_i⁺ = Σ_j w_ij x_j - alpha u_i
  y_i⁺ = y_i - beta ∇_y g_i, at the old point
  u_i <- Σ_j w_ij u_j + d_i⁺ - d_i`,
		Source: "Liu, Zhang, Khanduri, Lu, Liu: INTERACT: Achieving Low Sample and Communication Complexities in " +
			"Decentralized Bilevel Learning over Networks. MobiHoc 2022",
		Departures: fromDescription + " The step of y takes the gradient at the old x.",
	}
}

// Run is the method as described above.
func (a INTERACT) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	mx, d, jv := zeros(d1), zeros(d1), zeros(d1)
	gy, fy, v := zeros(d2), zeros(d2), zeros(d2)
	var chol Factor
	u := newTracker(d1)
	objects := []node.Mixed{node.MixVec("x", mx, x), u.mix("u")}
	derive := func() { // gy = ∇_y g, d = ∇_x f - J H⁻¹ ∇_y f
		o.GradGy(gy, x, y)
		o.GradFy(fy, x, y)
		factorGyy(p, o, &chol, x, y, 1, 0, "interact"+notConvex)
		o.Solve(v, &chol, fy)
		implicitGradient(o, d, jv, x, y, v)
	}
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

// StartCost is that of the derivatives.
func (a INTERACT) StartCost(d Dims) metrics.Cost {
	return Calls{GradG: 1, GradF: 2, Hessian: 1, Solve: 1, JVP: 1}.Cost(d)
}

// Cost is one round of 2 p vector elements, and the derivatives.
func (a INTERACT) Cost(_ int, d Dims) metrics.Cost {
	c := a.StartCost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P)})
	return c
}
