package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// DSBO is stochastic DBO, Algorithm 5 of Chen, Huang and Ma (2022). For
// k = 1 ... Outer, with fresh samples in each step, heterogeneous:
//
//	for t = 0 ... Inner-1:  y <- mix(y) - eta_y/(1+t) ∇_y g_i(x, y)
//	Z ~ (J̄ H̄⁻¹)' by JHIP steps gamma/(1+t) on sampled matrices
//	x <- mix(x) - eta_x (∇_x f_i - Z' ∇_y f_i)
//
// and homogeneous, where only x is sent:
//
//	Inner times:  y <- y - eta_y ∇_y g_i(x, y)
//	v = 0;  JHIP times:  v <- (I - gamma H_i) v + gamma ∇_y f_i
//	x <- mix(x) - eta_x (∇_x f_i - J_i v)
//
// Source: Chen, Huang, Ma, "Decentralized bilevel optimization", Optimization
// Letters, arXiv 2206.05670.
//
// The homogeneous steps are constant: Theorem 3.3 lets only the heterogeneous ones fall
// with t, and gives eta_y the order K^(-1/2) where nodes share g.
//
// Departure: the paper asks for heterogeneous steps of the order 1/t; they are
// eta/(1+t) here. As for DBO, x is sent with the first y.
type DSBO struct {
	Outer int     // outer iterations K
	Inner int     // T, at least 1
	JHIP  int     // N, at least 1: steps of JHIP, or factors of the series
	EtaX  float64 // step of x
	EtaY  float64 // first step of y; homogeneous: each
	Gamma float64 // first step of JHIP; homogeneous: step of v
	Mode  Mode    // the branch
	Batch int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a DSBO) Iterations() int { return a.Outer }

// Needs says that DSBO is bilevel, and wants one inner problem in its homogeneous branch.
func (a DSBO) Needs() Requirements {
	return Requirements{Bilevel: true, HomogeneousG: a.Mode == Homogeneous}
}

func (a DSBO) loops() (innerLoop, dboHypergradient) {
	inner := innerLoop{kind: innerPlain, steps: a.Inner, eta: a.EtaY, decay: true, batch: a.Batch}
	if a.Mode == Homogeneous {
		inner.kind, inner.decay = innerAlone, false
	}
	return inner,
		dboHypergradient{mode: a.Mode, stochastic: true, steps: a.JHIP, gamma: a.Gamma, batch: a.Batch}
}

// Run is Algorithm 5 of the paper.
func (a DSBO) Run(p *node.Proc, o Oracle) {
	inner, hyper := a.loops()
	runDBO(p, o, a.Outer, a.EtaX, &inner, &hyper)
}

// Cost is that of DBO with one vector in each inner step, and a Jacobian in each step
// of JHIP.
func (a DSBO) Cost(k int, d Dims) metrics.Cost {
	inner, hyper := a.loops()
	return costDBO(k, d, &inner, &hyper, int64(d.P))
}
