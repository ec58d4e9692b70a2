package node

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Handler is what every algorithm comes down to: how one node reacts. A handler is called
// when its node is free; what arrives while the node computes waits, in event order. Each
// call starts at Context.Now, and Work lets time pass.
type Handler interface {
	// Start is called once, at time 0.
	Start(c *Context)
	// Receive is called for each message, which is valid during the call only.
	Receive(c *Context, m *channel.Message)
	// Wake is called when a timer that the handler set by Context.After runs out.
	Wake(c *Context, tag int)
}

// ErrDiverged marks the failure of a run whose numbers are no longer finite.
var ErrDiverged = errors.New("diverged")

// errHorizon ends a run whose clock goes where no simulation is meant to go.
var errHorizon = fmt.Errorf("simulated time exceeds %.0f years: "+
	"is a bandwidth or a speed far too small, or a duration far too long?",
	sim.Horizon.Seconds()/(365.25*24*3600))

// Context is a node's view of the network. It belongs to one node and must not be
// used from another goroutine.
type Context struct {
	net       *Network
	id        int
	handler   Handler
	neighbors []int
	firstLink int      // its out-links are firstLink .. firstLink+len(neighbors)-1
	now       sim.Time // its own clock, never behind the global one while it runs
	seq       uint64   // counter of the events that it caused
	burst     burst
	lead      *lead // of a program that is ahead of the loop
	spent     spent
	chain     *metrics.Step
	occurred  []occurrence // by phase

	weights    []float64
	selfWeight float64
	stream     int        // the number that its random streams are keyed by
	reported   int        // the last k of Report, -1 before the first
	left       remainders // of its computing
	flops      float64    // of its computing since the last exchange
	cause      int32      // what the tracer calls its last wait for a message
	role       Role
	squeezed   squeezed
	rare       *rare
}

// occurrence counts a node's exchanges and single sends of one phase.
type occurrence struct {
	exchanges, sends int
}

// arrival is something that reached a node: a message on a link, or a timer.
type arrival struct {
	msg  *channel.Message // nil for a timer
	link int
	tag  int    // of a handler's timer
	seq  uint64 // of a timer's event
	at   sim.Time
}

// ID returns the node's number, 0..Nodes-1.
func (c *Context) ID() int { return c.id }

// Nodes returns the number of nodes in the network.
func (c *Context) Nodes() int { return len(c.net.nodes) }

// Neighbors returns the node's neighbours in ascending order. It must not be changed.
func (c *Context) Neighbors() []int { return c.neighbors }

// Weights returns the mixing weights of the neighbours, in their order. They must
// not be changed.
func (c *Context) Weights() []float64 { return c.weights }

// SelfWeight returns the node's weight on itself, w_ii.
func (c *Context) SelfWeight() float64 { return c.selfWeight }

// Role returns what the node is in the network.
func (c *Context) Role() Role { return c.role }

// Now returns the node's own clock.
func (c *Context) Now() sim.Time {
	c.sync()
	return c.now
}

// Rand returns the node's own random stream for a purpose, from its beginning: call it
// once and keep the stream.
func (c *Context) Rand(purpose string) *rand.Rand {
	return sim.Stream(c.net.cfg.Seed, purpose, c.stream)
}

// Seed returns the run's seed, for streams that several nodes share.
func (c *Context) Seed() uint64 { return c.net.cfg.Seed }

// Work lets the node compute for the given number of floating-point operations: local
// algebra that is not an oracle call.
func (c *Context) Work(flops float64) {
	if !(flops >= 0) {
		panic(fmt.Sprintf("node: node %d computes %g FLOPs", c.id, flops))
	}
	if l := c.lead; l != nil {
		l.effects = append(l.effects, effect{kind: works, flops: flops})
		return
	}
	c.flops += flops
	c.compute(c.left.duration(flops, c.machine().FlopsPerSecond))
}

// Charge counts n oracle calls of one kind, which touch the given number of samples in
// all and take flops operations each, and lets the time for them pass.
func (c *Context) Charge(call metrics.Call, n int, samples int64, flops float64) {
	if l := c.lead; l != nil {
		l.effects = append(l.effects, effect{kind: charges, call: call, n: n, samples: samples, flops: flops})
		return
	}
	c.oracle().Add(call, int64(n), samples)
	all := float64(float64(n) * flops)
	if d := c.machine().Calls[call]; d != ByFlops {
		c.flops += all
		c.compute(d.Times(int64(n)))
		return
	}
	c.Work(all)
}

func (c *Context) machine() *Machine { return c.net.machine(c.id) }

func (c *Context) compute(d sim.Time) {
	if d == 0 {
		return
	}
	if l := c.lead; l != nil {
		l.effects = append(l.effects, effect{kind: computes, time: d})
		return
	}
	if c.now >= sim.Horizon {
		return // the run has failed, but this handler has not returned yet
	}
	d = min(d, sim.Horizon)
	if s := &c.machine().Straggler; s.Kind != NoStraggler {
		d = c.left.round(s.stretch(c.net.cfg.Seed, c.stream, c.now, d))
	}
	c.pass(d)
	if c.now >= sim.Horizon {
		c.Fail(errHorizon)
	}
}

// After sets a timer: Wake(tag) is called after d.
func (c *Context) After(d sim.Time, tag int) {
	if d < 0 {
		panic(fmt.Sprintf("node: node %d sets a timer in the past: %v", c.id, d))
	}
	c.sync()
	c.net.timer(c, c.now+min(d, sim.Horizon), tag)
}

