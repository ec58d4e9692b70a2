package node

import (
	"context"
	"fmt"
	"strings"

	"tallynet/sim"
)

// Limits bound a run.
type Limits struct {
	Until sim.Time // simulated time; 0 for no limit
}

// Ending is the reason for the end of a run.
type Ending uint8

// The ways a run ends.
const (
	Finished    Ending = iota // every node has ended and nothing is pending
	Ended                     // the recorder ended the run
	OutOfTime                 // Limits.Until was reached
	Stalled                   // nodes wait, and no event is pending
	Failed                    // a node failed; see the error
	Interrupted               // the context was cancelled
)

// Run starts all nodes and runs to the end. It may be called once. The error is nil for Finished, Ended and
// OutOfTime; otherwise it says which nodes wait for what, which node failed or why the run was interrupted. If
// an algorithm panics, Run panics with a *Panic.
func (n *Network) Run(ctx context.Context, l Limits) (Ending, error) {
	return n.run(ctx, l, n.dispatch)
}

// run is Run with the function that handles events.
func (n *Network) run(ctx context.Context, l Limits, dispatch func(*sim.Event) bool) (Ending, error) {
	if n.ctx != nil {
		panic("node: Run called twice")
	}
	defer func() {
		n.unwind()
		if r := recover(); r != nil {
			p := asPanic(r)
			if c := n.current; c != nil {
				p.Node, p.When = c.id, c.progress()
			}
			panic(p)
		}
	}()
	n.ctx, n.until = ctx, sim.Never
	if l.Until > 0 {
		n.until = l.Until
	}
	if err := n.startFaults(); err != nil {
		return Failed, err
	}
	for i := range n.nodes {
		n.start(i)
		if n.stop || n.err != nil || ctx.Err() != nil {
			return n.ending(ctx, sim.Stopped)
		}
	}
	const between = 256 // events between two checks of the context
	for {
		until := n.until
		if n.moments != nil {
			n.moments.changed = false
			until = min(until, n.moments.next())
		}
		end := n.queue.Run(sim.Limits{Until: until, Events: between}, dispatch)
		switch {
		case ctx.Err() != nil:
			return n.ending(ctx, end)
		case end == sim.EventLimit, end == sim.Stopped && n.goesOn():
		case end == sim.TimeLimit && until < n.until && n.sampleUntil(until):
		default:
			return n.ending(ctx, end)
		}
	}
}

// goesOn reports whether the run goes on after an event.
func (n *Network) goesOn() bool { return !n.stop && n.err == nil }

// ending returns the ending of the run, given that of its event loop, after the last samples of its clock.
func (n *Network) ending(ctx context.Context, loop sim.Ending) (Ending, error) {
	ending, err := n.endingOf(ctx, loop)
	if n.moments == nil {
		return ending, err
	}
	if ending = n.endSamples(ending); ending == Ended {
		err = nil
	}
	return ending, err
}

func (n *Network) endingOf(ctx context.Context, loop sim.Ending) (Ending, error) {
	switch {
	case n.err != nil:
		return Failed, n.err
	case n.stop:
		return Ended, nil
	case ctx.Err() != nil:
		return Interrupted, context.Cause(ctx)
	case n.moments != nil && n.moments.finished:
		return Finished, nil
	case loop == sim.TimeLimit && !n.nothingLeft() && (n.running > 0 || n.programs < len(n.nodes)), n.anyPastEnd():
		return OutOfTime, nil
	case n.running > 0:
		return Stalled, n.stalled()
	}
	for i := range n.nodes {
		if n.faults.on && n.faults.gone[i] {
			continue
		}
		if err := n.nodes[i].unreported(); err != nil {
			return Failed, err
		}
	}
	return Finished, nil
}

// anyPastEnd reports whether the clock of a node has passed the end of the run. The node may have needed no
// event for that.
func (n *Network) anyPastEnd() bool {
	for i := range n.nodes {
		if n.nodes[i].now > n.until {
			return true
		}
	}
	return false
}

// stalled describes what the first few waiting nodes wait for.
func (n *Network) stalled() error {
	const most = 5
	var who []string
	for i := range n.nodes {
		p, ok := n.nodes[i].handler.(*program)
		if !ok || p.done {
			continue
		}
		if len(who) == most {
			who = append(who, fmt.Sprintf("and %d more nodes", n.running-most))
			break
		}
		who = append(who, p.proc.waiting())
	}
	if n.faults.lostCount > 0 {
		who = append(who, fmt.Sprintf("%d messages were lost and not sent again: let links retransmit, or let nodes go on "+
			"after a silence", n.faults.lostCount))
	}
	return fmt.Errorf("nothing can happen any more: %s", strings.Join(who, "; "))
}

// unwind ends all programs that are still suspended.
func (n *Network) unwind() {
	for i := range n.nodes {
		if p, ok := n.nodes[i].handler.(*program); ok {
			p.unwind()
		}
	}
}
