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

// Handler is one node's side of an algorithm. Its methods are called when the node is free; what arrives while
// it computes waits, in event order. Each call starts at Context.Now, and Work advances that clock.
type Handler interface {
	// Start is called once, at time 0.
	Start(c *Context)
	// Receive is called for each message. The message is valid during the call only.
	Receive(c *Context, m *channel.Message)
	// Wake is called when a timer set by Context.After ends.
	Wake(c *Context, tag int)
}

// Deferred returns a Handler that newHandler makes when its node starts. It is for handlers that need the
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

// ErrDiverged marks the failure of a run whose iterates are no longer finite.
var ErrDiverged = errors.New("diverged")

// errHorizon ends a run whose clock passes sim.Horizon.
var errHorizon = fmt.Errorf("simulated time exceeds %.0f years: "+
	"is a bandwidth or a speed far too small, or a duration far too long?",
	sim.Horizon.Seconds()/(365.25*24*3600))

// Context is a node's view of the network. It belongs to one node and must not be used from another goroutine.
type Context struct {
	net       *Network
	id        int
	handler   Handler
	neighbors []int
	firstLink int      // its links are firstLink .. firstLink+len(neighbors)-1
	now       sim.Time // its own clock, never behind the global clock while the node runs
	seq       uint64   // number of events that it has caused
	burst     burst
	lookahead *lookahead // not nil while its program is ahead of the event loop
	spent     spent
	chain     *metrics.Step
	occurred  []occurrence // by phase

	weights    []float64
	selfWeight float64
	stream     int        // the key of its random streams
	reported   int        // the last k of Report; -1 before the first
	left       remainders // of its computing times
	aside      sim.Time   // what is left of a computation beside what the node does
	isAside    bool       // charges are added to it
	flops      float64    // FLOPs of its program since the last exchange
	cause      int32      // the tracer's number of its last wait for a message
	role       Role
	sendMode   sendMode
	extras     *extras
}

// occurrence counts a node's exchanges and single sends in one phase.
type occurrence struct {
	exchanges, sends int
}

// arrival is a message on a link, or the end of a timer.
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

// Neighbors returns the node's neighbours in ascending order. The caller must not modify the slice.
func (c *Context) Neighbors() []int { return c.neighbors }

// Weights returns the mixing weights of the neighbours, in their order. The caller must not modify the slice.
func (c *Context) Weights() []float64 { return c.weights }

// SelfWeight returns the node's weight on itself, w_ii.
func (c *Context) SelfWeight() float64 { return c.selfWeight }

// Role returns the node's role in the network.
func (c *Context) Role() Role { return c.role }

// Now returns the node's own clock.
func (c *Context) Now() sim.Time {
	c.sync()
	c.timely("reads its clock")
	return c.now
}

// Rand returns the node's random stream for a purpose, from its beginning. Call it once and keep the stream.
func (c *Context) Rand(purpose string) *rand.Rand {
	return sim.Stream(c.net.cfg.Seed, purpose, c.stream)
}

// Seed returns the run's seed, for streams that several nodes share.
func (c *Context) Seed() uint64 { return c.net.cfg.Seed }

// Work charges the time of the given number of floating-point operations. It is for local algebra that is not
// an oracle call.
func (c *Context) Work(flops float64) {
	if l := c.lookahead; l != nil {
		l.effects = append(l.effects, func() { c.Work(flops) })
		return
	}
	c.record(step{kind: workStep, flops: flops})
	c.work(flops)
}

// work charges the time of operations.
func (c *Context) work(flops float64) {
	if !(flops >= 0) {
		panic(fmt.Sprintf("node: node %d computes %g FLOPs", c.id, flops))
	}
	c.flops += flops
	c.compute(c.left.duration(flops, c.machine().FlopsPerSecond))
}

// Charge counts n oracle calls of one kind, which touch the given number of samples in total and take flops
// operations each, and charges their time.
func (c *Context) Charge(call metrics.Call, n int, samples int64, flops float64) {
	if l := c.lookahead; l != nil {
		l.effects = append(l.effects, func() { c.Charge(call, n, samples, flops) })
		return
	}
	c.record(step{kind: chargeStep, call: call, n: n, flops: flops})
	c.extra().Oracle.Add(call, int64(n), samples)
	all := float64(float64(n) * flops)
	if d := c.machine().Calls[call]; d != ByFlops {
		c.flops += all
		c.compute(d.Times(int64(n)))
		return
	}
	c.work(all)
}

// chargeRound charges the time of a round.
func (c *Context) chargeRound() {
	if l := c.lookahead; l != nil {
		l.effects = append(l.effects, c.chargeRound)
		return
	}
	c.record(step{kind: roundStep})
	c.compute(c.machine().Round)
}

func (c *Context) machine() *Machine { return c.net.machine(c.id) }

func (c *Context) compute(d sim.Time) {
	if d == 0 {
		return
	}
	if l := c.lookahead; l != nil {
		whole := d // of which the effect has a copy
		l.effects = append(l.effects, func() { c.compute(whole) })
		return
	}
	if c.now >= sim.Horizon {
		return // the run has failed, but this handler has not returned yet
	}
	d = min(d, sim.Horizon)
	if s := &c.machine().Straggler; s.Kind != NoStraggler {
		d = c.left.round(s.stretch(c.net.cfg.Seed, c.stream, c.now, d))
	}
	if c.isAside {
		c.aside = min(c.aside+d, sim.Horizon)
		return
	}
	c.computeFor(d)
	if c.now >= sim.Horizon {
		c.Fail(errHorizon)
	}
}

