package node

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Program turns a straight-line function into a Handler. The function runs as a coroutine:
// while it waits for messages, the simulation goes on. When a run ends early, the function is
// unwound from where it waits, as by a panic, so that its deferred calls run and it needs no
// code for that.
func Program(f func(p *Proc)) Handler { return &program{body: f} }

// program is the Handler behind a Proc.
type program struct {
	body func(*Proc)
	proc Proc
	next func() (struct{}, bool)
	stop func()
	done bool
	lead *lead // how far it is ahead, while proc.lead is set; else the memory of the last time
}

// errUnwind unwinds a program whose run has ended.
var errUnwind = errors.New("node: program unwound")

// Start runs the function up to its first wait.
func (g *program) Start(c *Context) {
	g.create(c)
	g.resume()
}

// create makes the coroutine.
func (g *program) create(c *Context) {
	p := &g.proc
	*p = Proc{Context: c, got: make([]*channel.Message, len(c.neighbors)), after: beforeAll}
	p.turn.Turn = Turn{Out: c.neighbors, In: c.neighbors, Weights: c.weights, Self: c.selfWeight}
	g.next, g.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != errUnwind {
				panic(asPanic(r))
			}
		}()
		p.suspend = func() {
			if !yield(struct{}{}) {
				panic(errUnwind)
			}
		}
		g.body(p)
	})
	c.net.programs++
	c.net.running++
}

// resume runs the function to its next wait or its end.
func (g *program) resume() {
	_, more := g.next()
	switch {
	case !more && !g.done:
		g.finish()
	case more && g.proc.net.ahead:
		g.atWait()
	}
}

// finish is what follows the end of the function.
func (g *program) finish() {
	g.done = true
	g.proc.net.running--
	g.proc.releaseAll()
	g.ended()
}

// ended fails the run if the function has returned too early, and not because the run ends.
func (g *program) ended() {
	n := g.proc.net
	if n.stop || n.err != nil || n.ctx.Err() != nil {
		return
	}
	if err := g.proc.unreported(); err != nil {
		n.fail(err)
	}
}

func (g *program) unwind() {
	if g.proc.Context != nil && g.proc.lead != nil {
		g.proc.net.cfg.Helpers.Drop(&g.lead.Task)
		g.proc.lead = nil
	}
	if g.stop != nil && !g.done {
		g.done = true
		g.stop()
	}
}

// Receive is not used: the network hands arrivals to a program directly.
func (g *program) Receive(*Context, *channel.Message) { panic("node: a program has no Receive") }

// Wake is not used, see Receive.
func (g *program) Wake(*Context, int) { panic("node: a program has no Wake") }

// Proc is what a program works with: its node's Context, and calls that wait.
type Proc struct {
	*Context
	suspend   func()
	wait      wait
	got       []*channel.Message   // messages of the exchange under way, by neighbour
	held      []*channel.Message   // handed out by the last Exchange or Receive, still valid
	own       *channel.Message     // what Mix sent, held until it has mixed
	early     []arrival            // what came before the program asked for it, in order of arrival
	parts     []channel.Part       // scratch of Mix and MixAll
	mixed     [1]Mixed             // scratch of Mix
	means     []Mixed              // scratch of AverageSent
	from      []int                // scratch of Receive
	turn      turn                 // of the round under way
	shares    [][]float64          // scratch of PushPull
	heardFrom []float64            // scratch of heardWeights
	heard     [][]*channel.Message // by class and neighbour: the last, where silence is met with it

	// Where programs may run ahead:
	coming [][]comes // by neighbour: what is on its way, in order
	ready  int       // those of coming that the wait is for
	after  int       // the phase of the last exchange, or beforeAll
}

