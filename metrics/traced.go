package metrics

import "tallynet/sim"

// Waiting is a node's wait for a message, as a tracer is told of it.
type Waiting struct {
	Node, Sender int
	Phase        string
	From, To     sim.Time // To is when the message arrived
	Sent         sim.Time // the message left its sender
	Latency      sim.Time // of the link; the rest of To - Sent is transfer
	// Cause is what the tracer called the last wait on the critical path of the sender when it sent;
	// 0: it had waited for nobody.
	Cause int32
}

// Arrival is a message that has reached a receiver, as a tracer is told of it.
type Arrival struct {
	From, To          int
	Phase             string
	Sent, At, Latency sim.Time
	Bytes             int64 // on the wire
}
