package metrics

import "tallynet/sim"

// Path splits the time at which something happened into what the chain of causes
// that led to it, the critical path, spent: Compute + Transfer + Latency + Idle is
// exactly that time. A node's path goes on with its own work; when it waited for a
// message, the path is the sender's plus the message's way.
type Path struct {
	Compute  sim.Time // oracle calls and local algebra
	Transfer sim.Time // serializing, queueing behind other messages, jitter
	Latency  sim.Time // the links' latency
	Idle     sim.Time // waiting for a timer
}

// Total returns the sum of all parts.
func (p Path) Total() sim.Time { return p.Compute + p.Transfer + p.Latency + p.Idle }
