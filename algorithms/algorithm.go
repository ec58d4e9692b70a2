package algorithms

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/metrics"
	"tallynet/node"
)

// Method is the common interface of synchronous and asynchronous methods.
type Method interface {
	// Cost is what outer iteration k, from 1, costs the whole network. The nodes of an
	// asynchronous method are not in step: the sum over all iterations is what its whole
	// run costs.
	Cost(k int, d Dims) metrics.Cost
	// Needs returns the method's requirements on the network and the problem.
	Needs() Requirements
}

// Starting is implemented by methods that send messages or call the oracle before the first iteration.
type Starting interface {
	// StartCost is what comes before the first iteration costs the whole network.
	StartCost(d Dims) metrics.Cost
}

// CostAt is Cost(k), and what comes before the first iteration where k is 0.
func CostAt(m Method, k int, d Dims) (none metrics.Cost) {
	if k > 0 {
		return m.Cost(k, d)
	}
	if s, ok := m.(Starting); ok {
		return s.StartCost(d)
	}
	return none
}

// Iterations returns the number of outer iterations of a method: the last k that is reported. It is the first field
// that the method declares. A method that declares nothing has a method Iterations.
func Iterations(m Method) int {
	if d, ok := m.(Declared); ok {
		return int(FieldOf(m, d.Declare().Fields[0].Name).Int())
	}
	own, ok := m.(interface{ Iterations() int })
	if !ok {
		panic(fmt.Sprintf("algorithms: %T has neither Declare nor Iterations", m))
	}
	return own.Iterations()
}

// Unpredicted is implemented by methods without a closed-form cost. Their Cost is zero and means nothing.
type Unpredicted interface {
	// NoPrediction explains why there is none.
	NoPrediction() string
}

// Holding is implemented by methods whose memory grows with a parameter.
type Holding interface {
	// Held returns about how many numbers each node holds because of it.
	Held(d Dims) float64
}

// Tabled is implemented by methods whose nodes keep a row of numbers for each block of samples.
type Tabled interface {
	// Table returns how many numbers a node with the given numbers of samples keeps.
	Table(val, train int, d Dims) float64
}

// Algorithm is a synchronous method: a straight-line program that every node runs.
type Algorithm interface {
	Method
	// Run is the program of one node. Programs of several nodes may run on several cores at once, so
	// they must not write to shared memory.
	Run(p *node.Proc, o Oracle)
}

// Asynchronous is a method that reacts to messages and timers. Its nodes go on until the run ends: by a limit, or by
// node.Reports.
type Asynchronous interface {
	Method
	// Handler returns a new handler for one node, whose oracle is o.
	Handler(o Oracle) node.Handler
}

// Dims are the sizes that a closed-form cost depends on.
type Dims struct {
	P, Q  int // of x and y
	Nodes int
	Links int // directed
	// Server says that node 0 is a server, which holds no data.
	Server bool
	// Drawn says that the nodes are a server and the clients that it draws for each outer iteration.
	Drawn bool
}

// DataNodes returns the number of nodes that hold data.
func (d Dims) DataNodes() int {
	if d.Server {
		return d.Nodes - 1
	}
	return d.Nodes
}

// Requirements say what a method needs. They are checked when a scenario is loaded.
type Requirements struct {
	Bilevel      bool // q > 0
	SingleLevel  bool // q = 0
	SymmetricW   bool
	HomogeneousG bool // all nodes have one inner problem; nothing checks it: runs have a note
	PersonalY    bool // each node has its own y: its objective is that of the personal problem
	OneNode      bool // the network is one node, or a star with a server where Server allows it
	Server       ServerUse
	Draws        bool // its server can draw the clients of each outer iteration: it calls Proc.Drawn
	AllNeighbors bool // it needs a message of every neighbour in every round: Silence must be Wait
	Lossless     bool // a message that never arrives would shift those after it, or be waited for forever
	OwnMemory    bool // it compresses differences itself: messages must be compressed without memory
	UpOnly       bool // on a star, what the server sends must not be compressed
	Ring         bool // the graph must be a ring
	Directed     bool // it runs on directed graphs
	Uncompressed bool // messages must not be compressed, so that sums are preserved
	FixedW       bool // the mixing matrix must not change
	Restarts     bool // it returns to its starting point when Context.Restarted says so
}

