package node

import (
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// charge is the tariff of a link of the graph.
type charge struct {
	metrics.LinkTariff
	// with is an earlier link of the sender over the same broadcast medium; -1: none. One transmission
	// reaches both neighbours and is charged once.
	with int32
}

// setCharges computes the charge of each link from the tariffs of the physical links on its path. It does
// nothing without tariffs.
func (n *Network) setCharges() error {
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
	n.charges, n.charged = make([]charge, n.fabric.Links()), make([]int64, n.fabric.Links())
	n.departed = slices.Repeat([]departure{{at: -1}}, n.fabric.Links())
	for i := range n.charges {
		n.charges[i] = n.chargeOf(i)
	}
	return nil
}

func (n *Network) chargeOf(link int) charge {
	if !n.shared {
		return charge{n.cfg.Tariffs.Links[link], -1}
	}
	over, medium := n.fabric.Path(link)
	t := charge{with: -1}
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

// departure is the last departure on a link.
type departure struct {
	cast uint64 // the message's Counter
	at   sim.Time
}

// pay charges the sender for a message that departs on a link. The receivers of one transmission, whose links come in
// ascending order, are charged once.
func (n *Network) pay(c *Context, link int, m *channel.Message, t sim.Time) {
	n.departed[link] = departure{m.Counter, t}
	for with := n.charges[link].with; with >= 0; with = n.charges[with].with {
		if n.departed[with] == n.departed[link] {
			return
		}
	}
	n.charged[link] += m.Bytes
	r := c.extra()
	r.Links = r.Links.Plus(n.charges[link].Of(m.Bytes))
}

// checkCharges verifies that what senders paid equals the charges for the bytes that links carried and for
// those still on their way to a link.
func (n *Network) checkCharges(paid metrics.Bill) error {
	if n.charges == nil {
		return nil
	}
	var cost metrics.Bill
	if n.faults.on { // a message that was cut off is charged but not carried
		for i, bytes := range n.charged {
			cost = cost.Plus(n.charges[i].Of(bytes))
		}
	} else if n.shared {
		links, _ := n.Physical()
		for i := range links {
			cost = cost.Plus(n.cfg.Tariffs.Links[i].Of(links[i].Bytes))
		}
		cost = cost.Plus(n.pendingCharges())
	} else {
		for i := range n.charges {
			carried := n.ledger.OnLink(i)
			cost = cost.Plus(n.charges[i].Of(carried.PayloadBytes() + carried.Overhead))
		}
	}
	if cost != paid {
		return fmt.Errorf("node: costs are not conserved: senders paid %+v, the links cost %+v", paid.Charge(),
			cost.Charge())
	}
	return nil
}

// pendingCharges returns the charges for messages that were sent and have not reached their first link.
func (n *Network) pendingCharges() metrics.Bill {
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
		if t := &n.charges[m.link]; t.with < 0 || !known[sent{m.ref, t.with}] {
			all = all.Plus(t.Of(n.pool.At(m.ref).Bytes))
		}
	}
	return all
}
