package node

import "tallynet/sim"

// Tracer is called when nodes do something and when messages arrive, as it happens. It changes nothing, and
// is called from the goroutine of the run.
type Tracer interface {
	// Computed says that a node computed from one time to another.
	Computed(node int, from, to sim.Time)
	// Waited says that a node waited for a message of a phase, or for a timer, then the sender is -1.
	Waited(node, sender int, phase string, from, to sim.Time)
	// Arrived says that a message sent by one node has reached another; bytes are those on the wire.
	Arrived(from, to int, phase string, sent, at sim.Time, bytes int64)
}
