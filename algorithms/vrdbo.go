package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// VRDBO is MDBO with the variance reduction of STORM: both derivatives of a step are on the same samples.
type VRDBO MDBO

func (VRDBO) Declare() declare.Method {
	return declare.Method{
		Name: "vrdbo", Summary: "MDBO with variance reduction (STORM), for nodes with one inner problem",
		Fields: MDBO{}.Declare().Fields,
		Updates: `as mdbo, but with the derivatives at the old and the new point on the same samples:
  u_i⁺ = (1 - alpha_1 eta²) (u_i - d_i) + d_i⁺
  v_i⁺ = (1 - alpha_2 eta²) (v_i - ∇_y g_i) + ∇_y g_i⁺`,
		Source:     mdboSource,
		Departures: mdboDepartures,
	}
}

// Check finds weights above 1.
func (a VRDBO) Check() *declare.Wrong { return MDBO(a).weightAboveOne(a.Eta * a.Eta) }

// Needs says what MDBO needs.
func (a VRDBO) Needs() Requirements { return MDBO(a).Needs() }

// Run is the method as described above.
func (a VRDBO) Run(p *node.Proc, o Oracle) {
	MDBO(a).run(p, o, func(e *varianceReduced, x, y []float64) {
		e.move(x, y, a.Alpha1*a.Eta*a.Eta, a.Alpha2*a.Eta*a.Eta)
	})
}

// StartCost is that of MDBO.
func (a VRDBO) StartCost(d Dims) metrics.Cost { return MDBO(a).StartCost(d) }

// Cost is that of MDBO with derivatives at two points.
func (a VRDBO) Cost(_ int, d Dims) metrics.Cost { return MDBO(a).cost(d, 2) }
