package node

import (
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// Proc is what a program works with: its node's Context, and calls that wait.
type Proc struct {
	*Context
	suspend func()
	wait    wait
	got     []*channel.Message // messages of the exchange under way, by neighbour
	held    []*channel.Message // handed out by the last Exchange or Receive, still valid
	own     *channel.Message   // what Mix sent, held until it has mixed
	early   []arrival          // what came before the program asked for it, in order of arrival
	from    []int              // whom the Receive under way listens to, empty for all
	parts   []channel.Part     // scratch of Mix and MixAll
	round   *turn              // under way; nil in a graph that does not change
	outlook *outlook           // nil where programs never run ahead
	kept    *kept              // nil as long as nothing is
}

// kept is what only some programs keep.
type kept struct {
	means     []Mixed              // scratch of AverageSent
	shares    [][]float64          // scratch of PushPull
	heardFrom []float64            // scratch of heardWeights
	heard     [][]*channel.Message // by class and neighbour: the last, where silence is met with it
}

// keeps returns what the program keeps, to add to it.
func (p *Proc) keeps() *kept {
	if p.kept == nil {
		p.kept = new(kept)
	}
	return p.kept
}

// wait is what a suspended program waits for.
type wait struct {
	kind       waitKind
	phase      int
	occurrence int      // of an exchange
	missing    int      // how many messages of an exchange are still to come
	last       arrival  // the arrival that ended it
	since      sim.Time // the node's clock when it began to wait
	timer      uint64   // counter of the timer event that ends it, plus 1; 0 for none
}

type waitKind uint8

const (
	waitNothing waitKind = iota
	waitExchange
	waitReceive
	waitTimer
)

// Exchange sends parts to all neighbours, waits for the message of the same phase and
// occurrence from each of them, and returns these, sorted by sender. They are valid until the
// next Exchange or Receive. It waits for neighbours only: there is no barrier.
func (p *Proc) Exchange(phase string, parts ...channel.Part) []*channel.Message {
	return p.exchange(phase, parts, 0, false)
}

// ExchangeWithin is Exchange with a deadline, d after its start: it returns what has come by
// then, still sorted by sender. What comes later is dropped.
func (p *Proc) ExchangeWithin(d sim.Time, phase string, parts ...channel.Part) []*channel.Message {
	if d <= 0 {
		panic(fmt.Sprintf("node: node %d exchanges within %v: want a deadline in the future", p.id, d))
	}
	return p.exchange(phase, parts, d, false)
}

func (p *Proc) exchange(phase string, parts []channel.Part, patience sim.Time, keep bool) []*channel.Message {
	p.sync()
	p.releaseHeld()
	if len(p.neighbors) == 0 {
		return nil
	}
	p.nextTurn()
	ph, n := p.beginRound(phase)
	var only []int
	if p.net.turns != nil {
		if only = p.round.out; only == nil {
			only = []int{}
		}
	}
	own := p.net.send(p.Context, ph, n, true, 0, len(p.neighbors), only, parts)
	if keep && own != nil {
		p.net.pool.Retain(own)
		p.own = own
	}
	p.collect(ph, n, patience)
	p.compute(p.machine().Round)
	if p.net.cfg.Silence.Kind == Last {
		p.fill(p.net.class(ph, parts, p.net.squeezes(p.Context, true)))
	}
	return p.hold()
}

// beginRound counts a round and returns the number of its phase and its occurrence in it.
func (p *Proc) beginRound(phase string) (number, occurrence int) {
	number = p.net.phase(phase)
	o := p.occurrences(number)
	o.exchanges++
	p.spent.Rounds++
	return number, o.exchanges - 1
}

// hold hands out what was collected.
func (p *Proc) hold() []*channel.Message {
	for i, m := range p.got {
		if m != nil {
			p.held = append(p.held, m)
			p.got[i] = nil
		}
	}
	return p.held
}

// collect waits until every neighbour's message of an exchange is in got, or patience ends.
func (p *Proc) collect(phase, occurrence int, patience sim.Time) {
	p.wait = wait{kind: waitExchange, phase: phase, occurrence: occurrence, missing: len(p.hears()), since: p.now}
	if len(p.early) > 0 {
		p.early = slices.DeleteFunc(p.early, p.take)
	}
	if p.wait.missing > 0 {
		if patience > 0 {
			p.setTimer(patience)
		}
		p.suspend()
	}
	p.wait.kind = waitNothing
}

// take uses an arrival for the exchange under way, if it belongs to it, or drops it, if it
// belongs to an earlier one, whose deadline has passed. It reports whether it did either.
func (p *Proc) take(a arrival) bool {
	m, w := a.msg, &p.wait
	if !m.Exchanged || p.net.phaseOf[m.Class] != w.phase || m.Occurrence > w.occurrence {
		return false
	}
	if m.Occurrence < w.occurrence {
		if p.net.cfg.Silence.Kind == Last {
			p.remember(m.Class, m, int(p.net.senderIndex[a.link]))
		}
		p.net.pool.Release(m)
		return true
	}
	p.got[p.net.senderIndex[a.link]] = m
	w.missing--
	w.last = a
	return true
}

// arrived gives a program what reached its node, and resumes it if that ends its wait.
func (g *program) arrived(a arrival) {
	p := &g.proc
	if a.msg == nil {
		if p.wait.timer == a.seq+1 {
			p.wait.timer = 0
			p.idle(a.at)
			g.resume()
		}
		return
	}
	p.landed(a.msg, int(p.net.senderIndex[a.link]))
	if g.done {
		p.net.pool.Release(a.msg)
		return
	}
	if p.lead != nil {
		if !g.follow(a) {
			p.early = append(p.early, a)
		}
		return
	}
	switch p.wait.kind {
	case waitExchange:
		if p.take(a) {
			if p.wait.missing == 0 {
				p.settle()
				g.resume()
			}
			return
		}
	case waitReceive:
		if p.wants(a.msg) {
			p.wait.last = a
			p.settle()
			g.resume()
			return
		}
	}
	p.early = append(p.early, a)
}

// settle moves the node's clock to the arrival that ended its wait, unless the clock is
// already ahead of it.
func (p *Proc) settle() {
	p.wait.timer = 0
	if a := p.wait.last; a.msg != nil {
		p.waitFor(a.msg, a.link, a.at)
	}
}

// setTimer makes the wait end after d. It is known by its event's counter, so that a timer of
// an earlier wait is recognized and ignored.
func (p *Proc) setTimer(d sim.Time) {
	p.wait.timer = p.seq + 1
	p.net.timer(p.Context, p.now+min(d, sim.Horizon), 0)
}

// Receive waits for a message of a phase that was sent by Send or Broadcast, from one of the
// given neighbours, or from any if none are given, and returns the one that arrived first, in
// event order. It is valid until the next Receive or Exchange.
func (p *Proc) Receive(phase string, from ...int) *channel.Message {
	p.sync()
	p.releaseHeld()
	p.from = append(p.from[:0], from...) // a copy, so that the argument does not escape
	p.wait = wait{kind: waitReceive, phase: p.net.phase(phase), since: p.now}
	for i, a := range p.early {
		if p.wants(a.msg) {
			p.early = slices.Delete(p.early, i, i+1)
			p.wait.last = a
			break
		}
	}
	if p.wait.last.msg == nil {
		p.suspend()
	}
	p.wait.kind = waitNothing
	p.held = append(p.held, p.wait.last.msg)
	return p.wait.last.msg
}

func (p *Proc) wants(m *channel.Message) bool {
	return !m.Exchanged && p.net.phaseOf[m.Class] == p.wait.phase &&
		(len(p.from) == 0 || slices.Contains(p.from, m.From))
}

// Sleep lets the node wait for d.
func (p *Proc) Sleep(d sim.Time) {
	if d < 0 {
		panic(fmt.Sprintf("node: node %d sleeps for %v", p.id, d))
	}
	p.sync()
	p.wait = wait{kind: waitTimer, since: p.now}
	p.setTimer(d)
	p.suspend()
	p.wait.kind = waitNothing
}

func (p *Proc) releaseHeld() {
	for _, m := range p.held {
		p.release(m)
	}
	p.held = p.held[:0]
	if p.own != nil {
		p.release(p.own)
		p.own = nil
	}
}

// release releases a message, of a program that is ahead when the loop has come to it.
func (p *Proc) release(m *channel.Message) {
	if l := p.lead; l != nil {
		l.released = append(l.released, m)
		return
	}
	p.net.pool.Release(m)
}

// releaseAll releases everything when the program has ended.
func (p *Proc) releaseAll() {
	p.releaseHeld()
	for _, a := range p.early {
		p.net.pool.Release(a.msg)
	}
	p.early = nil
	for i, m := range p.got {
		if m != nil {
			p.net.pool.Release(m)
			p.got[i] = nil
		}
	}
	p.forgetAll()
	p.wait.kind = waitNothing
}

// waiting says what a suspended program waits for.
func (p *Proc) waiting() string {
	w := &p.wait
	text := fmt.Sprintf("node %d has waited since %v", p.id, w.since)
	switch w.kind {
	case waitExchange:
		var from []int
		for i, m := range p.got {
			if m == nil && slices.Contains(p.hears(), p.neighbors[i]) {
				from = append(from, p.neighbors[i])
			}
		}
		text += fmt.Sprintf(" for message %d of phase %q from nodes %v", w.occurrence, p.net.phases[w.phase], from)
		for _, j := range from {
			if why := p.net.whyMissing(j, p.id, w.phase, w.occurrence, true); why != "" {
				text += " (" + why + ")"
			}
		}
	case waitReceive:
		from := "any neighbour"
		if len(p.from) > 0 {
			from = fmt.Sprintf("nodes %v", p.from)
		}
		text += fmt.Sprintf(" for a message of phase %q from %s", p.net.phases[w.phase], from)
	}
	return text
}
