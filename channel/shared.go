package channel

import (
	"fmt"
	"iter"
	"slices"

	"tallynet/metrics"
	"tallynet/sim"
)

// Shared is a fabric whose links are connections over a platform. A message first travels for the latency of
// its link; then its bits cross all physical links of the route at one rate. The messages of a connection
// follow each other, and connections share the physical links max-min fairly. This is the fluid model of TCP
// that SimGrid calls CM02, with its factors at 1 (Casanova, Legrand, Quinson 2008; Velho, Legrand 2009), except
// that a connection queues its messages.
//
// Time and rates are integers. A share of a link is rounded down to a unit of 2^-22 bit/s, or somewhat more on
// very fast platforms, so that no link ever carries more than its capacity. A message ends when its last bit is
// through, to a tick of 2^-10 ns; the next of its connection, and the other flows, continue from there. It
// arrives at that time, rounded half up to a nanosecond. So rounding errors do not add up when a queue empties
// or flows end one after the other. If a flow begins in the same nanosecond, rates change at the whole
// nanosecond. Results do not depend on how nodes or links are numbered.
type Shared struct {
	delays
	unit   rateUnit
	lanes  []lane
	laneOf []int32 // by link
	pipes  []pipe
	exits  [][]exit // by node
	ends   ends

	// What has changed since the last Settle.
	begun   []int32 // lanes
	touched []int32 // pipes that a lane left
	least   uint64  // the least rate of the lanes that have ended
	latest  moment  // when the last of them ended
	fill    filling
}

// lane is a connection: a queue whose first message flows. All links from a sender whose path is the same
// broadcast medium are one lane.
type lane struct {
	path      []int32 // physical links, in order
	route     []int32 // those of limited bandwidth
	slots     []int32 // where the lane is in the list of each pipe of route
	limit     uint64  // of the connection itself
	exit      int32   // index among the sender's exits; -1: the path is empty
	from      int32   // the sender
	broadcast bool    // a lane of a broadcast medium

	latency sim.Time

	enters   sim.Time // when the last sent message begins
	lastSent sim.Time
	last     Transfer   // the last sent message
	passedAt sim.Time   // when the broadcasts in passed took no time
	passed   []Transfer // kept for their other receivers

	jobs []job
	head int // of jobs

	rate   uint64
	left   work   // of the first job
	since  moment // at this time
	end    moment // when it ends at this rate
	place  int32  // index in ends; -1: none
	busy   meter
	sent   int64 // messages
	bytes  int64
	causes []sim.Time // by link of route, and last its own limit: its time as the bottleneck
	held   []sim.Time // the same for the message that arrived last
	spare  [][]sim.Time
	cause  int32    // the current bottleneck, an index of causes
	caused sim.Time // the time up to which causes are complete

	// of the current filling
	seen      uint64
	fixed     bool
	next      uint64
	nextCause int32
}

// job is a message in a lane. A job that follows goes to another receiver of the broadcast of the job before
// it.
type job struct {
	Transfer
	began   sim.Time
	follows bool
	before  []sim.Time // causes of the lane when the message began
}

// pipe is a physical link.
type pipe struct {
	PhysicalLink
	capacity uint64
	lanes    []int32 // that flow
	busy     meter
	bytes    int64
	messages int64

	// of the current filling
	seen  uint64
	full  uint32
	rest  uint64
	count uint64
}

// exit measures how long a node sends over one first physical link.
type exit struct {
	pipe int32
	meter
}

// meter adds up the time during which anything is active.
type meter struct {
	active int
	since  sim.Time
	sum    sim.Time
}

func (m *meter) enter(t sim.Time) {
	if m.active == 0 {
		m.since = t
	}
	m.active++
}

func (m *meter) leave(t sim.Time) {
	if m.active--; m.active == 0 {
		m.sum += t - m.since
	}
}

// at returns the sum up to t.
func (m *meter) at(t sim.Time) sim.Time {
	if m.active > 0 {
		return m.sum + max(0, t-m.since)
	}
	return m.sum
}

