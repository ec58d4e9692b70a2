package node

import (
	"fmt"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Faults are what can go wrong with links and hosts. The zero value is a network without faults.
type Faults struct {
	Loss channel.Loss
	// Retransmit says how lost messages are sent again; nil: they are not.
	Retransmit *channel.Retransmission
	// Host says when a node is down: it neither computes nor hears anything, and whatever is under way
	// to and from it is lost. Nil: none ever is.
	Host func(node int) channel.Downtime
	// Link says when the link from one node to a neighbour is down, both ways; nil: none ever is.
	Link func(from, to int) channel.Downtime
	// Forget makes a host that goes down lose its state: see Context.Restarted.
	Forget bool
}

// any reports whether there are any faults.
func (f *Faults) any() bool { return f.Loss.Kind != channel.NoLoss || f.Host != nil || f.Link != nil }

// faulty is the network's view of faults. With faults every message leaves at the global clock, so
// that links and hosts can go down at any time. Each copy of a message on a link is a parcel until
// it is delivered or lost for good.
type faulty struct {
	on     bool
	losses *channel.Losses
	hosts  []*channel.Outages // by node; nil if it has none
	links  []*channel.Outages // by link; nil if it has none
	cuts   []int              // by link: how many of it and its two ends are down
	down   []bool             // by node
	gone   []bool             // by node: for good
	into   [][]int            // by node: the links to it
	lines  [][]parcel         // by link, in the order in which they were sent
	lost   []losing           // by link: the last loss for good
	turns  int                // pending events of outages
	last   []lastReport       // by node
	wasted int64              // parcels that were lost for good

	// With tariffs: by link, what left last, and the bytes that were paid.
	left    []attempt
	charged []int64
}

// newFaults prepares the faults of the configuration.
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
	f.lost, f.links = make([]losing, len(links)), make([]*channel.Outages, len(links))
	f.hosts, f.last = make([]*channel.Outages, len(n.nodes)), make([]lastReport, len(n.nodes))
	f.down, f.gone, f.into = make([]bool, len(n.nodes)), make([]bool, len(n.nodes)), make([][]int, len(n.nodes))
	for i, l := range links {
		f.into[l.To] = append(f.into[l.To], i)
		if cfg.Link == nil {
			continue
		}
		a, b := n.nodes[min(l.From, l.To)].stream, n.nodes[max(l.From, l.To)].stream
		if f.links[i], err = outages(cfg.Link(int(l.From), int(l.To)), n.cfg.Seed, "link-outage", a, b); err != nil {
			return fmt.Errorf("link from node %d to %d: %w", l.From, l.To, err)
		}
	}
	for i := range n.nodes {
		if cfg.Host == nil {
			break
		}
		if f.hosts[i], err = outages(cfg.Host(i), n.cfg.Seed, "host-outage", n.nodes[i].stream); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return nil
}

// outages returns those of one host or link, nil if it has none.
func outages(d channel.Downtime, seed uint64, purpose string, ids ...int) (*channel.Outages, error) {
	if d.None() {
		return nil, nil
	}
	return channel.NewOutages(d, sim.Stream(seed, purpose, ids...))
}

// An outage is an event: of a host, or of the link with the number of its port. The end of one
// is the first event of its instant and the beginning the last, so a message that arrives at that very
// moment is in time.
const ofHost = 1<<linkBits - 1

// watch queues the next end or beginning of an outage of a host or link, at t or later.
func (n *Network) watch(o *channel.Outages, t sim.Time, ref int32, of int) {
	e := sim.Event{Seq: uint64(uint32(ref))<<32 | uint64(of), Ref: ref}
	if until, down := o.Until(t); down {
		e.At, e.Port = until, port(returns, of)
	} else {
		e.At, e.To, e.From, e.Port = o.Next(t), last, last, port(fails, of)
	}
	if e.At < sim.Horizon {
		n.queue.Push(e)
		n.faults.turns++
	}
}

// startFaults takes down what is down at the start, and queues the first outages.
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
		n.watch(o, 0, int32(i), ofHost)
	}
	for i, o := range f.links {
		if o == nil {
			continue
		}
		if _, down := o.Until(0); down {
			n.cut(i, 0)
		}
		n.watch(o, 0, 0, i)
	}
	return nil
}

