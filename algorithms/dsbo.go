package algorithms

import (
	"cmp"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// DSBO is stochastic DBO, Algorithm 5 of Chen, Huang and Ma.
type DSBO struct {
	Outer, Inner, JHIP int
	EtaX, EtaY, Gamma  float64 // Gamma is EtaY if it is 0
	Mode               Mode
	Batch              int
}

func (DSBO) Declare() declare.Method {
	return declare.Method{
		Name: "dsbo", Summary: "stochastic DBO: inner steps without trackers, sampled JHIP or Neumann series",
		Fields: append(dboFields("heterogeneous: the first step of y, step t is eta_y / (1 + t); a constant one would "+
			"be "+plainStable+"; homogeneous: every step of y, stable below 2 / L",
			"heterogeneous: the first step of JHIP, step t is gamma / (1 + t); a constant one would be "+trackedStable+
				", as JHIP is tracked; homogeneous: the step of v, stable below 2 / L", ""), declare.Batch()),
		Updates: `for k = 1 ... outer, with fresh samples in each step:
heterogeneous:
  for t = 0 ... inner-1:  y_i <- Σ_j w_ij y_j - eta_y/(1+t) ∇_y g_i
  Z_i by JHIP as in dbo, with steps gamma/(1+t) and sampled H and J
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - Z_i' ∇_y f_i)
homogeneous:
  inner times:  y_i <- y_i - eta_y ∇_y g_i
  v = 0;  jhip times:  v <- (I - gamma ∇²_yy g_i) v + gamma ∇_y f_i
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - ∇²_xy g_i v)`,
		Source: dboSource,
		Departures: `The paper asks for heterogeneous steps of the order 1/t (Theorem 3.3); they are eta/(1+t) here.
Homogeneous steps of y are constant there, of the order outer^(-1/2), and constant here.
x is sent with the first y.`,
	}
}

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
		dboHypergradient{mode: a.Mode, stochastic: true, steps: a.JHIP, gamma: cmp.Or(a.Gamma, a.EtaY), batch: a.Batch}
}

// Run is Algorithm 5 of the paper.
func (a DSBO) Run(p *node.Proc, o Oracle) {
	inner, hyper := a.loops()
	runDBO(p, o, a.Outer, a.EtaX, false, &inner, &hyper)
}

// Cost is that of DBO with one vector in each inner step, and a Jacobian in each step
// of JHIP.
func (a DSBO) Cost(k int, d Dims) metrics.Cost {
	inner, hyper := a.loops()
	return costDBO(k, d, &inner, &hyper, int64(d.P))
}
