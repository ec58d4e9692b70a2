package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// MRBO is the momentum-based recursive bilevel optimizer of Yang, Ji and Liang (2021),
// on one node: STORM for both levels, in a single loop. From d_y = ∇_y g and d_x = the
// hypergradient on one batch at the start, for k = 1 ... Outer:
//
//	x⁺ = x - alpha d_x,  y⁺ = y - beta d_y
//	d_y <- ∇_y g(x⁺, y⁺; S) + (1 - weight)(d_y - ∇_y g(x, y; S)), d_x likewise
//
// The hypergradient is that of VRBO.
//
// Source: Yang, Ji, Liang, "Provably faster algorithms for bilevel optimization",
// NeurIPS 2021, and its public program.
//
// Departure: written from the published description. Steps and weight are constants,
// the weight standing for their c eta_k²; there they fall with k.
type MRBO struct {
	Outer  int     // outer iterations K
	Q      int     // factors of the Neumann series, at least 0
	Alpha  float64 // step of x
	Beta   float64 // step of y
	Eta    float64 // step of the series
	Weight float64 // of the new sample's own value, above 0, at most 1
	Batch  int     // samples of each draw; 0: all
}

// Iterations returns Outer.
func (a MRBO) Iterations() int { return a.Outer }

// Needs says that MRBO is a method of one node.
func (a MRBO) Needs() Requirements { return oneNode() }

// Run is the single loop of MRBO.
func (a MRBO) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	e := newVarianceReduced(o, a.Eta, a.Batch, a.Q)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		e.draw()
		if k == 1 {
			e.restart(x, y)
		} else {
			e.move(x, y, a.Weight)
		}
		descend(x, x, a.Alpha, e.dx) // x⁺ = x - alpha d_x
		descend(y, y, a.Beta, e.dy)  // y⁺ = y - beta d_y
		p.Report(k, x, y)
	}
}

// Cost is 2 gradients of g, 4 of f, 2 Q HVPs and 2 JVPs, half of it in the first iteration.
func (a MRBO) Cost(k int, d Dims) (c metrics.Cost) {
	switch k {
	case 0:
	case 1:
		varianceReducedCost(&c, d, 1, a.Q)
	default:
		varianceReducedCost(&c, d, 2, a.Q)
	}
	return c
}
