package node

import (
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Peers are a node's neighbours, ascending, with their mixing weights.
type Peers struct {
	Neighbors  []int
	Weights    []float64 // of the neighbours; nil where an algorithm needs none
	SelfWeight float64
}

// Config describes a network. All slices are owned by the network from here on.
type Config struct {
	Seed  uint64
	Peers []Peers // by node
	// Streams gives for each node the number that keys its random streams, and those of
	// its links and its slowdowns; nil: its own. A network whose nodes are renumbered and
	// keep their streams draws the same numbers.
	Streams []int
	Roles   []Role // by node; nil: all are peers
	// Link returns the latency and bandwidth of the link from one neighbour to another.
	Link     func(from, to int) (latency sim.Time, bitsPerSecond int64)
	Jitter   channel.Jitter
	NICs     []channel.NIC     // see channel.FabricConfig
	Platform *channel.Platform // that the links share; nil: each is a line of its own
	Overhead channel.Overhead
	Codec    channel.Codec
	// Compress compresses what the exchanges of programs send; nil: nothing is compressed.
	Compress *channel.Compression
	Machines []Machine // one for all nodes, or one for each; none: computing takes no time
	// Tariffs are what machines and links cost; nil: nothing.
	Tariffs *metrics.Tariffs
	// Verify makes a receiver panic that changes what it received, see channel.Pool.
	Verify bool
	// Faults are what goes wrong with links and hosts.
	Faults Faults
	// Turns returns a function that gives what a node does in a round, from 0, if the graph changes;
	// nil: in each round all nodes send to all their neighbours.
	Turns func() func(round, node int) Turn
	// Silence is what an exchange does about neighbours that are not heard from.
	Silence Silence
	// Recorder takes the reports; nil records nothing.
	Recorder *metrics.Recorder
	// Reports are what every node must report before it is done; nil: whatever it likes.
	Reports *Reports
	// AtOnce bounds the rounds of messages, and the timers, that a node can have at one instant
	// between two reports, so that a node for which time stands still does not hang; 0: ten million.
	AtOnce int64
	// Tracer follows what happens; nil: nothing is traced.
	Tracer Tracer
	// Helpers compute what programs do between two exchanges on other cores; nil: nobody does. The nodes of
	// a network with helpers share nothing that one of them changes. The run is the same in every bit.
	Helpers *sim.Helpers
	// Worth is the least number of FLOPs after an exchange that helpers are worth; 0: 100,000.
	Worth float64
}
