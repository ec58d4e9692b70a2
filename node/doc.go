// Package node runs the nodes of an algorithm: their handlers or programs, inboxes, exchanges
// with neighbours and compute clocks. A Network connects the nodes, the links and the event
// queue and runs them.
//
//	          ┌────────── Network: event queue, ledger, fabric ──────────┐
//	Start ──► │ Handler   Start / Receive / Wake  ──► Context: Send, ... │ ──► Report(k, x, y)
//	          │    ▲                                                     │
//	          │ Program   a straight-line func(*Proc), as a coroutine    │
//	          └──────────────────────────────────────────────────────────┘
//
// Every algorithm is a Handler. A synchronous algorithm is easier to read as a straight line, so
// Program turns a function into a Handler: it runs as a coroutine (iter.Pull) that is resumed
// when the messages that it waits for have arrived.
//
// With Config.Helpers, the programs of several nodes run at the same time on several cores, between two
// exchanges; the results stay those of one core. So a program may touch the memory of its own node only: its
// variables, its oracle and its Proc. It may read what no program writes, such as the parameters of a method and
// the data of messages. Programs must not share a variable, map, slice or random source that one of them writes,
// neither through a pointer in the method nor in a package. Handlers, and all else in a Network, run on one goroutine.
//
// A node's clock may run ahead of the global clock: computing moves only the node's clock, and
// its messages enter the links at that time. Messages that arrive meanwhile are handled in
// event order, at the node's own time. A node needs the global clock only while it waits, since
// only then can an arrival change what it does next.
//
// The files in testdata are transcripts of small networks, event by event, with times
// calculated by hand.
//
// The package does not know graphs, oracles or scenarios: its callers pass neighbours and
// weights as slices.
package node
