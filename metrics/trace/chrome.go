package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"tallynet/sim"
)

// chrome writes events in the Chrome trace format, one per line.
type chrome struct {
	*bufio.Writer
	began bool
	flows int
}

func (c *chrome) event(format string, args ...any) {
	if c.began {
		c.WriteString(",")
	}
	c.began = true
	fmt.Fprintf(c, "\n"+format, args...)
}

// Write writes the trace as JSON, one event per line.
func (t *Trace) Write(w io.Writer) error {
	c := &chrome{Writer: bufio.NewWriter(w)}
	left, err := json.Marshal(append([]string{}, t.Left()...))
	if err != nil {
		return err
	}
	fmt.Fprintf(c, "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"left_out\": %s},\n\"traceEvents\": [", left)
	for k, p := range t.processes {
		c.process(k+1, p)
	}
	c.WriteString("\n]}\n")
	return c.Flush()
}

// process writes a run. Its critical path is the thread after those of the nodes, and shown first.
func (c *chrome) process(pid int, p *Process) {
	c.event(`{"ph": "M", "name": "process_name", "pid": %d, "args": {"name": %s}}`, pid, quoted(p.name))
	for node := range p.nodes {
		c.event(`{"ph": "M", "name": "thread_name", "pid": %d, "tid": %d, "args": {"name": "node %d"}}`, pid, node, node)
	}
	path, onPath := p.Path(), len(p.nodes)
	c.event(`{"ph": "M", "name": "thread_name", "pid": %d, "tid": %d, "args": {"name": "critical path"}}`, pid, onPath)
	c.event(`{"ph": "M", "name": "thread_sort_index", "pid": %d, "tid": %d, "args": {"sort_index": -1}}`, pid, onPath)
	critical := p.critical(path)
	for i, s := range p.slices {
		name, kind := s.name()
		args := ""
		if t := critical[i]; t > 0 {
			kind += ",critical"
			args = fmt.Sprintf(`, "args": {"critical_us": %s}`, micros(t))
		}
		c.event(`{"ph": "X", "name": %s, "cat": "%s", "pid": %d, "tid": %d, "ts": %s, "dur": %s%s}`, quoted(name), kind, pid,
			s.Node, micros(s.From), micros(s.To-s.From), args)
	}
	for _, l := range path {
		args := fmt.Sprintf(`"node": %d`, l.Node)
		if l.Activity == Waiting {
			args = fmt.Sprintf(`"from": %d, "to": %d, "latency_us": %s`, l.Node, l.To, micros(l.Latency))
		}
		c.event(`{"ph": "X", "name": %s, "cat": "critical", "pid": %d, "tid": %d, "ts": %s, "dur": %s, "args": {%s}}`,
			quoted(l.name()), pid, onPath, micros(l.From), micros(l.At-l.From), args)
	}
	for _, f := range p.flows {
		c.flows++
		c.event(`{"ph": "s", "name": %s, "cat": "message", "id": %d, "pid": %d, "tid": %d, "ts": %s, "args": {"bytes": %d}}`,
			quoted(f.Phase), c.flows, pid, f.From, micros(f.Sent), f.Bytes)
		c.event(`{"ph": "f", "bp": "e", "name": %s, "cat": "message", "id": %d, "pid": %d, "tid": %d, "ts": %s}`,
			quoted(f.Phase), c.flows, pid, f.To, micros(f.At))
	}
}

// critical returns for each slice how much of it is on the critical path. For a wait, that is the time in which
// the message that it waits for is under way on the path.
func (p *Process) critical(path []Leg) []sim.Time {
	out, index := make([]sim.Time, len(p.slices)), make([][]int, len(p.nodes))
	for i, s := range p.slices {
		index[s.Node] = append(index[s.Node], i)
	}
	next := make([]int, len(p.nodes)) // the path visits a node's slices in their order
	for _, l := range path {
		mine := index[l.To]
		for ; next[l.To] < len(mine); next[l.To]++ {
			s := &p.slices[mine[next[l.To]]]
			if s.From >= l.At {
				break
			}
			same := s.Activity == l.Activity && (s.Activity != Waiting || s.Sender == l.Node && s.To >= l.At)
			if t := min(s.To, l.At) - max(s.From, l.From); same && t > 0 {
				out[mine[next[l.To]]] += t
			}
			if s.To > l.At {
				break
			}
		}
	}
	return out
}

func (s *Slice) name() (name, kind string) {
	switch s.Activity {
	case Computing:
		return "compute", "compute"
	case Idling:
		return "wait for a timer", "wait"
	}
	return fmt.Sprintf("wait for node %d: %s", s.Sender, s.Phase), "wait"
}

func (l *Leg) name() string {
	switch l.Activity {
	case Computing:
		return fmt.Sprintf("node %d computes", l.Node)
	case Idling:
		return fmt.Sprintf("node %d waits for a timer", l.Node)
	}
	return fmt.Sprintf("%d to %d: %s", l.Node, l.To, l.Phase)
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
