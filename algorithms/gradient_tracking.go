package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// GradientTracking is DGD along a tracker t of the average gradient, with t_i = ∇f_i(x_i) at the start. The
// sum of the trackers is always the sum of the gradients, so the limit is exact. Where all f_i are quadratics
// of curvature L, it is stable exactly if alpha L < (1 + λ_min(W))² / 2. Di Lorenzo and Scutari's NEXT (2016)
// is an earlier form.
type GradientTracking struct {
	Outer int
	Alpha float64
}

func (GradientTracking) Declare() declare.Method {
	return declare.Method{
		Name: "gradient-tracking", Label: "Gradient tracking",
		Summary: "gradient descent along a tracker of the average gradient",
		Fields:  declare.Fields{declare.Outer(), declare.Step("alpha", "the step; "+trackedStable)},
		Updates: "x_i⁺ = Σ_j w_ij x_j - alpha t_i;  t_i <- Σ_j w_ij t_j + ∇f_i(x_i⁺) - ∇f_i(x_i)",
		Source: "Qu, Li: Harnessing smoothness to accelerate distributed optimization. IEEE Transactions on " +
			"Control of Network Systems 5, 2018",
	}
}

// Needs says that the method has no inner problem.
func (a GradientTracking) Needs() Requirements { return Requirements{SingleLevel: true} }

// Run is the method's pair of updates.
func (a GradientTracking) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := origin(o)
	mx, g, t := zeros(d), zeros(d), newTracker(d)
	o.GradFx(g, x, nil)
	t.start(g)
	p.Report(0, x, nil)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("outer", node.MixVec("x", mx, x), t.mix("t"))
		descend(x, mx, a.Alpha, t.t) // x <- mix(x) - alpha t
		o.GradFx(g, x, nil)
		t.follow(g) // t <- mix(t) + ∇f(x⁺) - ∇f(x)
		p.Report(k, x, nil)
	}
}

// StartCost is one gradient per node.
func (a GradientTracking) StartCost(d Dims) metrics.Cost { return Calls{GradF: 1}.Cost(d) }

// Cost is one round of two vectors and one gradient per node.
func (a GradientTracking) Cost(_ int, d Dims) metrics.Cost { return singleLevelCost(d, 2) }
