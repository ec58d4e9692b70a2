package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// DBO is decentralized bilevel optimization, Algorithm 3 of Chen, Huang and Ma
// (2022). Where nodes are heterogeneous, Nazari et al. call it DGTBO. For
// k = 1 ... Outer, heterogeneous:
//
//	v = ∇_y g_i(x, y), and Inner times: y⁺ = mix(y) - eta_y v,
//	    v <- mix(v) + ∇_y g_i(x, y⁺) - ∇_y g_i(x, y)                (gradient tracking)
//	Z ~ (J̄ H̄⁻¹)' by JHIP steps of gradient tracking on matrices
//	x <- mix(x) - eta_x (∇_x f_i - Z' ∇_y f_i)
//
// and homogeneous, where only x is sent:
//
//	Inner times: y <- y - eta_y ∇_y g_i(x, y)
//	v ~ H_i⁻¹ ∇_y f_i by JHIP steps of conjugate gradients from the last v
//	x <- mix(x) - eta_x (∇_x f_i - J_i v)
//
// Where all nodes have one H, tracking is stable exactly if eta_y and gamma times its
// largest eigenvalue are below (1 + lambda_min(W))² / 2. The homogeneous branch on
// heterogeneous nodes ends near the optimum of the personal problem, in which every
// node has a y of its own.
//
// Source: Chen, Huang, Ma, "Decentralized bilevel optimization", Optimization
// Letters, arXiv 2206.05670.
//
// Departure: x, known before the inner loop, is sent with the first y and v. The
// tracker is restarted in each outer iteration; the text leaves that open. The step
// 1/(mu + L) that the paper prescribes for eta_y is outside the stable region of
// most W, so it is not the default here.
type DBO struct {
	Outer int     // outer iterations K
	Inner int     // T, at least 1
	JHIP  int     // N, at least 1: steps of JHIP, or of conjugate gradients
	EtaX  float64 // step of x
	EtaY  float64 // step of y
	Gamma float64 // step of JHIP
	Mode  Mode    // the branch
}

// Iterations returns Outer.
func (a DBO) Iterations() int { return a.Outer }

// Needs says that DBO is bilevel, and wants one inner problem in its homogeneous branch.
func (a DBO) Needs() Requirements {
	return Requirements{Bilevel: true, HomogeneousG: a.Mode == Homogeneous}
}

// loops returns the inner loop and the hypergradient estimate.
func (a DBO) loops() (innerLoop, dboHypergradient) {
	kind := innerTracked
	if a.Mode == Homogeneous {
		kind = innerAlone
	}
	return innerLoop{kind: kind, steps: a.Inner, eta: a.EtaY},
		dboHypergradient{mode: a.Mode, steps: a.JHIP, gamma: a.Gamma}
}

// Run is Algorithm 3 of the paper.
func (a DBO) Run(p *node.Proc, o Oracle) {
	inner, hyper := a.loops()
	runDBO(p, o, a.Outer, a.EtaX, &inner, &hyper)
}

// runDBO is the outer loop of DBO and DSBO.
func runDBO(p *node.Proc, o Oracle, outer int, eta float64, inner *innerLoop, hyper *dboHypergradient) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	mx, d := zeros(d1), zeros(d1)
	mixX := node.MixVec("x", mx, x)
	inner.start(p, own(o), x, y, mixX)
	hyper.start(p, o)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= outer; k++ {
		inner.run()
		if inner.kind == innerAlone {
			p.MixAll("outer", mixX)
		}
		hyper.run(d, x, y)
		descend(x, mx, eta, d) // x <- mix(x) - eta_x (∇_x f - Z' ∇_y f)
		p.Report(k, x, y)
	}
}

// Cost is Inner + JHIP rounds, p + 2 Inner q vector and 2 JHIP p q matrix elements
// per node where nodes are heterogeneous. What the boxes print is sent: the last
// tracker of each loop could stay home. Where they are homogeneous it is one round of
// p vector elements, and a bound on the products of conjugate gradients.
func (a DBO) Cost(k int, d Dims) metrics.Cost {
	c := a.costWithout(k, d, int64(d.P))
	if k == 0 || a.Mode == Homogeneous {
		return c
	}
	p, q, t, n := int64(d.P), int64(d.Q), float64(a.Inner), float64(a.JHIP)
	c.Paper = &metrics.PaperCount{
		ElementsPerNode: t*float64(q) + float64(p) + float64(d.Nodes)*n*float64(p*q),
		Formula:         "M d2 + d1 + n N d1 d2",
		Source:          "Nazari et al., Supplement S1, whose M is the T of Chen et al.",
		Note: "counts n twice for JHIP and one of the two objects of each exchange: d1 + 2 T d2 + 2 " +
			"N d1 d2; without the last trackers it would be d1 + (2T-1) d2 + 2 (N-1) d1 d2",
	}
	return c
}

// costWithout is the cost of an iteration that sends the given number of outer
// elements, without the paper's count.
func (a DBO) costWithout(k int, d Dims, sent int64) metrics.Cost {
	inner, hyper := a.loops()
	return costDBO(k, d, &inner, &hyper, sent)
}

func costDBO(k int, d Dims, inner *innerLoop, hyper *dboHypergradient, sent int64) metrics.Cost {
	var c metrics.Cost
	if k == 0 {
		return c
	}
	if inner.kind == innerAlone {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: sent})
	}
	inner.cost(&c, d, sent)
	hyper.cost(&c, d)
	return c
}
