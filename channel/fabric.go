package channel

import (
	"fmt"
	"iter"
	"math"

	"tallynet/metrics"
	"tallynet/sim"
)

// Link is a directed link between two nodes.
type Link struct {
	From, To      int32
	Latency       sim.Time
	BitsPerSecond int64 // Unlimited: serializing takes no time
}

// Unlimited is a rate at which serializing takes no time.
const Unlimited = math.MaxInt64

// Fabric carries messages over the directed links of a graph. There are two: Lines, where each
// link is a line of its own, and Shared, where links are connections over a network of physical
// links. Times are given by the caller, in the order of the global clock but for Send, which
// is called at the sender's own clock.
type Fabric interface {
	// Links returns the number of directed links, and Link the one with a number.
	Links() int
	Link(i int) *Link
	// Send takes a message that is ready to leave at t, which is not before any earlier Send
	// on its link. It returns when the message arrives, if that is known; else when Start
	// must be called with the message.
	Send(t sim.Time, x Transfer) (at sim.Time, known bool)
	// Start lets the bits of a message flow from t on. It reports whether they take no time,
	// so that the message has arrived. After one or more calls at t, and before the clock
	// moves on, Settle must be called.
	Start(t sim.Time, x Transfer) (arrived bool)
	// Settle brings all rates up to date, and returns when Finish must be called: when the
	// next message arrives if nothing starts before; Never if no message is under way.
	Settle(t sim.Time) sim.Time
	// Finish ends what has arrived by t and appends it to arrived. Settle must follow.
	Finish(t sim.Time, arrived []Transfer) []Transfer
	// Cut ends what is under way on a link at t: it never arrives, and the link is free from then
	// on. It is for a fabric to which every message was sent at the global clock. Settle must follow.
	Cut(t sim.Time, link int)
	// UnderWay returns the messages that were started and have not arrived.
	UnderWay() iter.Seq[Transfer]
	// Busy returns for how long, up to t, a link has carried bits, and Sending for how long
	// a node has put bits on its first physical links, added up over these.
	Busy(link int, t sim.Time) sim.Time
	Sending(node int, t sim.Time) sim.Time
	// Physical returns what each physical link has carried up to t, and what each connection has
	// sent over each link of its route; nil where no physical links are shared.
	Physical(t sim.Time) ([]metrics.PhysicalLink, []metrics.Crossing)
	// Path returns the physical links that messages on a link cross, in order, and whether they
	// are one broadcast medium, which a message for several neighbours crosses once. Nil where no
	// physical links are shared.
	Path(link int) (over []int32, medium bool)
	// Held returns what held up the message that arrived last on a link: the physical
	// links of limited bandwidth on its route, and how long each was its bottleneck, and last
	// the limit of the connection itself. It is valid until the next Finish.
	Held(link int) (over []int32, held []sim.Time)
}

// Transfer is a message on one directed link, as the fabric sees it.
type Transfer struct {
	Seq   uint64 // the sender's counter
	Bytes int64  // headers included
	Link  int32
	Ref   int32 // the message, see Message.Index; receivers of one broadcast have one message
	// Cast is the sender's counter at the send: it tells messages apart that have one Ref, one after the other.
	Cast uint64
}

// same reports whether two transfers of one sender are copies of one message.
func (x *Transfer) same(o *Transfer) bool { return x.Ref == o.Ref && x.Cast == o.Cast }

// NIC is a node's network interface: what all its links together can send, and receive.
type NIC struct {
	UpBitsPerSecond   int64
	DownBitsPerSecond int64
}

// FabricConfig describes the links of a network.
type FabricConfig struct {
	Nodes  int
	Links  []Link // owned by the fabric from here on
	Jitter Jitter
	// Platform is the network that the links share; nil: each link is a line of its own.
	Platform *Platform
	// NICs is short for a platform of one switch that never blocks, with the latencies and
	// bandwidths of Links: one interface for all nodes or one for each. Nil: no interfaces.
	NICs []NIC
	Seed uint64
	// Streams holds for each node the number by which its links' jitter is keyed; nil: its own.
	Streams []int
}

// NewFabric checks c and returns an idle fabric. An error names the link or node.
func NewFabric(c FabricConfig) (Fabric, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	platform := c.Platform
	if c.NICs != nil {
		platform = oneSwitch(c.NICs, c.Nodes)
	}
	if platform == nil {
		return newLines(&c), nil
	}
	return newShared(&c, platform)
}

func (c *FabricConfig) check() error {
	for i, l := range c.Links {
		if l.Latency < 0 || l.Latency > sim.Horizon || l.BitsPerSecond <= 0 {
			return fmt.Errorf("link %d (%d to %d): "+
				"want a latency from 0 to %v and a bandwidth above 0, got %v and %d bit/s",
				i, l.From, l.To, sim.Horizon, l.Latency, l.BitsPerSecond)
		}
	}
	if c.Jitter.Mean < 0 || c.Jitter.Deviation < 0 {
		return fmt.Errorf("jitter: want a mean and a deviation of at least 0, got %v and %v",
			c.Jitter.Mean, c.Jitter.Deviation)
	}
	for i, n := range c.NICs {
		if n.UpBitsPerSecond <= 0 || n.DownBitsPerSecond <= 0 {
			return fmt.Errorf("nic of node %d: want an uplink and a downlink above 0 bit/s, got %d and %d",
				i, n.UpBitsPerSecond, n.DownBitsPerSecond)
		}
	}
	if k := len(c.NICs); k > 1 && k != c.Nodes {
		return fmt.Errorf("want one nic, or one for each of %d nodes, got %d", c.Nodes, k)
	}
	if c.NICs != nil && c.Platform != nil {
		return fmt.Errorf("want nics or a platform, got both")
	}
	return nil
}

// within bounds a booking, so that adding to it cannot overflow. Nothing happens after the
// horizon: how far beyond it a booking lies does not matter.
func within(t sim.Time) sim.Time { return min(t, 2*sim.Horizon) }
