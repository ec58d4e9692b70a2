package node

import (
	"tallynet/metrics"
	"tallynet/sim"
)

// Tracer observes a run. Its methods are called from the goroutine of the run when nodes do something and when
// messages arrive; for each node in the order of its clock. A tracer changes nothing.
type Tracer interface {
	// Computed is called when a node has computed from one time to another.
	Computed(node int, from, to sim.Time)
	// Idled is called when a node has waited for a timer.
	Idled(node int, from, to sim.Time)
	// Waited is called when a node has waited for a message. From then on the node's critical path is
	// that of the sender. It returns the tracer's number of this wait, which is the cause of the messages
	// that the node sends from now on, and of waits for them.
	Waited(w metrics.Waiting) (cause int32)
	// Arrived is called when a message has reached a node.
	Arrived(a metrics.Arrival)
}
