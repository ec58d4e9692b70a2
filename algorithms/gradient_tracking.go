package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// GradientTracking is DGD along a tracker t of the average gradient:
//
//	x_i <- mix(x)_i - alpha t_i
//	t_i <- mix(t)_i + ∇f_i(x_i⁺) - ∇f_i(x_i),   t_i = ∇f_i(x_i) at the start
//
// The sum of the trackers is the sum of the gradients at all times, so the limit is
// exact. Where all f_i are quadratics of curvature L it is stable exactly if
// alpha L < (1 + lambda_min(W))² / 2.
//
// Source: Di Lorenzo, Scutari, "NEXT: In-network nonconvex optimization", IEEE
// Transactions on Signal and Information Processing over Networks 2016; Qu, Li,
// "Harnessing smoothness to accelerate distributed optimization", IEEE Transactions
// on Control of Network Systems 2018.
type GradientTracking struct {
	Outer int     // iterations
	Alpha float64 // step
}

// Iterations returns Outer.
func (a GradientTracking) Iterations() int { return a.Outer }

// Needs says that the method has no inner problem.
func (a GradientTracking) Needs() Requirements { return Requirements{SingleLevel: true} }

// Run is the method's pair of updates.
func (a GradientTracking) Run(p *node.Proc, o Oracle) {
	d, _ := o.Dims()
	x, mx, t, mt := zeros(d), zeros(d), zeros(d), zeros(d)
	g, before := zeros(d), zeros(d)
	o.Start(x, nil)
	o.GradFx(before, x, nil)
	copy(t, before)
	p.Report(0, x, nil)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("outer", node.MixVec("x", mx, x), node.MixVec("t", mt, t))
		descend(x, mx, a.Alpha, t) // x <- mix(x) - alpha t
		o.GradFx(g, x, nil)
		floats.AddTo(t, mt, g)
		floats.Sub(t, before) // t <- mix(t) + ∇f(x⁺) - ∇f(x)
		g, before = before, g
		p.Report(k, x, nil)
	}
}

// Cost is one round of two vectors and one gradient per node.
func (a GradientTracking) Cost(k int, d Dims) metrics.Cost { return singleLevelCost(k, d, 2, 1) }
