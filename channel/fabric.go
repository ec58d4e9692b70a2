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

// Fabric carries messages over the directed links of a graph. There are two implementations: Lines, whose links
// are independent, and Shared, whose links are connections over a network of physical links. Callers pass the
// time, in the order of the global clock; Send alone is called at the sender's own clock.
type Fabric interface {
	// Links returns the number of directed links, and Link returns link i.
	Links() int
	Link(i int) *Link
	// Send accepts a message that departs at t, which must not be before an earlier Send on its
	// link. It returns when the message arrives, if that is known, and otherwise when Start
	// must be called with the message.
	Send(t sim.Time, x Transfer) (at sim.Time, known bool)
	// Start begins the flow of a message at t. It reports whether the message takes no time,
	// so that it has arrived. After one or more calls at t, and before the clock
	// moves on, Settle must be called.
	Start(t sim.Time, x Transfer) (arrived bool)
	// Settle updates all rates and returns when Finish must be called: when the next
	// message arrives if none starts before; Never if no message is under way.
	Settle(t sim.Time) sim.Time
	// Finish removes the messages that have arrived by t and appends them to arrived. Settle must follow.
	Finish(t sim.Time, arrived []Transfer) []Transfer
	// Cut drops the messages under way on a link at t, which never arrive, and frees the link.
	// Every message must have been sent at the global clock. Settle must follow.
	Cut(t sim.Time, link int)
	// UnderWay yields the messages that were started and have not arrived.
	UnderWay() iter.Seq[Transfer]
	// Busy returns how long, up to t, a link has carried bits. Sending returns how long a node
	// has sent bits, added up over the first physical links of its paths.
	Busy(link int, t sim.Time) sim.Time
	// Withdraw takes back a message of the given bytes that was counted and has not begun to cross a link.
	Withdraw(link int, bytes int64)
	Sending(node int, t sim.Time) sim.Time
	// Physical returns what each physical link has carried up to t, and what each connection
	// has sent over each link of its route; nil if links are independent.
	Physical(t sim.Time) ([]metrics.PhysicalLink, []metrics.Crossing)
	// Path returns the physical links on the path of a link, in order, and whether they are
	// one broadcast medium, which a message for several neighbours crosses once. It returns nil
	// if links are independent.
	Path(link int) (over []int32, medium bool)
	// Held returns what limited the message that arrived last on a link: the physical
	// links of limited bandwidth on its route, how long each was its bottleneck and, as the last
	// element, how long the limit of the connection itself was. It is valid until the next Finish.
	Held(link int) (over []int32, held []sim.Time)
}

// Transfer is a message on one directed link.
type Transfer struct {
	Seq   uint64 // the sender's counter
	Bytes int64  // headers included
	Link  int32
	Ref   int32 // the message, see Message.Index; the receivers of a broadcast share it
	// Cast is the sender's counter at the send. It distinguishes messages that have one Ref in turn.
	Cast uint64
}

// same reports whether two transfers of one sender are copies of one message.
func (x *Transfer) same(o *Transfer) bool { return x.Ref == o.Ref && x.Cast == o.Cast }

// NIC is a node's network interface. It limits the total rates at which the node sends and receives.
type NIC struct {
	UpBitsPerSecond   int64
	DownBitsPerSecond int64
}

// FabricConfig describes the links of a network.
type FabricConfig struct {
	Nodes  int
	Links  []Link // owned by the fabric from here on
	Jitter Jitter
	// Platform is the network of physical links; nil: links are independent.
	Platform *Platform
	// NICs is shorthand for a platform of one non-blocking switch, with the latencies and
	// bandwidths of Links: one interface for all nodes or one for each. Nil: no interfaces.
	NICs []NIC
	Seed uint64
	// Streams holds for each node the key of its links' jitter; nil: the node's number.
	Streams []int
}

// NewFabric returns an idle fabric. An error names the link or node.
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

// within bounds a time so that adding to it cannot overflow. Nothing happens after the horizon, so that later
// times need not differ.
func within(t sim.Time) sim.Time { return min(t, 2*sim.Horizon) }
