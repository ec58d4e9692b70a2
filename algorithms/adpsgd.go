package algorithms

import (
	"slices"

	"tallynet/algorithms/declare"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// ADPSGD is asynchronous gossip SGD. No node waits: it averages with a neighbour while it computes a gradient, and
// answers its neighbours meanwhile. It adds the change from an exchange to the value that it has by then, so that
// an exchange preserves the sum over the nodes. By default a node begins a step as soon as the last one has
// ended.
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
			declare.Iterations("ticks", "steps of each node; a step is an iteration"),
			declare.Step("alpha", "the step; stable below 2 / L"),
			declare.Batch(),
			{Name: "interval", Default: sim.Time(0), Example: "10ms", Range: declare.AtLeast(0),
				About: "the mean of an exponential pause between two steps of a node; 0: steps are back to back"},
		},
		Updates: `i takes g = ∇f_i(x_i); while it computes, it exchanges with a random neighbour, as randomized-gossip;
when g is known:  x_i <- x_i - alpha g`,
		Source: "Lian, Zhang, Zhang, Liu: Asynchronous decentralized parallel stochastic gradient descent. ICML " +
			"2018; arXiv 1710.06952",
		Departures: "There averaging is atomic, on a bipartite graph. Here messages take time and the graph is any: " +
			"both nodes move by half of the same difference, with opposite signs. Two nodes that write to each other at " +
			"once need no answers. A node that waits for an answer answers nodes with smaller numbers after it, and turns " +
			"others away, so that no ring of nodes waits. No node waits for an answer before its next step.",
	}
}

// Needs says that the method has no inner problem.
func (a ADPSGD) Needs() Requirements { return Requirements{SingleLevel: true, Lossless: true} }

// Handler returns a node's reactions.
func (a ADPSGD) Handler(o Oracle) node.Handler {
	d, _ := o.Dims()
	s := &adpsgd{alpha: a.Alpha, gradient: zeros(d), sent: zeros(d),
		randomizedGossip: randomizedGossip{interval: a.Interval, x: zeros(d), delta: zeros(d)}}
	s.take = func() { o.On(o.Draw(a.Batch, "gradient")).GradFx(s.gradient, s.x, nil) }
	o.Start(s.x, nil)
	return s
}

type adpsgd struct {
	randomizedGossip
	alpha    float64
	gradient []float64
	take     func()    // takes the gradient at x
	sent     []float64 // what the partner was sent
	held     []push    // to be answered after the partner's answer
}

// gradientKnown is the timer of a gradient; the other one is that of randomized gossip, which ends a pause.
const gradientKnown = 1

func (s *adpsgd) Start(c *node.Context) {
	s.choice, s.clock = c.Rand("gossip-choice"), c.Rand("gossip-clock")
	c.Report(0, s.x, nil)
	s.pause(c)
}

// pause lets a pause pass before the next step, if there is one.
func (s *adpsgd) pause(c *node.Context) {
	if s.interval > 0 {
		s.next(c)
	} else {
		s.step(c)
	}
}

// step begins a step. Its gradient is that at the present x.
func (s *adpsgd) step(c *node.Context) {
	if s.push(c) {
		copy(s.sent, s.x)
	}
	c.Aside(gradientKnown, s.take)
}

func (s *adpsgd) Wake(c *node.Context, tag int) {
	if tag != gradientKnown {
		s.step(c)
		return
	}
	descend(s.x, s.x, s.alpha, s.gradient)
	s.ticks++
	c.Report(s.ticks, s.x, nil)
	s.pause(c)
}

func (s *adpsgd) Receive(c *node.Context, m *channel.Message) {
	if m.Phase == "push" && s.waiting {
		switch {
		case m.From == s.partner: // it was sent ours at the same time
			c.MixedStale(m.SentAt, -1)
			for i, v := range m.Vec(0) {
				s.x[i] += (v - s.sent[i]) / 2
			}
			s.waiting = false
			c.Report(s.ticks, s.x, nil)
		case m.From < c.ID():
			s.held = append(s.held, push{m.From, slices.Clone(m.Vec(0)), m.SentAt})
		default:
			c.Send(m.From, "busy")
		}
	} else {
		s.randomizedGossip.Receive(c, m)
	}
	if !s.waiting {
		for _, h := range s.held {
			s.answer(c, h)
		}
		s.held = s.held[:0]
	}
}

// Cost bounds the whole run: a push, an answer and a gradient at each step.
func (a ADPSGD) Cost(k int, d Dims) metrics.Cost {
	c := RandomizedGossip{}.Cost(k, d)
	AddCalls(&c, d, Calls{GradF: 1})
	c.Bound = d.Links > 0
	return c
}
