package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// DBOGT is DBO with gradient tracking of x too, Algorithm 4 of Chen, Huang and Ma
// (2022). The inner loop and the estimate d_i of the hypergradient are those of DBO,
// in both branches; then, for k = 1 ... Outer,
//
//	u <- mix(u) + d - d of the iteration before       (u = d in the first)
//	x <- mix(x) - eta_x u
//
// so that nodes agree on x in the limit, whatever eta_x. With restarted inner trackers
// the limit keeps a bias that decays geometrically in Inner and JHIP.
//
// Source: Chen, Huang, Ma, "Decentralized bilevel optimization", Optimization
// Letters, arXiv 2206.05670.
//
// Departure: as for DBO. u starts at 0, before any estimate is known, and is sent like
// that in the first iteration: the same numbers, and equal iterations.
type DBOGT struct {
	Outer int     // outer iterations K
	Inner int     // T, at least 1
	JHIP  int     // N, at least 1: steps of JHIP, or of conjugate gradients
	EtaX  float64 // step of x
	EtaY  float64 // step of y
	Gamma float64 // step of JHIP
	Mode  Mode    // the branch
}

// Iterations returns Outer.
func (a DBOGT) Iterations() int { return a.Outer }

// Needs says what DBO needs.
func (a DBOGT) Needs() Requirements { return DBO(a).Needs() }

// Run is Algorithm 4 of the paper.
func (a DBOGT) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	mx, d, u := zeros(d1), zeros(d1), newTracker(d1)
	outer := []node.Mixed{node.MixVec("x", mx, x), u.mix("u")}
	inner, hyper := DBO(a).loops()
	inner.start(p, own(o), x, y, outer...)
	hyper.start(p, o)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		inner.run()
		if inner.kind == innerAlone {
			p.MixAll("outer", outer...)
		}
		hyper.run(d, x, y)
		u.follow(d)                 // u <- mix(u) + d⁺ - d
		descend(x, mx, a.EtaX, u.t) // x <- mix(x) - eta_x u
		p.Report(k, x, y)
	}
}

// Cost is that of DBO with a second vector of p elements.
func (a DBOGT) Cost(k int, d Dims) metrics.Cost { return DBO(a).costWithout(k, d, 2*int64(d.P)) }
