package metrics

import (
	"cmp"
	"maps"
	"slices"

	"tallynet/sim"
)

// Step is one step of the chain of causes behind an event: a node computed and sent a message, and another node
// waited for it. Chains share their beginnings. Steps to which no chain of a run leads any more are garbage
// collected.
type Step struct {
	prev     *Step
	depth    int
	node     int      // the sender
	compute  sim.Time // of the sender since the step before
	idle     sim.Time
	latency  sim.Time
	transfer sim.Time
	over     []int32    // the physical links of limited bandwidth that the message crossed
	held     []sim.Time // how long each of them limited it, and last its connection's own limit
	end      Path       // of the whole chain up to this step
}

// longest is the least number of steps that a long chain keeps.
const longest = 1 << 16

// Way describes how the message of a step travelled.
type Way struct {
	Latency, Transfer sim.Time
	Over              []int32    // not copied
	Held              []sim.Time // copied
}

// Then returns the chain s with another step: node, whose path was p, sent a message for which another node
// waited. A nil chain is empty.
func (s *Step) Then(node int, p Path, w Way) *Step {
	n := &Step{prev: s, node: node, compute: p.Compute, idle: p.Idle, latency: w.Latency, transfer: w.Transfer,
		over: w.Over, held: slices.Clone(w.Held), end: p}
	if s != nil {
		n.depth = s.depth + 1
		n.compute -= s.end.Compute
		n.idle -= s.end.Idle
	}
	n.end.Latency += w.Latency
	n.end.Transfer += w.Transfer
	if n.depth%longest == longest-1 {
		n.forget()
	}
	return n
}

// forget drops the oldest steps of a long chain.
func (s *Step) forget() {
	for range longest - 1 {
		if s.prev == nil {
			return
		}
		s = s.prev
	}
	s.prev = nil
}

// CriticalPath is a chain of causes, summed up by how its time was spent. A machine or link that is ten times
// as fast would shorten this chain by nine tenths of its share. The run may gain less, since another chain may
// then be the longest, so that the gain is an upper bound.
type CriticalPath struct {
	Steps    int
	Whole    bool // the chain is complete; false: only its end was kept
	Total    sim.Time
	Nodes    []Share  // computing, by node, largest first
	Links    []Share  // transfer, by the physical link that limited a message, largest first
	Limits   sim.Time // transfer that connections' own limits bounded
	Transfer sim.Time // the rest of the transfer: jitter
	Latency  sim.Time
	Idle     sim.Time
}

// Share is the time of one node or link in a chain.
type Share struct {
	Index int
	Time  sim.Time
}

// Gain returns by how much the chain shortens if the node or link is ten times as fast.
func (s Share) Gain() sim.Time { return s.Time - s.Time/10 }

// Sum sums up the chain that ends at a node with path p.
func (s *Step) Sum(node int, p Path) CriticalPath {
	c := CriticalPath{Whole: true}
	nodes, links := map[int]sim.Time{}, map[int]sim.Time{}
	rest := p
	if s != nil {
		rest.Compute -= s.end.Compute
		rest.Idle -= s.end.Idle
	}
	nodes[node] += rest.Compute
	c.Idle += rest.Idle
	for ; s != nil; s = s.prev {
		c.Steps++
		nodes[s.node] += s.compute
		c.Idle += s.idle
		c.Latency += s.latency
		c.Transfer += s.transfer
		for i, t := range s.held {
			if i < len(s.over) {
				links[int(s.over[i])] += t
			} else {
				c.Limits += t
			}
			c.Transfer -= t
		}
		if s.prev == nil {
			c.Whole = s.depth == 0
		}
	}
	c.Nodes, c.Links = shares(nodes), shares(links)
	c.Total = c.Limits + c.Transfer + c.Latency + c.Idle
	for _, x := range slices.Concat(c.Nodes, c.Links) {
		c.Total += x.Time
	}
	return c
}

// shares returns the nonzero times, largest first.
func shares(of map[int]sim.Time) []Share {
	var all []Share
	for _, i := range slices.Sorted(maps.Keys(of)) {
		if of[i] > 0 {
			all = append(all, Share{i, of[i]})
		}
	}
	slices.SortStableFunc(all, func(a, b Share) int { return cmp.Compare(b.Time, a.Time) })
	return all
}
