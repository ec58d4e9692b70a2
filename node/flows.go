package node

import (
	"math"

	"tallynet/channel"
	"tallynet/sim"
)

// flows is the network's state of a shared fabric. A message enters the fabric when its first bit reaches the
// receiver. At the end of an instant at which a flow began or ended, rates are settled and a wake is queued for
// the next arrival. An outdated wake has an old number and is ignored. Arrivals are the first events of their
// instant, so that a message that arrives at the instant of a deadline is in time.
type flows struct {
	number   uint64   // of the current wake
	settling sim.Time // the instant whose end is queued, plus 1
	arrived  []channel.Transfer
}

// last is greater than any node. An event to it is the last of its instant.
const last = math.MaxInt32

// begin starts the flow of a message.
func (n *Network) begin(e *sim.Event) {
	link := linkOf(e)
	if n.faults.on && n.faults.parcel(link, e.Seq) < 0 {
		return // it was cut
	}
	m := n.pool.At(e.Ref)
	x := channel.Transfer{Link: int32(link), Ref: e.Ref, Seq: e.Seq, Bytes: m.Bytes, Cast: m.Counter}
	if n.fabric.Start(e.At, x) {
		n.arrive(e.At, &x)
		return
	}
	n.settleAt(e.At)
}

func (n *Network) arrive(at sim.Time, x *channel.Transfer) {
	l := n.fabric.Link(int(x.Link))
	n.queue.Push(sim.Event{At: at, To: l.To, From: l.From, Seq: x.Seq, Ref: x.Ref, Port: port(arrives, int(x.Link))})
}

// settleAt queues the end of an instant.
func (n *Network) settleAt(t sim.Time) {
	if n.flows.settling == t+1 {
		return
	}
	n.flows.settling = t + 1
	n.queue.Push(sim.Event{At: t, To: last, Port: port(settles, 0)})
}

// flow handles an event of the fabric.
func (n *Network) flow(e *sim.Event) {
	f := &n.flows
	switch {
	case kindOf(e) == settles:
		f.settling = 0
		f.number++
		if at := n.fabric.Settle(e.At); at != sim.Never {
			// From node 0 to node 0: before all others of its time.
			n.queue.Push(sim.Event{At: at, Seq: f.number, Port: port(finishes, 0)})
		}
	case e.Seq == f.number:
		f.arrived = n.fabric.Finish(e.At, f.arrived[:0])
		for i := range f.arrived {
			n.arrive(e.At, &f.arrived[i])
		}
		n.settleAt(e.At)
	}
}

// outdated reports whether an event changes nothing: a wake of an old number, or an event of a lost message.
func (n *Network) outdated(e *sim.Event) bool {
	if kindOf(e) == finishes {
		return e.Seq != n.flows.number
	}
	return ofMessage(e) && n.faults.on && n.faults.parcel(linkOf(e), e.Seq) < 0
}

// nothingLeft reports whether only outdated events and outages are pending.
func (n *Network) nothingLeft() bool {
	for e := range n.queue.Pending() {
		if kindOf(&e) < outageBegins && !n.outdated(&e) {
			return false
		}
	}
	return true
}
