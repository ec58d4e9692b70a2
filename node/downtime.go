package node

import (
	"tallynet/channel"
	"tallynet/sim"
)

// lastReport is the last report of a node that may go down for good.
type lastReport struct {
	k    int
	x, y []float64
}

// deferWhileDown postpones a timer that ends while its host is down until the host is up. It reports whether
// the host is down.
func (n *Network) deferWhileDown(c *Context, e *sim.Event) bool {
	until, down := endOf(c.outages(), e.At)
	if down && until < sim.Horizon {
		again := *e
		again.At = until
		n.queue.Push(again)
	}
	return down
}

// endOf returns when an outage at t ends, and whether there is one: t and false if o is nil.
func endOf(o *channel.Outages, t sim.Time) (until sim.Time, down bool) {
	if o == nil {
		return t, false
	}
	return o.Until(t)
}

// waitUntilUp moves the node's clock to the end of an outage. It does not return to a program whose host never
// comes back.
func (c *Context) waitUntilUp() {
	switch until, down := endOf(c.outages(), c.now); {
	case !down:
	case until >= sim.Horizon:
		c.suspendForever()
	default:
		c.idleUntil(until)
	}
}

// idleUntil advances the node's clock to a later time.
func (c *Context) idleUntil(until sim.Time) {
	if s := c.net.moments; s != nil {
		s.passes(c, until, false)
	}
	d := until - c.now
	c.spent.Wait += d
	c.spent.Waits.Timer += d
	c.spent.Path.Idle += d
	c.now = until
}

// suspendForever suspends the program of a node whose host never comes back.
func (c *Context) suspendForever() {
	if p, ok := c.handler.(*program); ok {
		p.proc.wait = wait{kind: waitNothing, since: c.now}
		p.proc.suspend()
	}
}

func (c *Context) outages() *channel.Outages {
	if !c.net.faults.on {
		return nil
	}
	return c.net.faults.hosts[c.id]
}

// computeFor advances the clock by d of computing, which pauses while the host is down.
func (c *Context) computeFor(d sim.Time) {
	if o := c.outages(); o != nil {
		c.waitUntilUp()
		for !c.downForGood() && c.now < sim.Horizon {
			left := o.Next(c.now) - c.now
			if left >= d {
				break
			}
			c.addCompute(left)
			d -= left
			c.waitUntilUp()
		}
		if c.downForGood() {
			return
		}
	}
	c.addCompute(d)
}

// downForGood reports whether, at the node's clock, its host is down and never comes back.
func (c *Context) downForGood() bool {
	until, down := endOf(c.outages(), c.now)
	return down && until >= sim.Horizon
}

// addCompute advances the clock by computing time.
func (c *Context) addCompute(d sim.Time) {
	if t := c.net.cfg.Tracer; t != nil {
		t.Computed(c.id, c.now, c.now+d)
	}
	if s := c.net.moments; s != nil {
		s.passes(c, c.now+d, true)
	}
	c.now += d
	c.spent.Compute += d
	c.spent.Path.Compute += d
}

// keepLastReport keeps the report of a node that may go down for good.
func (n *Network) keepLastReport(c *Context, k int, x, y []float64) {
	if c.outages() == nil {
		return
	}
	l := &n.faults.last[c.id]
	l.k, l.x, l.y = k, append(l.x[:0], x...), append(l.y[:0], y...)
}

// Restarted reports, once, that the node's host was down and lost its state. The method then restarts from what
// it can still know.
func (c *Context) Restarted() bool {
	c.sync()
	r := c.extras
	if r == nil || !r.restarted || c.net.faults.down[c.id] {
		return false
	}
	r.restarted = false
	return true
}
