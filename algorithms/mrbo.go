package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// MRBO is the momentum-based recursive bilevel optimizer: STORM on both levels, in a single loop. The
// constant weight stands for the paper's c eta_k². The hypergradient is that of VRBO.
type MRBO struct {
	onOneNode
	Outer, Q                 int
	Alpha, Beta, Eta, Weight float64
	Batch                    int
}

func (MRBO) Declare() declare.Method {
	return declare.Method{
		Name: "mrbo", Summary: "variance reduction by STORM on both levels, in a single loop",
		Fields: declare.Fields{
			declare.Outer(),
			series(),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", stepOfY),
			declare.Step("eta", stepOfSystem),
			declare.Weight("weight", "the weight of the new sample's own value; 1: no variance reduction").Like("0.1"),
			declare.Batch(),
		},
		Updates: `∇̂Φ = ∇_x f - J v with v = eta Σ_{s = 0 ... q} (I - eta H)^s ∇_y f
d_y = ∇_y g, d_x = ∇̂Φ on one batch;  for k = 1 ... outer:
  x⁺ = x - alpha d_x,  y⁺ = y - beta d_y
  d_y <- ∇_y g(x⁺, y⁺; S) + (1 - weight) (d_y - ∇_y g(x, y; S)),  d_x likewise with ∇̂Φ`,
		Source: fasterSource,
		Departures: fromDescription + `
Steps and weight are constant; in the paper they fall with k.`,
	}
}

// Run is the single loop of MRBO.
func (a MRBO) Run(p *node.Proc, o Oracle) {
	x, y, _, _ := start(p, o)
	e := newVarianceReduced(o, a.Eta, a.Batch, a.Q)
	for k := 1; k <= a.Outer; k++ {
		e.draw()
		if k == 1 {
			e.restart(x, y)
		} else {
			e.move(x, y, a.Weight, a.Weight)
		}
		descend(x, x, a.Alpha, e.dx) // x⁺ = x - alpha d_x
		descend(y, y, a.Beta, e.dy)  // y⁺ = y - beta d_y
		p.Report(k, x, y)
	}
}

// Cost is 2 gradients of g, 4 of f, 2 Q HVPs and 2 JVPs, half of it in the first iteration.
func (a MRBO) Cost(k int, d Dims) metrics.Cost {
	return ownGradients(min(k, 2), a.Q).Cost(d)
}
