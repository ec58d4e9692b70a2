package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// ADPSGD is asynchronous gossip SGD: each node has a clock; at a tick it makes a gradient step of its own and
// averages with a random neighbour, as RandomizedGossip does. Nobody waits: a node goes on with its steps while an
// answer is under way, and the change from an exchange is added to the value that it has by then.
//
// Source: Lian, Zhang, Zhang, Liu, "Asynchronous decentralized parallel stochastic gradient descent", ICML 2018.
//
// Departure: there averaging is atomic and locks both nodes; here messages take time, an exchange moves both by the
// same difference with opposite signs, so the sum over the nodes is preserved, and an exchange that meets another is
// abandoned. Ticks come at exponential intervals; a node that computes longer than that falls behind.
type ADPSGD struct {
	Ticks    int      // ticks per node; node i reports iteration k at its k-th tick
	Alpha    float64  // step
	Batch    int      // samples of a gradient; 0: all
	Interval sim.Time // mean time between two ticks of a node
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

// Cost is at most a push and an answer, and one gradient, per tick. It bounds the whole run, as that of
// RandomizedGossip does.
func (a ADPSGD) Cost(k int, d Dims) metrics.Cost {
	c := RandomizedGossip{}.Cost(k, d)
	if k > 0 {
		AddCalls(&c, d, Calls{GradF: 1})
		c.Bound = d.Links > 0
	}
	return c
}
