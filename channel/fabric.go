package channel

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"tallynet/sim"
)

// Link is a directed link.
type Link struct {
	From, To      int32
	Latency       sim.Time
	BitsPerSecond int64 // Unlimited: serializing takes no time
}

// Unlimited is a rate at which serializing takes no time.
const Unlimited = math.MaxInt64

// Overhead is what headers add to the payload: PerMessage bytes, then PerPacket bytes for
// each packet of at most MTU bytes of payload and message header. The zero value adds
// nothing; MTU 0 makes every message one packet.
type Overhead struct {
	PerMessage int64
	PerPacket  int64
	MTU        int64
}

// Of returns the header bytes of a message with the given bytes of payload, and whether 64 bits
// hold them with the payload. Even an empty message is one packet.
func (o Overhead) Of(payload int64) (bytes int64, ok bool) {
	body := uint64(payload) + uint64(o.PerMessage) // both are below 2^63
	packets := uint64(1)
	if o.MTU > 0 {
		packets = max(1, body/uint64(o.MTU)+min(1, body%uint64(o.MTU)))
	}
	high, headers := bits.Mul64(packets, uint64(o.PerPacket))
	whole, carry := bits.Add64(body, headers, 0)
	if high > 0 || carry > 0 || whole > math.MaxInt64 {
		return 0, false
	}
	return int64(whole) - payload, true
}

// JitterKind is a distribution of extra delay.
type JitterKind uint8

// The distributions of jitter. Normal is cut off at zero, since no delay is negative.
const (
	NoJitter JitterKind = iota
	Uniform             // on [0, 2 Mean]
	Exponential
	Normal // mean Mean, standard deviation Deviation
)

// Jitter is a random extra latency, drawn for each message from the link's own stream. It
// never reorders a link: no message arrives earlier than its predecessor.
type Jitter struct {
	Kind      JitterKind
	Mean      sim.Time
	Deviation sim.Time
}

// draw returns a delay. Products are converted, so that no processor fuses them with a sum.
func (j Jitter) draw(r *rand.Rand) sim.Time {
	mean := j.Mean.Seconds()
	switch j.Kind {
	case Uniform:
		return sim.Span(float64(2 * mean * r.Float64()))
	case Exponential:
		return sim.Span(float64(mean * r.ExpFloat64()))
	case Normal:
		return sim.Span(max(0, mean+float64(j.Deviation.Seconds()*r.NormFloat64())))
	}
	return 0
}

// NIC is a node's network interface, shared by all its links: a message takes its turn on
// the sender's uplink, on the link and on the receiver's downlink, each of which is FIFO. It
// is cut through, not stored and forwarded: alone, a message of B bytes takes
// latency + 8 B / min(up, link, down).
type NIC struct {
	UpBitsPerSecond   int64
	DownBitsPerSecond int64
}

// FabricConfig describes the links of a network.
type FabricConfig struct {
	Nodes  int
	Links  []Link // owned by the fabric from here on
	Jitter Jitter
	// NICs holds one interface for all nodes or one for each; nil means dedicated
	// links: every directed link has its bandwidth to itself.
	NICs []NIC
	Seed uint64
	// Streams holds for each node the number by which its links' jitter is keyed; nil: its own.
	Streams []int
}

// Fabric says when messages arrive. A dedicated link or an uplink has one sender, which uses
// it in the order of its own clock, so that it can be booked at the send, ahead of the
// global clock; a downlink is booked when a message's first bit reaches it.
type Fabric struct {
	links   []Link
	state   []linkState
	jitter  Jitter
	rands   []*rand.Rand
	seed    uint64
	streams []int
	nics    []NIC
	up      []sim.Time // when each uplink is free
	down    []sim.Time // when each downlink is free
}

type linkState struct {
	free    sim.Time // when the last bit of the last message has left
	arrival sim.Time // when it reaches the other end
}

