package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// DBOGT is DBO with gradient tracking of x too, Algorithm 4 of Chen, Huang and Ma: nodes agree on x in the limit,
// whatever eta_x.
type DBOGT DBO

func (DBOGT) Declare() declare.Method {
	return declare.Method{
		Name: "dbogt", Summary: "DBO with gradient tracking of x too, so nodes agree on x",
		Fields: DBO{}.Declare().Fields,
		Updates: `for k = 1 ... outer:
  y_i and the estimate d_i of the hypergradient as in dbo, in both modes
  u_i <- Σ_j w_ij u_j + d_i - d_i of the iteration before   (u_i = d_i in the first)
  x_i <- Σ_j w_ij x_j - eta_x u_i`,
		Source: dboSource,
		Departures: `As for dbo. u is sent in the first iteration too, although it is still 0 then: the numbers are the same, and so is every iteration's cost.
With restarted inner trackers the limit keeps a bias that decays geometrically in inner and jhip.`,
	}
}

// Needs says what DBO needs.
func (a DBOGT) Needs() Requirements { return DBO(a).Needs() }

// Run is Algorithm 4 of the paper.
func (a DBOGT) Run(p *node.Proc, o Oracle) {
	inner, hyper := DBO(a).loops()
	runDBO(p, o, a.Outer, a.EtaX, true, &inner, &hyper)
}

// Cost is that of DBO with a second vector of p elements.
func (a DBOGT) Cost(k int, d Dims) metrics.Cost { return DBO(a).costWithout(k, d, 2*int64(d.P)) }
