package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// LEAD is a linearly convergent primal-dual method with compression. A node has its iterate x, a dual d, and
// h, from which differences are sent; v is the weighted sum of the h. The d always sum to 0, so the limit is
// the optimum, even with compression and a constant step.
type LEAD struct {
	withOwnMemory
	Outer             int
	Alpha, Gamma, Eta float64
}

func (LEAD) Declare() declare.Method {
	return declare.Method{
		Name: "lead", Label: "LEAD", Summary: "primal-dual method with compressed differences: its limit is exact",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step, the paper's eta; stable below 2 / L"),
			declare.Number("gamma", 1, declare.AboveUpTo(0, 2), "the dual step; the coarser the compression, the "+
				"smaller").Like("0.6").
				From("the paper's experiments"),
			declare.Number("eta", 0.5, declare.AboveUpTo(0, 1), "how far the memory follows, the paper's alpha").Like("0.3").
				From("the paper's experiments"),
		},
		Updates: `y = x - alpha (∇f(x) + d);  q = C(y - h);  z = h + q;  w = v + Σ_j w_ij q_j
h <- (1 - eta) h + eta z;  v <- (1 - eta) v + eta w
d <- d + gamma / (2 alpha) (z - w);  x <- x - alpha (∇f(x) + d)`,
		Source: "Liu, Li, Wang, Tang, Yan: Linear convergent decentralized optimization with compression. ICLR " +
			"2021; arXiv 2007.00232",
		Departures: "The box makes a gradient step before its first iteration; here x starts at the starting " +
			"point.",
	}
}

// Run is the method as described above.
func (a LEAD) Run(p *node.Proc, o Oracle) {
	x, _, n, _ := start(p, o)
	g, d, h, v := zeros(n), zeros(n), zeros(n), zeros(n)
	q, own, mixed := zeros(n), zeros(n), zeros(n)
	for k := 1; k <= a.Outer; k++ {
		o.GradFx(g, x, nil)
		floats.Add(g, d)
		descend(q, x, a.Alpha, g) // y = x - alpha (∇f + d)
		floats.Sub(q, h)
		p.MixSent(own, mixed, "difference", q) // q = C(y - h)
		for i := range x {
			z, w := h[i]+own[i], v[i]+mixed[i]
			h[i] += a.Eta * own[i] // (1 - eta) h + eta z
			v[i] += a.Eta * mixed[i]
			step := a.Gamma / (2 * a.Alpha) * (z - w)
			d[i] += step
			x[i] -= a.Alpha * (g[i] + step) // g holds ∇f + the old d
		}
		p.Report(k, x, nil)
	}
}

// Cost is one round of one vector and one gradient per node.
func (a LEAD) Cost(_ int, d Dims) metrics.Cost { return singleLevelCost(d, 1) }
