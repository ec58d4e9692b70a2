package node

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Handler is what every algorithm comes down to: one node's reactions. A handler
// is called when its node is free; what arrives while the node computes waits, in
// event order. Each call starts at Context.Now and may let time pass by Work.
type Handler interface {
	// Start is called once, at time 0.
	Start(c *Context)
	// Receive is called for each message. It is valid during the call only.
	Receive(c *Context, m *channel.Message)
	// Wake is called when a timer that the handler set runs out.
	Wake(c *Context, tag int)
}

// ErrDiverged marks the failure of a run whose numbers are no longer finite.
var ErrDiverged = errors.New("diverged")

// errHorizon ends a run whose clock goes where no simulation is meant to go.
var errHorizon = fmt.Errorf("simulated time passes %.0f years: is a bandwidth or a speed far too small, or a duration far too long?", sim.Horizon.Seconds()/(365.25*24*3600))

// Context is a node's view of the network. It belongs to one node and must not be
// used from another goroutine.
type Context struct {
	net       *Network
	id        int
	stream    int // the number that its random streams are keyed by
	neighbors []int
	weights   []float64
	self      float64
	role      Role
	handler   Handler

	firstLink int      // its out-links are firstLink .. firstLink+len(neighbors)-1
	seq       uint64   // counter of the events that it caused
	now       sim.Time // its own clock, never behind the global one while it runs
	time      metrics.NodeTime
	path      metrics.Path
	rounds    int64
	oracle    metrics.OracleCounts
	tallies   []metrics.Tally // by ledger class
	occurred  []occurrence    // by phase
	reported  int             // the last k of Report, -1 before the first
}

// occurrence counts a node's sends and exchanges of one phase.
type occurrence struct {
	exchanges, sends int
}

// arrival is something that reached a node: a message on a link, or a timer.
type arrival struct {
	msg  *channel.Message // nil for a timer
	link int
	tag  int
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
func (c *Context) SelfWeight() float64 { return c.self }

// Role returns what the node is in the network.
func (c *Context) Role() Role { return c.role }

// Now returns the node's own clock.
func (c *Context) Now() sim.Time { return c.now }

// Rand returns the node's own random stream for a purpose, from its beginning: keep
// it where it is drawn from repeatedly.
func (c *Context) Rand(purpose string) *rand.Rand {
	return sim.Stream(c.net.cfg.Seed, purpose, c.stream)
}

// Seed returns the run's seed, for streams that several nodes share.
func (c *Context) Seed() uint64 { return c.net.cfg.Seed }

// Work lets the node compute the given number of floating-point operations of
// local algebra that is no oracle call.
func (c *Context) Work(flops float64) {
	c.compute(c.machine().flops(flops))
}

// Charge counts n oracle calls of one kind that touch the given number of samples
// in all and take flops operations each, and lets the time for them pass.
func (c *Context) Charge(call metrics.Call, n int, samples int64, flops float64) {
	c.oracle.Add(call, int64(n), samples)
	c.compute(c.machine().duration(call, int64(n), flops))
}

func (c *Context) machine() *Machine { return c.net.machine(c.id) }

func (c *Context) compute(d sim.Time) {
	if d == 0 {
		return
	}
	if d < 0 {
		panic(fmt.Sprintf("node: node %d computes for %v", c.id, d))
	}
	if c.now > sim.Horizon {
		return // the run has failed, and this handler is not through yet
	}
	d = min(d, sim.Horizon)
	d = min(c.machine().Straggler.stretch(c.net.cfg.Seed, c.stream, c.now, d), sim.Horizon)
	c.now += d
	c.time.Compute += d
	c.path.Compute += d
	if c.now > sim.Horizon {
		c.Fail(errHorizon)
	}
}

// After sets a timer: Wake(tag) is called d from now.
func (c *Context) After(d sim.Time, tag int) {
	if d < 0 {
		panic(fmt.Sprintf("node: timer in the past: %v", d))
	}
	c.net.push(c, c.now+min(d, sim.Horizon), int32(tag), portTimer)
}

// Send sends parts to one neighbour. They are copied before Send returns.
func (c *Context) Send(to int, phase string, parts ...channel.Part) {
	k := c.neighborIndex(to)
	if k < 0 {
		panic(fmt.Sprintf("node: node %d sends to %d, which is no neighbour", c.id, to))
	}
	ph := c.net.phase(phase)
	o := c.occurrences(ph)
	c.net.send(c, ph, o.sends, false, k, k+1, parts)
	o.sends++
}

// Broadcast sends parts to all neighbours: one snapshot that they share.
func (c *Context) Broadcast(phase string, parts ...channel.Part) {
	ph := c.net.phase(phase)
	o := c.occurrences(ph)
	c.net.send(c, ph, o.sends, false, 0, len(c.neighbors), parts)
	o.sends++
}

func (c *Context) occurrences(phase int) *occurrence {
	for len(c.occurred) <= phase {
		c.occurred = append(c.occurred, occurrence{})
	}
	return &c.occurred[phase]
}

// neighborIndex returns the position of a node among the neighbours, or -1.
func (c *Context) neighborIndex(id int) int {
	if k, ok := slices.BinarySearch(c.neighbors, id); ok {
		return k
	}
	return -1
}

// Report states the node's iterates after k outer iterations; Report(0) is the
// initial point. x (p) and y (q) are copied where they are recorded. A number that
// is not finite ends the run as diverged.
func (c *Context) Report(k int, x, y []float64) {
	if k != c.reported+1 {
		panic(fmt.Sprintf("node: node %d reports iteration %d after %d", c.id, k, c.reported))
	}
	c.reported = k
	c.net.report(c, k, x, y)
}

// Fail ends the run. It does not return to a program; a handler should return
// after it. Wrap ErrDiverged where the cause is a number that is not finite.
func (c *Context) Fail(err error) {
	c.net.fail(fmt.Errorf("node %d at %v: %w", c.id, c.now, err))
	if _, ok := c.handler.(*program); ok {
		panic(errUnwind)
	}
}

// arrive moves the clock to the time at which a message was there. A node that
// was ahead already goes on along its own path; one that waited takes the
// message's: the sender's, then the way.
func (c *Context) arrive(m *channel.Message, link int, at sim.Time) {
	if at <= c.now {
		return
	}
	c.time.Wait += at - c.now
	latency := c.net.fabric.Link(link).Latency
	c.path = m.Path
	c.path.Latency += latency
	c.path.Transfer += at - m.SentAt - latency
	c.now = at
}

// idle moves the clock to the time of a timer.
func (c *Context) idle(at sim.Time) {
	if at <= c.now {
		return
	}
	c.time.Wait += at - c.now
	c.path.Idle += at - c.now
	c.now = at
}

func finite(v []float64) bool {
	for _, x := range v {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return false
		}
	}
	return true
}

// Deferred returns a Handler whose parts are made when its node starts, for those
// that need the node's Context to be made.
func Deferred(f func(c *Context) Handler) Handler { return &deferred{make: f} }

type deferred struct {
	make func(*Context) Handler
	Handler
}

func (d *deferred) Start(c *Context) {
	d.Handler = d.make(c)
	d.Handler.Start(c)
}
