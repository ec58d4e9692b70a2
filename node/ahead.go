package node

import (
	"errors"
	"slices"
	"sync"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// A program that waits for an exchange knows all that it will compute next as soon as the last message
// that it waits for has been sent: it depends on its own state and on those messages, not on when they
// arrive. With helpers it then runs ahead of the loop, on another core, up to the first call that touches
// anything else, a send above all. What it does until then, charges and reports, is noted, and done by the
// loop in its turn, when the last message arrives; there the program goes on. So every event, count and
// hash is that of a run without helpers.

// defaultWorth is the least number of FLOPs between two waits that make it worthwhile to run ahead: what
// a core computes in some 50 µs, where handing over takes some 5.
const defaultWorth = 1e5

// beforeAll stands for the phase of an exchange before the first.
const beforeAll = -1

// lead is how far a program is ahead of the loop.
type lead struct {
	sim.Task
	phase, occurrence int // of the exchange
	missing           int // messages that it has and the loop has not
	effects           []effect
	reports           []float64          // x and y of the noted reports that are recorded; nil: none
	released          []*channel.Message // what it no longer needs
	panicked          *Panic
	ended             bool // the function has returned
}

// effect is a call that was noted.
type effect struct {
	kind    effectKind
	time    sim.Time // of computes
	flops   float64
	call    metrics.Call
	n       int
	samples int64
	k       int
	p, q    int    // of reports: the lengths of x and y
	at      int    // and their place in lead.reports, -1 where they are not recorded
	wrong   string // and which number is not finite
}

type effectKind uint8

const (
	computes effectKind = iota
	works
	charges
	reports
)

// sync returns when the loop has come to where the program is. All that touches more than the
// node's own numbers comes after it.
func (c *Context) sync() {
	if c.lead != nil {
		c.handler.(*program).proc.suspend()
	}
}

// report notes a report.
func (l *lead) report(n *Network, k int, x, y []float64) {
	e := effect{kind: reports, k: k, p: len(x), q: len(y), at: -1, wrong: notFinite(x, y)}
	if r := n.cfg.Recorder; r != nil && r.Wants(k) {
		if l.reports == nil {
			l.reports = n.spare.take()
		}
		e.at = len(l.reports)
		l.reports = append(append(l.reports, x...), y...)
	}
	l.effects = append(l.effects, e)
}

// setAhead lets programs run ahead if there are helpers and nothing makes what they receive uncertain.
func (n *Network) setAhead() {
	if n.cfg.Worth <= 0 {
		n.cfg.Worth = defaultWorth
	}
	n.ahead = n.cfg.Helpers != nil && !n.faults.on && n.cfg.Silence.Kind == Wait
}

// weigh keeps what a program has computed since its last exchange: the most of all programs by phase.
func (n *Network) weigh(p *Proc) {
	if p.wait.kind == waitTimer {
		return
	}
	for len(n.weight) < len(n.phases) {
		n.weight = append(n.weight, 0)
	}
	o := p.outlook
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

// awaits reports whether a program waits for a message, and for as long as it takes.
func (p *Proc) awaits(m comes) bool {
	w := &p.wait
	return w.kind == waitExchange && w.timer == 0 && m.msg.Exchanged && m.msg.Occurrence == w.occurrence &&
		p.net.phaseOf[m.msg.Class] == w.phase
}

// outlook is what a program that may run ahead knows of what is to come.
type outlook struct {
	coming [][]comes // by neighbour: what is on its way, in order
	ready  int       // those of coming that the wait is for
	after  int       // the phase of the last exchange, or beforeAll
}

// comes is a message on its way.
type comes struct {
	msg *channel.Message
	at  sim.Time // when it arrives, or its first bit
}

// expect notes a message that was sent on a link to a node.
func (n *Network) expect(to, link int, m comes) {
	if g, ok := n.nodes[to].handler.(*program); ok {
		g.expect(int(n.senderIndex[link]), m)
	}
}

// expect notes a message that was sent to a program, whose node's neighbour k is the sender.
func (g *program) expect(k int, m comes) {
	p := &g.proc
	if g.next == nil || g.done {
		return
	}
	o := p.outlook
	o.coming[k] = append(o.coming[k], m)
	if p.lead == nil && p.awaits(m) {
		o.ready++
		g.goAhead()
	}
}

// landed notes that a message has arrived.
func (p *Proc) landed(m *channel.Message, k int) {
	o := p.outlook
	if o == nil {
		return
	}
	i := slices.IndexFunc(o.coming[k], func(c comes) bool { return c.msg == m })
	if i < 0 {
		return
	}
	o.coming[k] = slices.Delete(o.coming[k], i, i+1)
	if p.lead == nil && p.awaits(comes{msg: m}) {
		o.ready--
	}
}

// atWait lets a program that has come to a wait run ahead if what it waits for is on its way already.
func (g *program) atWait() {
	p := &g.proc
	p.net.weigh(p)
	o := p.outlook
	o.ready = 0
	for _, line := range o.coming {
		if slices.ContainsFunc(line, p.awaits) {
			o.ready++
		}
	}
	g.goAhead()
}

// goAhead lets a program run ahead if all that it waits for is on its way.
func (g *program) goAhead() {
	p, o := &g.proc, g.proc.outlook
	if p.wait.kind != waitExchange || o.ready == 0 || o.ready < p.wait.missing || !p.net.cfg.Helpers.Free() {
		return
	}
	l := g.newLead(p.wait.phase, p.wait.occurrence, p.wait.missing)
	l.Due = p.now
	for k, line := range o.coming {
		if i := slices.IndexFunc(line, p.awaits); i >= 0 {
			p.got[k] = line[i].msg
			l.Due = max(l.Due, line[i].at)
		}
	}
	p.net.cfg.Helpers.Add(&l.Task)
}

// newLead puts a program ahead of the loop.
func (g *program) newLead(phase, occurrence, missing int) *lead {
	if g.lead == nil {
		g.lead = &lead{Task: sim.Task{Do: g.advance, Rank: g.proc.id}}
	}
	l := g.lead
	l.phase, l.occurrence, l.missing = phase, occurrence, missing
	l.effects, l.reports, l.released = l.effects[:0], nil, l.released[:0]
	l.panicked, l.ended = nil, false
	g.proc.lead = l
	return l
}

// advance runs a program on another core, up to its next sync or its end.
func (g *program) advance() {
	l := g.lead
	defer func() {
		if r := recover(); r != nil {
			l.panicked = asPanic(r)
		}
	}()
	_, more := g.next()
	l.ended = !more
}

// follow takes up an arrival for a program that is ahead. It reports false if the program has not
// asked for it yet.
func (g *program) follow(a arrival) bool {
	p, l := &g.proc, g.lead
	if !a.msg.Exchanged || p.net.phaseOf[a.msg.Class] != l.phase || a.msg.Occurrence > l.occurrence {
		return false
	}
	if a.msg.Occurrence < l.occurrence { // its deadline has passed
		p.net.pool.Release(a.msg)
		return true
	}
	if l.missing--; l.missing == 0 {
		g.catchUp(a)
	}
	return true
}

// catchUp lets the loop do what a program that is ahead has noted, after an arrival, and then lets the
// program go on.
func (g *program) catchUp(a arrival) {
	p, l := &g.proc, g.lead
	p.net.cfg.Helpers.Wait(&l.Task)
	p.lead = nil
	if a.msg != nil {
		p.waitFor(a.msg, a.link, a.at)
	}
	for _, m := range l.released {
		p.net.pool.Release(m)
	}
	if !g.replay() {
		return
	}
	if l.reports != nil {
		p.net.spare.give(l.reports)
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

// errPastEnd ends a replay at the end of the run.
var errPastEnd = errors.New("node: program past the end of the run")

// replay does what was noted. It reports false if the run ended for the node meanwhile.
func (g *program) replay() (goOn bool) {
	p := &g.proc
	suspend := p.suspend
	p.suspend = func() { panic(errPastEnd) }
	defer func() {
		p.suspend = suspend
		switch r := recover(); r {
		case nil:
		case errPastEnd: // it waits for ever where it is
		case errUnwind:
			g.stop()
			g.finish()
		default:
			panic(asPanic(r))
		}
	}()
	for i := range g.lead.effects {
		p.Context.do(&g.lead.effects[i], g.lead.reports)
	}
	return true
}

func (c *Context) do(e *effect, reported []float64) {
	switch e.kind {
	case computes:
		c.compute(e.time)
	case works:
		c.Work(e.flops)
	case charges:
		c.Charge(e.call, e.n, e.samples, e.flops)
	case reports:
		var x, y []float64
		if e.at >= 0 {
			x, y = reported[e.at:e.at+e.p], reported[e.at+e.p:e.at+e.p+e.q]
		}
		c.report(e.k, e.p, e.q, x, y, e.wrong)
	}
}

// startAhead lets the programs of all nodes from i on start ahead of the loop.
func (n *Network) startAhead(i int) {
	for ; i < len(n.nodes) && n.cfg.Helpers.Free(); i++ {
		if g, ok := n.nodes[i].handler.(*program); ok && g.next == nil {
			g.create(&n.nodes[i])
			n.cfg.Helpers.Add(&g.newLead(beforeAll, 0, 0).Task)
		}
	}
}

// start starts node i.
func (n *Network) start(i int) {
	c := &n.nodes[i]
	n.current = c
	c.awake()
	if c.lead != nil {
		c.handler.(*program).catchUp(arrival{})
		return
	}
	c.handler.Start(c)
	if n.ahead && n.started >= n.cfg.Worth && !n.begun {
		n.begun = true
		n.startAhead(i + 1)
	}
}

// arrays are taken by several goroutines.
type arrays struct {
	mu   sync.Mutex
	free [][]float64
}

// take returns an array of length 0, which is not nil.
func (a *arrays) take() []float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.free); n > 0 {
		v := a.free[n-1]
		a.free = a.free[:n-1]
		return v[:0]
	}
	return []float64{}
}

func (a *arrays) give(v []float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = append(a.free, v)
}
