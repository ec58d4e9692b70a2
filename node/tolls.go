package node

import (
	"fmt"
	"slices"

	"tallynet/metrics"
	"tallynet/sim"
)

// toll is what the bytes of a message cost on its way over a link of the graph.
type toll struct {
	metrics.LinkTariff
	// with is the sender's link before this one that reaches its neighbour over the same broadcast
	// medium, -1 for none: one transmission reaches both, and is paid once.
	with int32
}

// setTolls adds up the tariffs of the physical links on each way. Without tariffs there are none.
func (n *Network) setTolls() error {
	t := n.cfg.Tariffs
	if t == nil {
		return nil
	}
	physical := n.fabric.Links()
	if n.shared {
		links, _ := n.fabric.Physical(0)
		physical = len(links)
	}
	if err := t.Check(len(n.nodes), physical); err != nil {
		return fmt.Errorf("node: %w", err)
	}
	n.tolls = make([]toll, n.fabric.Links())
	for i := range n.tolls {
		n.tolls[i] = n.tollOf(i)
	}
	return nil
}

func (n *Network) tollOf(link int) toll {
	if !n.shared {
		return toll{n.cfg.Tariffs.Links[link], -1}
	}
	over, medium := n.fabric.Path(link)
	t := toll{with: -1}
	for _, k := range over {
		t.LinkTariff = t.Plus(n.cfg.Tariffs.Links[k])
	}
	for before := link - 1; medium && before >= 0 && n.fabric.Link(before).From == n.fabric.Link(link).From; before-- {
		if o, shared := n.fabric.Path(before); shared && o[0] == over[0] {
			t.with = int32(before)
			break
		}
	}
	return t
}

// pay charges the sender for a message of so many bytes to the neighbours first..end-1, or to those at the
// places only. With faults each attempt is paid when it leaves instead, see payAttempt.
func (n *Network) pay(c *Context, bytes int64, first, end int, only []int) {
	if n.faults.on {
		return
	}
	sent := func(link int32) bool {
		k := int(link) - c.firstLink
		if only != nil {
			return slices.Contains(only, k)
		}
		return k >= first
	}
	for i := first; i < end; i++ {
		k := i
		if only != nil {
			k = only[i]
		}
		link := c.firstLink + k
		with := n.tolls[link].with
		for with >= 0 && !sent(with) {
			with = n.tolls[with].with
		}
		if with < 0 {
			c.pay(n.tolls[link].Of(bytes))
		}
	}
}

// attempt is the last message that left on a link.
type attempt struct {
	ref int32
	at  sim.Time
}

// payAttempt charges the sender for an attempt that leaves on a link, once for all receivers of one
// transmission.
func (n *Network) payAttempt(c *Context, link int, ref int32, t sim.Time, bytes int64) {
	if n.tolls == nil {
		return
	}
	f := &n.faults
	if f.left == nil {
		f.left, f.charged = slices.Repeat([]attempt{{ref: -1}}, len(n.tolls)), make([]int64, len(n.tolls))
	}
	f.left[link] = attempt{ref, t}
	for with := n.tolls[link].with; with >= 0; with = n.tolls[with].with {
		if f.left[with] == f.left[link] {
			return
		}
	}
	f.charged[link] += bytes
	c.pay(n.tolls[link].Of(bytes))
}

// pay adds to what the node's messages cost.
func (c *Context) pay(b metrics.Bill) {
	r := c.rarely()
	r.links = r.links.Plus(b)
}

// checkTolls verifies that what senders paid is what the links cost: by the bytes that they
// carried and by those that are on their way to them.
func (n *Network) checkTolls(paid metrics.Bill) error {
	if n.tolls == nil {
		return nil
	}
	var cost metrics.Bill
	if n.faults.on { // what is cut has been paid and was not carried
		for i, bytes := range n.faults.charged {
			cost = cost.Plus(n.tolls[i].Of(bytes))
		}
	} else if n.shared {
		links, _ := n.Physical()
		for i := range links {
			cost = cost.Plus(n.cfg.Tariffs.Links[i].Of(links[i].Bytes))
		}
		cost = cost.Plus(n.tollsAhead())
	} else {
		for i := range n.tolls {
			carried := n.ledger.OnLink(i)
			cost = cost.Plus(n.tolls[i].Of(carried.PayloadBytes() + carried.Overhead))
		}
	}
	if cost != paid {
		return fmt.Errorf("node: costs are not conserved: senders paid %+v, the links cost %+v", paid.Charge(),
			cost.Charge())
	}
	return nil
}

// tollsAhead is what messages cost that were sent and have not reached their first link.
func (n *Network) tollsAhead() metrics.Bill {
	var all metrics.Bill
	type sent struct{ ref, link int32 }
	known := map[sent]bool{} // waiting, or on a link
	var waiting []sent
	for e := range n.queue.Pending() {
		switch m := (sent{e.Ref, int32(linkOf(&e))}); kindOf(&e) {
		case begins:
			waiting = append(waiting, m)
			known[m] = true
		case arrives:
			known[m] = true
		}
	}
	for x := range n.fabric.UnderWay() {
		known[sent{x.Ref, x.Link}] = true
	}
	for _, m := range waiting {
		if t := &n.tolls[m.link]; t.with < 0 || !known[sent{m.ref, t.with}] {
			all = all.Plus(t.Of(n.pool.At(m.ref).Bytes))
		}
	}
	return all
}
