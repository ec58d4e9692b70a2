package node

import (
	"tallynet/metrics"
	"tallynet/sim"
)

// spent holds those metrics.Counters that every node counts. Network.oracle and extras hold the others, so that
// a run with many nodes uses little memory.
type spent struct {
	Compute, Wait sim.Time
	Waits         metrics.Waits
	Path          metrics.Path
	Rounds        int64
	Tallies       []sendCount // by ledger class
}

// sendCount is a metrics.Tally without sizes.
type sendCount struct{ Broadcasts, Messages int64 }

// extras hold counters that few nodes need: faults, tariffs, compression, messages of many sizes and stale
// values.
type extras struct {
	sized     []metrics.Tally // by ledger class: the sizes of messages of classes that vary
	links     metrics.Bill    // the cost of its messages
	faults    metrics.Faults
	stale     metrics.Stale
	restarted bool           // its host has lost its state; see Restarted
	wideTags  map[uint64]int // by Seq of a timer: tags that do not fit an event
	encodings *encodings     // nil before the first compressed message
}

// extra returns the node's extras, which it makes when they are first needed.
func (c *Context) extra() *extras {
	if c.extras == nil {
		c.extras = new(extras)
	}
	return c.extras
}

// tally returns the sizes of the messages of a class.
func (r *extras) tally(class int) *metrics.Tally {
	for len(r.sized) <= class {
		r.sized = append(r.sized, metrics.Tally{})
	}
	return &r.sized[class]
}

// counters returns the node's counters. It reuses the memory of tallies.
func (c *Context) counters(tallies []metrics.Tally) metrics.Counters {
	s := &c.spent
	all := metrics.Counters{Compute: s.Compute, Wait: s.Wait, Waits: s.Waits, Path: s.Path, Rounds: s.Rounds}
	if o := c.net.oracle; o != nil {
		all.Oracle = o[c.id]
	}
	r := c.extras
	if r != nil {
		all.Links, all.Faults, all.Stale = r.links, r.faults, r.stale
	}
	tallies = tallies[:0]
	for class, sent := range s.Tallies {
		var t metrics.Tally
		if r != nil && class < len(r.sized) {
			t = r.sized[class]
		}
		t.Broadcasts, t.Messages = sent.Broadcasts, sent.Messages
		tallies = append(tallies, t)
	}
	all.Tallies = tallies
	return all
}

// oracle returns the node's counts of oracle calls.
func (c *Context) oracle() *metrics.OracleCounts {
	n := c.net
	if n.oracle == nil {
		n.oracle = make([]metrics.OracleCounts, len(n.nodes))
	}
	return &n.oracle[c.id]
}
