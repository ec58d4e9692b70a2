package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// LFedNest is the light form of FedNest (Tarzanagh et al. 2022): local steps without
// corrections, and each client's own inverse Hessian, so that a run of steps is one
// average. The server's x and y are everybody's. For k = 1 ... Outer:
//
//	Inner times:  y_i = y;  InnerSteps times: y_i <- y_i - beta ∇_y g_i(x, y_i);  y <- mean y_i
//	v_i = (1/L) Σ_{s=0}^{Neumann} Π_{j<=s} (I - H_j/L) ∇_y f_i at (x, y), with the client's own H_j
//	x_i = x;  OuterSteps times: x_i <- x_i - alpha (∇_x f_i(x_i, y) - J_i(x_i, y) v_i);  x <- mean x_i
//
// Where clients differ, the limit is not the optimum: local steps drift, and the mean
// of products is not the product of means.
//
// Source: Tarzanagh, Li, Thrampoulidis, Oymak, "FedNest: Federated Bilevel, Minimax,
// and Compositional Optimization", ICML 2022.
//
// Departure: written from the published description, not from the paper's box. All
// clients take part in each iteration; the series is summed in full.
type LFedNest struct {
	Outer      int     // outer iterations K
	Inner      int     // runs of local steps on y per outer iteration, at least 1
	InnerSteps int     // local steps on y in one, at least 1
	OuterSteps int     // local steps on x, at least 1
	Neumann    int     // products with a client's Hessians; the series has one term more
	Alpha      float64 // step of x
	Beta       float64 // step of y
	Lipschitz  float64 // L: an upper bound of the largest eigenvalue of the H_i
	Batch      int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a LFedNest) Iterations() int { return a.Outer }

// Needs says that LFedNest is bilevel, for a server with clients, and wants one inner
// problem.
func (a LFedNest) Needs() Requirements {
	return Requirements{Bilevel: true, HomogeneousG: true, Server: ServerRequired}
}

// Run is the program of a client, or of the server, which only averages.
func (a LFedNest) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, ownX, ownY := zeros(d1), zeros(d2), zeros(d1), zeros(d2)
	d, gy := zeros(d1), zeros(d2)
	client := p.Role() == node.Client
	hyper := newLocalHypergradient(o, 1/a.Lipschitz, a.Batch, a.Neumann)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		for range a.Inner {
			copy(ownY, y)
			for s := 0; client && s < a.InnerSteps; s++ {
				o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, ownY)
				floats.AddScaled(ownY, -a.Beta, gy) // y_i <- y_i - beta ∇_y g_i
			}
			p.Average("inner", node.MixVec("y", y, ownY))
		}
		copy(ownX, x)
		for s := 0; client && s < a.OuterSteps; s++ {
			if s == 0 {
				hyper.draw()
				hyper.at(d, x, y, a.Neumann) // and v, which the later steps use
			} else {
				implicitGradient(o.On(o.Draw(a.Batch, "outer-local")), d, hyper.jv, ownX, y, hyper.v)
			}
			floats.AddScaled(ownX, -a.Alpha, d) // x_i <- x_i - alpha (∇_x f_i - J_i v_i)
		}
		p.Average("outer", node.MixVec("x", x, ownX))
		p.Report(k, x, y)
	}
}

// Cost is Inner + 1 rounds; up and down alike, Inner q + p vector elements of each client.
func (a LFedNest) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddExchanges(&c, d, a.Inner, metrics.Elements{Vector: int64(d.Q)})
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	AddCalls(&c, d, Calls{GradG: a.Inner * a.InnerSteps})
	localHypergradientCost(&c, d, 1, a.Neumann)
	AddCalls(&c, d, Calls{GradF: a.OuterSteps - 1, JVP: a.OuterSteps - 1})
	return c
}
