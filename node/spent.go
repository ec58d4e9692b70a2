package node

import (
	"tallynet/metrics"
	"tallynet/sim"
)

// spent holds those metrics.Counters that every node counts. Its extras hold the others, so that a run with many
// nodes uses little memory.
type spent struct {
	Compute, Wait sim.Time
	Waits         metrics.Waits
	Path          metrics.Path
	Rounds        int64
	Tallies       []metrics.Tally // by ledger class
}

// extras hold what few nodes need: the other counters, and state for faults, timers and compression.
type extras struct {
	metrics.Counters
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

// counters returns the node's counters. It reuses the memory of tallies.
func (c *Context) counters(tallies []metrics.Tally) (all metrics.Counters) {
	if c.extras != nil {
		all = c.extras.Counters
	}
	s := &c.spent
	all.Compute, all.Wait, all.Waits, all.Path, all.Rounds = s.Compute, s.Wait, s.Waits, s.Path, s.Rounds
	all.Tallies = append(tallies[:0], s.Tallies...)
	return all
}
