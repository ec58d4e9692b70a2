package node

import (
	"tallynet/metrics"
	"tallynet/sim"
)

// spent is the part of metrics.Counters that every node counts. What only some runs count is in Network.oracle and in
// rare, so that a run with many nodes touches little memory.
type spent struct {
	Compute, Wait sim.Time
	Waits         metrics.Waits
	Path          metrics.Path
	Rounds        int64
	Tallies       []sends // by ledger class
}

// sends is a metrics.Tally without the sizes.
type sends struct{ Broadcasts, Messages int64 }

// rare is what few nodes have: with faults, tariffs, compression, messages of many sizes or stale values.
type rare struct {
	sized     []metrics.Tally // by ledger class: the sizes of those that vary
	links     metrics.Bill    // what its messages have cost
	faults    metrics.Faults
	stale     metrics.Stale
	restarted bool           // its host has lost its state, see Restarted
	wideTags  map[uint64]int // of timers, by their counter, that an event has no room for
	encodings *encodings     // nil before the first compressed message
}

// rarely returns the node's rare part, made when it is first needed.
func (c *Context) rarely() *rare {
	if c.rare == nil {
		c.rare = new(rare)
	}
	return c.rare
}

// tally returns where the sizes of the messages of a class are counted.
func (r *rare) tally(class int) *metrics.Tally {
	for len(r.sized) <= class {
		r.sized = append(r.sized, metrics.Tally{})
	}
	return &r.sized[class]
}

// counters returns all that the node has spent, with its tallies in the given memory.
func (c *Context) counters(tallies []metrics.Tally) metrics.Counters {
	s := &c.spent
	all := metrics.Counters{Compute: s.Compute, Wait: s.Wait, Waits: s.Waits, Path: s.Path, Rounds: s.Rounds}
	if o := c.net.oracle; o != nil {
		all.Oracle = o[c.id]
	}
	r := c.rare
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

// oracle returns where the node's oracle calls are counted.
func (c *Context) oracle() *metrics.OracleCounts {
	n := c.net
	if n.oracle == nil {
		n.oracle = make([]metrics.OracleCounts, len(n.nodes))
	}
	return &n.oracle[c.id]
}
