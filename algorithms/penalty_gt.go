package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// PenaltyGT is the skeleton of the fully first-order decentralized methods: gradient tracking on the
// penalized problem
//
//	min over x, y, max over z of  f(x, y) + lambda (g(x, y) - g(x, z)).
//
// Nodes agree in the limit, on the minimizer of the penalized problem. eta_y and eta_z must shrink as lambda
// grows.
type PenaltyGT struct {
	bilevel
	Outer                    int
	Lambda, EtaX, EtaY, EtaZ float64
	Batch                    int
}

func (PenaltyGT) Declare() declare.Method {
	return declare.Method{
		Name: "penalty-gt", Label: "Penalty-GT",
		Summary: "fully first-order: gradient tracking on a penalized problem, no second derivative",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Positive("lambda", "10", "the penalty; the limit is O(1/lambda) from the optimum"),
			declare.Step("eta_x", "the step of x"),
			declare.Positive("eta_y", "0.002", "the step of y; its direction grows like lambda, so it is about "+
				"1/(lambda L)"),
			declare.Positive("eta_z", "0.002", "the step of z; likewise"),
			declare.Batch(),
		},
		Updates: `z = y, t = the directions at the start;  for k = 1 ... outer and each s of x, y, z:
  s_i⁺ = Σ_j w_ij s_j - eta_s t_i^s;  t_i^s <- Σ_j w_ij t_j^s + direction⁺ - direction, the directions being
  ∇_x f_i(x, y) + lambda (∇_x g_i(x, y) - ∇_x g_i(x, z)),
  ∇_y f_i(x, y) + lambda ∇_y g_i(x, y),  lambda ∇_y g_i(x, z)`,
		Source: "the common part of Wang, Chen, Ma, Zhang: Fully First-Order Methods for Decentralized Bilevel " +
			"Optimization (DSGDA-GT), arXiv 2410.19319, and its relatives; the penalty of Kwon, Kwon, Wright, " +
			"Nowak, ICML 2023",
		Departures: "Written from the published descriptions, not from one paper's box. x, y and z move at once; " +
			"z starts at y; lambda is fixed.",
	}
}

// Run is the method as described above.
func (a PenaltyGT) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	z := zeros(d2)
	mx, my, mz := zeros(d1), zeros(d2), zeros(d2)
	dx, dy, dz := zeros(d1), zeros(d2), zeros(d2)
	gx, gy := zeros(d1), zeros(d2)
	tx, ty, tz := newTracker(d1), newTracker(d2), newTracker(d2)
	objects := []node.Mixed{
		node.MixVec("x", mx, x), tx.mix("tx"), node.MixVec("y", my, y), ty.mix("ty"), node.MixVec("z", mz, z), tz.mix("tz"),
	}
	derive := func() {
		b := o.On(o.Draw(a.Batch, "penalty")) // one batch: the difference of the two gradients of g is small
		penaltyGradient(b, dx, gx, x, y, z, a.Lambda)
		b.GradFy(dy, x, y)
		b.GradGy(gy, x, y)
		floats.AddScaled(dy, a.Lambda, gy)
		b.GradGy(gy, x, z)
		floats.ScaleTo(dz, a.Lambda, gy)
	}
	copy(z, y)
	derive()
	tx.start(dx)
	ty.start(dy)
	tz.start(dz)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("gossip", objects...)
		descend(x, mx, a.EtaX, tx.t)
		descend(y, my, a.EtaY, ty.t)
		descend(z, mz, a.EtaZ, tz.t)
		derive()
		tx.follow(dx)
		ty.follow(dy)
		tz.follow(dz)
		p.Report(k, x, y)
	}
}

// StartCost is six gradients.
func (a PenaltyGT) StartCost(d Dims) metrics.Cost { return Calls{GradF: 2, GradG: 4}.Cost(d) }

// Cost is one round of 2 p + 4 q vector elements, and six gradients.
func (a PenaltyGT) Cost(_ int, d Dims) metrics.Cost {
	c := a.StartCost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: 2*int64(d.P) + 4*int64(d.Q)})
	return c
}