// Send sends parts to one neighbour. They are copied before Send returns.
func (c *Context) Send(to int, phase string, parts ...channel.Part) {
	c.sync()
	k := c.neighborIndex(to)
	if k < 0 {
		panic(fmt.Sprintf("node: node %d sends to %d, which is not a neighbour", c.id, to))
	}
	ph := c.net.phase(phase)
	o := c.occurrences(ph)
	c.net.send(c, ph, o.sends, false, k, k+1, nil, parts)
	o.sends++
}

// Broadcast sends parts to all neighbours, in one copy that they share.
func (c *Context) Broadcast(phase string, parts ...channel.Part) {
	c.sync()
	ph := c.net.phase(phase)
	o := c.occurrences(ph)
	c.net.send(c, ph, o.sends, false, 0, len(c.neighbors), nil, parts)
	o.sends++
}

func (c *Context) occurrences(phase int) *occurrence {
	for len(c.occurred) <= phase {
		c.occurred = append(c.occurred, occurrence{})
	}
	return &c.occurred[phase]
}

// neighborIndex returns the index of a node among the neighbours, or -1.
func (c *Context) neighborIndex(id int) int {
	if k, ok := slices.BinarySearch(c.neighbors, id); ok {
		return k
	}
	return -1
}

// MixedStale counts a neighbour's value that the node mixes now: when it was sent, and by how many iterations
// the node is ahead of it, or below 0 if that is not known.
func (c *Context) MixedStale(sent sim.Time, iterations int) {
	c.sync()
	s := &c.rarely().stale
	s.Mixed++
	s.Age += c.now - sent
	if iterations >= 0 {
		s.Counted++
		s.Iterations += int64(iterations)
	}
}

// Report states the node's iterates after k outer iterations; Report(0) is the initial
// point. x (p) and y (q) are copied if they are recorded. A number that is not finite
// ends the run as diverged.
func (c *Context) Report(k int, x, y []float64) {
	if l := c.lead; l != nil {
		l.report(c.net, k, x, y)
		return
	}
	c.report(k, len(x), len(y), x, y, notFinite(x, y))
}

// report is Report of an x of p and a y of q numbers, of which wrong is not finite; x and y themselves
// are needed where they are recorded.
func (c *Context) report(k, p, q int, x, y []float64, wrong string) {
	c.checkReport(k, p, q)
	c.reported, c.burst = k, burst{at: c.burst.at}
	c.net.report(c, k, x, y, wrong)
}

// Fail ends the run. It does not return to a program; a handler should return after it.
// Wrap ErrDiverged where the cause is a number that is not finite.
func (c *Context) Fail(err error) {
	c.sync()
	c.net.fail(fmt.Errorf("node %d at %v: %w", c.id, c.now, err))
	if _, ok := c.handler.(*program); ok {
		panic(errUnwind)
	}
}

// waitFor moves the clock to the time at which a message arrived. A node that is ahead of
// it already stays on its own path; one that waited takes over the path of the message:
// the sender's, then the link's.
func (c *Context) waitFor(m *channel.Message, link int, at sim.Time) {
	if at <= c.now {
		return
	}
	net := c.net
	latency := net.fabric.Link(link).Latency
	if net.cfg.Tracer != nil {
		c.cause = net.cfg.Tracer.Waited(metrics.Waiting{Node: c.id, Sender: m.From, Phase: m.Phase, From: c.now, To: at,
			Sent: m.SentAt, Latency: latency, Cause: m.Cause})
	}
	c.spent.Wait += at - c.now
	c.spent.Waits.Message(c.now, m.SentAt, at, latency, !net.shared)
	c.spent.Path = m.Path
	c.spent.Path.Latency += latency
	c.spent.Path.Transfer += at - m.SentAt - latency
	if net.shared {
		over, held := net.fabric.Held(link)
		way := metrics.Way{Latency: latency, Transfer: at - m.SentAt - latency, Over: over, Held: held}
		c.chain = m.Chain.Then(m.From, m.Path, way)
	}
	c.now = at
}

// idle moves the clock to the time of a timer.
func (c *Context) idle(at sim.Time) {
	if at <= c.now {
		return
	}
	if t := c.net.cfg.Tracer; t != nil {
		t.Idled(c.id, c.now, at)
	}
	c.spent.Wait += at - c.now
	c.spent.Waits.Timer += at - c.now
	c.spent.Path.Idle += at - c.now
	c.now = at
}

// notFinite returns the first number of x and y that is not finite; "" if all are.
func notFinite(x, y []float64) string { return cmp.Or(infinite("x", x), infinite("y", y)) }

// infinite returns the first number of v that is not finite, "x[2] = NaN"; "" if all are.
func infinite(name string, v []float64) string {
	for i, x := range v {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return fmt.Sprintf("%s[%d] = %v", name, i, x)
		}
	}
	return ""
}

// Deferred returns a Handler that is made when its node starts, for one that needs the
// node's Context to be made.
func Deferred(newHandler func(c *Context) Handler) Handler {
	return &deferred{newHandler: newHandler}
}

type deferred struct {
	newHandler func(*Context) Handler
	Handler
}

func (d *deferred) Start(c *Context) {
	d.Handler = d.newHandler(c)
	d.Handler.Start(c)
}
