package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// StocBiO is the stochastic bilevel optimizer of Ji, Yang and Liang (2021), on one
// node. For k = 1 ... Outer, with new samples in each step:
//
//	Inner times: y <- y - alpha ∇_y g(x, y; S), from the last y
//	v = eta times the sum of (I - eta H_1) ... (I - eta H_s) ∇_y f, s = 0 ... Q,
//	    each H_j = ∇²_yy g on a batch of its own
//	x <- x - beta (∇_x f - J v)
//
// With full batches it is AID with SolveNeumann, and ITD with Q + 1 steps and eta =
// alpha has the same limit: biased, since Q + 1 terms fall short of H⁻¹.
//
// On a star with a server, every derivative is the mean over the clients, who send
// theirs up and get it back; ∇_x f - J v is one vector.
//
// Source: Ji, Yang, Liang, "Bilevel optimization: convergence analysis and enhanced
// design", ICML 2021.
//
// Departure: the authors' program leaves the factor eta off all terms but the last;
// here it is on the whole sum, as in the paper.
type StocBiO struct {
	Outer int     // outer iterations K
	Inner int     // y-steps T, at least 1
	Q     int     // factors of the series, at least 0
	Alpha float64 // step of y
	Beta  float64 // step of x
	Eta   float64 // step of the series
	Batch int     // samples of each draw; 0: all
}

// Iterations returns Outer.
func (a StocBiO) Iterations() int { return a.Outer }

// Needs says that stocBiO is a method of one node, or of a star.
func (a StocBiO) Needs() Requirements { return oneNodeOrStar() }

// Run is the paper's box.
func (a StocBiO) Run(p *node.Proc, o Oracle) {
	sample := pooled(p, o)
	d1, d2 := o.Dims()
	x, y, d := zeros(d1), zeros(d2), zeros(d1)
	inner := innerLoop{kind: innerAlone, steps: a.Inner, eta: a.Alpha, batch: a.Batch}
	inner.start(p, sample, x, y)
	hyper := newHypergradient(o, sample, a.Eta, a.Batch, a.Q)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		inner.run() // y <- y - alpha ∇_y g
		hyper.draw()
		hyper.at(d, x, y, a.Q)
		descend(x, x, a.Beta, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost is Inner gradients of g, 2 of f, Q HVPs and 1 JVP. On a star, Inner + Q + 2
// rounds: Inner + Q + 1 vectors of length q and 1 of length p, up and down.
func (a StocBiO) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradG: a.Inner})
	localHypergradientCost(&c, d, 1, a.Q)
	averages(&c, d, a.Inner+a.Q+1)
	return c
}
