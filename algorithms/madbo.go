package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// MADBO is MA-DSBO and its deterministic form MA-DBO: HIGP steps bring z towards H̄⁻¹ ∇_y f̄ from the last z, by
// gradient tracking on the sum of 1/2 z'H_i z - z'∇_y f_i.
// As x is not tracked, nodes differ on x by O(alpha) in the limit.
type MADBO struct {
	bilevel
	Outer, Inner, HIGP        int
	Alpha, EtaY, Gamma, Theta float64
	Tracking                  bool
	Batch                     int
}

func (MADBO) Declare() declare.Method {
	return declare.Method{
		Name:    "ma-dbo",
		Summary: "a moving average of hypergradients by tracked Hessian-inverse-gradient products: vectors only",
		Aliases: []declare.Alias{
			{Name: "ma-dsbo", Label: "MA-DSBO", Summary: "its stochastic form: give it a batch"},
		},
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
			declare.Count("higp", 1, "10", "steps of the Hessian-inverse-gradient product, the paper's N"),
			declare.Step("alpha", "the step of x"),
			declare.Step("eta_y", "the step of y; "+plainStable+"; with tracking "+trackedStable),
			declare.Step("gamma", "the step of HIGP, which is tracked; "+trackedStable),
			declare.Weight("theta", "the weight of the new hypergradient in the moving average"),
			declare.Flag("tracking", false, "inner steps by gradient tracking; false: plain ones, which send "+
				"half as much and keep a bias").
				From("the paper's algorithm box was not available; others call the tracked form MA-DSBO-GT"),
			declare.Batch(),
		},
		Updates: `for k = 1 ... outer:
  inner times:  y_i <- Σ_j w_ij y_j - eta_y ∇_y g_i
      (tracking: true:  y_i⁺ = Σ_j w_ij y_j - eta_y v_i, v_i tracking ∇_y g_i, from v_i = ∇_y g_i)
  s_i = ∇²_yy g_i z_i - ∇_y f_i;  d_i = s_i
  higp times:  z_i⁺ = Σ_j w_ij z_j - gamma d_i,  d_i <- Σ_j w_ij d_j + s_i⁺ - s_i
  x_i⁺ = Σ_j w_ij x_j - alpha m_i
  m_i <- (1 - theta) m_i + theta (∇_x f_i - ∇²_xy g_i z_i), at the old x_i`,
		Source: "Chen, Huang, Ma, Balasubramanian: Decentralized Stochastic Bilevel Optimization with Improved " +
			"per-Iteration Complexity. ICML 2023; arXiv 2210.12839",
		Departures: fromDescription + ` Whether the inner steps are tracked is not certain. Zhu, Kong, Lu, Huang, Yuan (SPARKLE) compare with a form that they name MA-DSBO-GT, so that plain steps are the default.
x uses the old average m, which starts at 0; z is kept, the trackers restart in each outer iteration; x is sent with the first y.`,
	}
}

func (a MADBO) inner() innerLoop {
	kind := innerPlain
	if a.Tracking {
		kind = innerTracked
	}
	return innerLoop{kind: kind, steps: a.Inner, eta: a.EtaY, batch: a.Batch}
}

// Run is the method as described above.
func (a MADBO) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	mx, m, u, jz := zeros(d1), zeros(d1), zeros(d1), zeros(d1)
	z, mz, s, fy, t := zeros(d2), zeros(d2), zeros(d2), zeros(d2), newTracker(d2)
	objects := []node.Mixed{node.MixVec("z", mz, z), t.mix("d")}
	inner := a.inner()
	inner.start(p, own(o), x, y, node.MixVec("x", mx, x))
	residual := func() { // s = H z - ∇_y f, with fresh samples of H
		o.On(o.Draw(a.Batch, "higp-hessian")).HessGyyMul(s, x, y, z)
		floats.Sub(s, fy)
	}
	for k := 1; k <= a.Outer; k++ {
		inner.run()
		o.On(o.Draw(a.Batch, "higp-gradient")).GradFy(fy, x, y)
		residual()
		t.start(s)
		for i := range a.HIGP {
			p.MixAll("higp", objects...)
			descend(z, mz, a.Gamma, t.t) // z <- mix(z) - gamma d
			if i < a.HIGP-1 {            // the last tracker is not needed
				residual()
				t.follow(s)
			}
		}
		implicitGradient(o.On(o.Draw(a.Batch, "outer")), u, jz, x, y, z) // u = ∇_x f - J z
		descend(x, mx, a.Alpha, m)                                       // x <- mix(x) - alpha m
		moveTo(m, a.Theta, u)                                            // m <- (1 - theta) m + theta u
		p.Report(k, x, y)
	}
}

// Cost includes the last tracker of each loop, which is sent, though nothing reads it.
func (a MADBO) Cost(k int, d Dims) (c metrics.Cost) {
	inner := a.inner()
	inner.cost(&c, d, int64(d.P))
	AddExchanges(&c, d, a.HIGP, metrics.Elements{Vector: 2 * int64(d.Q)})
	AddCalls(&c, d, Calls{GradF: 2, HVP: a.HIGP, JVP: 1})
	return c
}
