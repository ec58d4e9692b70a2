package algorithms

import (
	"math/rand/v2"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// RandomizedGossip is asynchronous pairwise averaging: each node has a clock that
// ticks at exponential intervals; at a tick it contacts a random neighbour and the
// two move to their average. There are no rounds and nobody waits.
//
// Messages take time, so two exchanges may overlap. The contacted node j computes
// the step delta = (x_i - x_j)/2 from what it received, adds it, and sends it back;
// node i subtracts it when it comes. Whatever overlaps, the sum over all nodes and
// all messages on their way stays what it was.
//
// Source: Boyd, Ghosh, Prabhakar, Shah, "Randomized gossip algorithms", IEEE
// Transactions on Information Theory 2006.
//
// Departure: the paper's exchanges take no time; here they do, as said above.
type RandomizedGossip struct {
	Ticks    int      // ticks per node; node i reports iteration k at its k-th tick
	Interval sim.Time // mean time between two ticks of a node
}

// Iterations returns Ticks.
func (a RandomizedGossip) Iterations() int { return a.Ticks }

// Needs says that gossip has no inner problem.
func (a RandomizedGossip) Needs() Requirements { return Requirements{SingleLevel: true} }

// Handler returns a node's reactions.
func (a RandomizedGossip) Handler(o Oracle) node.Handler {
	d, _ := o.Dims()
	g := &randomizedGossip{a: a, x: make([]float64, d), delta: make([]float64, d)}
	o.Start(g.x, nil)
	return g
}

type randomizedGossip struct {
	a     RandomizedGossip
	clock *rand.Rand
	x     []float64
	delta []float64
	ticks int
}

func (g *randomizedGossip) Start(c *node.Context) {
	g.clock = c.Rand("gossip-clock")
	c.Report(0, g.x, nil)
	g.next(c)
}

// next sets the timer for the next tick, if there is one.
func (g *randomizedGossip) next(c *node.Context) {
	if g.ticks < g.a.Ticks {
		c.After(sim.Seconds(g.a.Interval.Seconds()*g.clock.ExpFloat64()), 0)
	}
}

func (g *randomizedGossip) Wake(c *node.Context, _ int) {
	g.ticks++
	if nb := c.Neighbors(); len(nb) > 0 {
		c.Send(nb[g.clock.IntN(len(nb))], "push", channel.Vec("x", g.x))
	}
	c.Report(g.ticks, g.x, nil)
	g.next(c)
}

func (g *randomizedGossip) Receive(c *node.Context, m *channel.Message) {
	got := m.Vec(0)
	if m.Phase == "reply" {
		for i, v := range got {
			g.x[i] -= v
		}
		return
	}
	for i, v := range got {
		g.delta[i] = (v - g.x[i]) / 2
		g.x[i] += g.delta[i]
	}
	c.Send(m.From, "reply", channel.Vec("delta", g.delta))
}

// Cost is at most two messages per tick: the reply counts where the contacted node
// is when it sends it, so it may fall into another iteration.
func (a RandomizedGossip) Cost(k int, d Dims) metrics.Cost {
	var c metrics.Cost
	if k == 0 || d.Links == 0 {
		return c
	}
	n := int64(d.Nodes)
	e := metrics.Elements{Vector: 2 * n * int64(d.P)}
	return metrics.Cost{Messages: 2 * n, Broadcast: e, Wire: e, Bound: true}
}
