package node

import (
	"errors"
	"iter"

	"tallynet/channel"
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
	*p = Proc{Context: c, got: make([]*channel.Message, len(c.neighbors))}
	if c.net.ahead {
		p.outlook = &outlook{after: beforeAll, coming: make([][]comes, len(c.neighbors))}
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
