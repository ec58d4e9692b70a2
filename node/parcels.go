package node

import (
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// parcel is a copy of a message on a link.
type parcel struct {
	seq      uint64 // of its pending event
	ref      int32
	failed   int32 // number of failed attempts
	doomed   bool  // it is lost when it would arrive
	landed   bool  // it has arrived, and waits for a parcel that was sent before it
	inFlight bool  // the fabric carries it
}

// lossRecord describes the last loss on a link, and counts losses.
type lossRecord struct {
	phase, occurrence int
	exchanged         bool
	at                sim.Time
	times             int64
}

// post sends a message on a link. It departs at the sender's clock.
func (n *Network) post(c *Context, m *channel.Message, link int) {
	f := &n.faults
	f.lines[link] = append(f.lines[link], parcel{seq: c.seq, ref: m.Index()})
	n.queueDeparture(c, c.now, m.Index(), link)
}

func (n *Network) queueDeparture(c *Context, at sim.Time, ref int32, link int) {
	n.queue.Push(sim.Event{At: at, To: last, From: int32(c.id), Seq: c.seq, Ref: ref, Port: port(departs, link)})
	c.seq++
}

// depart puts a parcel on its link. If the link is down, the attempt fails.
func (n *Network) depart(e *sim.Event) {
	f, link := &n.faults, linkOf(e)
	i := f.parcel(link, e.Seq)
	if i < 0 {
		return
	}
	c := &n.nodes[n.fabric.Link(link).From]
	if f.cuts[link] > 0 {
		n.lose(link, i, e.At)
		return
	}
	p := &f.lines[link][i]
	bytes := n.pool.At(p.ref).Bytes
	if p.failed > 0 {
		n.ledger.Again(link, bytes)
		c.extra().Retransmitted += bytes
	}
	if n.charges != nil {
		n.pay(c, link, n.pool.At(p.ref), e.At)
	}
	p.doomed, p.inFlight = f.losses.Next(link), true
	at, known := n.fabric.Send(e.At, channel.Transfer{Link: int32(link), Ref: p.ref, Bytes: bytes,
		Cast: n.pool.At(p.ref).Counter})
	kind := begins
	if known {
		kind = arrives
	}
	to := n.fabric.Link(link).To
	n.queue.Push(sim.Event{At: at, To: to, From: int32(c.id), Seq: p.seq, Ref: p.ref, Port: port(kind, link)})
}

// land takes a parcel from its link. Parcels are delivered in the order in which they were sent.
func (n *Network) land(e *sim.Event) {
	f, link := &n.faults, linkOf(e)
	i := f.parcel(link, e.Seq)
	if i < 0 {
		return
	}
	p := &f.lines[link][i]
	p.inFlight = false
	if p.doomed {
		n.lose(link, i, e.At)
		return
	}
	p.landed = true
	n.handOver(link, e.At)
}

// handOver delivers the parcels at the head of a line that have arrived.
func (n *Network) handOver(link int, t sim.Time) {
	f := &n.faults
	for len(f.lines[link]) > 0 && f.lines[link][0].landed &&
		!f.down[n.fabric.Link(link).To] && n.goesOn() {
		p := f.lines[link][0]
		f.lines[link] = slices.Delete(f.lines[link], 0, 1)
		l := n.fabric.Link(link)
		c := &n.nodes[l.To]
		n.current = c
		n.deliver(c, &sim.Event{At: t, To: l.To, From: l.From, Seq: p.seq, Ref: p.ref, Port: port(arrives, link)})
	}
}

// lose ends a failed attempt. It schedules another, or drops the parcel if none can succeed.
func (n *Network) lose(link, i int, t sim.Time) {
	f, again := &n.faults, n.cfg.Faults.Retransmit
	p := &f.lines[link][i]
	p.failed++
	p.inFlight, p.doomed, p.landed = false, false, false
	l := n.fabric.Link(link)
	next := sim.Never
	if again != nil {
		next, _ = endOf(n.faults.hosts[l.From], min(t+again.Wait(int(p.failed)), 2*sim.Horizon))
	}
	back, _ := endOf(f.links[link], t)
	if next >= sim.Horizon || back >= sim.Horizon || again.Attempts > 0 && int(p.failed) >= again.Attempts ||
		f.gone[l.From] || f.gone[l.To] || n.cfg.Faults.Forget && f.down[l.From] {
		n.drop(link, i, t)
		return
	}
	c := &n.nodes[l.From]
	p.seq = c.seq
	n.queueDeparture(c, next, p.ref, link)
}

// drop loses a parcel for good. Parcels that waited for it may then be delivered.
func (n *Network) drop(link, i int, t sim.Time) {
	f := &n.faults
	p := f.lines[link][i]
	f.lines[link] = slices.Delete(f.lines[link], i, i+1)
	m, l := n.pool.At(p.ref), n.fabric.Link(link)
	bytes := m.Bytes
	n.ledger.Lost(m.Class, link, bytes)
	c := &n.nodes[l.From]
	lost := &c.extra().Faults
	lost.LostMessages++
	lost.LostBytes += bytes
	f.lostCount++
	o := &f.lastLoss[link]
	*o = lossRecord{phase: n.phaseOf[m.Class], occurrence: m.Occurrence, exchanged: m.Exchanged, at: t,
		times: o.times + 1}
	n.pool.Release(m)
	if i == 0 {
		n.handOver(link, t)
	}
}

// giveUp loses for good all parcels that wait for a retransmission on a link.
func (n *Network) giveUp(link int, t sim.Time) {
	waits := func(p parcel) bool { return p.failed > 0 && !p.landed && !p.inFlight }
	n.each(link, waits, func(i int) { n.drop(link, i, t) })
}

// each calls do with the index of each parcel on a link that is one of some now, and still there then.
func (n *Network) each(link int, which func(parcel) bool, do func(i int)) {
	f := &n.faults
	some := slices.DeleteFunc(slices.Clone(f.lines[link]), func(p parcel) bool { return !which(p) })
	for _, p := range some {
		if i := f.parcel(link, p.seq); i >= 0 {
			do(i)
		}
	}
}

// parcel returns the index of a parcel in the line of its link; -1 if the parcel no longer waits for the event.
func (f *faultState) parcel(link int, seq uint64) int {
	return slices.IndexFunc(f.lines[link], func(p parcel) bool { return p.seq == seq })
}
