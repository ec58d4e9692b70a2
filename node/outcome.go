package node

import (
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Ledger returns the counts of all messages of the run.
func (n *Network) Ledger() *metrics.Ledger { return n.ledger }

// Fabric returns the links.
func (n *Network) Fabric() *channel.Fabric { return n.fabric }

// Digest returns the run's hash: of the headers of all deliveries (time, sender,
// receiver, phase, bytes), in order, and of all recorded iterates.
func (n *Network) Digest() string { return n.digest.String() }

// NodeOutcome is what a node did in the whole run, also after the last recorded iteration.
type NodeOutcome struct {
	Clock   sim.Time
	Time    metrics.NodeTime
	Rounds  int64
	Oracle  metrics.OracleCounts
	Tallies []metrics.Tally // by class
}

// Outcome returns what node i did.
func (n *Network) Outcome(i int) NodeOutcome {
	c := &n.nodes[i]
	return NodeOutcome{Clock: c.now, Time: c.time, Rounds: c.rounds, Oracle: c.oracle, Tallies: c.tallies}
}

// Neighbors returns the neighbours of node i; its links are numbered from FirstLink(i) in their order.
func (n *Network) Neighbors(i int) []int { return n.nodes[i].neighbors }

// FirstLink returns the number of node i's link to its first neighbour.
func (n *Network) FirstLink(i int) int { return n.nodes[i].firstLink }

// CheckConservation verifies that sent = delivered + lost + in flight for every
// class and link, with what is in flight counted in the queue.
func (n *Network) CheckConservation() error {
	type key struct{ class, link int }
	flight := map[key]int64{}
	for e := range n.queue.Pending() {
		switch {
		case e.Port >= 0:
			flight[key{n.pool.At(e.Ref).Class, int(e.Port)}]++
		case e.Port <= portFirst:
			flight[key{n.pool.At(e.Ref).Class, int(portFirst - e.Port)}]++
		}
	}
	var byNodes []metrics.Tally
	for i := range n.nodes {
		for c, t := range n.nodes[i].tallies {
			for len(byNodes) <= c {
				byNodes = append(byNodes, metrics.Tally{})
			}
			byNodes[c].Messages += t.Messages
			byNodes[c].Broadcasts += t.Broadcasts
		}
	}
	return n.ledger.Check(func(class, link int) int64 { return flight[key{class, link}] }, byNodes)
}

// Nodes returns the number of nodes.
func (n *Network) Nodes() int { return len(n.nodes) }
