package metrics

import (
	"fmt"

	"tallynet/sim"
)

// A network whose connections share physical links has two ledgers: the Ledger of the
// directed links of the graph, which counts a message once for each receiver, and this one,
// which counts it on each physical link that it crosses.

// PhysicalLink is the traffic of a physical link.
type PhysicalLink struct {
	Name          string
	BitsPerSecond int64
	Messages      int64 // messages that have begun to cross it
	Bytes         int64 // their bytes, headers included
	Busy          sim.Time
}

// Utilisation returns the share of its capacity up to t that the link has used; 0 if its bandwidth is
// unlimited. Messages under way count in full.
func (l *PhysicalLink) Utilisation(unlimited int64, t sim.Time) float64 {
	if l.BitsPerSecond == unlimited || t <= 0 {
		return 0
	}
	return 8 * float64(l.Bytes) / (float64(l.BitsPerSecond) * t.Seconds())
}

// Crossing is what a connection has sent over one link of its route, and how long this link was its bottleneck.
type Crossing struct {
	From, To   int // To is -1 for a broadcast medium
	Link       int // -1: the limit of the connection itself, its rate or its window
	Messages   int64
	Bytes      int64
	Bottleneck sim.Time
}

// CheckPhysical verifies that each physical link carried what the connections sent over it.
func CheckPhysical(links []PhysicalLink, crossings []Crossing) error {
	messages, bytes := make([]int64, len(links)), make([]int64, len(links))
	for _, c := range crossings {
		if c.Link >= 0 {
			messages[c.Link] += c.Messages
			bytes[c.Link] += c.Bytes
		}
	}
	for i, l := range links {
		if l.Messages != messages[i] || l.Bytes != bytes[i] {
			return fmt.Errorf("metrics: not conserved: physical link %s carried %d messages and %d bytes, "+
				"connections sent %d and %d over it", l.Name, l.Messages, l.Bytes, messages[i], bytes[i])
		}
	}
	return nil
}

// Waits splits a node's waiting by cause.
type Waits struct {
	Elsewhere sim.Time // the sender had not sent yet: it computed or waited itself
	Latency   sim.Time // the message travelled
	Link      sim.Time // the message was serialized, or queued behind others
	Timer     sim.Time // the node slept or waited for a deadline
}

// Total returns the sum, which is all waiting.
func (w Waits) Total() sim.Time { return w.Elsewhere + w.Latency + w.Link + w.Timer }

// Message adds the wait, from a time on, for a message with the given times of sending and arrival and the
// given latency. The latency is the last part of its way if latencyLast is set, else the first.
func (w *Waits) Message(from, sent, arrived, latency sim.Time, latencyLast bool) {
	elsewhere := max(0, min(arrived, sent)-from)
	rest := arrived - from - elsewhere
	w.Elsewhere += elsewhere
	if latencyLast {
		w.Latency += min(rest, latency)
		w.Link += rest - min(rest, latency)
		return
	}
	link := min(rest, arrived-sent-latency)
	w.Link += link
	w.Latency += rest - link
}

func (w *Waits) add(o *Waits) {
	w.Elsewhere = sim.Time(sum(int64(w.Elsewhere), int64(o.Elsewhere)))
	w.Latency = sim.Time(sum(int64(w.Latency), int64(o.Latency)))
	w.Link = sim.Time(sum(int64(w.Link), int64(o.Link)))
	w.Timer = sim.Time(sum(int64(w.Timer), int64(o.Timer)))
}
