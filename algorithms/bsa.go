package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// BSA is BA with sampled derivatives and a Neumann series of random length. The mean of v over t is eta times
// Q terms of the series, so the limit is biased by the terms that are cut off, and noisy even on all samples.
type BSA struct {
	onOneNode
	Outer, Q         int
	Alpha, Beta, Eta float64
	Batch            int
}

func (BSA) Declare() declare.Method {
	return declare.Method{
		Name: "bsa", Summary: "ba with sampled derivatives and a Neumann series of random length",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("q", 1, "10", "the most terms of the series"),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Step("eta", stepOfSystem),
			declare.Batch(),
		},
		Updates: `new samples in each step;  for k = 1 ... outer:
  ⌈k^{1/4} / 2⌉ times:  y <- y - alpha ∇_y g(x, y; S)
  t uniform on 0 ... q - 1:  v = q eta (I - eta H_1) ... (I - eta H_t) ∇_y f
  x <- x - beta (∇_x f - J v)`,
		Source:     "Ghadimi, Wang: Approximation methods for bilevel programming. arXiv 1802.02246",
		Departures: fromDescription + " y goes on from the last one; k counts from 1; steps are constant.",
	}
}

// Run is the stochastic method of Ghadimi and Wang.
func (a BSA) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	v, hv, d, jv := zeros(d2), zeros(d2), zeros(d1), zeros(d1)
	inner := innerLoop{kind: innerAlone, eta: a.Alpha, batch: a.Batch}
	inner.start(p, own(o), x, y)
	length := p.Rand("bsa/length")
	for k := 1; k <= a.Outer; k++ {
		inner.steps = slowlyMore(k)
		inner.run() // y <- y - alpha ∇_y g
		on := o.On(o.Draw(a.Batch, "outer"))
		on.GradFy(v, x, y)
		for range length.IntN(a.Q) { // v <- (I - eta H) v, t times: one term of the series, times q its expectation
			o.On(o.Draw(a.Batch, "hessian")).HessGyyMul(hv, x, y, v)
			floats.AddScaled(v, -a.Eta, hv)
		}
		floats.Scale(float64(a.Q)*a.Eta, v)
		implicitGradient(on, d, jv, x, y, v)
		descend(x, x, a.Beta, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost is N_k gradients of g, 2 of f, a JVP, and at most Q - 1 HVPs. It grows with k.
func (a BSA) Cost(k int, d Dims) (c metrics.Cost) {
	c.Bound = true
	AddCalls(&c, d, Calls{GradG: slowlyMore(k), GradF: 2, HVP: a.Q - 1, JVP: 1})
	return c
}

// CostPeriod returns 0: the number of inner steps grows.
func (a BSA) CostPeriod() int { return 0 }
