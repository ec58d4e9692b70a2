package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// DGD is decentralized gradient descent. With a constant step it ends O(alpha) from the optimum unless all
// nodes agree on it. With a batch it is decentralized SGD.
type DGD struct {
	restarting
	Outer        int
	Alpha, Decay float64
	Batch        int
}

func (DGD) Declare() declare.Method {
	return declare.Method{
		Name: "dgd", Summary: "decentralized gradient descent",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step; "+plainStable),
			declare.Number("decay", 0, declare.AtLeast(0), "e in alpha / k^e").Like("0.5").From("0 keeps it constant"),
			declare.Batch(),
		},
		Updates: "x_i <- Σ_j w_ij x_j - alpha / k^decay ∇f_i(x_i)",
		Source: "Nedić, Ozdaglar: Distributed subgradient methods for multi-agent optimization. IEEE " +
			"Transactions on Automatic Control 54, 2009",
	}
}

// Run is the method's update.
func (a DGD) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := start(p, o)
	mx, g := zeros(d), zeros(d)
	for k := 1; k <= a.Outer; k++ {
		p.Mix(mx, "outer", x)
		o.On(o.Draw(a.Batch, "gradient")).GradFx(g, x, nil)
		descend(x, mx, decayed(a.Alpha, a.Decay, k), g) // x <- mix(x) - alpha / k^decay ∇f(x)
		if p.Restarted() {
			o.Start(x, nil)
		}
		p.Report(k, x, nil)
	}
}

// Cost is one round of one vector and one gradient per node.
func (a DGD) Cost(_ int, d Dims) metrics.Cost { return singleLevelCost(d, 1) }

// singleLevelCost is one round of the given number of p-vectors and one gradient per node.
func singleLevelCost(d Dims, vectors int) metrics.Cost {
	c := Calls{GradF: 1}.Cost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(vectors) * int64(d.P)})
	return c
}