// NewFabric checks c and returns an idle fabric. An error names the link or node.
func NewFabric(c FabricConfig) (*Fabric, error) {
	for i, l := range c.Links {
		if l.Latency < 0 || l.Latency > sim.Horizon || l.BitsPerSecond <= 0 {
			return nil, fmt.Errorf("link %d (%d to %d): "+
				"want a latency from 0 to %v and a bandwidth above 0, got %v and %d bit/s",
				i, l.From, l.To, sim.Horizon, l.Latency, l.BitsPerSecond)
		}
	}
	if c.Jitter.Mean < 0 || c.Jitter.Deviation < 0 {
		return nil, fmt.Errorf("jitter: want a mean and a deviation of at least 0, got %v and %v",
			c.Jitter.Mean, c.Jitter.Deviation)
	}
	for i, n := range c.NICs {
		if n.UpBitsPerSecond <= 0 || n.DownBitsPerSecond <= 0 {
			return nil, fmt.Errorf("nic of node %d: want an uplink and a downlink above 0 bit/s, got %d and %d",
				i, n.UpBitsPerSecond, n.DownBitsPerSecond)
		}
	}
	if k := len(c.NICs); k > 1 && k != c.Nodes {
		return nil, fmt.Errorf("want one nic, or one for each of %d nodes, got %d", c.Nodes, k)
	}
	f := &Fabric{links: c.Links, state: make([]linkState, len(c.Links)), jitter: c.Jitter, seed: c.Seed,
		streams: c.Streams, nics: c.NICs}
	if c.Jitter.Kind != NoJitter {
		f.rands = make([]*rand.Rand, len(c.Links))
	}
	if c.NICs != nil {
		f.up = make([]sim.Time, c.Nodes)
		f.down = make([]sim.Time, c.Nodes)
	}
	return f, nil
}

// Link returns link i.
func (f *Fabric) Link(i int) *Link { return &f.links[i] }

// Links returns the number of directed links.
func (f *Fabric) Links() int { return len(f.links) }

// TwoStage reports whether a message needs Deliver after Send.
func (f *Fabric) TwoStage() bool { return f.nics != nil }

// Send books a message of the given bytes, headers included, that is ready to leave on link
// at time t, which is not before any earlier Send on this link. It returns when the message
// has arrived; if there are NICs, it returns when its first bit reaches the receiver's
// downlink, at which time Deliver must be called.
func (f *Fabric) Send(link int, t sim.Time, bytes int64) sim.Time {
	l, s := &f.links[link], &f.state[link]
	rate := l.BitsPerSecond
	if f.nics != nil {
		up := f.nic(l.From).UpBitsPerSecond
		t = max(t, f.up[l.From])
		f.up[l.From] = within(t + serialize(bytes, up))
		rate = min(rate, up)
	}
	start := max(t, s.free)
	took := serialize(bytes, rate)
	s.free = within(start + took)
	// Jitter delays a message as a whole, and never past its predecessor's end.
	first := max(start+l.Latency+f.delay(link), s.arrival)
	s.arrival = within(first + took)
	if f.nics != nil {
		return first
	}
	return s.arrival
}

// Deliver books the downlink for a message whose first bit reaches it at time t, and returns
// when its last bit is through. The downlink is taken for 8 B / down only, even if a slower
// link feeds it: between the bits of one message there is room for those of another.
func (f *Fabric) Deliver(link int, t sim.Time, bytes int64) sim.Time {
	l := &f.links[link]
	start := max(t, f.down[l.To])
	f.down[l.To] = within(start + serialize(bytes, f.nic(l.To).DownBitsPerSecond))
	tail := t + serialize(bytes, min(f.nic(l.From).UpBitsPerSecond, l.BitsPerSecond))
	return max(f.down[l.To], tail)
}

// within bounds a booking, so that adding to it cannot overflow. Nothing happens after the
// horizon: how far beyond it a booking lies does not matter.
func within(t sim.Time) sim.Time { return min(t, 2*sim.Horizon) }

func (f *Fabric) nic(node int32) *NIC {
	if len(f.nics) == 1 {
		return &f.nics[0]
	}
	return &f.nics[node]
}

// delay draws the link's next jitter, from a stream that is made when it is first needed.
func (f *Fabric) delay(link int) sim.Time {
	if f.rands == nil {
		return 0
	}
	if f.rands[link] == nil {
		from, to := int(f.links[link].From), int(f.links[link].To)
		if f.streams != nil {
			from, to = f.streams[from], f.streams[to]
		}
		f.rands[link] = sim.Stream(f.seed, "jitter", from, to)
	}
	return f.jitter.draw(f.rands[link])
}

// Busy returns how long link i serializes a message of the given bytes.
func (f *Fabric) Busy(i int, bytes int64) sim.Time {
	return serialize(bytes, f.links[i].BitsPerSecond)
}

// serialize returns how long a message of the given bytes takes at a rate: a ratio of integers,
// rounded half up.
func serialize(bytes, bitsPerSecond int64) sim.Time {
	if bitsPerSecond == Unlimited {
		return 0
	}
	return sim.Quotient(uint64(bytes), 8*uint64(sim.Second), uint64(bitsPerSecond))
}
