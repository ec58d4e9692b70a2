package node

import (
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Faults describes what can go wrong with links and hosts. The zero value is a network without faults.
type Faults struct {
	Loss channel.Loss
	// Retransmit configures the retransmission of lost messages; nil: there is none.
	Retransmit *channel.Retransmission
	// Host returns when a node is down. A node that is down neither computes nor receives, and all
	// messages on their way to and from it are lost. Nil: no node is ever down.
	Host func(node int) channel.Downtime
	// Link returns when the link between two neighbours is down, in both directions; nil: never.
	Link func(from, to int) channel.Downtime
	// Forget makes a host that goes down lose its state; see Context.Restarted.
	Forget bool
}

// any reports whether there are any faults.
func (f *Faults) any() bool { return f.Loss.Kind != channel.NoLoss || f.Host != nil || f.Link != nil }

// faultState is the state of a network with faults. With faults every message departs at the global clock, so
// that links and hosts can go down at any time. Each copy of a message on a link is a parcel until it is
// delivered or lost for good.
type faultState struct {
	on        bool
	losses    *channel.Losses
	hosts     []*channel.Outages // by node; nil: it never fails
	links     []*channel.Outages // by link; nil: it never fails
	cuts      []int              // by link: how many of the link and its two ends are down
	down      []bool             // by node
	gone      []bool             // by node: down for good
	linksOf   [][]int            // by node: the links to it, and then those from it
	lines     [][]parcel         // by link, in the order of sending
	lastLoss  []lossRecord       // by link: the last parcel that was lost for good
	outages   int                // number of pending outage events
	last      []lastReport       // by node
	lostCount int64              // number of parcels that were lost for good
}

// newFaults prepares the configured faults.
func (n *Network) newFaults(links []channel.Link) error {
	f, cfg := &n.faults, &n.cfg.Faults
	if !cfg.any() {
		return nil
	}
	f.on = true
	if err := cfg.Retransmit.Check(); err != nil {
		return err
	}
	var err error
	if f.losses, err = channel.NewLosses(cfg.Loss, links, n.cfg.Seed, n.cfg.Streams); err != nil {
		return err
	}
	f.cuts, f.lines = make([]int, len(links)), make([][]parcel, len(links))
	f.lastLoss, f.links = make([]lossRecord, len(links)), make([]*channel.Outages, len(links))
	f.hosts, f.last = make([]*channel.Outages, len(n.nodes)), make([]lastReport, len(n.nodes))
	f.down, f.gone, f.linksOf = make([]bool, len(n.nodes)), make([]bool, len(n.nodes)), make([][]int, len(n.nodes))
	for i, l := range links {
		f.linksOf[l.To] = append(f.linksOf[l.To], i)
		if cfg.Link == nil {
			continue
		}
		a, b := n.nodes[min(l.From, l.To)].stream, n.nodes[max(l.From, l.To)].stream
		if f.links[i], err = outages(cfg.Link(int(l.From), int(l.To)), n.cfg.Seed, "link-outage", a, b); err != nil {
			return fmt.Errorf("link from node %d to %d: %w", l.From, l.To, err)
		}
	}
	for i := range n.nodes {
		for k := range n.nodes[i].neighbors {
			f.linksOf[i] = append(f.linksOf[i], n.nodes[i].firstLink+k)
		}
		if cfg.Host == nil {
			continue
		}
		if f.hosts[i], err = outages(cfg.Host(i), n.cfg.Seed, "host-outage", n.nodes[i].stream); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return nil
}

// outages returns the outages of one host or link; nil: it never fails.
func outages(d channel.Downtime, seed uint64, purpose string, ids ...int) (*channel.Outages, error) {
	if d.None() {
		return nil, nil
	}
	return channel.NewOutages(d, sim.Stream(seed, purpose, ids...))
}

// ofHost stands for the link in the port of a host's outage event. The end of an outage is the first event of
// its instant and the beginning the last, so that a message that arrives at the same instant is
// in time.
const ofHost = 1<<linkBits - 1

// queueOutage queues the next beginning or end, at t or later, of an outage of a host or link.
func (n *Network) queueOutage(o *channel.Outages, t sim.Time, ref int32, of int) {
	e := sim.Event{Seq: uint64(uint32(ref))<<32 | uint64(of), Ref: ref}
	if until, down := o.Until(t); down {
		e.At, e.Port = until, port(outageEnds, of)
	} else {
		e.At, e.To, e.From, e.Port = o.Next(t), last, last, port(outageBegins, of)
	}
	if e.At < sim.Horizon {
		n.queue.Push(e)
		n.faults.outages++
	}
}

// startFaults applies the outages at time 0 and queues the next events.
func (n *Network) startFaults() error {
	f := &n.faults
	for i, o := range f.hosts {
		if o == nil {
			continue
		}
		if until, down := o.Until(0); down && until >= sim.Horizon {
			return fmt.Errorf("node %d is never up: it could not even report where it starts", i)
		} else if down {
			n.hostFails(i, 0)
		}
		n.queueOutage(o, 0, int32(i), ofHost)
	}
	for i, o := range f.links {
		if o == nil {
			continue
		}
		if _, down := o.Until(0); down {
			n.cut(i, 0)
		}
		n.queueOutage(o, 0, 0, i)
	}
	return nil
}

// outageEvent handles the beginning or end of an outage. If no other event is pending, further outages cannot
// change anything, and none is queued.
func (n *Network) outageEvent(e *sim.Event) {
	f := &n.faults
	f.outages--
	of, begins := linkOf(e), kindOf(e) == outageBegins
	var o *channel.Outages
	switch {
	case of == ofHost && begins:
		o = f.hosts[e.Ref]
		n.hostFails(int(e.Ref), e.At)
	case of == ofHost:
		o = f.hosts[e.Ref]
		f.down[e.Ref] = false
		for _, link := range f.linksOf[e.Ref] {
			f.cuts[link]--
		}
	case begins:
		o = f.links[of]
		n.cut(of, e.At)
	default:
		o = f.links[of]
		f.cuts[of]--
	}
	if n.queue.Len() > f.outages {
		n.queueOutage(o, e.At, e.Ref, of)
	}
}

// hostFails cuts all links of a node. A node that is down for good ends.
func (n *Network) hostFails(i int, t sim.Time) {
	f, c := &n.faults, &n.nodes[i]
	f.down[i] = true
	for _, link := range f.linksOf[i] {
		n.cut(link, t)
	}
	if n.cfg.Faults.Forget {
		c.extra().restarted = true
		for k := range c.neighbors {
			n.giveUp(c.firstLink+k, t)
		}
	}
	if until, _ := f.hosts[i].Until(t); until < sim.Horizon {
		return
	}
	f.gone[i] = true
	for _, link := range f.linksOf[i] {
		n.giveUp(link, t)
	}
	if p, ok := c.handler.(*program); ok && !p.done {
		n.running--
		p.proc.releaseAll()
		p.unwind()
	}
	if n.moments != nil {
		n.moments.gone(c, t)
	}
	if n.cfg.Recorder != nil && f.last[i].x != nil {
		r := metrics.NodeReport{Node: i, Iteration: f.last[i].k, X: f.last[i].x, Y: f.last[i].y, Counters: c.counters(nil)}
		if !n.cfg.Recorder.Gone(&r) {
			n.stop = true
		}
	}
}

// cut takes a link down. The messages in flight on it are lost; if its receiver is down, so are those that have
// arrived but were not delivered.
func (n *Network) cut(link int, t sim.Time) {
	f := &n.faults
	f.cuts[link]++
	deaf := f.down[n.fabric.Link(link).To]
	flew := slices.ContainsFunc(f.lines[link], func(p parcel) bool { return p.inFlight })
	hit := func(p parcel) bool { return p.inFlight || deaf && p.landed }
	if flew {
		n.fabric.Cut(t, link)
		if n.shared {
			n.settleAt(t)
		}
	}
	n.each(link, hit, func(i int) { n.lose(link, i, t) })
}

// Lost returns the number of messages that were lost for good.
func (n *Network) Lost() int64 { return n.faults.lostCount }

// Gone returns the nodes that are down for good.
func (n *Network) Gone() []int {
	var all []int
	for i, gone := range n.faults.gone {
		if gone {
			all = append(all, i)
		}
	}
	return all
}

// whyMissing explains why an expected message has not come; "" if the reason is not known.
func (n *Network) whyMissing(from, to, phase, occurrence int, exchanged bool) string {
	f := &n.faults
	if !f.on {
		return ""
	}
	if f.gone[from] {
		return fmt.Sprintf("node %d is down for good", from)
	}
	link := n.nodes[from].firstLink + n.nodes[from].neighborIndex(to)
	l := &f.lastLoss[link]
	switch {
	case l.times > 0 && l.exchanged == exchanged && l.phase == phase && (l.occurrence == occurrence || !exchanged):
		return fmt.Sprintf("that of node %d was lost at %v", from, l.at)
	case f.down[from]:
		return fmt.Sprintf("node %d is down", from)
	case f.cuts[link] > 0:
		return fmt.Sprintf("the link from node %d is down", from)
	}
	return ""
}
