package algorithms

import "strings"

// Setting is the part of a scenario that decides which methods can run: graph, wire, silence and faults.
type Setting struct {
	Nodes                                       int
	Ring, Server                                bool // topology
	Changes, Draws, Asymmetric, Directed        bool // dynamics; Draws is client sampling
	Compresses, Remembers, Differences, Answers bool // wire; Answers: what the server sends is compressed
	GoesOn                                      bool // silence: exchanges do not wait for ever
	Loses, Forgets                              bool // faults: messages are lost for good; hosts lose their state
}

// Misfit is a row of the table of what does not go together.
type Misfit struct {
	Key  string               // of the setting, as a scenario has it
	With string               // its values, in words
	In   func(s Setting) bool // whether a setting has it
	Not  func(m Method) bool  // the methods that it does not go with; nil: all
	Why  string               // and what to do
}

// Misfits returns the table of what does not go together: reader, describe and reference follow. Of two rows that
// hold, the first is the reason. What is not in it runs.
func Misfits() []Misfit {
	return []Misfit{
		{"topology", "several nodes", func(s Setting) bool { return s.Nodes > 1 },
			func(m Method) bool { return m.Needs().OneNode && m.Needs().Server == ServerRefused },
			"the method is for one node: write topology: {kind: complete, nodes: 1}"},
		{"topology", "several nodes without a server", func(s Setting) bool { return s.Nodes > 1 && !s.Server },
			func(m Method) bool { return m.Needs().OneNode },
			"the method is for one node: write topology: {kind: complete, nodes: 1}, or {kind: star, nodes: ..., " +
				"center: server}, where nodes counts the server too"},
		{"topology", "a graph that is not a ring", func(s Setting) bool { return !s.Ring },
			func(m Method) bool { return m.Needs().Ring },
			"the method goes around a ring: write topology: {kind: ring, nodes: ...}, or collective: tree"},
		{"topology", "center: server", func(s Setting) bool { return s.Server },
			func(m Method) bool { return m.Needs().Server == ServerRefused },
			"the method is for nodes that all hold data, and node 0 is a server; write center: peer, or take a method " +
				"for a star with a server"},
		{"topology", "no server", func(s Setting) bool { return !s.Server },
			func(m Method) bool { return m.Needs().Server == ServerRequired },
			"the method is for a server and its clients; write topology: {kind: star, nodes: ..., center: server}, " +
				"where nodes counts the server too"},
		{"dynamics", "any", func(s Setting) bool { return s.Changes },
			func(m Method) bool {
				_, ok := m.(Asynchronous)
				return ok
			},
			"the method is asynchronous and has no rounds: leave dynamics out"},
		{"dynamics", "client-sampling", func(s Setting) bool { return s.Draws },
			func(m Method) bool { return !m.Needs().Draws },
			"the method does not say what a client that is drawn has to know: leave dynamics out, or take another method " +
				"for a server and its clients, such as fednest"},
		{"dynamics", "any but client-sampling, with a server",
			func(s Setting) bool { return s.Changes && !s.Draws && s.Server }, nil,
			"the graph of a server and its clients is always the star: write client-sampling, or leave dynamics out"},
		{"dynamics", "any but client-sampling", func(s Setting) bool { return s.Changes && !s.Draws },
			func(m Method) bool { return m.Needs().FixedW },
			"the method uses the entries of one mixing matrix in several rounds: leave dynamics out"},
		{"dynamics", "directed: true", func(s Setting) bool { return s.Directed && !s.Draws },
			func(m Method) bool { return !m.Needs().Directed },
			"the method needs doubly stochastic matrices, and the rounds of a directed graph have none: take push-sum, " +
				"sgp or push-pull, or undirected edges"},
		{"dynamics", "one-peer-exponential", func(s Setting) bool { return s.Asymmetric && !s.Draws },
			func(m Method) bool { return m.Needs().SymmetricW },
			"the method needs symmetric matrices, and those of this graph are not: take matching or cycle"},
		{"wire", "any compression", func(s Setting) bool { return s.Compresses },
			func(m Method) bool { return m.Needs().Uncompressed },
			"the method preserves a sum over all nodes, and compressed messages would not: write wire: float64"},
		{"wire", "memory: difference or feedback", func(s Setting) bool { return s.Remembers },
			func(m Method) bool { return m.Needs().OwnMemory },
			"the method itself remembers the values that its differences refer to: write wire.memory: none"},
		{"wire", "direction: both", func(s Setting) bool { return s.Answers },
			func(m Method) bool { return m.Needs().UpOnly },
			"the server and all of its clients take the same step, which needs the uncompressed mean: write " +
				"wire.direction: up"},
		{"wire", "direction: both, with dynamics: client-sampling",
			func(s Setting) bool { return s.Draws && s.Answers }, nil,
			"clients that are not drawn miss what the server's compressed messages build on: write wire.direction: up"},
		{"wire", "memory: difference, with another dynamics, a silence that goes on, or messages that get lost for good",
			func(s Setting) bool { return s.Differences && (s.Changes && !s.Draws || s.GoesOn || s.Loses) }, nil,
			"receivers add up differences, and one that misses a message is wrong forever: write wire.memory: feedback, " +
				"or leave dynamics and silence out and let losses be sent again without attempts"},
		{"silence", "last or renormalize", func(s Setting) bool { return s.GoesOn },
			func(m Method) bool { return m.Needs().AllNeighbors },
			"the method takes the sum over all of its neighbours, and has no weights to give to itself: leave silence out"},
		{"silence", "last or renormalize, with dynamics: client-sampling",
			func(s Setting) bool { return s.GoesOn && s.Draws }, nil,
			"a client waits until it is drawn, however long that takes: leave silence out"},
		{"network.loss", "messages that get lost for good, also by faults without up",
			func(s Setting) bool { return s.Loses },
			func(m Method) bool { return m.Needs().Lossless },
			"the method counts on each message: one that is lost would shift a sum, or be waited for forever: let " +
				"losses be sent again without attempts, and hosts and links come back"},
		{"faults", "state: lose", func(s Setting) bool { return s.Forgets },
			func(m Method) bool { return !m.Needs().Restarts },
			"the method keeps more than its iterate from step to step, and a host that loses its state could not restore " +
				"it: write faults.state: keep, or take gossip, dgd or async-dgd"},
	}
}

// MisfitsInWords lists the settings that a method does not go with, one a line.
func MisfitsInWords(m Method) string {
	var lines []string
	for _, row := range Misfits() {
		if row.Not != nil && row.Not(m) {
			lines = append(lines, row.Key+": "+row.With)
		}
	}
	return strings.Join(lines, "\n")
}
