package node

import (
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// Proc is a program's view of the network: its node's Context, and calls that wait.
type Proc struct {
	*Context
	suspend   func()
	wait      wait
	got       []*channel.Message   // by neighbour: the messages of the current exchange
	held      []*channel.Message   // returned by the last Exchange or Receive
	own       *channel.Message     // the message that Mix sent, held until it has mixed
	early     []arrival            // arrivals that the program has not asked for yet, in order
	from      []int                // senders that the current Receive accepts; empty: all
	parts     []channel.Part       // scratch of Mix and MixAll
	round     *round               // the current round; nil if the graph does not change
	iteration int                  // calls of Drawn, if clients are drawn
	closing   bool                 // the next round is not answered; see Closing
	expected  *expected            // nil without lookahead
	mixed     []Mixed              // scratch of MixAllSent and AverageSent
	shares    [][]float64          // scratch of PushPull
	heardFrom []float64            // scratch of heardWeights
	heard     [][]*channel.Message // by class and neighbour: the last message, with Silence Last
}

// wait describes what a suspended program waits for.
type wait struct {
	kind       waitKind
	phase      int
	occurrence int      // of an exchange
	missing    int      // number of messages of an exchange that have not arrived
	last       arrival  // the arrival that ended it
	since      sim.Time // the node's clock when the wait began
	timer      uint64   // Seq of the timer event that ends it, plus 1; 0: none
}

type waitKind uint8

const (
	waitNothing waitKind = iota
	waitExchange
	waitReceive
	waitTimer
)

// Exchange sends parts to all neighbours, waits for the message of the same phase and occurrence from each of
// them, and returns these messages, sorted by sender. They are valid until the next Exchange or Receive. It
// waits for neighbours only; there is no barrier.
func (p *Proc) Exchange(phase string, parts ...channel.Part) []*channel.Message {
	return p.exchange(phase, parts, 0, false)
}

// ExchangeWithin is Exchange with a deadline, d after its start. It returns the messages that have arrived by
// then, sorted by sender. Later ones are dropped.
func (p *Proc) ExchangeWithin(d sim.Time, phase string, parts ...channel.Part) []*channel.Message {
	if d <= 0 {
		panic(fmt.Sprintf("node: node %d exchanges within %v: want a deadline in the future", p.id, d))
	}
	p.timely("exchanges with a deadline")
	return p.exchange(phase, parts, d, false)
}

func (p *Proc) exchange(phase string, parts []channel.Part, patience sim.Time, keep bool) []*channel.Message {
	p.sync()
	p.releaseHeld()
	if len(p.neighbors) == 0 {
		return nil
	}
	p.nextRound()
	ph, n := p.beginRound(phase)
	p.meet(parts)
	own := p.net.send(p.Context, ph, n, true, p.receivers(), parts)
	if keep && own != nil {
		p.net.pool.Retain(own)
		p.own = own
	}
	p.collect(ph, n, patience)
	p.chargeRound()
	if p.net.cfg.Silence.Kind == Last {
		p.fill(p.net.class(ph, parts, p.net.compresses(p.Context, true)))
	}
	return p.hold()
}

// beginRound counts a round. It returns the number of the phase and the occurrence of the exchange in it.
func (p *Proc) beginRound(phase string) (number, occurrence int) {
	number = p.net.phase(phase)
	o := p.occurrences(number)
	o.exchanges++
	p.spent.Rounds++
	return number, o.exchanges - 1
}

// hold moves the collected messages to held and returns them.
func (p *Proc) hold() []*channel.Message {
	for i, m := range p.got {
		if m != nil {
			p.held = append(p.held, m)
			p.got[i] = nil
		}
	}
	return p.held
}

// collect waits until p.got has every neighbour's message of an exchange, or patience ends.
func (p *Proc) collect(phase, occurrence int, patience sim.Time) {
	p.wait = wait{kind: waitExchange, phase: phase, occurrence: occurrence, missing: len(p.hearsFrom()), since: p.now}
	p.record(step{kind: collectStep, phase: p.net.phases[phase], n: occurrence})
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

// take handles an arrival during an exchange. It keeps a message of this exchange, drops a message of an
// earlier one, whose deadline has passed, and returns false for any other.
func (p *Proc) take(a arrival) bool {
	m, w := a.msg, &p.wait
	if !m.Exchanged || p.net.phaseOf[m.Class] != w.phase || m.Occurrence > w.occurrence {
		return false
	}
	if m.Occurrence < w.occurrence {
		if p.net.cfg.Silence.Kind == Last {
			p.rememberMessage(m.Class, m, int(p.net.senderIndex[a.link]))
		}
		p.net.pool.Release(m)
		return true
	}
	p.got[p.net.senderIndex[a.link]] = m
	w.missing--
	w.last = a
	return true
}

// arrived hands an arrival to the program, and resumes it if that ends its wait.
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
	if p.lookahead != nil {
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

// settle advances the node's clock to the arrival that ended its wait.
func (p *Proc) settle() {
	p.wait.timer = 0
	if a := p.wait.last; a.msg != nil {
		p.waitFor(a.msg, a.link, a.at)
	}
}

// setTimer makes the wait end after d. The wait knows the timer by its event's Seq, so that timers of earlier
// waits are ignored.
func (p *Proc) setTimer(d sim.Time) {
	p.wait.timer = p.seq + 1
	p.net.timer(p.Context, p.now+min(d, sim.Horizon), 0)
}

// Receive waits for a message of a phase that was sent by Send or Broadcast from one of the given neighbours,
// or from any neighbour if none is given. It returns the one that arrived first, in event order, which is valid
// until the next Receive or Exchange.
func (p *Proc) Receive(phase string, from ...int) *channel.Message {
	p.sync()
	p.releaseHeld()
	p.from = append(p.from[:0], from...) // a copy, so that the argument does not escape
	p.wait = wait{kind: waitReceive, phase: p.net.phase(phase), since: p.now}
	if len(from) == 0 {
		from = p.neighbors
	}
	if len(from) == 1 {
		p.record(step{kind: receiveStep, phase: phase, n: from[0]})
	} else {
		p.timely("takes the first message of several nodes")
	}
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

// Sleep waits for d.
func (p *Proc) Sleep(d sim.Time) {
	if d < 0 {
		panic(fmt.Sprintf("node: node %d sleeps for %v", p.id, d))
	}
	p.sync()
	p.record(step{kind: sleepStep, n: int(d)})
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

// release releases a message. During lookahead, the loop does so when it has caught up.
func (p *Proc) release(m *channel.Message) {
	if l := p.lookahead; l != nil {
		l.released = append(l.released, m)
		return
	}
	p.net.pool.Release(m)
}

// releaseAll releases all messages when the program has ended.
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
	p.releaseRemembered()
	p.wait.kind = waitNothing
}

// waiting describes what a suspended program waits for.
func (p *Proc) waiting() string {
	w := &p.wait
	text := fmt.Sprintf("node %d has waited since %v", p.id, w.since)
	switch w.kind {
	case waitExchange:
		var from []int
		for i, m := range p.got {
			if m == nil && slices.Contains(p.hearsFrom(), p.neighbors[i]) {
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
