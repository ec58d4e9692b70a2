package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// AmIGO is amortized implicit gradient optimization: the inner problem and the linear system continue from
// their last solutions. With full batches it is AID with SolveGD and a warm v, and exact. ∇_y f of the linear
// system is on the batch of its step.
//
// On a star with a server, every derivative is the mean over the clients, as in AID.
type AmIGO struct {
	onOneNodeOrStar
	Outer, Inner, Linear int
	Alpha, Beta, Eta     float64
	Batch                int
}

func (AmIGO) Declare() declare.Method {
	return declare.Method{
		Name: "amigo", Label: "AmIGO", Summary: "stochastic implicit differentiation with both loops warm",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
			declare.Count("linear", 1, "10", "v-steps per outer iteration, the paper's M"),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Step("eta", "the step of v; stable below 2 / L"),
			declare.Batch(),
		},
		Updates: `new samples in each step;  for k = 1 ... outer:
  inner times:   y <- y - alpha ∇_y g(x, y)
  linear times:  v <- v - eta (H v - ∇_y f)
  x <- x - beta (∇_x f - J v)`,
		Source: "Arbel, Mairal: Amortized implicit differentiation for stochastic bilevel optimization. ICLR " +
			"2022; and its public program",
		Departures: fromDescription,
	}
}

// Run is the method of Arbel and Mairal.
func (a AmIGO) Run(p *node.Proc, o Oracle) {
	sample := pooled(p, o)
	x, y, d1, d2 := start(p, o)
	fy, v, d := zeros(d2), zeros(d2), zeros(d1)
	inner := innerLoop{kind: innerAlone, steps: a.Inner, eta: a.Alpha, batch: a.Batch}
	inner.start(p, sample, x, y)
	system, jv := newLinearSystem(d2), zeros(d1)
	for k := range iterations(p, a.Outer, x, y, v) {
		inner.run() // y <- y - alpha ∇_y g
		for s := range a.Linear {
			on := sample(a.Batch, "linear")
			if s == 0 || a.Batch > 0 { // on all samples ∇_y f stays what it is
				on.GradFy(fy, x, y)
			}
			system.descend(v, on, x, y, fy, a.Eta, 1) // v <- v - eta (H v - ∇_y f)
		}
		implicitGradient(sample(a.Batch, "outer"), d, jv, x, y, v)
		descend(x, x, a.Beta, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost has a ∇_y f for each step of the linear system where batches are drawn.
func (a AmIGO) Cost(k int, d Dims) (c metrics.Cost) {
	gradients := 2
	if a.Batch > 0 {
		gradients = a.Linear + 1
	}
	AddCalls(&c, d, Calls{GradG: a.Inner, GradF: gradients, HVP: a.Linear, JVP: 1})
	averages(&c, d, a.Inner+a.Linear+gradients-1, true)
	return c
}
