package node

import (
	"context"
	"errors"
	"fmt"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// Network connects the nodes, the links and the event queue of a run.
type Network struct {
	cfg         Config
	nodes       []Context
	queue       sim.Queue
	fabric      channel.Fabric
	shared      bool // links share physical links
	flows       flows
	moments     *moments    // nil without a Clock
	charges     []charge    // by link; nil without tariffs
	departed    []departure // by link, with tariffs
	charged     []int64     // by link, with tariffs: bytes
	faults      faultState
	turns       func(round, node int) Turn
	met         map[string][]bool // see Met
	planned     *plan             // of collectives; nil before the first
	pool        channel.Pool
	ledger      *metrics.Ledger
	phases      []string
	phaseOf     []int    // by ledger class: the number of its phase
	classesOf   [][]int  // by phase: its ledger classes
	senderIndex []int32  // by link: the index of its sender among the receiver's neighbours
	indices     []int    // 0, 1, ... as many as a node has neighbours at most; see Context.all
	digest      sim.Hash // of deliveries and recorded reports
	events      sim.Hash // of deliveries
	iterates    sim.Hash // of recorded reports
	current     *Context // the node that is running
	clock       sim.Time // of the last event
	programs    int      // number of programs
	running     int      // number of programs that have not ended
	err         error
	stop        bool // the recorder has ended the run
	ctx         context.Context
	until       sim.Time
	scratch     metrics.NodeReport
	partBytes   []int64   // scratch of newSized
	ahead       bool      // lookahead is enabled
	weight      []float64 // by phase: the most FLOPs of a program after such an exchange; see weigh
	started     float64   // the FLOPs of the last started program before its first wait
	begun       bool      // the other programs were started ahead
}

// New returns a network. It checks that neighbours are ascending, mutual and in range. newHandler makes the
// handler of each node.
func New(cfg Config, newHandler func(id int) Handler) (*Network, error) {
	n := &Network{cfg: cfg, nodes: make([]Context, len(cfg.Peers))}
	if len(cfg.Peers) == 0 {
		return nil, errors.New("node: a network needs at least one node")
	}
	if k := len(cfg.Machines); k > 1 && k != len(cfg.Peers) {
		return nil, fmt.Errorf("node: want one machine, or one for each of %d nodes, got %d", len(cfg.Peers), k)
	}
	for i := range cfg.Machines {
		if err := cfg.Machines[i].check(); err != nil {
			return nil, fmt.Errorf("node: machine of node %d: %w", i, err)
		}
	}
	if k := len(cfg.Roles); k > 0 && k != len(cfg.Peers) {
		return nil, fmt.Errorf("node: want a role for each of %d nodes, got %d", len(cfg.Peers), k)
	}
	if k := len(cfg.Streams); k > 0 && k != len(cfg.Peers) {
		return nil, fmt.Errorf("node: %d streams for %d nodes", k, len(cfg.Peers))
	}
	if len(cfg.Machines) == 0 {
		n.cfg.Machines = []Machine{{}}
	}
	if o := cfg.Overhead; o.PerMessage < 0 || o.PerPacket < 0 || o.MTU < 0 {
		return nil, fmt.Errorf("node: overhead %+v: want no negative numbers", o)
	}
	if cfg.AtOnce <= 0 {
		n.cfg.AtOnce = defaultAtOnce
	}
	if cfg.Compress != nil {
		if err := cfg.Compress.Check(); err != nil {
			return nil, fmt.Errorf("node: %w", err)
		}
		if cfg.Compress.Memory == channel.Difference &&
			(cfg.Silence.Kind != Wait || cfg.Faults.any() && cfg.Faults.Retransmit == nil) {
			return nil, errors.New("node: receivers add up differences, and one that misses a message is wrong for ever: " +
				"let what is lost be sent again, and let nodes wait")
		}
	}
	if cfg.Codec == nil {
		n.cfg.Codec = channel.Float64{}
	}
	if cfg.Turns != nil {
		n.turns = cfg.Turns()
	}
	links, err := n.connect()
	if err != nil {
		return nil, err
	}
	n.fabric, err = channel.NewFabric(channel.FabricConfig{
		Nodes: len(n.nodes), Links: links, Jitter: cfg.Jitter, NICs: cfg.NICs, Platform: cfg.Platform,
		Seed: cfg.Seed, Streams: cfg.Streams,
	})
	if err != nil {
		return nil, err
	}
	n.shared = cfg.Platform != nil || cfg.NICs != nil
	if err := n.setCharges(); err != nil {
		return nil, err
	}
	if err := n.newFaults(links); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	if err := cfg.Silence.check(); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	n.setAhead()
	n.setMoments()
	n.pool = channel.Pool{Codec: n.cfg.Codec, Verify: cfg.Verify}
	n.ledger = metrics.NewLedger(len(links))
	if cfg.Recording != nil {
		*cfg.Recording = Recording{nodes: make([][]int32, len(n.nodes)), index: map[step]int32{}}
	}
	for i := range n.nodes {
		n.nodes[i].handler = newHandler(i)
		if _, ok := n.nodes[i].handler.(*program); !ok {
			n.nodes[i].timely("reacts to what arrives")
		}
		n.nodes[i].left.flops = uint64(n.machine(i).FlopsPerSecond) / 2
	}
	return n, nil
}

// connect numbers the directed links: those of node 0 to its neighbours in order, then those of node 1, and so
// on.
func (n *Network) connect() ([]channel.Link, error) {
	total := 0
	for i, p := range n.cfg.Peers {
		n.nodes[i] = Context{net: n, id: i, stream: i, neighbors: p.Neighbors, weights: p.Weights, selfWeight: p.SelfWeight,
			firstLink: total, reported: -1}
		if len(n.cfg.Streams) > 0 {
			n.nodes[i].stream = n.cfg.Streams[i]
		}
		if len(n.cfg.Roles) > 0 {
			n.nodes[i].role = n.cfg.Roles[i]
		}
		if p.Weights != nil && len(p.Weights) != len(p.Neighbors) {
			return nil, fmt.Errorf("node: node %d: want a weight for each of %d neighbours, got %d",
				i, len(p.Neighbors), len(p.Weights))
		}
		for k, j := range p.Neighbors {
			if j < 0 || j >= len(n.nodes) || j == i || (k > 0 && j <= p.Neighbors[k-1]) {
				return nil, fmt.Errorf("node: neighbours of node %d: "+
					"want the numbers of other nodes, ascending, got %v", i, p.Neighbors)
			}
		}
		total += len(p.Neighbors)
	}
	if total > 1<<linkBits {
		return nil, fmt.Errorf("node: want at most %d directed links, got %d", 1<<linkBits, total)
	}
	for i := range n.nodes {
		for len(n.indices) < len(n.nodes[i].neighbors) {
			n.indices = append(n.indices, len(n.indices))
		}
	}
	links := make([]channel.Link, 0, total)
	n.senderIndex = make([]int32, 0, total)
	for i := range n.nodes {
		for _, j := range n.nodes[i].neighbors {
			source := n.nodes[j].neighborIndex(i)
			if source < 0 {
				return nil, fmt.Errorf("node: node %d is a neighbour of node %d, but not the other way round", j, i)
			}
			latency, rate := n.cfg.Link(i, j)
			links = append(links, channel.Link{From: int32(i), To: int32(j), Latency: latency, BitsPerSecond: rate})
			n.senderIndex = append(n.senderIndex, int32(source))
		}
	}
	return links, nil
}

// pastEnd reports whether the node's clock, which may be ahead of the global clock, has passed the end of the
// run. It does not return to a program whose clock has.
func (n *Network) pastEnd(c *Context) bool {
	if c.now <= n.until {
		return false
	}
	if p, ok := c.handler.(*program); ok {
		p.proc.Sleep(0) // the timer ends after the run
	}
	return true
}

// report records a node's report. For a program that never exchanges anything, only report notices that the run
// was cancelled.
func (n *Network) report(c *Context, k int, x, y []float64, wrong string) {
	p, _ := c.handler.(*program)
	if n.ctx.Err() != nil && p != nil {
		panic(errUnwind)
	}
	if n.pastEnd(c) {
		return
	}
	if wrong != "" {
		c.Fail(fmt.Errorf("%w: iterates of iteration %d are not finite: %s", ErrDiverged, k, wrong))
		return
	}
	n.keepLastReport(c, k, x, y)
	if !n.wants(k) {
		return
	}
	if n.moments != nil {
		n.moments.took(c, k, x, y)
		return
	}
	r := n.cfg.Recorder
	n.hashReport(c.id, k, x, y)
	n.scratch = metrics.NodeReport{Node: c.id, Iteration: k, At: c.now, X: x, Y: y,
		Counters: c.counters(n.scratch.Tallies)}
	if n.charges != nil {
		n.scratch.Computing = n.cfg.Tariffs.Computing(c.id, c.spent.Compute)
	}
	if !r.Report(&n.scratch) {
		n.stop = true
		if p != nil {
			panic(errUnwind)
		}
	}
}

// wants reports whether the iterates of iteration k are needed.
func (n *Network) wants(k int) bool {
	return n.moments != nil || n.cfg.Recorder != nil && n.cfg.Recorder.Wants(k)
}

// hashReport adds the recorded iterates of a node to the hashes of the run.
func (n *Network) hashReport(id, k int, x, y []float64) {
	for _, h := range [...]*sim.Hash{&n.digest, &n.iterates} {
		h.Word(uint64(id)<<32 | uint64(k))
	}
	sim.FloatsOfBoth(&n.digest, &n.iterates, x)
	sim.FloatsOfBoth(&n.digest, &n.iterates, y)
}

// fail records the first failure.
func (n *Network) fail(err error) {
	if n.err == nil {
		n.err = err
	}
}

func (n *Network) machine(id int) *Machine {
	if len(n.cfg.Machines) == 1 {
		return &n.cfg.Machines[0]
	}
	return &n.cfg.Machines[id]
}