func newShared(c *FabricConfig, p *Platform) (*Shared, error) {
	f := &Shared{delays: newDelays(c), laneOf: make([]int32, len(c.Links)), exits: make([][]exit, c.Nodes),
		least: noLimit}
	fastest := int64(1)
	for i, l := range p.Links {
		if l.BitsPerSecond <= 0 {
			return nil, fmt.Errorf("physical link %d (%s): want a bandwidth above 0, got %d bit/s",
				i, l.Name, l.BitsPerSecond)
		}
		if l.BitsPerSecond != Unlimited {
			fastest = max(fastest, l.BitsPerSecond)
		}
	}
	for _, l := range c.Links {
		if l.BitsPerSecond != Unlimited {
			fastest = max(fastest, l.BitsPerSecond)
		}
	}
	f.unit = unitFor(fastest)
	f.pipes = make([]pipe, len(p.Links))
	for i, l := range p.Links {
		f.pipes[i] = pipe{PhysicalLink: l, capacity: f.unit.rate(l.BitsPerSecond)}
	}
	return f, f.connect(p)
}

// connect makes the lanes.
func (f *Shared) connect(p *Platform) error {
	latency := map[[2]int32]sim.Time{}
	for _, l := range f.links {
		latency[[2]int32{l.From, l.To}] = l.Latency
	}
	shouts := map[[2]int32]int32{} // lanes by sender and medium
	if !slices.ContainsFunc(p.Links, func(l PhysicalLink) bool { return l.Medium }) {
		f.lanes = make([]lane, 0, len(f.links)) // each link has its own
	}
	for i, l := range f.links {
		path, err := f.path(p, l)
		if err != nil {
			return err
		}
		shout := len(path) == 1 && f.pipes[path[0]].Medium
		if shout {
			at := [2]int32{l.From, path[0]}
			if shared, ok := shouts[at]; ok {
				f.laneOf[i] = shared
				f.links[i].Latency = f.lanes[shared].latency // one transmission has one
				continue
			}
			shouts[at] = int32(len(f.lanes))
		}
		back, ok := latency[[2]int32{l.To, l.From}]
		if !ok {
			back = l.Latency
		}
		f.laneOf[i] = int32(len(f.lanes))
		f.lanes = append(f.lanes, lane{from: l.From, path: path, exit: f.exitOf(l.From, path), broadcast: shout,
			latency: l.Latency, last: Transfer{Ref: -1},
			place: -1, limit: min(f.unit.rate(l.BitsPerSecond), f.unit.window(p.Window, l.Latency+back))})
		n := &f.lanes[len(f.lanes)-1]
		for _, k := range path {
			if f.pipes[k].BitsPerSecond != Unlimited {
				n.route = append(n.route, k)
			}
		}
		n.slots = make([]int32, len(n.route))
		n.causes, n.held = make([]sim.Time, len(n.route)+1), make([]sim.Time, len(n.route)+1)
	}
	return nil
}

// exitOf returns the index of the node's exit to the first link of a path, which may be new.
func (f *Shared) exitOf(node int32, path []int32) int32 {
	if len(path) == 0 {
		return -1
	}
	for i, e := range f.exits[node] {
		if e.pipe == path[0] {
			return int32(i)
		}
	}
	f.exits[node] = append(f.exits[node], exit{pipe: path[0]})
	return int32(len(f.exits[node]) - 1)
}

// path returns the physical links of a link.
func (f *Shared) path(p *Platform, l Link) ([]int32, error) {
	route, err := p.Route(int(l.From), int(l.To))
	if err != nil {
		return nil, err
	}
	path := make([]int32, len(route))
	for i, k := range route {
		if k < 0 || k >= len(f.pipes) {
			return nil, fmt.Errorf("route from node %d to %d: "+
				"want numbers of physical links below %d, got %v", l.From, l.To, len(f.pipes), route)
		}
		path[i] = int32(k)
	}
	return path, nil
}

// Send returns when the first bit reaches the receiver, which is when Start is due. It is never before the
// first bit of an earlier message.
func (f *Shared) Send(t sim.Time, x Transfer) (at sim.Time, known bool) {
	l := &f.lanes[f.laneOf[x.Link]]
	if l.broadcast && l.lastSent == t && l.last.same(&x) {
		return l.enters, false // another receiver of the same transmission
	}
	l.enters = within(max(t+f.links[x.Link].Latency+f.delay(int(x.Link)), l.enters))
	l.lastSent, l.last = t, x
	return l.enters, false
}

