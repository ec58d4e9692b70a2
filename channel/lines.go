package channel

import (
	"iter"

	"tallynet/metrics"
	"tallynet/sim"
)

// Lines are independent links. A message waits for earlier messages on its link and for nothing else. A link
// has one sender, which uses it in the order of the sender's clock, so that arrivals are known at the send,
// ahead of the global clock.
type Lines struct {
	delays
	state []lineState
	first []int32 // the links of a node are order[first[node]:first[node+1]]
	order []int32
}

type lineState struct {
	free    sim.Time // when the last bit of the last message leaves
	arrival sim.Time // when that bit arrives
	busy    sim.Time
}

func newLines(c *FabricConfig) *Lines {
	f := &Lines{delays: newDelays(c), state: make([]lineState, len(c.Links))}
	f.first, f.order = bySender(c.Links, c.Nodes)
	return f
}

// bySender returns the links of each node; see Lines.
func bySender(links []Link, nodes int) (first, order []int32) {
	first, order = make([]int32, nodes+1), make([]int32, len(links))
	for _, l := range links {
		first[l.From+1]++
	}
	for i := range nodes {
		first[i+1] += first[i]
	}
	next := append([]int32(nil), first...)
	for i, l := range links {
		order[next[l.From]] = int32(i)
		next[l.From]++
	}
	return first, order
}

// Link returns link i.
func (d *delays) Link(i int) *Link { return &d.links[i] }

// Links returns the number of directed links.
func (d *delays) Links() int { return len(d.links) }

// Send returns when a message arrives.
func (f *Lines) Send(t sim.Time, x Transfer) (at sim.Time, known bool) {
	l, s := &f.links[x.Link], &f.state[x.Link]
	start := max(t, s.free)
	took := serialize(x.Bytes, l.BitsPerSecond)
	s.free = within(start + took)
	s.busy = within(s.busy + took)
	// Jitter delays a message as a whole. A message never arrives before its predecessor.
	first := max(start+l.Latency+f.delay(int(x.Link)), s.arrival)
	s.arrival = within(first + took)
	return s.arrival, true
}

// Start panics: arrivals are known at the send.
func (f *Lines) Start(sim.Time, Transfer) bool { panic("channel: a line was booked at the send") }

// Settle returns Never.
func (f *Lines) Settle(sim.Time) sim.Time { return sim.Never }

// Finish returns arrived unchanged.
func (f *Lines) Finish(_ sim.Time, arrived []Transfer) []Transfer { return arrived }

// Cut frees the link at t. The time booked after t is one interval, since nothing was sent after t.
func (f *Lines) Cut(t sim.Time, link int) {
	s := &f.state[link]
	if s.free > t {
		s.busy -= s.free - t
	}
	s.free, s.arrival = min(s.free, t), min(s.arrival, t)
}

// Withdraw takes back the last message on a link from its busy time.
func (f *Lines) Withdraw(link int, bytes int64) {
	f.state[link].busy -= serialize(bytes, f.links[link].BitsPerSecond)
}

// UnderWay yields nothing.
func (f *Lines) UnderWay() iter.Seq[Transfer] { return func(func(Transfer) bool) {} }

// Busy returns how long a link serializes all messages sent so far, whatever the time.
func (f *Lines) Busy(link int, _ sim.Time) sim.Time { return f.state[link].busy }

// Sending returns the sum of Busy over a node's links.
func (f *Lines) Sending(node int, t sim.Time) sim.Time {
	var sum sim.Time
	for _, i := range f.order[f.first[node]:f.first[node+1]] {
		sum = within(sum + f.Busy(int(i), t))
	}
	return sum
}

// Physical returns nil.
func (f *Lines) Physical(sim.Time) ([]metrics.PhysicalLink, []metrics.Crossing) { return nil, nil }

// Path returns nil.
func (f *Lines) Path(int) ([]int32, bool) { return nil, false }

// Held returns nil.
func (f *Lines) Held(int) ([]int32, []sim.Time) { return nil, nil }

// serialize returns how long a message takes at a rate, rounded half up.
func serialize(bytes, bitsPerSecond int64) sim.Time {
	if bitsPerSecond == Unlimited {
		return 0
	}
	return sim.Quotient(uint64(bytes), 8*uint64(sim.Second), uint64(bitsPerSecond))
}
