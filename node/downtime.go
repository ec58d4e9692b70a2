package node

import (
	"tallynet/channel"
	"tallynet/sim"
)

// lastReport is what a node that can go for good has last reported.
type lastReport struct {
	k    int
	x, y []float64
}

// asleep reports whether a timer ends while its host is down: it waits until the host is up.
func (n *Network) asleep(c *Context, e *sim.Event) bool {
	o := c.outages()
	if o == nil {
		return false
	}
	until, down := o.Until(e.At)
	if !down {
		return false
	}
	if until < sim.Horizon {
		again := *e
		again.At = until
		n.queue.Push(again)
	}
	return true
}

// awake moves a node's clock out of an outage. It does not return to a program whose node never
// comes back.
func (c *Context) awake() {
	o := c.outages()
	if o == nil {
		return
	}
	until, down := o.Until(c.now)
	if !down {
		return
	}
	if until >= sim.Horizon {
		c.vanish()
		return
	}
	c.rest(until)
}

// rest lets time pass to a later time.
func (c *Context) rest(until sim.Time) {
	d := until - c.now
	c.spent.Wait += d
	c.spent.Waits.Timer += d
	c.spent.Path.Idle += d
	c.now = until
}

// vanish suspends the program of a node that never comes back.
func (c *Context) vanish() {
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

// pass lets d of computing pass, which stops while the host is down.
func (c *Context) pass(d sim.Time) {
	if o := c.outages(); o != nil {
		c.awake()
		for !c.lostForGood() && c.now < sim.Horizon {
			left := o.Next(c.now) - c.now
			if left >= d {
				break
			}
			c.busy(left)
			d -= left
			c.awake()
		}
		if c.lostForGood() {
			return
		}
	}
	c.busy(d)
}

// lostForGood reports whether a node is down for good by its own clock.
func (c *Context) lostForGood() bool {
	o := c.outages()
	if o == nil {
		return false
	}
	until, down := o.Until(c.now)
	return down && until >= sim.Horizon
}

// busy lets computing time pass.
func (c *Context) busy(d sim.Time) {
	if t := c.net.cfg.Tracer; t != nil {
		t.Computed(c.id, c.now, c.now+d)
	}
	c.now += d
	c.spent.Compute += d
	c.spent.Path.Compute += d
}

// remember keeps what a node reports that may go down for good.
func (n *Network) remember(c *Context, k int, x, y []float64) {
	if c.outages() == nil {
		return
	}
	l := &n.faults.last[c.id]
	l.k, l.x, l.y = k, append(l.x[:0], x...), append(l.y[:0], y...)
}

// Restarted reports, once, that the node's host was down and lost its state: the method begins
// again from what it can still know.
func (c *Context) Restarted() bool {
	c.sync()
	r := c.rare
	if r == nil || !r.restarted || c.net.faults.down[c.id] {
		return false
	}
	r.restarted = false
	return true
}
