package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Correction is the part of the hypergradient that FedNest's local outer steps evaluate again.
type Correction string

// The corrections.
const (
	CorrectDirect Correction = "direct" // ∇_x f_i, with J_i v as averaged; also the zero value
	CorrectWhole  Correction = "whole"  // ∇_x f_i - J_i v
)

// localSteps declares the number of steps between two averages.
func localSteps(name, of string) declare.Field {
	return declare.Count(name, 1, "5", "local steps on "+of+" from one average to the next").
		Or(1, "FedNest in the form that Nazari et al. compare with")
}

// FedNest is a federated bilevel method for a server and its clients. The server's x and y are everybody's.
// The loops are the paper's FedInn, FedIHGP and FedOut. With one local step each, the form that Nazari et al.
// compare with, the corrections cancel: it is gradient descent on the averages.
type FedNest struct {
	Outer, Inner           int
	InnerSteps, OuterSteps int
	Neumann                int
	Alpha, Beta, Lipschitz float64
	Correction             Correction
	Batch                  int
}

func (FedNest) Declare() declare.Method {
	return declare.Method{
		Name: "fednest", Label: "FedNest",
		Summary: "federated, for a star with a server: local steps with corrections, and averaged Neumann steps",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "5", "runs of FedInn per outer iteration, the paper's T"),
			localSteps("inner_steps", "y"),
			localSteps("outer_steps", "x"),
			declare.Count("neumann", 0, "5", "products with averaged Hessians; the series has one term more"),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", "the step of y; stable below 2/L"),
			declare.Lipschitz("the averaged inner Hessian"),
			declare.Enum("correction", "what the local steps on x evaluate again: ∇_x f_i, or all of the "+
				"hypergradient; the same with one local step", "direct", "whole").
				From("the authors' program; the paper's algorithm box was not available"),
			declare.Batch(),
		},
		Updates: `for k = 1 ... outer, mean being over the clients:
  inner times:  q = mean ∇_y g_i(x, y);  y_i = y
    inner_steps times:  y_i <- y_i - beta (∇_y g_i(x, y_i) - ∇_y g_i(x, y) + q)
    y <- mean y_i
  r = mean ∇_y f_i, v = r
  neumann times:  r <- mean (r - ∇²_yy g_i r / L), v <- v + r
  v <- v / L;  h_i(x) = ∇_x f_i - ∇²_xy g_i v;  h = mean h_i(x);  x_i = x
  outer_steps times:  x_i <- x_i - alpha (c_i(x_i) - c_i(x) + h),  c_i = ∇_x f_i (correction: direct) or h_i (whole)
  x <- mean x_i`,
		Source: "Tarzanagh, Li, Thrampoulidis, Oymak: FedNest: Federated Bilevel, Minimax, and Compositional " +
			"Optimization. ICML 2022",
		Departures: `All clients take part in each iteration, unless dynamics draws some. The Neumann series is summed in full; the paper cuts it at random; the authors' program sums it in full, without the factor 1/L.
The paper's box of the local outer steps was not available. Their correction has two readings: the authors' program evaluates ∇_x f_i again and keeps ∇²_xy g_i v as averaged, which is the default.
The first local step needs no correction, so its two gradients are not taken.`,
	}
}

// Needs says that FedNest is bilevel and for a server with clients.
func (a FedNest) Needs() Requirements {
	return Requirements{Bilevel: true, Server: ServerRequired, Draws: true}
}

// Run is the program of the server, or of a client.
func (a FedNest) Run(p *node.Proc, o Oracle) {
	if p.Role() == node.Server {
		a.serve(p, o)
		return
	}
	newFedNestClient(a, p, o).run()
}

// serve averages what the clients send, in their order.
func (a FedNest) serve(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	h, q := zeros(d1), zeros(d2)
	for k := range iterations(p, a.Outer, x, y) {
		for range a.Inner {
			p.Average("inner", node.MixVec("q", q, q))
			p.Average("inner", node.MixVec("y", y, y))
		}
		for range a.Neumann + 1 {
			p.Average("ihgp", node.MixVec("r", q, q))
		}
		p.Average("outer", node.MixVec("h", h, h))
		p.Closing()
		p.Average("outer", node.MixVec("x", x, x))
		p.Report(k, x, y)
	}
}

type fedNestClient struct {
	a                FedNest
	p                *node.Proc
	o                Oracle
	x, h             []float64 // (p)
	y, v             []float64 // (q)
	own, now, old, s []float64 // scratch, (p) or (q)
	ownY, nowY, oldY []float64
}

