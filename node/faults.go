package node

import (
	"fmt"
	"slices"

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

// parcel is a copy of a message on a link.
type parcel struct {
	seq    uint64 // of the event that it waits for
	ref    int32
	failed int32 // attempts
	doomed bool  // it will be lost where it would arrive
	landed bool  // it has arrived, and waits for one that was sent before it
	flies  bool  // the fabric has it
}

// losing is what is remembered about a loss.
type losing struct {
	phase, occurrence int
	exchanged         bool
	at                sim.Time
	times             int64
}

// lastReport is what a node that can go for good has last reported.
type lastReport struct {
	k    int
	x, y []float64
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
	if e.At <= sim.Horizon {
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
	if e.At > sim.Horizon {
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

// asleep reports whether a timer ends while its host is down: it waits until the host is up.
func (n *Network) asleep(c *Context, e *sim.Event) bool {
	o := c.outages()
	if o == nil {
		return false
	}
	until, down := o.Until(e.At)
	if !down {
		return false
	}
	if until <= sim.Horizon {
		again := *e
		again.At = until
		n.queue.Push(again)
	}
	return true
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
		c.restarted = true
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
		r := metrics.NodeReport{Node: i, Iteration: f.last[i].k, X: f.last[i].x, Y: f.last[i].y, Counters: c.spent}
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

// giveUp loses for good everything that waits to be sent again on a link.
func (n *Network) giveUp(link int, t sim.Time) {
	f := &n.faults
	var hit []uint64
	for _, p := range f.lines[link] {
		if p.failed > 0 && !p.landed && !p.flies {
			hit = append(hit, p.seq)
		}
	}
	for _, seq := range hit {
		if i := f.parcel(link, seq); i >= 0 {
			n.drop(link, i, t)
		}
	}
}

// post lets a message leave on a link at the sender's clock.
func (n *Network) post(c *Context, m *channel.Message, link int) {
	f := &n.faults
	f.lines[link] = append(f.lines[link], parcel{seq: c.seq, ref: m.Index()})
	n.departure(c, c.now, m.Index(), link)
}

func (n *Network) departure(c *Context, at sim.Time, ref int32, link int) {
	n.queue.Push(sim.Event{At: at, To: last, From: int32(c.id), Seq: c.seq, Ref: ref, Port: port(departs, link)})
	c.seq++
}

// parcel returns the place of a parcel in its line, -1 where the event has been overtaken.
func (f *faulty) parcel(link int, seq uint64) int {
	return slices.IndexFunc(f.lines[link], func(p parcel) bool { return p.seq == seq })
}

// depart puts a parcel on its link, or loses it where the link is down.
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
	bytes := n.bytes(n.pool.At(p.ref))
	if p.failed > 0 {
		n.ledger.Again(link, bytes)
		c.spent.Retransmitted += bytes
	}
	n.payAttempt(c, link, p.ref, e.At, bytes)
	p.doomed, p.flies = f.losses.Next(link), true
	at, known := n.fabric.Send(e.At, channel.Transfer{Link: int32(link), Ref: p.ref, Bytes: bytes,
		Cast: n.pool.At(p.ref).Counter})
	kind := begins
	if known {
		kind = arrives
	}
	to := n.fabric.Link(link).To
	n.queue.Push(sim.Event{At: at, To: to, From: int32(c.id), Seq: p.seq, Ref: p.ref, Port: port(kind, link)})
}

// land takes a parcel from its link, and delivers what has landed in the order in which it was sent.
func (n *Network) land(e *sim.Event) {
	f, link := &n.faults, linkOf(e)
	i := f.parcel(link, e.Seq)
	if i < 0 {
		return
	}
	p := &f.lines[link][i]
	p.flies = false
	if p.doomed {
		n.lose(link, i, e.At)
		return
	}
	p.landed = true
	n.handOver(link, e.At)
}

// handOver delivers those parcels at the head of a line that have landed.
func (n *Network) handOver(link int, t sim.Time) {
	f := &n.faults
	for len(f.lines[link]) > 0 && f.lines[link][0].landed &&
		!f.down[n.fabric.Link(link).To] && !n.stop && n.err == nil {
		p := f.lines[link][0]
		f.lines[link] = slices.Delete(f.lines[link], 0, 1)
		l := n.fabric.Link(link)
		c := &n.nodes[l.To]
		n.current = c
		n.deliver(c, &sim.Event{At: t, To: l.To, From: l.From, Seq: p.seq, Ref: p.ref, Port: port(arrives, link)})
	}
}

// lose ends an attempt. Another one follows if there is hope.
func (n *Network) lose(link, i int, t sim.Time) {
	f, again := &n.faults, n.cfg.Faults.Retransmit
	p := &f.lines[link][i]
	p.failed++
	p.flies, p.doomed, p.landed = false, false, false
	l := n.fabric.Link(link)
	next := sim.Never
	if again != nil {
		next = n.nextTry(int(l.From), min(t+again.Wait(int(p.failed)), 2*sim.Horizon))
	}
	if next > sim.Horizon || again.Attempts > 0 && int(p.failed) >= again.Attempts || f.gone[l.From] || f.gone[l.To] ||
		n.cfg.Faults.Forget && f.down[l.From] || n.never(link, t) {
		n.drop(link, i, t)
		return
	}
	c := &n.nodes[l.From]
	p.seq = c.seq
	n.departure(c, next, p.ref, link)
}

// never reports whether a link is down for good at t.
func (n *Network) never(link int, t sim.Time) bool {
	o := n.faults.links[link]
	if o == nil {
		return false
	}
	until, _ := o.Until(t)
	return until >= sim.Horizon
}

// nextTry returns when a node that wants to send again at t is up; Never if it does not come back.
func (n *Network) nextTry(node int, t sim.Time) sim.Time {
	o := n.faults.hosts[node]
	if o == nil {
		return t
	}
	until, _ := o.Until(t)
	return until
}

// drop loses a parcel for good, which may free those that wait behind it.
func (n *Network) drop(link, i int, t sim.Time) {
	f := &n.faults
	p := f.lines[link][i]
	f.lines[link] = slices.Delete(f.lines[link], i, i+1)
	m, l := n.pool.At(p.ref), n.fabric.Link(link)
	bytes := n.bytes(m)
	n.ledger.Lost(m.Class, link, bytes)
	c := &n.nodes[l.From]
	c.spent.LostMessages++
	c.spent.LostBytes += bytes
	f.wasted++
	o := &f.lost[link]
	*o = losing{phase: n.phaseOf[m.Class], occurrence: m.Occurrence, exchanged: m.Exchanged, at: t, times: o.times + 1}
	n.pool.Release(m)
	if i == 0 {
		n.handOver(link, t)
	}
}

// bytes returns the bytes of a message on the wire.
func (n *Network) bytes(m *channel.Message) int64 {
	if c := n.ledger.Class(m.Class); !c.Varies {
		return c.WireBytes()
	}
	return m.Size.WireBytes()
}

// awake moves a node's clock out of an outage. It does not return to a program whose node never
// comes back.
func (c *Context) awake() {
	o := c.outages()
	if o == nil {
		return
	}
	until, down := o.Until(c.now)
	if !down {
		return
	}
	if until >= sim.Horizon {
		c.vanish()
		return
	}
	c.rest(until)
}

// rest lets time pass to a later time.
func (c *Context) rest(until sim.Time) {
	d := until - c.now
	c.spent.Wait += d
	c.spent.Waits.Timer += d
	c.spent.Path.Idle += d
	c.now = until
}

// vanish suspends the program of a node that never comes back.
func (c *Context) vanish() {
	if p, ok := c.handler.(*program); ok {
		p.proc.wait = wait{kind: waitNothing, since: c.now}
		p.proc.suspend()
	}
}

func (c *Context) outages() *channel.Outages {
	if !c.net.faults.on {
		return nil
	}
	return c.net.faults.hosts[c.id]
}

// pass lets d of computing pass, which stops while the host is down.
func (c *Context) pass(d sim.Time) {
	if o := c.outages(); o != nil {
		c.awake()
		for !c.lostForGood() && c.now <= sim.Horizon {
			left := o.Next(c.now) - c.now
			if left >= d {
				break
			}
			c.busy(left)
			d -= left
			c.awake()
		}
		if c.lostForGood() {
			return
		}
	}
	c.busy(d)
}

// lostForGood reports whether a node is down for good by its own clock.
func (c *Context) lostForGood() bool {
	o := c.outages()
	if o == nil {
		return false
	}
	until, down := o.Until(c.now)
	return down && until >= sim.Horizon
}

// busy lets computing time pass.
func (c *Context) busy(d sim.Time) {
	if t := c.net.cfg.Tracer; t != nil {
		t.Computed(c.id, c.now, c.now+d)
	}
	c.now += d
	c.spent.Compute += d
	c.spent.Path.Compute += d
}

// remember keeps what a node reports that may go down for good.
func (n *Network) remember(c *Context, k int, x, y []float64) {
	if c.outages() == nil {
		return
	}
	l := &n.faults.last[c.id]
	l.k, l.x, l.y = k, append(l.x[:0], x...), append(l.y[:0], y...)
}

// Restarted reports, once, that the node's host was down and lost its state: the method begins
// again from what it can still know.
func (c *Context) Restarted() bool {
	c.sync()
	r := c.restarted && !c.net.faults.down[c.id]
	if r {
		c.restarted = false
	}
	return r
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
