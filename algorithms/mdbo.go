package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

const (
	mdboSource = "Gao, Gu, Thai: On the Convergence of Distributed Stochastic Bilevel Optimization Algorithms over a " +
		"Network. AISTATS 2023; arXiv 2206.15025"
	mdboDepartures = fromDescription + `
The series is summed in full instead of cut at random: less variance for the same expectation, and a known cost.`
)

// MDBO tracks momentum estimates u of a node's own hypergradient d and v of ∇_y g_i. The hypergradient takes
// the node's own H, so it is right only where all nodes have one inner problem. Where they differ, nodes
// agree on a wrong point.
type MDBO struct {
	Outer             int
	Alpha1, Alpha2    float64
	Beta1, Beta2, Eta float64
	Neumann           int
	Lipschitz         float64
	Batch             int
}

func (MDBO) Declare() declare.Method {
	return declare.Method{
		Name: "mdbo", Summary: "momentum and tracking of local hypergradients, for nodes with one inner problem",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha_1", "the weight of the new hypergradient: times eta (mdbo) or eta² (vrdbo), "+
				"together at most 1"),
			declare.Step("alpha_2", "the same for ∇_y g"),
			declare.Step("beta_1", "the step of x is eta beta_1"),
			declare.Step("beta_2", "the step of y is eta beta_2"),
			declare.Weight("eta", "how far x and y move towards the new point"),
			declare.Neumann(),
			declare.Lipschitz("the inner Hessians"),
			declare.Batch(),
		},
		Updates: `d_i = ∇_x f_i - ∇²_xy g_i (1/L) Σ_{s=0..neumann} (I - ∇²_yy g_i / L)^s ∇_y f_i
u_i = s_i = d_i, v_i = t_i = ∇_y g_i;  for k = 1 ... outer:
  x_i⁺ = x_i + eta (Σ_j w_ij x_j - beta_1 s_i - x_i)
  y_i⁺ = y_i + eta (Σ_j w_ij y_j - beta_2 t_i - y_i)
  u_i⁺ = (1 - alpha_1 eta) u_i + alpha_1 eta d_i⁺;  v_i⁺ = (1 - alpha_2 eta) v_i + alpha_2 eta ∇_y g_i⁺
  s_i <- Σ_j w_ij s_j + u_i⁺ - u_i;  t_i <- Σ_j w_ij t_j + v_i⁺ - v_i`,
		Source:     mdboSource,
		Departures: mdboDepartures,
	}
}

// Check finds weights above 1.
func (a MDBO) Check() *declare.Wrong { return a.weightAboveOne(a.Eta) }

// weightAboveOne finds a weight of a new derivative that is above 1 if it is multiplied by scale.
func (a MDBO) weightAboveOne(scale float64) *declare.Wrong {
	name := ""
	switch {
	case a.Alpha1*scale > 1:
		name = "alpha_1"
	case a.Alpha2*scale > 1:
		name = "alpha_2"
	default:
		return nil
	}
	return &declare.Wrong{Field: name, Message: "the weight that it gives the new derivative, with eta, is above 1",
		Hint: "take a smaller " + name + " or eta"}
}

// Needs says that MDBO is bilevel and wants one inner problem.
func (a MDBO) Needs() Requirements { return Requirements{Bilevel: true, HomogeneousG: true} }

// Run is the method as described above.
func (a MDBO) Run(p *node.Proc, o Oracle) {
	a.run(p, o, func(e *varianceReduced, x, y []float64) {
		e.measure(e.nowX, e.nowY, x, y)
		moveTo(e.dx, a.Alpha1*a.Eta, e.nowX)
		moveTo(e.dy, a.Alpha2*a.Eta, e.nowY)
	})
}

// run is the loop that MDBO and VRDBO share: they differ in how the estimates u and v, which are e's dx and dy, are
// renewed at the next point, on fresh samples.
func (a MDBO) run(p *node.Proc, o Oracle, renew func(e *varianceReduced, x, y []float64)) {
	x, y, d1, d2 := origin(o)
	mx, my := zeros(d1), zeros(d2)
	e := newVarianceReduced(o, 1/a.Lipschitz, a.Batch, a.Neumann)
	s, t := newTracker(d1), newTracker(d2)
	objects := []node.Mixed{node.MixVec("x", mx, x), s.mix("s"), node.MixVec("y", my, y), t.mix("t")}
	e.draw()
	e.restart(x, y)
	s.start(e.dx)
	t.start(e.dy)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("gossip", objects...)
		descend(mx, mx, a.Beta1, s.t)
		moveTo(x, a.Eta, mx) // x <- x + eta (mix(x) - beta_1 s - x)
		descend(my, my, a.Beta2, t.t)
		moveTo(y, a.Eta, my) // y <- y + eta (mix(y) - beta_2 t - y)
		e.draw()
		renew(e, x, y)
		s.follow(e.dx)
		t.follow(e.dy)
		p.Report(k, x, y)
	}
}

// StartCost is that of the derivatives at one point.
func (a MDBO) StartCost(d Dims) metrics.Cost { return ownGradients(1, a.Neumann).Cost(d) }

// Cost is one round of 2 (p + q) vector elements, and the derivatives.
func (a MDBO) Cost(_ int, d Dims) metrics.Cost { return a.cost(d, 1) }

// cost is that of derivatives at a number of points.
func (a MDBO) cost(d Dims, points int) metrics.Cost {
	c := ownGradients(points, a.Neumann).Cost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P+d.Q)})
	return c
}
