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
// two move to their average. There are no rounds, and no node waits for others.
//
// Messages take time, so a node that has contacted another ("push") keeps its value
// until the answer comes: it lets its ticks pass and turns others away ("busy"). The
// contacted node j moves by delta = (x_i - x_j)/2 and sends delta back ("reply"); node
// i subtracts it. So each exchange averages two values exactly, whatever the delays,
// and the disagreement never grows; and the sum of all values, less the deltas on
// their way back, is preserved (up to rounding, including that of the wire format).
//
// Source: Boyd, Ghosh, Prabhakar, Shah, "Randomized gossip algorithms", IEEE
// Transactions on Information Theory 2006.
//
// Departure: the paper's exchanges take no time, so they never meet; here they
// do, and one that meets another is abandoned.
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
	g := &randomizedGossip{a: a, x: zeros(d), delta: zeros(d)}
	o.Start(g.x, nil)
	return g
}

type randomizedGossip struct {
	a RandomizedGossip
	// Two streams, so that a node ticks at the same times whatever its neighbours are.
	clock, choice *rand.Rand
	x             []float64
	delta         []float64
	move          func() // at a tick, before the exchange; nil: only averaging
	ticks         int
	waiting       bool // for the answer to a push
}

func (g *randomizedGossip) Start(c *node.Context) {
	g.clock, g.choice = c.Rand("gossip-clock"), c.Rand("gossip-choice")
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
	if g.move != nil {
		g.move()
	}
	if nb := c.Neighbors(); len(nb) > 0 {
		to := nb[g.choice.IntN(len(nb))] // drawn at each tick, also if it passes
		if !g.waiting {
			c.Send(to, "push", channel.Vec("x", g.x))
			g.waiting = true
		}
	}
	c.Report(g.ticks, g.x, nil)
	g.next(c)
}

func (g *randomizedGossip) Receive(c *node.Context, m *channel.Message) {
	switch m.Phase {
	case "push":
		if g.waiting {
			c.Send(m.From, "busy")
			return
		}
		c.MixedStale(m.SentAt, -1)
		for i, v := range m.Vec(0) {
			g.delta[i] = (v - g.x[i]) / 2
			g.x[i] += g.delta[i]
		}
		c.Send(m.From, "reply", channel.Vec("delta", g.delta))
	case "reply":
		for i, v := range m.Vec(0) {
			g.x[i] -= v
		}
		g.waiting = false
	case "busy":
		g.waiting = false
	}
}

// Cost is at most a push and an answer per tick. It bounds the whole run, not each
// iteration: an answer counts where the node that gives it is at that time.
func (a RandomizedGossip) Cost(k int, d Dims) metrics.Cost {
	if k == 0 || d.Links == 0 {
		return metrics.Cost{}
	}
	n := int64(d.Nodes)
	e := metrics.Elements{Vector: 2 * n * int64(d.P)}
	return metrics.Cost{Messages: 2 * n, Broadcast: e, Wire: e, Bound: true}
}