// Start appends a message to its lane.
func (f *Shared) Start(t sim.Time, x Transfer) (arrived bool) {
	l := &f.lanes[f.laneOf[x.Link]]
	if l.broadcast && l.addReceiver(t, x) {
		return false
	}
	if l.broadcast && l.passedAt == t && slices.ContainsFunc(l.passed, func(o Transfer) bool { return o.same(&x) }) {
		return true
	}
	for _, k := range l.path {
		f.pipes[k].bytes += x.Bytes
		f.pipes[k].messages++
	}
	l.bytes += x.Bytes
	l.sent++
	if l.idle() && (x.Bytes == 0 || l.limit == noLimit && len(l.route) == 0) {
		clear(l.held)
		l.passAtOnce(t, x)
		return true
	}
	l.jobs = append(l.jobs, job{Transfer: x, began: t, before: l.causesAt(t)})
	if len(l.jobs)-l.head == 1 {
		f.begin(t, f.laneOf[x.Link])
	}
	return false
}

// passAtOnce records a broadcast that takes no time.
func (l *lane) passAtOnce(t sim.Time, x Transfer) {
	if !l.broadcast {
		return
	}
	if l.passedAt != t {
		l.passedAt, l.passed = t, l.passed[:0]
	}
	l.passed = append(l.passed, x)
}

// causesAt returns a copy of causes at t.
func (l *lane) causesAt(t sim.Time) []sim.Time {
	if !l.idle() {
		l.account(t)
	}
	if k := len(l.spare) - 1; k >= 0 {
		c := l.spare[k]
		l.spare = l.spare[:k]
		copy(c, l.causes)
		return c
	}
	return slices.Clone(l.causes)
}

// hold sets held for the message that arrives at t.
func (l *lane) hold(t sim.Time, before []sim.Time) {
	l.account(t)
	for i := range l.held {
		l.held[i] = l.causes[i] - before[i]
	}
	l.spare = append(l.spare, before)
}

func (l *lane) idle() bool { return l.head == len(l.jobs) }

// addReceiver adds a receiver to a broadcast that began at t in the lane. It returns false if there is none.
func (l *lane) addReceiver(t sim.Time, x Transfer) bool {
	for i := len(l.jobs) - 1; i >= l.head && l.jobs[i].began == t; i-- {
		if l.jobs[i].same(&x) {
			l.jobs = slices.Insert(l.jobs, i+1, job{Transfer: x, began: t, follows: true})
			return true
		}
	}
	return false
}

// begin starts the flow of the first message of an idle lane. Settle sets its rate.
func (f *Shared) begin(t sim.Time, at int32) {
	l := &f.lanes[at]
	l.left, l.since, l.rate, l.caused = f.unit.work(l.jobs[l.head].Bytes), moment{at: t}, 0, t
	l.busy.enter(t)
	if l.exit >= 0 {
		f.exits[l.from][l.exit].enter(t)
	}
	for i, k := range l.route {
		p := &f.pipes[k]
		p.busy.enter(t)
		l.slots[i] = int32(len(p.lanes))
		p.lanes = append(p.lanes, at)
	}
	f.begun = append(f.begun, at)
}

// Finish ends the messages that are through by t. The next one of a lane follows at once.
func (f *Shared) Finish(t sim.Time, arrived []Transfer) []Transfer {
	for len(f.ends) > 0 && f.ends[0].at <= t {
		at := f.ends[0].lane
		l := &f.lanes[at]
		arrived = append(arrived, l.jobs[l.head].Transfer)
		l.hold(t, l.jobs[l.head].before)
		for l.head++; !l.idle() && l.jobs[l.head].follows; l.head++ {
			arrived = append(arrived, l.jobs[l.head].Transfer)
		}
		if l.idle() {
			f.cease(t, at)
			continue
		}
		if l.head > 32 && l.head > len(l.jobs)/2 {
			l.jobs, l.head = append(l.jobs[:0], l.jobs[l.head:]...), 0
		}
		l.left, l.since = f.unit.work(l.jobs[l.head].Bytes), l.end
		l.end = l.since.after(l.left, l.rate)
		f.ends.moved(f.lanes, at)
	}
	return arrived
}

