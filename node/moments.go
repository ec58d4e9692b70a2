package node

import (
	"maps"
	"slices"

	"tallynet/metrics"
	"tallynet/sim"
)

// Clock samples a run at moments of simulated time: at 0, at every multiple of the interval and at the end. A
// sample has the state of all nodes at one moment: what each reported last, and what it had spent. A computation
// under way counts up to that moment, and an oracle call counts from its beginning. A run that a sample or a
// limit ends has spent what it had at that moment, and nothing more. Moments before every node has reported are
// not sampled.
type Clock struct {
	// Interval is the time between samples. If it is 0, it becomes the time at which every node has reported
	// iteration First.
	Interval sim.Time
	First    int
	// GoOn says that nodes go on after their last iteration, Reports.Last, until every node has done it. The
	// run ends at that moment.
	GoOn bool
	// Each is called with every sample, whose Iteration is that of the slowest node. It returns false to end
	// the run.
	Each func(*metrics.Snapshot) bool
}

// moments is the state of a Clock. Nodes compute ahead of the event loop, so the recent states of each node are
// kept until the loop has passed them.
type moments struct {
	Clock             // its Interval may be set later
	last     sim.Time // the last moment; -1: none
	changed  bool     // the interval or the end of the run was set during a batch of events
	nodes    []nodeMoments
	marks    [2]mark // the iterations First and Reports.Last
	finished bool    // with GoOn, every node has done the last iteration
	furthest int     // the node with the latest clock when the run ended
}

// mark is an iteration that every node has to come to.
type mark struct {
	k      int
	before int      // number of nodes that have not
	at     sim.Time // when the last of the others did
}

// nodeMoments is the last report of a node and, in order, its stretches that the event loop has not passed.
type nodeMoments struct {
	report lastReport
	recent []stretch
}

// stretch is a time during which a node computes or is down, with its state then.
type stretch struct {
	from, to sim.Time
	computes bool
	report   lastReport
	counters metrics.Counters
}

// setMoments prepares the configured clock.
func (n *Network) setMoments() {
	if n.cfg.Clock == nil {
		return
	}
	nothing := nodeMoments{report: lastReport{k: -1}}
	n.moments = &moments{Clock: *n.cfg.Clock, last: -1, nodes: slices.Repeat([]nodeMoments{nothing}, len(n.nodes)),
		furthest: -1, marks: [2]mark{{k: n.cfg.Clock.First, before: len(n.nodes)}, {k: -1}}}
	if r := n.cfg.Reports; r != nil {
		n.moments.marks[1] = mark{k: r.Last, before: len(n.nodes)}
	}
}

// next returns the time of the next sample; Never if it is not known yet.
func (s *moments) next() sim.Time {
	switch {
	case s.last < 0:
		return 0
	case s.Interval == 0:
		return sim.Never
	}
	return (s.last/s.Interval + 1) * s.Interval
}

// passes keeps the state of a node that is about to compute, or to be down, until a time.
func (s *moments) passes(c *Context, to sim.Time, computes bool) {
	if to <= c.now || !s.GoOn && to <= min(s.next(), c.net.until) {
		return
	}
	m := &s.nodes[c.id]
	m.recent = append(m.recent, stretch{c.now, to, computes, m.report, c.counters(nil)})
}

// took takes a node's report of iteration k.
func (s *moments) took(c *Context, k int, x, y []float64) {
	// Stretches share the last report, so a new one does not overwrite it.
	last := &s.nodes[c.id].report
	again := k == last.k
	*last = lastReport{k, slices.Clone(x), slices.Clone(y)}
	for i := range s.marks {
		if s.marks[i].k == k && !again {
			s.passed(c.net, i, c.now)
		}
	}
}

// gone takes a node that goes down for good out of those that the run waits for.
func (s *moments) gone(c *Context, t sim.Time) {
	for i, m := range s.marks {
		if s.nodes[c.id].report.k < m.k {
			s.passed(c.net, i, t)
		}
	}
}

// passed counts a node that has come to a mark, and acts when it is the last one.
func (s *moments) passed(n *Network, i int, t sim.Time) {
	m := &s.marks[i]
	m.at = max(m.at, t)
	if m.before--; m.before > 0 {
		return
	}
	switch {
	case i == 0 && s.Interval == 0:
		s.Interval, s.changed = max(1, m.at), true
	case i == 1 && s.GoOn && m.at <= n.until:
		n.until, s.finished, s.changed = m.at, true, true
	}
}

// at returns the state of a node at a time that the event loop has reached.
func (s *moments) at(c *Context, t sim.Time) (lastReport, metrics.Counters) {
	m := &s.nodes[c.id]
	m.recent = slices.DeleteFunc(m.recent, func(r stretch) bool { return r.to <= t })
	if len(m.recent) == 0 || m.recent[0].from > t {
		all := c.counters(nil)
		if _, ok := c.handler.(*program); !c.isGone() {
			aside := min(max(0, t-c.now), c.aside)
			spend(&all, aside, true, ok)
			spend(&all, max(0, t-c.now-aside), false, ok)
		}
		return m.report, all
	}
	r := m.recent[0]
	all, live := r.counters, c.counters(nil)
	all.Tallies = slices.Clone(all.Tallies)
	all.Faults = live.Faults // the event loop counts these
	if c.net.faults.on {
		all.Links = live.Links
	}
	spend(&all, t-r.from, r.computes, false)
	return r.report, all
}

