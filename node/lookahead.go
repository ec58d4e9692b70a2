package node

import (
	"errors"
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// Lookahead
//
// What a program computes after an exchange depends on its state and on the messages, not on when these arrive. So
// once the last message has been sent, a helper may run the program on another core, ahead of the event loop, up to
// the first call that touches anything else, such as a send. Until then its charges and reports are recorded as
// effects. The loop applies them when the last message arrives, and the program continues there. Every event, count
// and bit is that of a run on one core.

// defaultWorth is the default of Config.Worth. A core computes 1e5 FLOPs in some 50 µs; handing a task over
// takes some 5 µs.
const defaultWorth = 1e5

// beforeAll is the phase of the time before a program's first exchange.
const beforeAll = -1

// lookahead is a program's run ahead of the event loop.
type lookahead struct {
	sim.Task
	phase, occurrence int // of the exchange that it continues after
	missing           int // messages of the exchange that the loop has not delivered yet
	effects           []func()
	released          []*channel.Message // messages to release when the loop catches up
	panicked          *Panic
	ended             bool // the function has returned
}

// sync returns when the event loop has caught up with the program. Every call that touches more than the node's
// own numbers syncs first.
func (c *Context) sync() {
	if c.lookahead != nil {
		c.handler.(*program).proc.suspend()
	}
}

// report records the effect of Context.Report.
func (l *lookahead) report(c *Context, k int, x, y []float64) {
	p, q, wrong := len(x), len(y), notFinite(x, y)
	var atX, atY []float64
	if c.net.wants(k) {
		atX, atY = slices.Clone(x), slices.Clone(y)
	}
	l.effects = append(l.effects, func() { c.report(k, p, q, atX, atY, wrong) })
}

// setAhead enables lookahead if there are helpers and nothing makes it uncertain which messages a program
// receives.
func (n *Network) setAhead() {
	if n.cfg.Worth <= 0 {
		n.cfg.Worth = defaultWorth
	}
	n.ahead = n.cfg.Helpers != nil && !n.faults.on && n.cfg.Silence.Kind == Wait
}

// weigh records how many FLOPs a program has computed since its last exchange. For each phase the maximum over
// all programs is kept.
func (n *Network) weigh(p *Proc) {
	if p.wait.kind == waitTimer {
		return
	}
	for len(n.weight) < len(n.phases) {
		n.weight = append(n.weight, 0)
	}
	o := p.expected
	if o.after == beforeAll {
		n.started = p.flops
	} else {
		n.weight[o.after] = max(n.weight[o.after], p.flops)
	}
	p.flops, o.after = 0, p.wait.phase
}

// heavy reports whether programs compute much after an exchange of the phase.
func (n *Network) heavy(phase int) bool {
	return phase < len(n.weight) && n.weight[phase] >= n.cfg.Worth
}

// awaits reports whether the program waits, without a deadline, for the message.
func (p *Proc) awaits(m transit) bool {
	w := &p.wait
	return w.kind == waitExchange && w.timer == 0 && m.msg.Exchanged && m.msg.Occurrence == w.occurrence &&
		p.net.phaseOf[m.msg.Class] == w.phase
}

// expected holds the messages that are on their way to a program.
type expected struct {
	inTransit [][]transit // by neighbour, in the order in which they were sent
	after     int         // the phase of the program's last exchange, or beforeAll
}

// transit is a message on its way.
type transit struct {
	msg *channel.Message
	at  sim.Time // when it arrives or, if that is not known yet, its first bit
}

// expect records that a message was sent to a node on a link.
func (n *Network) expect(to, link int, m transit) {
	g, ok := n.nodes[to].handler.(*program)
	if !ok || g.next == nil || g.done {
		return
	}
	p, k := &g.proc, n.senderIndex[link]
	o := p.expected
	o.inTransit[k] = append(o.inTransit[k], m)
	if p.lookahead == nil && p.awaits(m) {
		g.goAhead()
	}
}

// landed records that a message from neighbour k has arrived.
func (p *Proc) landed(m *channel.Message, k int) {
	o := p.expected
	if o == nil {
		return
	}
	if i := slices.IndexFunc(o.inTransit[k], func(c transit) bool { return c.msg == m }); i >= 0 {
		o.inTransit[k] = slices.Delete(o.inTransit[k], i, i+1)
	}
}

// goAhead starts lookahead if all messages that the program waits for are on their way.
func (g *program) goAhead() {
	p, o := &g.proc, g.proc.expected
	if p.wait.kind != waitExchange || !p.net.cfg.Helpers.Free() {
		return
	}
	ready := 0
	for _, line := range o.inTransit {
		if slices.ContainsFunc(line, p.awaits) {
			ready++
		}
	}
	if ready == 0 || ready < p.wait.missing {
		return
	}
	l := g.newLookahead(p.wait.phase, p.wait.occurrence, p.wait.missing)
	l.Due = p.now
	for k, line := range o.inTransit {
		if i := slices.IndexFunc(line, p.awaits); i >= 0 {
			p.got[k] = line[i].msg
			l.Due = max(l.Due, line[i].at)
		}
	}
	p.net.cfg.Helpers.Add(&l.Task)
}

// newLookahead puts the program ahead of the event loop. It reuses the memory of the last lookahead.
func (g *program) newLookahead(phase, occurrence, missing int) *lookahead {
	if g.lookahead == nil {
		g.lookahead = &lookahead{Task: sim.Task{Do: g.advance, Rank: g.proc.id}}
	}
	l := g.lookahead
	l.phase, l.occurrence, l.missing = phase, occurrence, missing
	l.effects, l.released = l.effects[:0], l.released[:0]
	l.panicked, l.ended = nil, false
	g.proc.lookahead = l
	return l
}

// advance runs the program on a helper's core until it syncs or ends.
func (g *program) advance() {
	l := g.lookahead
	defer func() {
		if r := recover(); r != nil {
			l.panicked = asPanic(r)
		}
	}()
	_, more := g.next()
	l.ended = !more
}

// follow handles an arrival for a program that is ahead. It returns false if the program has not asked for the
// message yet.
func (g *program) follow(a arrival) bool {
	p, l := &g.proc, g.lookahead
	if !a.msg.Exchanged || p.net.phaseOf[a.msg.Class] != l.phase || a.msg.Occurrence > l.occurrence {
		return false
	}
	if a.msg.Occurrence < l.occurrence { // it missed its deadline
		p.net.pool.Release(a.msg)
		return true
	}
	if l.missing--; l.missing == 0 {
		g.catchUp(a)
	}
	return true
}

// catchUp applies the effects of a lookahead after the arrival that ended the exchange, and resumes the
// program.
func (g *program) catchUp(a arrival) {
	p, l := &g.proc, g.lookahead
	p.net.cfg.Helpers.Wait(&l.Task)
	p.lookahead = nil
	if a.msg != nil {
		p.waitFor(a.msg, a.link, a.at)
	}
	for _, m := range l.released {
		p.net.pool.Release(m)
	}
	if !g.replay() {
		return
	}
	switch {
	case l.panicked != nil:
		panic(l.panicked)
	case l.ended:
		g.finish()
	default:
		g.resume()
	}
}

// errPastEnd stops replay where the run has ended for the node.
var errPastEnd = errors.New("node: program past the end of the run")

// replay applies the recorded effects. It returns false if the run ended for the node meanwhile.
func (g *program) replay() (goOn bool) {
	p := &g.proc
	suspend := p.suspend
	p.suspend = func() { panic(errPastEnd) }
	defer func() {
		p.suspend = suspend
		switch r := recover(); r {
		case nil:
		case errPastEnd: // the program never resumes
		case errUnwind:
			g.stop()
			g.finish()
		default:
			panic(asPanic(r))
		}
	}()
	for _, apply := range g.lookahead.effects {
		apply()
	}
	return true
}

// startAhead starts the programs of the nodes from i on ahead of the event loop, as far as cores are free.
func (n *Network) startAhead(i int) {
	for ; i < len(n.nodes) && n.cfg.Helpers.Free(); i++ {
		if g, ok := n.nodes[i].handler.(*program); ok && g.next == nil {
			g.create(&n.nodes[i])
			n.cfg.Helpers.Add(&g.newLookahead(beforeAll, 0, 0).Task)
		}
	}
}

// start starts node i.
func (n *Network) start(i int) {
	c := &n.nodes[i]
	n.current = c
	c.waitUntilUp()
	if c.lookahead != nil {
		c.handler.(*program).catchUp(arrival{})
		return
	}
	c.handler.Start(c)
	if n.ahead && n.started >= n.cfg.Worth && !n.begun {
		n.begun = true
		n.startAhead(i + 1)
	}
}
