package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// LFedNest is the light form of FedNest: local steps without corrections, and each client's own inverse
// Hessian, so that a run of local steps takes one average. Where clients differ, the limit is not the
// optimum: local steps drift, and the mean of products is not the product of means.
type LFedNest struct {
	Outer, Inner           int
	InnerSteps, OuterSteps int
	Neumann                int
	Alpha, Beta, Lipschitz float64
	KeepSeries             bool
	Batch                  int
}

func (LFedNest) Declare() declare.Method {
	return declare.Method{
		Name: "lfednest", Label: "LFedNest",
		Summary: "FedNest without corrections, each client with its own inverse Hessian: one average for a run " +
			"of local steps",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "5", "runs of local steps on y per outer iteration"),
			localSteps("inner_steps", "y"),
			localSteps("outer_steps", "x"),
			declare.Neumann(),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", "the step of y; stable below 2/L"),
			declare.Lipschitz("each client's inner Hessian"),
			{Name: "keep_series", Default: false, About: "sum the series once for a run of local steps on x, not at each step"},
			declare.Batch(),
		},
		Updates: `for k = 1 ... outer, mean being over the clients:
  inner times:  y_i = y;  inner_steps times:  y_i <- y_i - beta ∇_y g_i(x, y_i);  y <- mean y_i
  x_i = x;  outer_steps times, at (x_i, y):
    v_i = (1/L) Σ_{s=0..neumann} (I - ∇²_yy g_i / L)^s ∇_y f_i;  with keep_series only the first time
    x_i <- x_i - alpha (∇_x f_i - ∇²_xy g_i v_i)
  x <- mean x_i`,
		Source: "Tarzanagh, Li, Thrampoulidis, Oymak: FedNest: Federated Bilevel, Minimax, and Compositional " +
			"Optimization. ICML 2022; and the authors' program, which sums the series at each step",
		Departures: fromDescription + " All clients take part in each iteration, unless dynamics draws some. " +
			"The series is summed in full.",
	}
}

// Needs says that LFedNest is bilevel, for a server with clients, and wants one inner
// problem.
func (a LFedNest) Needs() Requirements {
	return Requirements{Bilevel: true, HomogeneousG: true, Server: ServerRequired, Draws: true}
}

// Run is the program of a client, or of the server, which only averages.
func (a LFedNest) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	ownX, ownY := zeros(d1), zeros(d2)
	d, gy := zeros(d1), zeros(d2)
	client := p.Role() == node.Client
	hyper := newLocalHypergradient(o, own(o), 1/a.Lipschitz, a.Batch, a.Neumann)
	for k := range iterations(p, a.Outer, x, y) {
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
			if s == 0 || !a.KeepSeries {
				hyper.draw()
				hyper.at(d, ownX, y, a.Neumann) // and v
			} else {
				implicitGradient(o.On(o.Draw(a.Batch, "outer-local")), d, hyper.jv, ownX, y, hyper.v)
			}
			floats.AddScaled(ownX, -a.Alpha, d) // x_i <- x_i - alpha (∇_x f_i - J_i v_i)
		}
		p.Closing()
		p.Average("outer", node.MixVec("x", x, ownX))
		p.Report(k, x, y)
	}
}

// Cost is Inner + 1 rounds; up and down alike, Inner q + p vector elements of each client.
func (a LFedNest) Cost(k int, d Dims) (c metrics.Cost) {
	AddExchanges(&c, d, a.Inner, metrics.Elements{Vector: int64(d.Q)})
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	addDownload(&c, d, d.Q)
	series := a.OuterSteps
	if a.KeepSeries {
		series = 1
	}
	AddCalls(&c, d, Calls{GradG: a.Inner * a.InnerSteps, GradF: a.OuterSteps + series, HVP: a.Neumann * series,
		JVP: a.OuterSteps})
	return c
}
