package trace

import (
	"cmp"
	"slices"

	"tallynet/sim"
)

// wait is a wait for a message. It refers to the sender's last wait before, so that the critical path can be
// followed from its end. Waits for messages that were sent after the window are not kept. Waits that depend on
// these refer to the last wait in the window or, if there is none, to the node at which the path begins.
type wait struct {
	before   int32 // index in waits, plus 1; 0: none; below 0: none, and the path begins at node -before - 1
	from, to int
	phase    string
	sent, at sim.Time
	latency  sim.Time
}

// wait keeps a wait and returns its index plus 1, or what refers to the one before.
func (p *Process) wait(w wait) int32 {
	if r := p.forSlices; r.left > 0 && w.sent >= r.until {
		if w.before == 0 {
			return -int32(w.from) - 1
		}
		return w.before
	}
	p.waits = append(p.waits, w)
	return int32(len(p.waits))
}

// end returns the node with the latest clock, the first of several.
func (p *Process) end() int {
	end := 0
	for i, n := range p.nodes {
		if n.clock > p.nodes[end].clock {
			end = i
		}
	}
	return end
}

// Leg is a part of the critical path: a node computes or waits for a timer, or a message is under way for which
// its receiver waits.
type Leg struct {
	Activity Activity // Waiting: a message
	Node     int      // where the leg begins
	To       int      // where it ends
	Phase    string
	From, At sim.Time
	Latency  sim.Time // of a message: the link's; the rest is its transfer
}

// Path returns the chain of work and messages behind the end of the run, that of the node with the latest
// clock, the first of several. If slices are left out, the path ends when the first of them begins. Each leg
// begins where the one before ends, the first at 0.
func (p *Process) Path() []Leg {
	first, mine := p.end(), p.byNode()
	at, _ := p.Whole()
	var legs []Leg // backwards
	k := p.nodes[first].cause
	for until := at; k > 0; k = p.waits[k-1].before {
		w := &p.waits[k-1]
		legs = append(legs, own(mine[w.to], w.at, at)...)
		first, at = w.from, min(w.sent, until)
		if arrived := min(w.at, until); at < arrived {
			legs = append(legs, Leg{Waiting, w.from, w.to, w.phase, at, arrived, w.latency})
		}
	}
	if k < 0 {
		first = int(-k - 1)
	}
	legs = append(legs, own(mine[first], 0, at)...)
	slices.Reverse(legs)
	return legs
}

// own returns a node's own legs from one time to another, in reverse order.
func own(mine []Slice, from, to sim.Time) []Leg {
	var legs []Leg
	i, _ := slices.BinarySearchFunc(mine, to, func(s Slice, t sim.Time) int { return cmp.Compare(s.From, t) })
	for i--; i >= 0 && mine[i].To > from; i-- {
		s := &mine[i]
		if a, b := max(s.From, from), min(s.To, to); a < b {
			legs = append(legs, Leg{Activity: s.Activity, Node: s.Node, To: s.Node, From: a, At: b})
		}
	}
	return legs
}

// byNode returns the slices of each node in order of time.
func (p *Process) byNode() [][]Slice {
	all := make([][]Slice, len(p.nodes))
	for _, s := range p.slices {
		all[s.Node] = append(all[s.Node], s)
	}
	return all
}
