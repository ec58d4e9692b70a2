package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// StocBiO is stochastic implicit differentiation with a Neumann series of sampled Hessians. With full batches
// it is AID with SolveNeumann, and ITD with Q + 1 steps and eta = alpha has the same limit: biased, since Q +
// 1 terms fall short of H⁻¹.
//
// On a star with a server, every derivative is the mean over the clients, as in AID.
type StocBiO struct {
	onOneNodeOrStar
	Outer, Inner, Q  int
	Alpha, Beta, Eta float64
	Batch            int
}

func (StocBiO) Declare() declare.Method {
	return declare.Method{
		Name: "stocbio", Label: "stocBiO",
		Summary: "stochastic implicit differentiation with a Neumann series of sampled Hessians",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
			series(),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Step("eta", stepOfSystem),
			declare.Batch(),
		},
		Updates: `new samples in each step;  for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y; S)
  v = eta Σ_{s = 0 ... q} (I - eta H_1) ... (I - eta H_s) ∇_y f,  each H_j on a batch of its own
  x <- x - beta (∇_x f - J v)`,
		Source: "Ji, Yang, Liang: Bilevel optimization: convergence analysis and enhanced design. ICML 2021; and " +
			"its public program",
		Departures: "The factor eta is on the whole sum, as in the paper; the authors' program has it on the " +
			"last term only.",
	}
}

// Run is the paper's box.
func (a StocBiO) Run(p *node.Proc, o Oracle) {
	sample := pooled(p, o)
	x, y, d1, _ := start(p, o)
	d := zeros(d1)
	inner := innerLoop{kind: innerAlone, steps: a.Inner, eta: a.Alpha, batch: a.Batch}
	inner.start(p, sample, x, y)
	hyper := newLocalHypergradient(o, sample, a.Eta, a.Batch, a.Q)
	for k := range iterations(p, a.Outer, x, y) {
		inner.run() // y <- y - alpha ∇_y g
		hyper.draw()
		hyper.at(d, x, y, a.Q)
		descend(x, x, a.Beta, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost is that of AID with SolveNeumann.
func (a StocBiO) Cost(k int, d Dims) (c metrics.Cost) {
	AddCalls(&c, d, Calls{GradG: a.Inner, GradF: 2, HVP: a.Q, JVP: 1})
	averages(&c, d, a.Inner+a.Q+1, false)
	return c
}