// fault handles an event that concerns a link or a host as a whole.
func (n *Network) fault(e *sim.Event) bool {
	if e.At >= sim.Horizon {
		n.queue.Push(*e) // it did not happen
		n.fail(fmt.Errorf("a message on its way: %w", errHorizon))
		return false
	}
	if kindOf(e) == departs {
		n.depart(e)
	} else {
		n.turn(e)
	}
	return !n.stop && n.err == nil
}

// turn handles the beginning or the end of an outage. If nothing else is left to happen, no
// further outage can change anything, and the run ends.
func (n *Network) turn(e *sim.Event) {
	f := &n.faults
	f.turns--
	of, begins := linkOf(e), kindOf(e) == fails
	var o *channel.Outages
	switch {
	case of == ofHost && begins:
		o = f.hosts[e.Ref]
		n.hostFails(int(e.Ref), e.At)
	case of == ofHost:
		o = f.hosts[e.Ref]
		n.hostReturns(int(e.Ref))
	case begins:
		o = f.links[of]
		n.cut(of, e.At)
	default:
		o = f.links[of]
		f.cuts[of]--
	}
	if n.queue.Len() > f.turns {
		n.watch(o, e.At, e.Ref, of)
	}
}

// hostFails cuts all links of a node. A node that is gone for good ends.
func (n *Network) hostFails(i int, t sim.Time) {
	f, c := &n.faults, &n.nodes[i]
	f.down[i] = true
	for _, link := range f.into[i] {
		n.cut(link, t)
	}
	for k := range c.neighbors {
		n.cut(c.firstLink+k, t)
	}
	if n.cfg.Faults.Forget {
		c.rarely().restarted = true
		for k := range c.neighbors {
			n.giveUp(c.firstLink+k, t)
		}
	}
	if until, _ := f.hosts[i].Until(t); until < sim.Horizon {
		return
	}
	f.gone[i] = true
	for k := range c.neighbors {
		n.giveUp(c.firstLink+k, t)
	}
	for _, link := range f.into[i] {
		n.giveUp(link, t)
	}
	if p, ok := c.handler.(*program); ok && !p.done {
		n.running--
		p.proc.releaseAll()
		p.unwind()
	}
	if n.cfg.Recorder != nil && f.last[i].x != nil {
		r := metrics.NodeReport{Node: i, Iteration: f.last[i].k, X: f.last[i].x, Y: f.last[i].y, Counters: c.counters(nil)}
		if !n.cfg.Recorder.Gone(&r) {
			n.stop = true
		}
	}
}

func (n *Network) hostReturns(i int) {
	f, c := &n.faults, &n.nodes[i]
	f.down[i] = false
	for _, link := range f.into[i] {
		f.cuts[link]--
	}
	for k := range c.neighbors {
		f.cuts[c.firstLink+k]--
	}
}

// cut takes a link down: what is under way on it is lost, and with its receiver also what has
// landed and was not handed over.
func (n *Network) cut(link int, t sim.Time) {
	f := &n.faults
	f.cuts[link]++
	deaf := f.down[n.fabric.Link(link).To]
	flew := false
	var hit []uint64
	for _, p := range f.lines[link] {
		if p.flies || deaf && p.landed {
			hit = append(hit, p.seq)
			flew = flew || p.flies
		}
	}
	if flew {
		n.fabric.Cut(t, link)
		if n.shared {
			n.settleAt(t)
		}
	}
	for _, seq := range hit {
		if i := f.parcel(link, seq); i >= 0 {
			n.lose(link, i, t)
		}
	}
}

// Lost returns the number of messages that were lost for good.
func (n *Network) Lost() int64 { return n.faults.wasted }

// Gone returns the nodes that went down for good.
func (n *Network) Gone() []int {
	var all []int
	for i, gone := range n.faults.gone {
		if gone {
			all = append(all, i)
		}
	}
	return all
}

// whyMissing says what became of a message that a node waits for, "" if that is not known.
func (n *Network) whyMissing(from, to, phase, occurrence int, exchanged bool) string {
	f := &n.faults
	if !f.on {
		return ""
	}
	if f.gone[from] {
		return fmt.Sprintf("node %d is down for good", from)
	}
	link := n.nodes[from].firstLink + n.nodes[from].neighborIndex(to)
	l := &f.lost[link]
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
