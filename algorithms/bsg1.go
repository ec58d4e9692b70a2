package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// BSG1 is BSG-1: it replaces H and J of the implicit hypergradient by the rank-one matrices ∇_y g ∇_y g' and
// ∇_x g ∇_y g'.
type BSG1 struct {
	onOneNode
	Outer, Inner int
	Alpha, Beta  float64
}

func (BSG1) Declare() declare.Method {
	return declare.Method{
		Name: "bsg-1", Summary: "rank-one stand-ins for the second derivatives",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration"),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
		},
		Updates: `for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y)
  x <- x - beta (∇_x f - (<∇_y f, ∇_y g> / ||∇_y g||²) ∇_x g)
Where the inner problem is solved, ∇_y g is 0 and the quotient means nothing.`,
		Source: "Giovannelli, Kent, Vicente: Bilevel stochastic methods for optimization and machine learning: " +
			"Bilevel stochastic descent and DARTS. arXiv 2110.00604; " + byBOME,
		Departures: "1e-50 is added to ||∇_y g||², as in that program. Liu et al. print no box of it.",
	}
}

// Run is BSG-1.
func (a BSG1) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	fx, gx, fy, gy := zeros(d1), zeros(d1), zeros(d2), zeros(d2)
	inner := innerLoop{kind: innerAlone, steps: a.Inner, eta: a.Alpha}
	inner.start(p, own(o), x, y)
	for k := 1; k <= a.Outer; k++ {
		inner.run() // y <- y - alpha ∇_y g
		o.GradFx(fx, x, y)
		o.GradFy(fy, x, y)
		o.GradGx(gx, x, y)
		o.GradGy(gy, x, y)
		floats.AddScaled(fx, -floats.Dot(fy, gy)/(floats.Dot(gy, gy)+1e-50), gx)
		descend(x, x, a.Beta, fx) // x <- x - beta (∇_x f - <∇_y f, ∇_y g> / ||∇_y g||² ∇_x g)
		p.Report(k, x, y)
	}
}

// Cost is Inner + 2 gradients of g and 2 of f.
func (a BSG1) Cost(_ int, d Dims) metrics.Cost {
	return Calls{GradG: a.Inner + 2, GradF: 2}.Cost(d)
}