// Aside calls compute, whose charges take no time of the node's: the node spends it beside what it does
// meanwhile. Wake(tag) is called when that time has passed. One computation at a time can be aside.
func (c *Context) Aside(tag int, compute func()) {
	if c.aside > 0 {
		panic(fmt.Sprintf("node: node %d computes aside while it does already", c.id))
	}
	c.sync()
	c.isAside = true
	compute()
	c.isAside = false
	c.net.timer(c, c.asideEnds(), tag)
}

// asideEnds returns when the computation aside ends. It pauses while the host is down.
func (c *Context) asideEnds() sim.Time {
	o, t, left := c.outages(), c.now, c.aside
	for o != nil && left > 0 && t < sim.Horizon {
		if until, down := o.Until(t); down {
			t = until
			continue
		}
		up := min(left, o.Next(t)-t)
		t, left = t+up, left-up
	}
	return min(t+left, sim.Horizon)
}

// computeAside spends the time of the computation aside, as far as it goes until a time.
func (c *Context) computeAside(until sim.Time) {
	for c.aside > 0 && c.now < until {
		d := min(c.aside, until-c.now)
		if o := c.outages(); o != nil {
			if c.waitUntilUp(); c.now >= until || c.downForGood() {
				return
			}
			d = min(d, until-c.now, o.Next(c.now)-c.now)
		}
		c.addCompute(d)
		c.aside -= d
	}
}

// After sets a timer. Wake(tag) is called after d.
func (c *Context) After(d sim.Time, tag int) {
	if d < 0 {
		panic(fmt.Sprintf("node: node %d sets a timer in the past: %v", c.id, d))
	}
	c.sync()
	c.net.timer(c, c.now+min(d, sim.Horizon), tag)
}

// Send sends parts to one neighbour. They are copied before Send returns. On a graph that changes from round to round,
// Send and Broadcast fail, since they belong to no round.
func (c *Context) Send(to int, phase string, parts ...channel.Part) {
	c.sync()
	k := c.neighborIndex(to)
	if k < 0 {
		panic(fmt.Sprintf("node: node %d sends to %d, which is not a neighbour", c.id, to))
	}
	c.sendSingle(phase, c.net.indices[k:k+1], parts)
}

// Broadcast sends parts to all neighbours. They share one copy.
func (c *Context) Broadcast(phase string, parts ...channel.Part) {
	c.sync()
	c.sendSingle(phase, c.all(), parts)
}

// sendSingle sends a message that belongs to no exchange to the neighbours at the indices in to.
func (c *Context) sendSingle(phase string, to []int, parts []channel.Part) {
	ph := c.net.phase(phase)
	o := c.occurrences(ph)
	c.net.send(c, ph, o.sends, false, to, parts)
	o.sends++
}

func (c *Context) occurrences(phase int) *occurrence {
	for len(c.occurred) <= phase {
		c.occurred = append(c.occurred, occurrence{})
	}
	return &c.occurred[phase]
}

// neighborIndex returns the index of node id among the neighbours, or -1.
func (c *Context) neighborIndex(id int) int {
	if k, ok := slices.BinarySearch(c.neighbors, id); ok {
		return k
	}
	return -1
}

// MixedStale counts a neighbour's value that the node mixes now. The value was sent at the given time and is
// the given number of iterations behind the node; a negative number means that this is not known.
func (c *Context) MixedStale(sent sim.Time, iterations int) {
	c.sync()
	s := &c.extra().Stale
	s.Mixed++
	s.Age += c.now - sent
	if iterations >= 0 {
		s.Counted++
		s.Iterations += int64(iterations)
	}
}

// Report states the node's iterates after k outer iterations; Report(0) is the initial point. x (p) and y (q)
// are copied if they are recorded. If an element is not finite, the run ends as diverged. A handler whose iterates
// change between two iterations reports the last one again.
func (c *Context) Report(k int, x, y []float64) {
	if l := c.lookahead; l != nil {
		l.report(c, k, x, y)
		return
	}
	c.report(k, len(x), len(y), x, y, notFinite(x, y))
}

// report records iteration k, with p elements in x and q in y; wrong names a non-finite element, if there is
// one. x and y are read only if the iteration is recorded.
func (c *Context) report(k, p, q int, x, y []float64, wrong string) {
	c.checkReport(k, p, q)
	if k == c.reported && c.net.moments == nil {
		return // iterations are recorded as they were first reported
	}
	c.reported = k
	if wrong == "" {
		c.record(step{kind: reportStep})
	}
	if !c.goesOn() {
		c.burst = burst{at: c.burst.at}
	}
	c.net.report(c, k, x, y, wrong)
}

// Fail ends the run. It does not return to a program; a handler should return after calling it. Wrap
// ErrDiverged if the cause is a number that is not finite.
func (c *Context) Fail(err error) {
	c.sync()
	c.net.fail(fmt.Errorf("node %d at %v: %w", c.id, c.now, err))
	if _, ok := c.handler.(*program); ok {
		panic(errUnwind)
	}
}

// waitFor advances the clock to the arrival of a message. If the clock is later already, the node's critical
// path does not change. Otherwise it becomes that of the message: the sender's path, then the link.
func (c *Context) waitFor(m *channel.Message, link int, at sim.Time) {
	c.computeAside(at)
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

// idle advances the clock to the end of a timer.
func (c *Context) idle(at sim.Time) {
	c.computeAside(at)
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

// notFinite names the first element of x and y that is not finite; "" if all are finite.
func notFinite(x, y []float64) string { return cmp.Or(infinite("x", x), infinite("y", y)) }

// infinite names the first element of v that is not finite, as "x[2] = NaN"; "" if all are finite.
func infinite(name string, v []float64) string {
	for i, x := range v {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return fmt.Sprintf("%s[%d] = %v", name, i, x)
		}
	}
	return ""
}