// spend adds a time of computing or waiting. What a program waits for has not been sent or has not arrived; a
// handler waits for its timers.
func spend(all *metrics.Counters, d sim.Time, computes, program bool) {
	switch {
	case computes:
		all.Compute += d
		all.Path.Compute += d
		return
	case program:
		all.Waits.Elsewhere += d
	default:
		all.Waits.Timer += d
	}
	all.Wait += d
	all.Path.Idle += d
}

// isGone reports whether the node is down for good.
func (c *Context) isGone() bool { return c.net.faults.on && c.net.faults.gone[c.id] }

// sampleUntil takes all samples up to a time, which the event loop has reached. It returns false if one of them
// ended the run.
func (n *Network) sampleUntil(t sim.Time) bool {
	for !n.stop && n.moments.next() <= t {
		n.sample(n.moments.next())
	}
	return !n.stop
}

// sample takes the sample of a moment.
func (n *Network) sample(t sim.Time) bool {
	s := n.moments
	s.last = t
	all := &metrics.Snapshot{At: t, X: make([][]float64, len(n.nodes)), Y: make([][]float64, len(n.nodes)),
		Iteration: -1}
	for i := range n.nodes {
		r, counters := s.at(&n.nodes[i], t)
		if r.k < 0 {
			return true
		}
		if n.charges != nil {
			counters.Computing = n.cfg.Tariffs.Computing(i, counters.Compute)
		}
		all.X[i], all.Y[i] = r.x, r.y
		all.Counters.Add(&counters)
		if !n.nodes[i].isGone() && (all.Iteration < 0 || r.k < all.Iteration) {
			all.Iteration = r.k
		}
		n.hashReport(i, r.k, r.x, r.y)
	}
	all.Iteration = max(0, all.Iteration)
	n.stop = !s.Each(all)
	return !n.stop
}

// endSamples takes the last samples of a run that ends so, and cuts it there. It returns how the run ends.
func (n *Network) endSamples(ending Ending) Ending {
	s, t := n.moments, n.until // which is the end of a run whose nodes have all done the last iteration, too
	switch {
	case ending == Interrupted || ending == Failed:
		return ending
	case ending == Ended:
		t = s.last
	case ending != OutOfTime && !s.finished:
		t = n.clock
		for i := range n.nodes {
			t = max(t, n.nodes[i].now)
		}
	}
	if ending != Ended && (!n.sampleUntil(t) || s.last < t && !n.sample(t)) {
		t = s.last
	}
	n.retract(t)
	if n.stop {
		return Ended
	}
	return ending
}

// retract takes back what nodes did after a time, because they were ahead of the event loop.
func (n *Network) retract(t sim.Time) {
	last := sim.Time(-1)
	for i := range n.nodes {
		c := &n.nodes[i]
		if now := min(c.now, t); now > last {
			last, n.moments.furthest = now, i
		}
		_, counters := n.moments.at(c, t)
		c.restore(&counters)
	}
	n.clock = min(n.clock, t)
	var kept sim.Queue
	unsent := map[int32]int{} // number of receivers by message
	for e := range n.queue.Pending() {
		if !ofMessage(&e) || n.outdated(&e) || n.pool.At(e.Ref).SentAt <= t {
			kept.Push(e)
			continue
		}
		m, link := n.pool.At(e.Ref), linkOf(&e)
		if n.faults.on {
			n.faults.lines[link] = slices.DeleteFunc(n.faults.lines[link], func(p parcel) bool { return p.seq == e.Seq })
		}
		n.ledger.Withdraw(m.Class, link, m.Size)
		if kindOf(&e) == arrives {
			n.fabric.Withdraw(link, m.Bytes)
		}
		unsent[e.Ref]++
	}
	n.queue = kept
	for _, ref := range slices.Sorted(maps.Keys(unsent)) {
		m := n.pool.At(ref)
		for i, bytes := range m.PartBytes {
			n.ledger.PartSent(m.Class, i, -int64(len(m.Parts[i].Data)), -bytes, unsent[ref])
		}
		for range unsent[ref] {
			n.pool.Release(m)
		}
	}
}

// restore sets the node's counters, and its clock to their time.
func (c *Context) restore(all *metrics.Counters) {
	s := &c.spent
	s.Compute, s.Wait, s.Waits, s.Path, s.Rounds = all.Compute, all.Wait, all.Waits, all.Path, all.Rounds
	s.Tallies = all.Tallies
	c.now = s.Compute + s.Wait
	if c.extras != nil {
		c.extras.Counters = *all
	}
}
