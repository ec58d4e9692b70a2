package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// MDBO is the momentum-based method of Gao, Gu and Thai (2023): momentum estimates u of
// a node's own hypergradient d_i and v of ∇_y g_i, which are tracked. With u and the
// tracker s of it at d_i(x, y), v and its tracker t at ∇_y g_i(x, y) at first, for
// k = 1 ... Outer:
//
//	x⁺ = x + eta (mix(x) - beta_1 s - x),  y⁺ = y + eta (mix(y) - beta_2 t - y)
//	u⁺ = (1 - alpha_1 eta) u + alpha_1 eta d_i(x⁺, y⁺),  v⁺ likewise with alpha_2 and ∇_y g_i
//	s <- mix(s) + u⁺ - u,  t <- mix(t) + v⁺ - v
//
// The hypergradient is ∇_x f - J w with w = (1/L) Σ_{m=0}^{Neumann} Π_{j<=m} (I - H_j/L) ∇_y f,
// of the node's own H: it is right only where all nodes have one inner problem. Where
// they differ, nodes agree in the limit, on a wrong point.
//
// Source: Gao, Gu, Thai, "On the Convergence of Distributed Stochastic Bilevel
// Optimization Algorithms over a Network", AISTATS 2023, arXiv 2206.15025.
//
// Departure: written from the published description, not from the paper's box. The
// series is summed in full instead of cut at random: less variance for the same
// expectation, and a cost that is known.
type MDBO struct {
	Outer     int     // outer iterations K
	Alpha1    float64 // weight of the new hypergradient is Alpha1 Eta, at most 1
	Alpha2    float64 // weight of the new ∇_y g is Alpha2 Eta, at most 1
	Beta1     float64 // step of x is Eta Beta1
	Beta2     float64 // step of y is Eta Beta2
	Eta       float64 // in (0, 1]
	Neumann   int     // products with Hessians; the series has one term more
	Lipschitz float64 // L: an upper bound of the largest eigenvalue of H
	Batch     int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a MDBO) Iterations() int { return a.Outer }

// Needs says that MDBO is bilevel and wants one inner problem.
func (a MDBO) Needs() Requirements { return Requirements{Bilevel: true, HomogeneousG: true} }

// Run is the method as described above.
func (a MDBO) Run(p *node.Proc, o Oracle) {
	e := newOwnGradients(o, a)
	a.run(p, o, e, func(u, v []float64, _, _, x, y []float64) {
		e.draw()
		e.at(x, y)
		moveTo(u, a.Alpha1*a.Eta, e.d)
		moveTo(v, a.Alpha2*a.Eta, e.gy)
	})
}

// run is the loop that MDBO and VRDBO share: they differ in how the estimates u and v
// are renewed after (oldX, oldY) has become (x, y).
func (a MDBO) run(p *node.Proc, o Oracle, e *ownGradients, renew func(u, v, oldX, oldY, x, y []float64)) {
	d1, d2 := o.Dims()
	x, y, oldX, oldY := zeros(d1), zeros(d2), zeros(d1), zeros(d2)
	mx, my, u, v := zeros(d1), zeros(d2), zeros(d1), zeros(d2)
	s, t := newTracker(d1), newTracker(d2)
	objects := []node.Mixed{node.MixVec("x", mx, x), s.mix("s"), node.MixVec("y", my, y), t.mix("t")}
	o.Start(x, y)
	e.draw()
	e.at(x, y)
	copy(u, e.d)
	copy(v, e.gy)
	s.start(u)
	t.start(v)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("gossip", objects...)
		copy(oldX, x)
		copy(oldY, y)
		descend(mx, mx, a.Beta1, s.t)
		moveTo(x, a.Eta, mx) // x <- x + eta (mix(x) - beta_1 s - x)
		descend(my, my, a.Beta2, t.t)
		moveTo(y, a.Eta, my) // y <- y + eta (mix(y) - beta_2 t - y)
		renew(u, v, oldX, oldY, x, y)
		s.follow(u)
		t.follow(v)
		p.Report(k, x, y)
	}
}

// ownGradients are a node's own hypergradient d and ∇_y g at a point.
type ownGradients struct {
	o, inner Oracle
	batch    int
	products int
	hyper    *localHypergradient
	d, gy    []float64
}

func newOwnGradients(o Oracle, a MDBO) *ownGradients {
	d1, d2 := o.Dims()
	return &ownGradients{o: o, batch: a.Batch, products: a.Neumann,
		hyper: newLocalHypergradient(o, 1/a.Lipschitz, a.Batch, a.Neumann),
		d:     zeros(d1), gy: zeros(d2)}
}

// draw takes fresh samples, used until the next draw.
func (e *ownGradients) draw() {
	e.inner = e.o.On(e.o.Draw(e.batch, "inner"))
	e.hyper.draw()
}

func (e *ownGradients) at(x, y []float64) {
	e.inner.GradGy(e.gy, x, y)
	e.hyper.at(e.d, x, y, e.products)
}

// Cost is one round of 2 (p + q) vector elements; derivatives also at the start.
func (a MDBO) Cost(k int, d Dims) metrics.Cost { return a.cost(k, d, 1) }

// cost is that of derivatives at a number of points in each iteration.
func (a MDBO) cost(k int, d Dims, points int) metrics.Cost {
	var c metrics.Cost
	if k == 0 {
		points = 1
	} else {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P+d.Q)})
	}
	AddCalls(&c, d, Calls{GradG: points})
	localHypergradientCost(&c, d, points, a.Neumann)
	return c
}