// wait is what a suspended program waits for.
type wait struct {
	kind       waitKind
	phase      int
	occurrence int      // of an exchange
	missing    int      // how many messages of an exchange are still to come
	from       []int    // whom a Receive listens to, empty for all
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
		if only = p.turn.out; only == nil {
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
	p.wait = wait{kind: waitExchange, phase: phase, occurrence: occurrence, missing: len(p.turn.In), since: p.now}
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
	p.wait = wait{kind: waitReceive, phase: p.net.phase(phase), from: p.from, since: p.now}
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
		(len(p.wait.from) == 0 || slices.Contains(p.wait.from, m.From))
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

// Mixed is one object of MixAll: Dst becomes the weighted average of Src over the node and
// its neighbours. Dst may be Src, but must not overlap it otherwise.
type Mixed struct {
	Name       string
	Kind       metrics.Kind
	Rows, Cols int
	Dst, Src   []float64
	unread     bool
}

// MixVec returns a vector to be mixed: dst (d) from src (d).
func MixVec(name string, dst, src []float64) Mixed {
	return Mixed{Name: name, Kind: metrics.Vector, Rows: len(src), Cols: 1, Dst: dst, Src: src}
}

// MixMat returns a matrix to be mixed: dst (r x c) from src (r x c).
func MixMat(name string, dst, src *mat.Dense) Mixed {
	s := channel.Mat(name, src)
	return Mixed{Name: name, Kind: metrics.Matrix, Rows: s.Rows, Cols: s.Cols, Dst: channel.Mat(name, dst).Data,
		Src: s.Data}
}

// Unread returns the object for an exchange whose average the node will not use: it is sent, counted and
// charged as before, and Dst stays as it is.
func (o Mixed) Unread() Mixed {
	o.unread = true
	return o
}

// part returns the object as a part of a message, with its Src or Dst as data.
func (o *Mixed) part(data []float64) channel.Part {
	return channel.Part{Name: o.Name, Kind: o.Kind, Rows: o.Rows, Cols: o.Cols, Data: data}
}

// Mix exchanges v (d) with all neighbours and sets dst (d) = w_ii v + sum of w_ij v_j over the
// neighbours j, in ascending order. It charges 2 d FLOPs per term.
func (p *Proc) Mix(dst []float64, phase string, v []float64) {
	p.mixed[0] = MixVec(phase, dst, v)
	p.mixAll(phase, p.mixed[:])
}

// MixAll is Mix for several objects that travel in one message.
func (p *Proc) MixAll(phase string, m ...Mixed) { p.mixAll(phase, m) }

func (p *Proc) mixAll(phase string, m []Mixed) {
	if len(p.weights) != len(p.neighbors) {
		panic(fmt.Sprintf("node: node %d mixes, but has no weights", p.id))
	}
	p.parts = p.parts[:0]
	size := 0
	for i := range m {
		o := &m[i]
		if len(o.Dst) != len(o.Src) && !o.unread {
			panic(fmt.Sprintf("node: mixing %q: want a dst of %d numbers, as src, got %d",
				o.Name, len(o.Src), len(o.Dst)))
		}
		p.parts = append(p.parts, o.part(o.Src))
		size += len(o.Src)
	}
	// If the wire format keeps every bit, the copy that was sent equals Src. A neighbour has
	// just read it, so that it is in the cache, and Src is not.
	_, exact := p.net.cfg.Codec.(channel.Float64)
	step := 0. // of compressed differences
	if z := p.net.cfg.Compress; z != nil && !p.squeezed.whole {
		exact = z.Memory == channel.Difference
		if exact && len(p.neighbors) > 0 {
			step = z.Step
		}
	}
	got := p.exchange(phase, p.parts, p.net.cfg.Silence.After, exact)
	for _, msg := range got {
		p.checkParts(msg, p.parts)
	}
	if len(p.turn.Weights) != len(p.turn.In) {
		panic(fmt.Sprintf("node: node %d mixes in a round that has no doubly stochastic matrix", p.id))
	}
	self, weights := p.heardWeights(got)
	for i := range m {
		switch o := &m[i]; {
		case o.unread:
		case step > 0:
			p.mixDifferences(o, i, step, got)
		case p.own != nil:
			average(o.Dst, i, self, p.own.Parts[i].Data, p.own, weights, got)
		default:
			average(o.Dst, i, self, o.Src, nil, weights, got)
		}
	}
	p.Work(float64(2 * int64(size) * int64(len(got)+1)))
	p.releaseHeld()
}

// mixDifferences moves Src towards the weighted average of the copies that nodes have of each other,
// which tend to the values themselves: dst = src + step (sum of w_ij h_j - h_i), with the h of the neighbours and its
// own.
//
// Source: Koloskova, Stich, Jaggi, "Decentralized stochastic optimization and gossip algorithms with
// compressed communication", ICML 2019.
func (p *Proc) mixDifferences(o *Mixed, part int, step float64, got []*channel.Message) {
	if p.own == nil { // nobody to send to in this round
		copy(o.Dst, o.Src)
		return
	}
	own := p.own.Parts[part].Data
	for e, v := range o.Src {
		sum := float64((p.turn.Self - 1) * own[e])
		for k, m := range got {
			sum += float64(p.turn.Weights[k] * m.Parts[part].Data[e])
		}
		o.Dst[e] = v + float64(step*sum)
	}
}

// heardWeights returns the node's weight on itself and those on the senders of the messages.
func (p *Proc) heardWeights(got []*channel.Message) (self float64, weights []float64) {
	if len(got) == len(p.turn.In) {
		return p.turn.Self, p.turn.Weights
	}
	p.heardFrom = p.heardFrom[:0]
	for _, m := range got {
		p.heardFrom = append(p.heardFrom, p.weightOf(m.From))
	}
	return p.silentWeight(got), p.heardFrom
}

// silentWeight returns the node's weight on itself and on the neighbours that it has not heard from.
func (p *Proc) silentWeight(got []*channel.Message) float64 {
	w := p.turn.Self
	for k, j := range p.turn.In {
		if !slices.ContainsFunc(got, func(m *channel.Message) bool { return m.From == j }) {
			w += p.turn.Weights[k]
		}
	}
	return w
}

// checkParts panics unless a message has the parts that are to be mixed with it.
func (p *Proc) checkParts(m *channel.Message, want []channel.Part) {
	if len(m.Parts) != len(want) {
		panic(misuse(fmt.Sprintf("node: node %d mixes %d objects in phase %q, and node %d sent %d",
			p.id, len(want), m.Phase, m.From, len(m.Parts))))
	}
	for i := range want {
		if s, w := &m.Parts[i], &want[i]; s.Rows != w.Rows || s.Cols != w.Cols {
			panic(misuse(fmt.Sprintf("node: node %d mixes %q, %d x %d, in phase %q, and node %d sent %q, %d x %d",
				p.id, w.Name, w.Rows, w.Cols, m.Phase, m.From, s.Name, s.Rows, s.Cols)))
		}
	}
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
			if m == nil && slices.Contains(p.turn.In, p.neighbors[i]) {
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
		if len(w.from) > 0 {
			from = fmt.Sprintf("nodes %v", w.from)
		}
		text += fmt.Sprintf(" for a message of phase %q from %s", p.net.phases[w.phase], from)
	}
	return text
}
