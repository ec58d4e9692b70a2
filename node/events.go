package node

import (
	"fmt"
	"math"

	"tallynet/metrics"
	"tallynet/sim"
)

// eventKind is the kind of an event. It is stored in the upper bits of the event's port.
type eventKind uint32

const (
	arrives      eventKind = iota // a message arrives on a link; Ref is its index in the pool
	begins                        // the first bit of a message reaches its receiver
	timerEnds                     // a timer of a handler or a program ends; Ref is its tag
	finishes                      // messages arrive in the fabric; Seq numbers the wake; later kinds have no node
	settles                       // the end of an instant at which a flow began or ended
	departs                       // with faults: a message departs on a link
	outageBegins                  // a host or link goes down
	outageEnds                    // a host or link comes back
)

// linkBits is the number of lower bits of a port, which hold the number of a link.
const linkBits = 28

func port(kind eventKind, link int) uint32 { return uint32(kind)<<linkBits | uint32(link) }

func kindOf(e *sim.Event) eventKind { return eventKind(e.Port >> linkBits) }

func linkOf(e *sim.Event) int { return int(e.Port & (1<<linkBits - 1)) }

// ofMessage reports whether an event belongs to a message on its way.
func ofMessage(e *sim.Event) bool {
	kind := kindOf(e)
	return kind == arrives || kind == begins || kind == departs
}

// fromTimer is the sender of timer events. It is greater than any node, so that a message that arrives at the
// instant of a deadline is in time, whoever sent it.
const fromTimer = math.MaxInt32

// dispatch handles one event. It returns false to end the loop.
func (n *Network) dispatch(e *sim.Event) bool {
	kind := kindOf(e)
	if kind < outageBegins && !n.outdated(e) || kind >= outageBegins && n.queue.Len() >= n.faults.outages {
		n.clock = min(e.At, sim.Horizon)
	}
	if e.At >= sim.Horizon {
		n.queue.Push(*e) // it did not happen
		who := fmt.Sprintf("node %d", e.To)
		switch {
		case kind > settles:
			who = "a message on its way"
		case kind >= finishes:
			who = "a message under way"
		}
		n.fail(fmt.Errorf("%s: %w", who, errHorizon))
		return false
	}
	switch kind {
	case finishes, settles:
		n.flow(e)
		return true
	case departs:
		n.depart(e)
		return n.goesOn()
	case outageBegins, outageEnds:
		n.outageEvent(e)
		return n.goesOn()
	}
	c := &n.nodes[e.To]
	n.current = c
	if err := c.countAtInstant(e); err != nil {
		n.queue.Push(*e) // it did not happen
		n.fail(fmt.Errorf("node %d at %v: %w", c.id, e.At, err))
		return false
	}
	switch kind {
	case arrives:
		if n.faults.on {
			n.land(e)
		} else {
			n.deliver(c, e)
		}
	case begins:
		n.begin(e)
	case timerEnds:
		if n.deferWhileDown(c, e) {
			break
		}
		n.arrived(c, arrival{tag: c.tagOf(e), seq: e.Seq, at: e.At})
	}
	return n.goesOn() && !(n.moments != nil && n.moments.changed)
}

func (n *Network) deliver(c *Context, e *sim.Event) {
	m := n.pool.At(e.Ref)
	link, bytes := linkOf(e), m.Bytes
	n.ledger.Delivered(m.Class, link)
	for _, w := range [...]uint64{
		uint64(e.At), uint64(e.To)<<32 | uint64(e.From), uint64(n.phaseOf[m.Class])<<48 ^ uint64(bytes),
	} {
		n.digest.Word(w)
		n.events.Word(w)
	}
	if n.cfg.Tracer != nil {
		n.cfg.Tracer.Arrived(metrics.Arrival{From: m.From, To: c.id, Phase: m.Phase, Sent: m.SentAt, At: e.At,
			Latency: n.fabric.Link(link).Latency, Bytes: bytes})
	}
	n.arrived(c, arrival{msg: m, link: link, at: e.At})
}

// arrived hands an arrival to its node. A program takes it when it asks for it. A handler gets all arrivals in
// event order, at once or, while it is busy, when its clock says that it is free. A handler that is busy beyond
// the end of the run gets no more, and one that has reported its last iteration no more timers.
func (n *Network) arrived(c *Context, a arrival) {
	if p, ok := c.handler.(*program); ok {
		p.arrived(a)
		return
	}
	inTime := c.now <= n.until
	switch {
	case a.msg == nil && c.isDone():
	case a.msg == nil && inTime:
		c.idle(a.at)
		c.handler.Wake(c, a.tag)
	case a.msg != nil && inTime:
		c.waitFor(a.msg, a.link, a.at)
		c.handler.Receive(c, a.msg)
	}
	if a.msg != nil {
		n.pool.Release(a.msg)
	}
}

// timer queues the end of a timer.
func (n *Network) timer(c *Context, at sim.Time, tag int) {
	if int(int32(tag)) != tag {
		r := c.extra()
		if r.wideTags == nil {
			r.wideTags = map[uint64]int{}
		}
		r.wideTags[c.seq] = tag
	}
	n.queue.Push(sim.Event{At: at, To: int32(c.id), From: fromTimer, Seq: c.seq, Ref: int32(tag),
		Port: port(timerEnds, 0)})
	c.seq++
}

// tagOf returns the tag of a timer that has ended.
func (c *Context) tagOf(e *sim.Event) int {
	if c.extras != nil {
		if tag, wide := c.extras.wideTags[e.Seq]; wide {
			delete(c.extras.wideTags, e.Seq)
			return tag
		}
	}
	return int(e.Ref)
}
