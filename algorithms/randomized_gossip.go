package algorithms

import (
	"math/rand/v2"

	"tallynet/algorithms/declare"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// RandomizedGossip is asynchronous pairwise averaging on exponential clocks. There are no rounds.
//
// A node that has contacted another ("push") keeps its value until the answer comes: it lets its ticks pass
// and turns others away ("busy"). The contacted node moves by delta and sends it back ("reply"). So each
// exchange averages two values exactly, whatever the delays, and the disagreement never grows. The sum of all
// values, less the deltas on their way back, is preserved up to rounding, including that of the wire format.
type RandomizedGossip struct {
	Ticks    int
	Interval sim.Time
}

func (RandomizedGossip) Declare() declare.Method {
	return declare.Method{
		Name: "randomized-gossip", Label: "Randomized gossip",
		Summary: "asynchronous averaging of random pairs, on exponential clocks",
		Fields: declare.Fields{
			declare.Iterations("ticks", "ticks of each node's clock; a tick is an iteration"),
			{Name: "interval", Required: true, Example: "10ms", Range: declare.Above(0),
				About: "the mean time between two ticks of a node"},
		},
		Problem: "the average of the nodes' starting points",
		Updates: `at a tick, i draws a random neighbour j; unless it still waits for an answer, it sends x_i to j and waits
j, if it does not wait itself:  delta = (x_i - x_j)/2, x_j <- x_j + delta, and sends delta back;  i sets x_i <- x_i - delta
j, if it waits:  says that it is busy;  i goes on as it was`,
		Source: "Boyd, Ghosh, Prabhakar, Shah: Randomized gossip algorithms. IEEE Transactions on Information " +
			"Theory 52, 2006",
		Departures: `Messages take time here, so exchanges can meet, which the paper's cannot: one that meets another is abandoned.
A node that waits for an answer keeps its value, so each exchange averages two values exactly, whatever the delays.`,
	}
}

// Needs says that gossip has no inner problem.
func (a RandomizedGossip) Needs() Requirements {
	return Requirements{SingleLevel: true, Lossless: true}
}

// Handler returns a node's reactions.
func (a RandomizedGossip) Handler(o Oracle) node.Handler {
	d, _ := o.Dims()
	g := &randomizedGossip{interval: a.Interval, x: zeros(d), delta: zeros(d)}
	o.Start(g.x, nil)
	return g
}

type randomizedGossip struct {
	interval sim.Time
	// Two streams, so that a node ticks at the same times whatever its neighbours are.
	clock, choice *rand.Rand
	x             []float64
	delta         []float64
	ticks         int
	waiting       bool // for the answer to a push
	partner       int  // who was sent the last push
}

// push is what a node sent to begin an exchange.
type push struct {
	from int
	x    []float64
	at   sim.Time
}

func (g *randomizedGossip) Start(c *node.Context) {
	g.clock, g.choice = c.Rand("gossip-clock"), c.Rand("gossip-choice")
	c.Report(0, g.x, nil)
	g.next(c)
}

// next sets the timer for the next tick.
func (g *randomizedGossip) next(c *node.Context) {
	c.After(sim.Seconds(g.interval.Seconds()*g.clock.ExpFloat64()), 0)
}

func (g *randomizedGossip) Wake(c *node.Context, _ int) {
	g.ticks++
	g.push(c)
	c.Report(g.ticks, g.x, nil)
	g.next(c)
}

// push begins an exchange with a random neighbour, unless the node still waits for an answer.
func (g *randomizedGossip) push(c *node.Context) (begun bool) {
	nb := c.Neighbors()
	if len(nb) == 0 {
		return false
	}
	to := nb[g.choice.IntN(len(nb))] // drawn each time, also if none begins
	if begun = !g.waiting; begun {
		c.Send(to, "push", channel.Vec("x", g.x))
		g.waiting, g.partner = true, to
	}
	return begun
}

// answer moves the node to the average of its value and another's, and tells the other by how much.
func (g *randomizedGossip) answer(c *node.Context, p push) {
	c.MixedStale(p.at, -1)
	for i, v := range p.x {
		g.delta[i] = (v - g.x[i]) / 2
		g.x[i] += g.delta[i]
	}
	c.Send(p.from, "reply", channel.Vec("delta", g.delta))
	c.Report(g.ticks, g.x, nil)
}

func (g *randomizedGossip) Receive(c *node.Context, m *channel.Message) {
	switch m.Phase {
	case "push":
		if g.waiting {
			c.Send(m.From, "busy")
			return
		}
		g.answer(c, push{m.From, m.Vec(0), m.SentAt})
	case "reply":
		for i, v := range m.Vec(0) {
			g.x[i] -= v
		}
		c.Report(g.ticks, g.x, nil)
		g.waiting = false
	case "busy":
		g.waiting = false
	}
}

// Cost is at most a push and an answer per tick. It bounds the whole run, not each
// iteration: an answer counts where the node that gives it is at that time.
func (a RandomizedGossip) Cost(_ int, d Dims) metrics.Cost {
	if d.Links == 0 {
		return metrics.Cost{}
	}
	n := int64(d.Nodes)
	e := metrics.Elements{Vector: 2 * n * int64(d.P)}
	return metrics.Cost{Messages: 2 * n, Broadcast: e, Wire: e, Bound: true}
}
