package node

import (
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Peers are a node's neighbours, in ascending order, with their mixing weights.
type Peers struct {
	Neighbors  []int
	Weights    []float64 // of the neighbours; nil where an algorithm needs none
	SelfWeight float64
}

// Config describes a network. All slices are owned by the network from here on.
type Config struct {
	Seed  uint64
	Peers []Peers // by node
	// Streams holds for each node the key of its random streams, those of its links and its
	// slowdowns; nil: the node's number. A network whose nodes are renumbered but keep their
	// streams draws the same numbers.
	Streams []int
	Roles   []Role // by node; nil: all are peers
	// Link returns the latency and bandwidth of the link from one neighbour to another.
	Link     func(from, to int) (latency sim.Time, bitsPerSecond int64)
	Jitter   channel.Jitter
	NICs     []channel.NIC     // see channel.FabricConfig
	Platform *channel.Platform // the physical links that links share; nil: links are independent
	Overhead channel.Overhead
	Codec    channel.Codec
	// Compress compresses what the exchanges of programs send; nil: nothing is compressed.
	Compress *channel.Compression
	Machines []Machine // one for all nodes, or one for each; none: computing takes no time
	// Tariffs are the prices of machines and links; nil: everything is free.
	Tariffs *metrics.Tariffs
	// Verify panics if a receiver changes a message that it shares; see channel.Pool.
	Verify bool
	// Faults describes message loss and outages.
	Faults Faults
	// Turns returns a function that gives a node's neighbours in round 0, 1, ... of a changing graph;
	// nil: every node sends to all its neighbours in each round.
	Turns func() func(round, node int) Turn
	// Period is the number of rounds after which Turns repeats; 0: it does not.
	Period int
	// Drawn says that a server draws the clients of each outer iteration: a round of Turns is an iteration of
	// Proc.Drawn.
	Drawn bool
	// Silence configures exchanges with neighbours from which no message comes.
	Silence Silence
	// Recorder takes the reports; nil records nothing.
	Recorder *metrics.Recorder
	// Clock samples the run at moments of simulated time, instead of a Recorder; nil: it does not.
	Clock *Clock
	// Reports describes what every node must report before it ends; nil: reports are not checked.
	Reports *Reports
	// AtOnce bounds the rounds of messages, and the timers, of a node at one instant between two
	// reports, so that a node for which time stands still does not hang the run; 0: ten million.
	AtOnce int64
	// Tracer observes the run; nil: nothing is traced.
	Tracer Tracer
	// Recording records what the programs do; nil: nothing is recorded.
	Recording *Recording
	// Helpers run programs between two exchanges on other cores; nil: the run uses one core. Nodes of a
	// network with helpers must not share mutable state. The results are the same in every bit.
	Helpers *sim.Helpers
	// Worth is the least number of FLOPs after an exchange for which helpers are used; 0: 100,000.
	Worth float64
}
