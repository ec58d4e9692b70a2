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

// Run is the program of a client, or of the server, which only averages.
func (a FedNest) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	h, jv, ownX, nowX, oldX := zeros(d1), zeros(d1), zeros(d1), zeros(d1), zeros(d1)
	q, r, hr, v := zeros(d2), zeros(d2), zeros(d2), zeros(d2)
	ownY, nowY, oldY := zeros(d2), zeros(d2), zeros(d2)
	client := p.Role() == node.Client
	draw := func(purpose string) Oracle { return o.On(o.Draw(a.Batch, purpose)) }
	correction := func(b Oracle, dst, x []float64) { // c_i(x)
		if a.Correction == CorrectWhole {
			implicitGradient(b, dst, jv, x, y, v)
		} else {
			b.GradFx(dst, x, y)
		}
	}
	for k := range iterations(p, a.Outer, x, y) {
		for range a.Inner { // FedInn
			if client {
				draw("inner").GradGy(q, x, y)
			}
			p.Average("inner", node.MixVec("q", q, q))
			descend(ownY, y, a.Beta, q)
			for s := 1; client && s < a.InnerSteps; s++ {
				b := draw("inner-local")
				b.GradGy(nowY, x, ownY)
				b.GradGy(oldY, x, y)
				floats.Sub(nowY, oldY)
				floats.Add(nowY, q)
				floats.AddScaled(ownY, -a.Beta, nowY) // y_i <- y_i - beta (∇_y g_i(x, y_i) - ∇_y g_i(x, y) + q)
			}
			p.Average("inner", node.MixVec("y", y, ownY))
		}
		if client { // FedIHGP: v ~ H̄⁻¹ ∇_y f̄
			draw("ihgp").GradFy(r, x, y)
		}
		p.Average("ihgp", node.MixVec("r", r, r))
		copy(v, r)
		for range a.Neumann {
			if client {
				draw("ihgp-hessian").HessGyyMul(hr, x, y, r)
				floats.AddScaled(r, -1/a.Lipschitz, hr)
			}
			p.Average("ihgp", node.MixVec("r", r, r))
			floats.Add(v, r)
		}
		floats.Scale(1/a.Lipschitz, v)
		if client { // FedOut
			implicitGradient(draw("outer"), h, jv, x, y, v)
		}
		p.Average("outer", node.MixVec("h", h, h))
		descend(ownX, x, a.Alpha, h)
		for s := 1; client && s < a.OuterSteps; s++ {
			b := draw("outer-local")
			correction(b, nowX, ownX)
			correction(b, oldX, x)
			floats.Sub(nowX, oldX)
			floats.Add(nowX, h)
			floats.AddScaled(ownX, -a.Alpha, nowX) // x_i <- x_i - alpha (c_i(x_i) - c_i(x) + h)
		}
		p.Closing()
		p.Average("outer", node.MixVec("x", x, ownX))
		p.Report(k, x, y)
	}
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