// cease removes a lane from its pipes.
func (f *Shared) cease(t sim.Time, at int32) {
	l := &f.lanes[at]
	l.jobs, l.head = l.jobs[:0], 0
	f.ends.remove(f.lanes, at)
	f.least = min(f.least, l.rate)
	if f.latest.before(l.end) {
		f.latest = l.end
	}
	l.rate = 0
	l.busy.leave(t)
	if l.exit >= 0 {
		f.exits[l.from][l.exit].leave(t)
	}
	for i, k := range l.route {
		p := &f.pipes[k]
		p.busy.leave(t)
		last := len(p.lanes) - 1
		moved, slot := p.lanes[last], l.slots[i]
		p.lanes[slot] = moved
		p.lanes = p.lanes[:last]
		m := &f.lanes[moved]
		for j := range m.route {
			if m.route[j] == k && m.slots[j] == int32(last) {
				m.slots[j] = slot
			}
		}
		f.touched = append(f.touched, k)
	}
}

// account adds the time since the last call to the current bottleneck.
func (l *lane) account(t sim.Time) {
	l.causes[l.cause] += t - l.caused
	l.caused = t
}

// UnderWay yields the messages in the lanes.
func (f *Shared) UnderWay() iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		for i := range f.lanes {
			l := &f.lanes[i]
			for _, j := range l.jobs[l.head:] {
				if !yield(j.Transfer) {
					return
				}
			}
		}
	}
}

// Busy returns how long a connection has carried bits.
func (f *Shared) Busy(link int, t sim.Time) sim.Time { return f.lanes[f.laneOf[link]].busy.at(t) }

// Withdraw does nothing: what has not begun is not counted.
func (f *Shared) Withdraw(int, int64) {}

// Sending returns how long a node's messages have crossed the first physical links of their paths.
func (f *Shared) Sending(node int, t sim.Time) sim.Time {
	var sum sim.Time
	for i := range f.exits[node] {
		sum = within(sum + f.exits[node][i].at(t))
	}
	return sum
}

// Path returns the route of a link.
func (f *Shared) Path(link int) (over []int32, medium bool) {
	l := &f.lanes[f.laneOf[link]]
	return l.path, l.broadcast
}

// Held returns what limited the message that arrived last.
func (f *Shared) Held(link int) (over []int32, held []sim.Time) {
	l := &f.lanes[f.laneOf[link]]
	return l.route, l.held
}

// Physical returns the counts of links and connections.
func (f *Shared) Physical(t sim.Time) ([]metrics.PhysicalLink, []metrics.Crossing) {
	links := make([]metrics.PhysicalLink, len(f.pipes))
	for i := range f.pipes {
		p := &f.pipes[i]
		links[i] = metrics.PhysicalLink{Name: p.Name, BitsPerSecond: p.BitsPerSecond, Messages: p.messages, Bytes: p.bytes,
			Busy: p.busy.at(t)}
	}
	crossed := 0
	for i := range f.lanes {
		if l := &f.lanes[i]; l.sent > 0 {
			crossed += len(l.path) + 1
		}
	}
	all := slices.Grow([]metrics.Crossing(nil), crossed)
	done := make([]bool, len(f.lanes))
	for i, k := range f.laneOf {
		if l := &f.lanes[k]; !done[k] && l.sent > 0 {
			done[k] = true
			if !l.idle() {
				l.account(t)
			}
			all = l.crossings(all, &f.links[i])
		}
	}
	return links, all
}

// crossings appends what the lane has sent over each of its links, and its own limit if that was ever the
// bottleneck.
func (l *lane) crossings(all []metrics.Crossing, link *Link) []metrics.Crossing {
	c := metrics.Crossing{From: int(link.From), To: int(link.To), Messages: l.sent, Bytes: l.bytes}
	if l.broadcast {
		c.To = -1
	}
	limited := 0
	for _, k := range l.path {
		c.Link, c.Bottleneck = int(k), 0
		if limited < len(l.route) && l.route[limited] == k {
			c.Bottleneck = l.causes[limited]
			limited++
		}
		all = append(all, c)
	}
	if c.Bottleneck = l.causes[len(l.route)]; c.Bottleneck > 0 {
		c.Link = -1
		all = append(all, c)
	}
	return all
}
