// Package trace records what nodes do, and writes it as events of the Chrome trace format, which
// ui.perfetto.dev and chrome://tracing open:
//
//	node.Network ─► Process.Computed, Idled, Waited, Arrived ─► Trace ─► Write ─► trace.json
//	                                                        └─► Slices, Flows, Path ─► the page
//
// A process of the trace is a run, a thread of it is a node. What a node does is a slice, and a
// message is a flow from its sender's slice to its receiver's. The critical path, the chain of work
// and messages behind the end of the run, has a thread of its own. Times are in microseconds with
// three decimals, so that nanoseconds are exact. A trace holds a bounded number of events. Later
// ones are left out, counted and reported.
package trace

import (
	"fmt"

	"tallynet/metrics"
	"tallynet/sim"
)

// Most is the default of the number of events per run, some 15 MB.
const Most = 150_000

// Trace is a trace file of several runs.
type Trace struct {
	most      int // events of a process
	processes []*Process
}

// New returns a trace that holds at most the given number of events per run.
func New(most int) *Trace { return &Trace{most: most} }

// Add adds a run with the given number of nodes.
func (t *Trace) Add(name string, nodes int) *Process {
	all := &room{most: t.most}
	p := newProcess(nodes, all, all)
	p.name = name
	t.processes = append(t.processes, p)
	return p
}

// Window returns a process that belongs to no file. It bounds slices and messages separately, so that many
// messages leave room for slices.
func Window(nodes int, most WindowSize) *Process {
	return newProcess(nodes, &room{most: most.Slices}, &room{most: most.Messages})
}

// WindowSize bounds a window.
type WindowSize struct{ Slices, Messages int }

// Process is the trace of a run. It is a node.Tracer.
type Process struct {
	name   string
	slices []Slice
	flows  []Flow
	waits  []wait // those that may be on the critical path
	nodes  []last // by node

	forSlices, forFlows *room // one for both, or one for each
}

// last is the latest state of a node.
type last struct {
	slice int   // index of its last slice, plus 1
	cause int32 // index in waits, plus 1, of the last wait for a message on its critical path
	clock sim.Time
}

func newProcess(nodes int, slices, flows *room) *Process {
	return &Process{nodes: make([]last, nodes), forSlices: slices, forFlows: flows}
}

// Activity is what a node does.
type Activity int

// The activities of nodes.
const (
	Computing Activity = iota
	Waiting            // for a message
	Idling             // until a timer ends
)

// Slice is an activity of a node from one time to another.
type Slice struct {
	Activity Activity
	Node     int
	Sender   int // of the message that the node waits for; else the node itself
	Phase    string
	From, To sim.Time
}

// Flow is a message that has arrived.
type Flow metrics.Arrival

// Computed records computing. It extends a slice of computing that ends where this one begins.
func (p *Process) Computed(node int, from, to sim.Time) {
	n := &p.nodes[node]
	if i := n.slice - 1; i >= 0 && p.slices[i].Activity == Computing && p.slices[i].To == from {
		p.slices[i].To, n.clock = to, to
		return
	}
	p.slice(Slice{Computing, node, node, "", from, to})
}

// Idled records waiting for a timer.
func (p *Process) Idled(node int, from, to sim.Time) {
	p.slice(Slice{Idling, node, node, "", from, to})
}

// Waited records waiting for a message.
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

// Arrived records a message.
func (p *Process) Arrived(a metrics.Arrival) {
	if p.forFlows.add(a.Sent) {
		p.flows = append(p.flows, Flow(a))
	}
}

// Slices returns the activities in the order of the run. The slices of a node follow each other without gaps.
func (p *Process) Slices() []Slice { return p.slices }

// Flows returns the messages in order of arrival.
func (p *Process) Flows() []Flow { return p.flows }

// Whole returns the times until which slices are complete, and messages by time of sending.
func (p *Process) Whole() (slices, flows sim.Time) {
	end := p.nodes[p.end()].clock
	return min(p.forSlices.whole(), end), min(p.forFlows.whole(), end)
}

// Left returns how many slices and messages are left out.
func (p *Process) Left() (slices, flows int64) { return p.forSlices.left, p.forFlows.left }

// room bounds a number of events.
type room struct {
	most, held int
	until      sim.Time // when the first event that is left out begins
	left       int64
}

// add reports whether there is room for another event. If not, it counts the event.
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

// whole returns the time from which events are left out.
func (r *room) whole() sim.Time {
	if r.left == 0 {
		return sim.Horizon
	}
	return r.until
}

// Left describes what the trace leaves out, in one sentence per incomplete run.
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
