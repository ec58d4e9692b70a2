package node

import (
	"fmt"

	"tallynet/sim"
)

// Reports describes what every node must report.
type Reports struct {
	Last int // the last iteration
	P, Q int // the lengths of x and y
}

// progress describes how far the node has come.
func (c *Context) progress() string {
	last := ""
	if r := c.net.cfg.Reports; r != nil {
		last = fmt.Sprintf(" of %d", r.Last)
	}
	if c.reported < 0 {
		return "before iteration 0" + last
	}
	return fmt.Sprintf("after iteration %d%s", c.reported, last)
}

// checkReport panics if a node reports an iteration out of order, or iterates of wrong lengths: p elements in x
// and q in y.
func (c *Context) checkReport(k, p, q int) {
	_, isProgram := c.handler.(*program)
	if k != c.reported+1 && (isProgram || k < 0 || k != c.reported) {
		panic(misuse(fmt.Sprintf("node: node %d reports iteration %d after %d", c.id, k, c.reported)))
	}
	r := c.net.cfg.Reports
	switch {
	case r == nil:
	case k > r.Last && !c.goesOn():
		panic(misuse(fmt.Sprintf("node: node %d reports iteration %d of %d", c.id, k, r.Last)))
	case p != r.P || q != r.Q:
		panic(misuse(fmt.Sprintf("node: node %d reports iteration %d with %d numbers in x and %d in y: want %d and %d",
			c.id, k, p, q, r.P, r.Q)))
	}
}

// isDone reports whether the node has reported its last iteration and does not go on.
func (c *Context) isDone() bool {
	r := c.net.cfg.Reports
	return r != nil && c.reported >= r.Last && !c.goesOn()
}

// goesOn reports whether the node may go on after its last iteration.
func (c *Context) goesOn() bool { return c.net.cfg.Clock != nil && c.net.cfg.Clock.GoOn }

// unreported returns an error if a node that has ended has not reported every iteration.
func (c *Context) unreported() error {
	r := c.net.cfg.Reports
	if r == nil || c.reported >= r.Last {
		return nil
	}
	if _, ok := c.handler.(*program); ok {
		return fmt.Errorf("node %d returned %s", c.id, c.progress())
	}
	return fmt.Errorf("node %d has nothing left to react to %s", c.id, c.progress())
}

// burst counts the messages and timers of a node at one instant between two reports. A timer counts as a round
// of messages.
type burst struct {
	at    sim.Time
	count int64
}

// defaultAtOnce is far more rounds than any method needs for one iteration.
const defaultAtOnce = 10_000_000

// goOnAtOnce bounds the rounds at one instant of a node that goes on until others have done their iterations. No
// report of its own ends the count.
const goOnAtOnce = 10_000

// countAtInstant counts an event. It returns an error if a node has so many events at one instant that time
// would stand still forever.
func (c *Context) countAtInstant(e *sim.Event) error {
	b := &c.burst
	if b.at != e.At {
		*b = burst{at: e.At}
	}
	round := int64(len(c.neighbors) + 1)
	if kindOf(e) == timerEnds {
		b.count += round
	} else {
		b.count++
	}
	most, hint := c.net.cfg.AtOnce, ""
	if c.goesOn() {
		most = min(most, goOnAtOnce)
		hint = ": let the nodes compute at some speed, or let the method pause"
	}
	if b.count/round < most {
		return nil
	}
	what := "timers and sleeps of 0"
	if kindOf(e) != timerEnds {
		what = fmt.Sprintf("messages that take no time, the last of phase %q from node %d",
			c.net.pool.At(e.Ref).Phase, e.From)
	}
	return fmt.Errorf("time stands still: %d rounds of %s at one instant, %s%s", most, what, c.progress(), hint)
}
