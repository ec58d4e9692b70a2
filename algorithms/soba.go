package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

const (
	sobaSource = "Dagréou, Ablin, Vaiter, Moreau: A framework for bilevel optimization that enables stochastic and " +
		"global variance reduction algorithms. NeurIPS 2022"
	sobaUpdates = `for k = 1 ... outer, all derivatives at the old point:
  D_y = ∇_y g,  D_v = H v + ∇_y f,  D_x = ∇_x f + J v
  y <- y - rho D_y,  v <- v - rho D_v,  x <- x - gamma D_x
v tends to -H⁻¹ ∇_y f.`
)

// SOBA moves x, y and the solution of the linear system in one loop. The sign of v is the opposite of that of
// the other methods. With full batches and constant steps the limit is exact.
//
// On a star with a server the three directions are means over the clients, who send theirs up together.
type SOBA struct {
	onOneNodeOrStar
	Outer                  int
	Rho, Gamma             float64
	DecayInner, DecayOuter float64
	Batch                  int
}

func (SOBA) Declare() declare.Method {
	return declare.Method{
		Name: "soba", Summary: "one loop that moves both variables and the linear system at once",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("rho", "the step of y and v; stable below 2 / L"),
			declare.Step("gamma", "the step of x"),
			exponent("decay_inner", "e in rho / k^e", "0.4"),
			exponent("decay_outer", "e in gamma / k^e", "0.6"),
			declare.Batch(),
		},
		Updates:    sobaUpdates,
		Source:     sobaSource,
		Departures: "The exponents of the steps are parameters.",
	}
}

// Run is the single loop of SOBA.
func (a SOBA) Run(p *node.Proc, o Oracle) {
	s := newSobaState(o)
	p.Report(0, s.x, s.y)
	for k := range iterations(p, a.Outer, s.x, s.y, s.v) {
		s.sample(p, o, a.Batch) // D_y, D_v, D_x
		s.step(decayed(a.Rho, a.DecayInner, k), decayed(a.Gamma, a.DecayOuter, k))
		p.Report(k, s.x, s.y)
	}
}

// Cost is one round on a star, and none on one node.
func (a SOBA) Cost(_ int, d Dims) metrics.Cost {
	c := ownGradients(1, 1).Cost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P + 2*d.Q)})
	return c
}

// decayed is step / k^exponent.
func decayed(step, exponent float64, k int) float64 {
	return step * math.Pow(float64(k), -exponent)
}

// sobaState holds the variables of SOBA and SABA, and the five parts of their directions.
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

// measure computes the five parts at the current point, on the batches of f and g.
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
		p.Closing()
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
