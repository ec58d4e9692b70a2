package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Gossip is synchronous averaging. The disagreement shrinks by the second largest modulus of W's eigenvalues.
type Gossip struct {
	restarting
	Rounds int // each is reported as an iteration
}

func (Gossip) Declare() declare.Method {
	return declare.Method{
		Name: "gossip", Label: "Gossip", Summary: "synchronous averaging",
		Fields:  declare.Fields{declare.Iterations("rounds", "rounds")},
		Problem: "the average of the nodes' starting points",
		Updates: "x_i <- Σ_j w_ij x_j",
		Source:  "Xiao, Boyd: Fast linear iterations for distributed averaging. Systems & Control Letters 53, 2004",
	}
}

// Run averages.
func (a Gossip) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := start(p, o)
	mx := zeros(d)
	for k := 1; k <= a.Rounds; k++ {
		p.Mix(mx, "gossip", x)
		x, mx = mx, x // x <- mix(x)
		if p.Restarted() {
			o.Start(x, nil)
		}
		p.Report(k, x, nil)
	}
}

// Cost is one round of one vector.
func (a Gossip) Cost(_ int, d Dims) (c metrics.Cost) {
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	return c
}
