package metrics

import "tallynet/sim"

// Waiting describes a node's wait for a message to a tracer.
type Waiting struct {
	Node, Sender int
	Phase        string
	From, To     sim.Time // the message arrived at To
	Sent         sim.Time // when the message left its sender
	Latency      sim.Time // of the link; the rest of To - Sent is transfer
	// Cause is the tracer's number of the last wait on the sender's critical path at the send; 0: it
	// had not waited.
	Cause int32
}

// Arrival describes the arrival of a message to a tracer.
type Arrival struct {
	From, To          int
	Phase             string
	Sent, At, Latency sim.Time
	Bytes             int64 // on the wire
}
