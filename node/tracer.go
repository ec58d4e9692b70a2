package node

import (
	"tallynet/metrics"
	"tallynet/sim"
)

// Tracer is called when nodes do something and when messages arrive, as it happens; for each node in
// the order of its clock. It changes nothing, and is called from the goroutine of the run.
type Tracer interface {
	// Computed says that a node computed from one time to another.
	Computed(node int, from, to sim.Time)
	// Idled says that a node waited for a timer.
	Idled(node int, from, to sim.Time)
	// Waited says that a node waited for a message, whose sender's critical path is its own from then
	// on. It returns what the tracer calls this wait: messages that the node sends from now on, and
	// what waits for them, bear it as their cause.
	Waited(w metrics.Waiting) (cause int32)
	// Arrived says that a message has reached another node.
	Arrived(a metrics.Arrival)
}
