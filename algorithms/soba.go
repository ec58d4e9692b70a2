package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// SOBA is the stochastic bilevel algorithm of Dagréou, Ablin, Vaiter and Moreau (2022),
// on one node: one loop that moves the three variables at once. For k = 1 ... Outer,
// all derivatives at the old (x, y, v) and on the samples of one draw:
//
//	D_y = ∇_y g,  D_v = H v + ∇_y f,  D_x = ∇_x f + J v
//	y <- y - rho_k D_y,  v <- v - rho_k D_v,  x <- x - gamma_k D_x
//
// v tends to -H⁻¹ ∇_y f: its sign is the opposite of that of the other methods. The
// steps are rho_k = rho / k^DecayInner and gamma_k = gamma / k^DecayOuter. With full
// batches and constant steps the limit is exact.
//
// On a star with a server the three directions are means over the clients, who send
// theirs up together and get them back.
//
// Source: Dagréou, Ablin, Vaiter, Moreau, "A framework for bilevel optimization that
// enables stochastic and global variance reduction algorithms", NeurIPS 2022, and the
// public benchmark by its authors.
//
// Departure: the exponents of the steps, 2/5 and 3/5 there, are parameters.
type SOBA struct {
	Outer      int     // outer iterations K
	Rho        float64 // step of y and v
	Gamma      float64 // step of x
	DecayInner float64 // exponent of rho_k; 0: constant
	DecayOuter float64 // exponent of gamma_k; 0: constant
	Batch      int     // samples of each draw; 0: all
}

// Iterations returns Outer.
func (a SOBA) Iterations() int { return a.Outer }

// Needs says that SOBA is a method of one node, or of a star.
func (a SOBA) Needs() Requirements { return oneNodeOrStar() }

// Run is the single loop of SOBA.
func (a SOBA) Run(p *node.Proc, o Oracle) {
	s := newSobaState(o)
	p.Report(0, s.x, s.y)
	for k := 1; k <= a.Outer; k++ {
		s.sample(p, o, a.Batch) // D_y, D_v, D_x
		s.step(decayed(a.Rho, a.DecayInner, k), decayed(a.Gamma, a.DecayOuter, k))
		p.Report(k, s.x, s.y)
	}
}

// Cost is a gradient of g, 2 of f, 1 HVP and 1 JVP; on a star 1 round, with p + 2q
// vector elements up and down.
func (a SOBA) Cost(k int, d Dims) metrics.Cost {
	c := sobaCost(k, d)
	if k > 0 {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P + 2*d.Q)})
	}
	return c
}

func sobaCost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradG: 1, GradF: 2, HVP: 1, JVP: 1})
	return c
}

// decayed is step / k^exponent.
func decayed(step, exponent float64, k int) float64 {
	return step * math.Pow(float64(k), -exponent)
}

// sobaState is what SOBA and SABA hold: the variables, and the five parts of their
// directions.
type sobaState struct {
	x, y, v []float64
	// ∇_y g, H v and J v are of training samples, ∇_y f and ∇_x f of validation samples.
	gy, hv, jv, fy, fx []float64
}

func newSobaState(o Oracle) *sobaState {
	p, q := o.Dims()
	xs := func() []float64 { return zeros(p) }
	ys := func() []float64 { return zeros(q) }
	s := &sobaState{x: xs(), y: ys(), v: ys(), gy: ys(), hv: ys(), jv: xs(), fy: ys(), fx: xs()}
	o.Start(s.x, s.y)
	return s
}

// measure takes the five parts at the present point, on the batches of f and g.
func (s *sobaState) measure(f, g Oracle) {
	g.GradGy(s.gy, s.x, s.y)
	g.HessGyyMul(s.hv, s.x, s.y, s.v)
	g.JacGxyMul(s.jv, s.x, s.y, s.v)
	f.GradFy(s.fy, s.x, s.y)
	f.GradFx(s.fx, s.x, s.y)
}

// direct turns the parts into the directions: gy is D_y, and then hv is D_v, jv is D_x.
func (s *sobaState) direct() {
	floats.Add(s.hv, s.fy) // D_v = H v + ∇_y f
	floats.Add(s.jv, s.fx) // D_x = ∇_x f + J v
}

// sample sets the directions on a batch; on a star, to the clients' means.
func (s *sobaState) sample(p *node.Proc, o Oracle, batch int) {
	if p.Role() != node.Server {
		on := o.On(o.Draw(batch, "step"))
		s.measure(on, on)
		s.direct()
	}
	if p.Role() != node.Peer {
		p.Average("step",
			node.MixVec("D_y", s.gy, s.gy), node.MixVec("D_v", s.hv, s.hv), node.MixVec("D_x", s.jv, s.jv))
	}
}

// step moves the three variables.
func (s *sobaState) step(rho, gamma float64) {
	descend(s.y, s.y, rho, s.gy)   // y <- y - rho D_y
	descend(s.v, s.v, rho, s.hv)   // v <- v - rho D_v
	descend(s.x, s.x, gamma, s.jv) // x <- x - gamma D_x
}