// Problem describes the class of problems that a method with these requirements solves.
func (r Requirements) Problem() string {
	const (
		oneNode = "min over x of f(x, y*(x)), y*(x) = argmin over y of g(x, y), on one node: topology {kind: complete, " +
			"nodes: 1}"
		orStar = "; or on a star with a server, {kind: star, nodes: ..., center: server}, where f and g are means over " +
			"the clients"
		shared = "min over x of (1/n) Σ f_i(x, y*(x)), y*(x) = argmin over y of (1/n) Σ g_i(x, y): one inner problem, " +
			"shared by all nodes"
		homogeneous = ". The inverse is the node's own, so the limit is right only if all nodes have the same inner " +
			"problem; otherwise they agree on a wrong point"
	)
	switch {
	case r.SingleLevel:
		return "min over x of (1/n) Σ f_i(x): no inner problem"
	case r.PersonalY:
		return "min over x of (1/n) Σ f_i(x, y_i*(x)), y_i*(x) = argmin over y of g_i(x, y): each node its own y " +
			"(problem.inner: personal measures this one)"
	case r.OneNode && r.Server == ServerAllowed:
		return oneNode + orStar
	case r.OneNode:
		return oneNode
	case r.HomogeneousG:
		return shared + homogeneous
	}
	return shared
}

// ServerUse says whether a method runs on a star whose centre is a server, which holds no data.
type ServerUse uint8

// The uses of a server.
const (
	ServerRefused  ServerUse = iota // the method is for peers
	ServerAllowed                   // the method runs with and without a server
	ServerRequired                  // the method is for a server and its clients
)

// AddExchanges adds to c the cost, for the whole network, of a number of exchanges in
// which every node sends the elements e in one message to each of its neighbours: what a
// call of Proc.Mix, MixAll or Exchange costs. A node without neighbours exchanges
// nothing, so without links it adds nothing. Proc.Average on a star costs the
// same: each client sends one message up, and the server one down to each client.
func AddExchanges(c *metrics.Cost, d Dims, times int, e metrics.Elements) {
	if d.Links == 0 {
		return
	}
	one := metrics.Cost{Rounds: 1, Messages: int64(d.Links), Broadcast: e.Times(int64(d.Nodes)),
		Wire: e.Times(int64(d.Links))}
	*c = c.Plus(one.Times(int64(times)))
}

// AddWhole is AddExchanges for messages that no network compresses: those of Proc.MixWhole.
func AddWhole(c *metrics.Cost, d Dims, times int, e metrics.Elements) {
	var add metrics.Cost
	AddExchanges(&add, d, times, e)
	add.Whole = add.Wire
	*c = c.Plus(add)
}

// Calls counts a node's oracle calls by kind.
type Calls struct{ Value, GradF, GradG, HVP, JVP, Hessian, Jacobian, Solve int }

// Cost is that of the calls on every node that holds data, for the whole network.
func (n Calls) Cost(d Dims) metrics.Cost {
	one := metrics.OracleCounts{
		Value: int64(n.Value), GradF: int64(n.GradF), GradG: int64(n.GradG), HVP: int64(n.HVP), JVP: int64(n.JVP),
		Hessian: int64(n.Hessian), Jacobian: int64(n.Jacobian), Solve: int64(n.Solve),
	}
	return metrics.Cost{Oracle: one.Times(int64(d.DataNodes()))}
}

// AddCalls adds to c the cost of the calls.
func AddCalls(c *metrics.Cost, d Dims, n Calls) { *c = c.Plus(n.Cost(d)) }

// zeros returns a vector of n zeros.
func zeros(n int) []float64 { return make([]float64, n) }

// start is origin for methods that report the starting point before anything else.
func start(p *node.Proc, o Oracle) (x, y []float64, d1, d2 int) {
	x, y, d1, d2 = origin(o)
	p.Report(0, x, y)
	return x, y, d1, d2
}

// origin returns a node's starting point, and the lengths of x and y.
func origin(o Oracle) (x, y []float64, d1, d2 int) {
	d1, d2 = o.Dims()
	x, y = zeros(d1), zeros(d2)
	o.Start(x, y)
	return x, y, d1, d2
}

// descend sets dst = at - step*dir, all of one length. dst may be at.
func descend(dst, at []float64, step float64, dir []float64) {
	for i, a := range at {
		dst[i] = a - step*dir[i]
	}
}

// vector is v as blas64 takes it.
func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }
