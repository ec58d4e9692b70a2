// Package node runs one node's side of an algorithm: its handler or program, its inbox, its
// exchanges with the neighbours and its compute clock. Network puts the nodes, the links and
// the event queue together and runs them.
//
//	          ┌────────── Network: event queue, ledger, fabric ──────────┐
//	Start ──► │ Handler   Start / Receive / Wake  ──► Context: Send, ... │ ──► Report(k, x, y)
//	          │    ▲                                                     │
//	          │ Program   a straight-line func(*Proc), as a coroutine    │
//	          └──────────────────────────────────────────────────────────┘
//
// Everything is a Handler. A synchronous algorithm is easier to read as a straight line, so
// Program turns a function into a Handler: it runs as a coroutine (iter.Pull) that is resumed
// when what it waits for has arrived. Only one goroutine is active at a time; nothing is
// concurrent, so nothing can race.
//
// A node's clock may run ahead of the global one: computing moves only the node's clock, and
// what the node sends is booked on its own links at that time. What arrives meanwhile is
// taken up in event order, at the node's own time. A node needs the global clock only while
// it waits, since only then can something arrive that it has to react to.
//
// The files in testdata are transcripts of small networks, event by event, with their times
// calculated by hand.
//
// The package does not know what a graph, an oracle or a scenario is: it is given neighbours
// and weights as slices.
package node
