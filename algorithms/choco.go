package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// CHOCO is CHOCO-SGD, gradient descent whose nodes agree by compressed differences. h_i is what all
// neighbours know of x_i, and s_i the weighted sum of the h_j; without compression h_i is x_i. The limit does
// not depend on the compression, since q is 0 there. With a constant step it is O(alpha) from the optimum,
// like that of DGD. The form with three vectors is Algorithm 6 of the paper.
type CHOCO struct {
	withOwnMemory
	Outer        int
	Alpha, Gamma float64
	Batch        int
}

func (CHOCO) Declare() declare.Method {
	return declare.Method{
		Name: "choco-sgd", Label: "CHOCO-SGD", Summary: "gradient descent with compressed differences",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step; stable below 2 / L"),
			declare.Weight("gamma", "the consensus step; the coarser the compression, the smaller").Like("0.3"),
			declare.Batch(),
		},
		Updates: `x_i <- x_i - alpha ∇f_i(x_i)
q_i = C(x_i - h_i);  h_i <- h_i + q_i;  s_i <- s_i + Σ_j w_ij q_j
x_i <- x_i + gamma (s_i - h_i)`,
		Source: "Koloskova, Stich, Jaggi: Decentralized stochastic optimization and gossip algorithms with " +
			"compressed communication. ICML 2019",
	}
}

// Run is the method as described above.
func (a CHOCO) Run(p *node.Proc, o Oracle) {
	d, _ := o.Dims()
	x, g := newReferenced(d), zeros(d)
	o.Start(x.v, nil)
	p.Report(0, x.v, nil)
	for k := 1; k <= a.Outer; k++ {
		o.On(o.Draw(a.Batch, "gradient")).GradFx(g, x.v, nil)
		descend(x.v, x.v, a.Alpha, g) // x <- x - alpha ∇f(x)
		x.differ()
		p.MixSent(x.own, x.gets, "difference", x.sends) // q = C(x - h)
		x.refer()
		x.agree(a.Gamma) // x <- x + gamma (s - h)
		p.Report(k, x.v, nil)
	}
}

// Cost is one round of one vector and one gradient per node.
func (a CHOCO) Cost(_ int, d Dims) metrics.Cost { return singleLevelCost(d, 1) }
