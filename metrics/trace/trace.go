// Package trace keeps what nodes did, and writes it as events of the Chrome trace format, which
// ui.perfetto.dev and chrome://tracing open:
//
//	node.Network ─► Process.Computed, Idled, Waited, Arrived ─► Trace ─► Write ─► trace.json
//	                                                        └─► Slices, Flows, Path ─► the page
//
// A process of the trace is a run, a thread of it is a node. What a node does is a slice, and a
// message is a flow from its sender's slice to its receiver's. The critical path, the chain of work
// and messages behind the end of the run, has a thread of its own. Times are in microseconds with
// three decimals, so nanoseconds are exact. A trace holds a bounded number of events: what comes
// later is counted, left out, and said.
package trace

import (
	"fmt"

	"tallynet/metrics"
	"tallynet/sim"
)

// Most is how many events a trace of a run holds if nothing else is said: some 15 MB.
const Most = 150_000

// Trace is the processes of a file.
type Trace struct {
	most      int // events of a process
	processes []*Process
}

// New returns a trace that holds at most so many events of each run.
func New(most int) *Trace { return &Trace{most: most} }

// Add adds a run of some nodes.
func (t *Trace) Add(name string, nodes int) *Process {
	all := &room{most: t.most}
	p := newProcess(nodes, all, all)
	p.name = name
	t.processes = append(t.processes, p)
	return p
}

// Window returns a process that belongs to no file and holds at most so many slices and messages: many
// messages at once leave the slices their room.
func Window(nodes int, most WindowSize) *Process {
	return newProcess(nodes, &room{most: most.Slices}, &room{most: most.Messages})
}

// WindowSize is how much a window holds.
type WindowSize struct{ Slices, Messages int }

// Process is a run as it is traced. It is a node.Tracer.
type Process struct {
	name   string
	slices []Slice
	flows  []Flow
	waits  []wait // those that may be on the critical path
	nodes  []last // by node

	forSlices, forFlows *room // one for both, or one for each
}

// last is what the trace knows last of a node.
type last struct {
	slice int   // its last slice, plus 1
	cause int32 // of waits, plus 1: the last for a message on its critical path
	clock sim.Time
}

func newProcess(nodes int, slices, flows *room) *Process {
	return &Process{nodes: make([]last, nodes), forSlices: slices, forFlows: flows}
}

// Activity is what a node does.
type Activity int

// What nodes do.
const (
	Computing Activity = iota
	Waiting            // for a message
	Idling             // until a timer ends
)

// Slice is what a node did from one time to another.
type Slice struct {
	Activity Activity
	Node     int
	Sender   int // of the message that it waits for; else the node itself
	Phase    string
	From, To sim.Time
}

// Flow is a message that has arrived.
type Flow metrics.Arrival

// Computed notes computing; what follows at once on computing is one slice with it.
func (p *Process) Computed(node int, from, to sim.Time) {
	n := &p.nodes[node]
	if i := n.slice - 1; i >= 0 && p.slices[i].Activity == Computing && p.slices[i].To == from {
		p.slices[i].To, n.clock = to, to
		return
	}
	p.slice(Slice{Computing, node, node, "", from, to})
}

// Idled notes waiting for a timer.
func (p *Process) Idled(node int, from, to sim.Time) {
	p.slice(Slice{Idling, node, node, "", from, to})
}

// Waited notes waiting for a message.
func (p *Process) Waited(w metrics.Waiting) (cause int32) {
	p.slice(Slice{Waiting, w.Node, w.Sender, w.Phase, w.From, w.To})
	n := &p.nodes[w.Node]
	n.cause = p.wait(wait{w.Cause, w.Sender, w.Node, w.Phase, w.Sent, w.To, w.Latency})
	return n.cause
}

func (p *Process) slice(s Slice) {
	p.nodes[s.Node].clock = s.To
	if s.From == s.To || !p.forSlices.add(s.From) {
		return
	}
	p.slices = append(p.slices, s)
	p.nodes[s.Node].slice = len(p.slices)
}

// Arrived notes a message.
func (p *Process) Arrived(a metrics.Arrival) {
	if p.forFlows.add(a.Sent) {
		p.flows = append(p.flows, Flow(a))
	}
}

// Slices returns what nodes did, in the order in which the run came to it. A node's slices follow
// each other without a gap.
func (p *Process) Slices() []Slice { return p.slices }

// Flows returns the messages, in the order of their arrival.
func (p *Process) Flows() []Flow { return p.flows }

// Whole returns until when all slices, and all messages that were sent before, are there.
func (p *Process) Whole() (slices, flows sim.Time) {
	end := p.nodes[p.end()].clock
	return min(p.forSlices.whole(), end), min(p.forFlows.whole(), end)
}

// Left returns how many slices and messages are left out.
func (p *Process) Left() (slices, flows int64) { return p.forSlices.left, p.forFlows.left }

// room is how many events there may be.
type room struct {
	most, held int
	until      sim.Time // the first time from which something is left out
	left       int64
}

// add reports whether there is room for one more event; if not, it counts it.
func (r *room) add(at sim.Time) bool {
	if r.held < r.most {
		r.held++
		return true
	}
	if r.left == 0 || at < r.until {
		r.until = at
	}
	r.left++
	return false
}

// whole returns the time from which on something is left out.
func (r *room) whole() sim.Time {
	if r.left == 0 {
		return sim.Horizon
	}
	return r.until
}

// Left says what the trace leaves out, a sentence for each run that is not whole.
func (t *Trace) Left() []string {
	var all []string
	for _, p := range t.processes {
		if r := p.forSlices; r.left > 0 { // the room is that of messages, too
			all = append(all, fmt.Sprintf("%s: whole until %v of simulated time; %d later events are left out", p.name,
				r.until, r.left))
		}
	}
	return all
}
