package node

import (
	"errors"
	"iter"

	"tallynet/channel"
)

// Program turns a straight-line function into a Handler. The function runs as a coroutine: while it waits for
// messages, the simulation goes on. If the run ends early, the function is unwound from where it waits, as by a
// panic, so that its deferred calls run.
func Program(f func(p *Proc)) Handler { return &program{body: f} }

// program is the Handler behind a Proc.
type program struct {
	body      func(*Proc)
	proc      Proc
	next      func() (struct{}, bool)
	stop      func()
	done      bool
	lookahead *lookahead // the same as proc.lookahead while that is set, kept for reuse
}

// errUnwind unwinds a program whose run has ended.
var errUnwind = errors.New("node: program unwound")

// Start runs the function to its first wait.
func (g *program) Start(c *Context) {
	g.create(c)
	g.resume()
}

// create makes the coroutine.
func (g *program) create(c *Context) {
	p := &g.proc
	*p = Proc{Context: c, got: make([]*channel.Message, len(c.neighbors))}
	if c.net.ahead {
		p.expected = &expected{after: beforeAll, inTransit: make([][]transit, len(c.neighbors))}
	}
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
		g.proc.net.weigh(&g.proc)
		g.goAhead()
	}
}

// finish cleans up after the function has returned. If it has returned too early, the run fails, unless it is ending.
func (g *program) finish() {
	n := g.proc.net
	g.done = true
	n.running--
	g.proc.releaseAll()
	if n.stop || n.err != nil || n.ctx.Err() != nil {
		return
	}
	g.proc.record(step{kind: returnStep})
	if err := g.proc.unreported(); err != nil {
		n.fail(err)
	}
}

func (g *program) unwind() {
	if g.proc.Context != nil && g.proc.lookahead != nil {
		g.proc.net.cfg.Helpers.Drop(&g.lookahead.Task)
		g.proc.lookahead = nil
	}
	if g.stop != nil && !g.done {
		g.done = true
		g.stop()
	}
}

// Receive is never called. The network hands arrivals to arrived.
func (g *program) Receive(*Context, *channel.Message) { panic("node: a program has no Receive") }

// Wake is never called; see Receive.
func (g *program) Wake(*Context, int) { panic("node: a program has no Wake") }
