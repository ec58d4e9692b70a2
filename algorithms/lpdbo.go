package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// LPDBO is the loopless method L-PDBO for personal inner problems. As x is not tracked, nodes differ on x by
// O(alpha) in the limit.
type LPDBO struct {
	personal
	Outer               int
	Alpha, Beta, Lambda float64
	Batch               int
}

func (LPDBO) Declare() declare.Method {
	return declare.Method{
		Name: "l-pdbo",
		Summary: "loopless, for personal inner problems: one gradient, one product of each kind, and x alone is " +
			"sent",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step of x").Or(0.01, "the experiments of Niu et al."),
			declare.Step("beta", "the step of y, the paper's θ; stable below 2/L").Or(0.016, "the experiments of Niu et al."),
			declare.Step("lambda", "the step of v; stable below 2/L").Or(0.01, "the experiments of Niu et al."),
			declare.Batch(),
		},
		Updates: `for k = 1 ... outer, from the old point but s_i, which is taken at the new one:
  x_i <- Σ_j w_ij x_j - alpha s_i
  y_i <- y_i - beta ∇_y g_i
  v_i <- (I - lambda ∇²_yy g_i) v_i + lambda ∇_y f_i
  s_i <- ∇_x f_i - ∇²_xy g_i v_i`,
		Source: "Niu, Sun, Huang, Xu: A Loopless Distributed Algorithm for Personalized Bilevel Optimization. " +
			"CDC 2023",
		Departures: "v and s start at 0, so the first iteration only mixes x; the paper leaves the start open.",
	}
}

// Run is the paper's algorithm.
func (a LPDBO) Run(p *node.Proc, o Oracle) {
	x, y, d1, _ := start(p, o)
	mx, move := zeros(d1), a.mover(o, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.Mix(mx, "x", x)
		move(mx)
		p.Report(k, x, y)
	}
}

// mover returns a function that takes a step of x and y. It is given the mixed x.
func (a LPDBO) mover(o Oracle, x, y []float64) func(mx []float64) {
	d1, d2 := o.Dims()
	s, jv := zeros(d1), zeros(d1)
	gy, fy, v := zeros(d2), zeros(d2), zeros(d2)
	system := newLinearSystem(d2)
	return func(mx []float64) {
		o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, y)
		adjoint := o.On(o.Draw(a.Batch, "adjoint")) // validation samples of ∇_y f, training samples of H
		adjoint.GradFy(fy, x, y)
		system.descend(v, adjoint, x, y, fy, a.Lambda, 1) // v <- (I - lambda H) v + lambda ∇_y f
		descend(x, mx, a.Alpha, s)                        // x <- mix(x) - alpha s
		floats.AddScaled(y, -a.Beta, gy)                  // y <- y - beta ∇_y g
		implicitGradient(o.On(o.Draw(a.Batch, "outer")), s, jv, x, y, v)
	}
}

// Cost is one round of p vector elements, and one call of each kind but two gradients of f.
func (a LPDBO) Cost(_ int, d Dims) metrics.Cost {
	c := ownGradients(1, 1).Cost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	return c
}
