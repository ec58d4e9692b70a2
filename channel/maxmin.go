package channel

import (
	"cmp"
	"slices"

	"tallynet/sim"
)

// Max-min fair rates by progressive filling (Bertsekas, Gallager 1992, section 6.5): all
// rates grow together until a link is full; its flows keep their rate, and the others go on.
// In integers: the level of a link is its remaining capacity over the number of its flows that
// still grow, rounded down. The least level of all links, or the least limit of a flow, is
// the next at which flows are fixed. Links that are full at one level are handled together, so
// that levels ascend strictly and the result is a function of the set of flows.
//
// A flow that begins or ends affects only flows that it reaches over common links, and of
// these only those whose rate is not below its own or, for a new flow, below the rate that it is sure
// to get: up to there the filling is the same without it. The other rates stay unchanged.

// filling is the state of Settle.
type filling struct {
	round  uint64
	lanes  []int32
	pipes  []int32 // as a queue
	limits []int32 // lanes by limit
	levels []level // heap of the pipes, by level
	full   []int32
}

// level is a lower bound of a pipe's level, which never decreases.
type level struct {
	at   uint64
	pipe int32
}

// Settle recomputes the rates that may have changed, and returns when the next message arrives.
func (f *Shared) Settle(t sim.Time) sim.Time {
	if len(f.begun)+len(f.touched) > 0 {
		f.reach()
		f.raise()
		now := moment{at: t}
		if len(f.begun) == 0 {
			now = f.latest
		}
		for _, i := range f.fill.lanes {
			f.setRate(now, i)
		}
		f.begun, f.touched, f.least, f.latest = f.begun[:0], f.touched[:0], noLimit, moment{}
	}
	if len(f.ends) == 0 {
		return sim.Never
	}
	return f.ends[0].at
}

// setRate sets the new rate of a lane.
func (f *Shared) setRate(now moment, at int32) {
	l := &f.lanes[at]
	if l.cause != l.nextCause {
		l.account(now.at)
		l.cause = l.nextCause
	}
	if l.next == l.rate && l.place >= 0 {
		return
	}
	if l.since.before(now) { // false if its message began some ticks later
		l.left = l.left.minus(l.since.done(l.rate, now))
		l.since = now
	}
	l.rate = l.next
	l.end = l.since.after(l.left, l.rate)
	f.ends.moved(f.lanes, at)
}

// reach finds the lanes whose rates may change, and the remaining capacity of their pipes.
func (f *Shared) reach() {
	s := &f.fill
	s.round++
	s.lanes, s.pipes = s.lanes[:0], s.pipes[:0]
	least := f.least
	for _, i := range f.begun {
		l := &f.lanes[i]
		least = min(least, l.limit)
		for _, k := range l.route {
			p := &f.pipes[k]
			least = min(least, p.capacity/uint64(len(p.lanes)))
		}
		f.see(i)
	}
	for _, k := range f.touched {
		f.enqueue(k)
	}
	for i := 0; i < len(s.pipes); i++ {
		p := &f.pipes[s.pipes[i]]
		p.rest, p.count = p.capacity, 0
		for _, k := range p.lanes {
			if l := &f.lanes[k]; l.rate > 0 && l.rate < least {
				p.rest -= l.rate
				continue
			}
			p.count++
			f.see(k)
		}
	}
}

// see adds a lane and its pipes to the filling.
func (f *Shared) see(at int32) {
	l := &f.lanes[at]
	if l.seen == f.fill.round {
		return
	}
	l.seen, l.fixed = f.fill.round, false
	f.fill.lanes = append(f.fill.lanes, at)
	for _, k := range l.route {
		f.enqueue(k)
	}
}

func (f *Shared) enqueue(k int32) {
	if p := &f.pipes[k]; p.seen != f.fill.round {
		p.seen, p.full = f.fill.round, 0
		f.fill.pipes = append(f.fill.pipes, k)
	}
}

// raise computes the next rate of all lanes of the filling.
func (f *Shared) raise() {
	s := &f.fill
	s.limits, s.levels = s.limits[:0], s.levels[:0]
	for _, i := range s.lanes {
		if f.lanes[i].limit != noLimit {
			s.limits = append(s.limits, i)
		}
	}
	slices.SortFunc(s.limits, func(a, b int32) int { return cmp.Compare(f.lanes[a].limit, f.lanes[b].limit) })
	for _, k := range s.pipes {
		if p := &f.pipes[k]; p.count > 0 {
			s.levels = append(s.levels, level{p.rest / p.count, k})
		}
	}
	for i := len(s.levels)/2 - 1; i >= 0; i-- {
		sink(s.levels, i)
	}
	limits := s.limits
	for number := uint32(1); ; number++ {
		at := f.lowest()
		for len(limits) > 0 && f.lanes[limits[0]].fixed {
			limits = limits[1:]
		}
		if len(limits) > 0 {
			at = min(at, f.lanes[limits[0]].limit)
		}
		if at == noLimit {
			return
		}
		f.gather(at, number)
		for len(limits) > 0 && f.lanes[limits[0]].limit == at {
			f.fix(limits[0], at, number)
			limits = limits[1:]
		}
		for _, k := range s.full {
			for _, i := range f.pipes[k].lanes {
				if l := &f.lanes[i]; l.seen == s.round {
					f.fix(i, at, number)
				}
			}
		}
	}
}

// lowest returns the lowest level of all pipes; noLimit if the pipes have no lane left to fix.
func (f *Shared) lowest() uint64 {
	s := &f.fill
	for len(s.levels) > 0 {
		if f.current() {
			return s.levels[0].at
		}
	}
	return noLimit
}

// current reports whether the first level is up to date. If not, it updates it.
func (f *Shared) current() bool {
	h := f.fill.levels
	p := &f.pipes[h[0].pipe]
	if p.count == 0 {
		h[0] = h[len(h)-1]
		f.fill.levels = h[:len(h)-1]
		sink(f.fill.levels, 0)
		return false
	}
	at := p.rest / p.count
	if at == h[0].at {
		return true
	}
	h[0].at = at
	sink(h, 0)
	return false
}

// gather moves all pipes of the given level from the heap to full.
func (f *Shared) gather(at uint64, number uint32) {
	s := &f.fill
	s.full = s.full[:0]
	for len(s.levels) > 0 && s.levels[0].at == at {
		if !f.current() {
			continue
		}
		k := s.levels[0].pipe
		f.pipes[k].full = number
		s.full = append(s.full, k)
		last := len(s.levels) - 1
		s.levels[0] = s.levels[last]
		s.levels = s.levels[:last]
		sink(s.levels, 0)
	}
}

// fix sets the next rate of a lane. Its bottleneck is the first full link of its route, or its own limit.
func (f *Shared) fix(at int32, rate uint64, number uint32) {
	l := &f.lanes[at]
	if l.fixed {
		return
	}
	l.fixed, l.next = true, rate
	cause := int32(len(l.route))
	for i, k := range l.route {
		p := &f.pipes[k]
		p.rest -= rate
		p.count--
		if p.full == number && int(cause) == len(l.route) {
			cause = int32(i)
		}
	}
	l.nextCause = cause
}

// sink restores the heap below i.
func sink(h []level, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].at < h[c].at {
			c++
		}
		if h[i].at <= h[c].at {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