func newFedNestClient(a FedNest, p *node.Proc, o Oracle) *fedNestClient {
	d1, d2 := o.Dims()
	c := &fedNestClient{a: a, p: p, o: o}
	for _, v := range []*[]float64{&c.x, &c.h, &c.own, &c.now, &c.old, &c.s} {
		*v = zeros(d1)
	}
	for _, v := range []*[]float64{&c.y, &c.v, &c.ownY, &c.nowY, &c.oldY} {
		*v = zeros(d2)
	}
	return c
}

func (c *fedNestClient) run() {
	c.o.Start(c.x, c.y)
	c.p.Report(0, c.x, c.y)
	for k := range iterations(c.p, c.a.Outer, c.x, c.y) {
		for range c.a.Inner {
			c.inner()
		}
		c.inverse()
		c.outer()
		c.p.Report(k, c.x, c.y)
	}
}

func (c *fedNestClient) draw(purpose string) Oracle { return c.o.On(c.o.Draw(c.a.Batch, purpose)) }

// inner is FedInn.
func (c *fedNestClient) inner() {
	q := c.v // free until inverse
	c.draw("inner").GradGy(q, c.x, c.y)
	c.p.Average("inner", node.MixVec("q", q, q))
	descend(c.ownY, c.y, c.a.Beta, q)
	for range c.a.InnerSteps - 1 {
		b := c.draw("inner-local")
		b.GradGy(c.nowY, c.x, c.ownY)
		b.GradGy(c.oldY, c.x, c.y)
		floats.Sub(c.nowY, c.oldY)
		floats.Add(c.nowY, q)
		floats.AddScaled(c.ownY, -c.a.Beta, c.nowY)
	}
	c.p.Average("inner", node.MixVec("y", c.y, c.ownY))
}

// inverse is FedIHGP: v ~ H̄⁻¹ ∇_y f̄.
func (c *fedNestClient) inverse() {
	r, hr := c.ownY, c.nowY
	c.draw("ihgp").GradFy(r, c.x, c.y)
	c.p.Average("ihgp", node.MixVec("r", r, r))
	copy(c.v, r)
	for range c.a.Neumann {
		c.draw("ihgp-hessian").HessGyyMul(hr, c.x, c.y, r)
		floats.AddScaled(r, -1/c.a.Lipschitz, hr)
		c.p.Average("ihgp", node.MixVec("r", r, r))
		floats.Add(c.v, r)
	}
	floats.Scale(1/c.a.Lipschitz, c.v)
}

// outer is FedOut.
func (c *fedNestClient) outer() {
	implicitGradient(c.draw("outer"), c.h, c.s, c.x, c.y, c.v)
	c.p.Average("outer", node.MixVec("h", c.h, c.h))
	descend(c.own, c.x, c.a.Alpha, c.h)
	for range c.a.OuterSteps - 1 {
		b := c.draw("outer-local")
		c.correction(b, c.now, c.own)
		c.correction(b, c.old, c.x)
		floats.Sub(c.now, c.old)
		floats.Add(c.now, c.h)
		floats.AddScaled(c.own, -c.a.Alpha, c.now)
	}
	c.p.Closing()
	c.p.Average("outer", node.MixVec("x", c.x, c.own))
}

// correction sets dst to c_i(x).
func (c *fedNestClient) correction(b derivatives, dst, x []float64) {
	if c.a.Correction == CorrectWhole {
		implicitGradient(b, dst, c.s, x, c.y, c.v)
		return
	}
	b.GradFx(dst, x, c.y)
}

// Cost takes no gradients for the corrections of first local steps.
func (a FedNest) Cost(k int, d Dims) (c metrics.Cost) {
	AddExchanges(&c, d, 2*a.Inner+a.Neumann+1, metrics.Elements{Vector: int64(d.Q)})
	AddExchanges(&c, d, 2, metrics.Elements{Vector: int64(d.P)})
	addDownload(&c, d, d.Q)
	AddCalls(&c, d, Calls{GradG: a.Inner * (1 + 2*(a.InnerSteps-1)), HVP: a.Neumann, GradF: 2 + 2*(a.OuterSteps-1)})
	products := 1
	if a.Correction == CorrectWhole {
		products += 2 * (a.OuterSteps - 1)
	}
	AddCalls(&c, d, Calls{JVP: products})
	return c
}
