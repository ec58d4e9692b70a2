package node

import (
	"fmt"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Ledger returns the counts of all messages of the run.
func (n *Network) Ledger() *metrics.Ledger { return n.ledger }

// Fabric returns the links.
func (n *Network) Fabric() channel.Fabric { return n.fabric }

// Clock returns the time of the last event. The clocks of nodes may be ahead of it.
func (n *Network) Clock() sim.Time { return n.clock }

// CriticalPath sums up the chain of causes behind the end of the run: that of the node with the latest clock,
// the first of several. It returns nil unless links share physical links.
func (n *Network) CriticalPath() *metrics.CriticalPath {
	if !n.shared {
		return nil
	}
	c := &n.nodes[0]
	for i := range n.nodes {
		if n.nodes[i].now > c.now {
			c = &n.nodes[i]
		}
	}
	if n.moments != nil && n.moments.furthest >= 0 { // all clocks were set to the end
		c = &n.nodes[n.moments.furthest]
	}
	p := c.chain.Sum(c.id, c.spent.Path)
	return &p
}

// Physical returns what each physical link has carried, and what each connection has sent over it; nil without
// a platform.
func (n *Network) Physical() ([]metrics.PhysicalLink, []metrics.Crossing) {
	return n.fabric.Physical(n.clock)
}

// Digest returns the hash of the run: of the headers of all deliveries (time, sender, receiver, phase, bytes),
// in order, and of all recorded iterates.
func (n *Network) Digest() string { return n.digest.String() }

// EventsDigest returns the hash of the headers of all deliveries alone. These are integers; unless a message
// depends on a float, it is the same on every processor.
func (n *Network) EventsDigest() string { return n.events.String() }

// IteratesDigest returns the hash of all recorded iterates alone.
func (n *Network) IteratesDigest() string { return n.iterates.String() }

// NodeOutcome counts a node's work in the whole run, including the time after the last recorded iteration.
type NodeOutcome struct {
	Clock      sim.Time
	Iterations int // that it has reported; -1 for none
	metrics.Counters
}

// Outcome returns the outcome of node i.
func (n *Network) Outcome(i int) NodeOutcome {
	c := &n.nodes[i]
	return NodeOutcome{Clock: c.now, Iterations: c.reported, Counters: c.counters(nil)}
}

// Nodes returns the number of nodes.
func (n *Network) Nodes() int { return len(n.nodes) }

// Neighbors returns the neighbours of node i. Its links are numbered in their order.
func (n *Network) Neighbors(i int) []int { return n.nodes[i].neighbors }

// Total merges the counters of all nodes; see metrics.Counters.Add.
func (n *Network) Total() metrics.Counters {
	var all, one metrics.Counters
	for i := range n.nodes {
		one = n.nodes[i].counters(one.Tallies)
		all.Add(&one)
	}
	return all
}

// CheckConservation verifies that messages and time are conserved:
//
// - for every class and link, sent = delivered + lost + in flight, where the messages in flight are counted in
// the queue and in the fabric; - when nothing is in flight and no program waits, no message is held; - every
// total fits 64 bits; - a node's clock is the sum of computing and waiting, and of its critical path.
func (n *Network) CheckConservation() error {
	for i := range n.nodes {
		c := &n.nodes[i]
		if busy := c.spent.Compute + c.spent.Wait; busy != c.now || c.spent.Path.Total() != c.now ||
			c.spent.Waits.Total() != c.spent.Wait {
			return fmt.Errorf("node: time is not conserved: the clock of node %d reads %v, "+
				"computing and waiting add up to %v, waiting is %+v, and its critical path is %+v",
				i, c.now, busy, c.spent.Waits, c.spent.Path)
		}
	}
	spent := n.Total()
	totals := metrics.NewTotals(&metrics.Snapshot{Counters: spent}, n.ledger.Traffic(spent.Tallies))
	if err := (&metrics.Moment{Iteration: max(0, n.nodes[0].reported), Totals: totals}).CheckCounts(); err != nil {
		return err
	}
	if err := metrics.CheckPhysical(n.Physical()); err != nil {
		return err
	}
	if err := n.checkCharges(spent.Links); err != nil {
		return err
	}
	flight, some := make([][]int64, len(n.ledger.Classes())), false // by class and link; nil: none of the class
	count := func(ref int32, link int) {
		class := n.pool.At(ref).Class
		if flight[class] == nil {
			flight[class], some = make([]int64, n.fabric.Links()), true
		}
		flight[class][link]++
	}
	for e := range n.queue.Pending() {
		if ofMessage(&e) && !n.outdated(&e) {
			count(e.Ref, linkOf(&e))
		}
	}
	for link, line := range n.faults.lines {
		for _, p := range line {
			if p.landed {
				count(p.ref, link)
			}
		}
	}
	for x := range n.fabric.UnderWay() {
		count(x.Ref, int(x.Link))
	}
	if held := n.pool.Live(); held > 0 && !some && n.running == 0 {
		return fmt.Errorf("node: %d messages are held after all programs have ended", held)
	}
	return n.ledger.Check(func(class, link int) int64 {
		if flight[class] == nil {
			return 0
		}
		return flight[class][link]
	}, spent.Tallies)
}
