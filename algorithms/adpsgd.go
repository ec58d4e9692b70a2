package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// ADPSGD is asynchronous gossip SGD. No node waits: a node keeps stepping while an answer is under way, and
// adds the change from an exchange to the value that it has by then. An exchange preserves the sum over the
// nodes. Ticks come at exponential intervals; a node that computes for longer than that falls behind.
type ADPSGD struct {
	Ticks    int
	Alpha    float64
	Batch    int
	Interval sim.Time
}

func (ADPSGD) Declare() declare.Method {
	return declare.Method{
		Name: "ad-psgd", Label: "AD-PSGD",
		Summary: "asynchronous gossip SGD: a step and an average with one neighbour",
		Fields: declare.Fields{
			declare.Iterations("ticks", "ticks of each node's clock; a tick is an iteration"),
			declare.Step("alpha", "the step; stable below 2 / L"),
			declare.Batch(),
			interval(),
		},
		Updates: "at a tick:  x_i <- x_i - alpha ∇f_i(x_i);  then i exchanges with a random neighbour, as " +
			"randomized-gossip",
		Source: "Lian, Zhang, Zhang, Liu: Asynchronous decentralized parallel stochastic gradient descent. ICML " +
			"2018; arXiv 1710.06952",
		Departures: "There averaging is atomic. Here messages take time: both nodes move by the same difference " +
			"with opposite signs, and an exchange that meets another is abandoned.",
	}
}

// Iterations returns Ticks.
func (a ADPSGD) Iterations() int { return a.Ticks }

// Needs says that the method has no inner problem.
func (a ADPSGD) Needs() Requirements { return Requirements{SingleLevel: true} }

// Handler returns a node's reactions.
func (a ADPSGD) Handler(o Oracle) node.Handler {
	g := RandomizedGossip{Ticks: a.Ticks, Interval: a.Interval}.Handler(o).(*randomizedGossip)
	gradient := zeros(len(g.x))
	g.move = func() {
		o.On(o.Draw(a.Batch, "gradient")).GradFx(gradient, g.x, nil)
		descend(g.x, g.x, a.Alpha, gradient)
	}
	return g
}

// Cost bounds the whole run: a push, an answer and a gradient at each tick.
func (a ADPSGD) Cost(k int, d Dims) metrics.Cost {
	c := RandomizedGossip{}.Cost(k, d)
	if k > 0 {
		AddCalls(&c, d, Calls{GradF: 1})
		c.Bound = d.Links > 0
	}
	return c
}
