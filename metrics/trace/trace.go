// Package trace writes what nodes did as events of the Chrome trace format, which
// ui.perfetto.dev and chrome://tracing open:
//
//	node.Network ─► Process.Computed, Waited, Arrived ─► Trace ─► Write ─► trace.json
//
// A process of the trace is a run, a thread of it is a node. What a node does is a slice, and a
// message is a flow from its sender's slice to its receiver's. Times are in microseconds with
// three decimals, so nanoseconds are exact. A trace holds a bounded number of events: what comes
// later is counted, left out, and said.
package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

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

// Process is a run as it is traced. It is a node.Tracer.
type Process struct {
	name   string
	most   int
	slices []slice
	last   []int // by node: its last slice, plus 1
	flows  []flow
	until  sim.Time // the first time from which something is left out
	left   int64
}

type slice struct {
	node     int
	sender   int // of what it waits for; computing where it is none
	phase    string
	from, to sim.Time
}

type flow struct {
	from, to int
	phase    string
	sent, at sim.Time
	bytes    int64
}

const (
	timer     = -1
	computing = -2
)

// Add adds a run of some nodes.
func (t *Trace) Add(name string, nodes int) *Process {
	p := &Process{name: name, most: t.most, last: make([]int, nodes)}
	t.processes = append(t.processes, p)
	return p
}

// Computed notes computing; what follows at once on computing is one slice with it.
func (p *Process) Computed(node int, from, to sim.Time) {
	if i := p.last[node] - 1; i >= 0 && p.slices[i].sender == computing && p.slices[i].to == from {
		p.slices[i].to = to
		return
	}
	p.slice(slice{node, computing, "", from, to})
}

// Waited notes waiting; the sender of a timer is -1.
func (p *Process) Waited(node, sender int, phase string, from, to sim.Time) {
	p.slice(slice{node, sender, phase, from, to})
}

func (p *Process) slice(s slice) {
	if s.from == s.to || !p.room(s.from) {
		return
	}
	p.slices = append(p.slices, s)
	p.last[s.node] = len(p.slices)
}

// Arrived notes a message.
func (p *Process) Arrived(from, to int, phase string, sent, at sim.Time, bytes int64) {
	if p.room(sent) {
		p.flows = append(p.flows, flow{from, to, phase, sent, at, bytes})
	}
}

// room reports whether there is room for one more event; if not, it counts it.
func (p *Process) room(at sim.Time) bool {
	if len(p.slices)+len(p.flows) < p.most {
		return true
	}
	if p.left == 0 || at < p.until {
		p.until = at
	}
	p.left++
	return false
}

// Left says what the trace leaves out, a sentence for each run that is not whole.
func (t *Trace) Left() []string {
	var all []string
	for _, p := range t.processes {
		if p.left > 0 {
			all = append(all, fmt.Sprintf("%s: whole until %v of simulated time; %d later events are left out", p.name, p.until,
				p.left))
		}
	}
	return all
}

// Write writes the trace as JSON, an event on each line.
func (t *Trace) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	left, err := json.Marshal(append([]string{}, t.Left()...))
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"left_out\": %s},\n\"traceEvents\": [", left)
	first := true
	event := func(format string, args ...any) {
		if !first {
			b.WriteString(",")
		}
		first = false
		fmt.Fprintf(b, "\n"+format, args...)
	}
	flows := 0
	for k, p := range t.processes {
		event(`{"ph": "M", "name": "process_name", "pid": %d, "args": {"name": %s}}`, k+1, quoted(p.name))
		for node := range p.last {
			event(`{"ph": "M", "name": "thread_name", "pid": %d, "tid": %d, "args": {"name": "node %d"}}`, k+1, node, node)
		}
		for _, s := range p.slices {
			name, kind := s.name()
			event(`{"ph": "X", "name": %s, "cat": "%s", "pid": %d, "tid": %d, "ts": %s, "dur": %s}`, quoted(name), kind, k+1,
				s.node, micros(s.from), micros(s.to-s.from))
		}
		for _, f := range p.flows {
			flows++
			event(`{"ph": "s", "name": %s, "cat": "message", "id": %d, "pid": %d, "tid": %d, "ts": %s, "args": {"bytes": %d}}`,
				quoted(f.phase), flows, k+1, f.from, micros(f.sent), f.bytes)
			event(`{"ph": "f", "bp": "e", "name": %s, "cat": "message", "id": %d, "pid": %d, "tid": %d, "ts": %s}`,
				quoted(f.phase), flows, k+1, f.to, micros(f.at))
		}
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}

func (s *slice) name() (name, kind string) {
	switch s.sender {
	case computing:
		return "compute", "compute"
	case timer:
		return "wait for a timer", "wait"
	}
	return fmt.Sprintf("wait for node %d: %s", s.sender, s.phase), "wait"
}

// micros writes a time in microseconds, exactly.
func micros(t sim.Time) string { return fmt.Sprintf("%d.%03d", int64(t)/1000, int64(t)%1000) }

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("trace: " + err.Error()) // every string has a JSON form
	}
	return string(text)
}
