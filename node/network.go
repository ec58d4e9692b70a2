package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

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

// Network is the nodes, the links and the queue of a run.
type Network struct {
	cfg         Config
	nodes       []Context
	queue       sim.Queue
	fabric      channel.Fabric
	shared      bool // the fabric is
	flows       flows
	tolls       []toll // by link; nil: no tariffs
	faults      faulty
	turns       func(round, node int) Turn
	planned     *plan // of collectives
	pool        channel.Pool
	ledger      *metrics.Ledger
	phases      []string
	phaseOf     []int    // by ledger class: the number of its phase
	classesOf   [][]int  // by phase: its ledger classes
	senderIndex []int32  // by link: the index of its sender among the receiver's neighbours
	digest      sim.Hash // of everything
	events      sim.Hash // of the deliveries
	iterates    sim.Hash // of the recorded reports
	current     *Context // the node that runs
	clock       sim.Time // of the last event
	programs    int      // nodes that run a program
	running     int      // programs that have not ended
	err         error
	stop        bool // the recorder wants no more
	ctx         context.Context
	until       sim.Time
	scratch     metrics.NodeReport
	ahead       bool      // programs may run ahead of the loop
	weight      []float64 // by phase: the most FLOPs of a program after such an exchange
	started     float64   // the FLOPs of the last program before its first wait
	begun       bool      // the programs of all other nodes have started ahead
	spare       arrays
}

// eventKind is what happens at an event. It has the upper bits of an event's port.
type eventKind uint32

const (
	arrives   eventKind = iota // a message has arrived on a link; Ref is its index
	begins                     // the first bit of a message reaches its receiver: it flows from now on
	timerEnds                  // a handler's or a program's timer; Ref is its tag
	finishes                   // from here on of no node: messages have arrived in the fabric; Seq numbers the wake
	settles                    // the end of an instant at which something began or ended to flow
	departs                    // with faults: a message leaves on a link
	fails                      // the last two are turns: a host or link goes down
	returns                    // and comes back
)

// linkBits are the lower bits of a port, for the number of a link.
const linkBits = 28

func port(kind eventKind, link int) uint32 { return uint32(kind)<<linkBits | uint32(link) }

func kindOf(e *sim.Event) eventKind { return eventKind(e.Port >> linkBits) }

func linkOf(e *sim.Event) int { return int(e.Port & (1<<linkBits - 1)) }

// fromTimer stands for the sender of a timer. It is greater than any node, so that a
// message which arrives at the very moment of a deadline is in time, whoever sent it.
const fromTimer = math.MaxInt32

// New builds a network and checks that neighbours are ascending, mutual and within range.
// newHandler makes the handler of each node.
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
			return nil, errors.New(
				"node: receivers add up differences, and one that misses a message is wrong for ever: let what " +
					"is lost be sent again, and let nodes wait",
			)
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
	if err := n.setTolls(); err != nil {
		return nil, err
	}
	if err := n.newFaults(links); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	if err := cfg.Silence.check(); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	n.setAhead()
	n.pool = channel.Pool{Codec: n.cfg.Codec, Verify: cfg.Verify}
	n.ledger = metrics.NewLedger(len(links))
	for i := range n.nodes {
		n.nodes[i].handler = newHandler(i)
		n.nodes[i].left.flops = uint64(n.machine(i).FlopsPerSecond) / 2
	}
	return n, nil
}

// connect numbers the directed links: those of node 0 to its neighbours in order,
// then those of node 1, and so on.
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

// Limits bound a run.
type Limits struct {
	Until sim.Time // simulated time; 0 for no limit
}

// Ending says how a run ended.
type Ending uint8

// The ways a run ends.
const (
	Finished    Ending = iota // every node is done and nothing is pending
	Ended                     // the recorder wanted no more
	OutOfTime                 // Limits.Until was reached
	Stalled                   // nothing can happen any more, and nodes still wait
	Failed                    // a node failed: see the error
	Interrupted               // the context was cancelled
)

// Run starts all nodes and runs to the end. It may be called once. Its error is nil for
// Finished, Ended and OutOfTime; otherwise it says who waits for what, which node failed
// or why the run was interrupted. If an algorithm panics, Run panics with a *Panic.
func (n *Network) Run(ctx context.Context, l Limits) (Ending, error) {
	return n.run(ctx, l, n.dispatch)
}

// run is Run with every event handed to dispatch.
func (n *Network) run(ctx context.Context, l Limits, dispatch func(*sim.Event) bool) (Ending, error) {
	if n.ctx != nil {
		panic("node: Run called twice")
	}
	defer func() {
		n.unwind()
		if r := recover(); r != nil {
			p := asPanic(r)
			if c := n.current; c != nil {
				p.Node, p.When = c.id, c.progress()
			}
			panic(p)
		}
	}()
	n.ctx, n.until = ctx, sim.Never
	if l.Until > 0 {
		n.until = l.Until
	}
	if err := n.startFaults(); err != nil {
		return Failed, err
	}
	for i := range n.nodes {
		n.start(i)
		if n.stop || n.err != nil || ctx.Err() != nil {
			return n.ending(ctx, sim.Stopped)
		}
	}
	const between = 256 // events between two looks at the context
	for {
		end := n.queue.Run(sim.Limits{Until: n.until, Events: between}, dispatch)
		if end != sim.EventLimit || ctx.Err() != nil {
			return n.ending(ctx, end)
		}
	}
}

// ending says how a run ended, given how its event loop ended.
func (n *Network) ending(ctx context.Context, loop sim.Ending) (Ending, error) {
	switch {
	case n.err != nil:
		return Failed, n.err
	case n.stop:
		return Ended, nil
	case ctx.Err() != nil:
		return Interrupted, context.Cause(ctx)
	case loop == sim.TimeLimit && !n.nothingLeft() && (n.running > 0 || n.programs < len(n.nodes)), n.anyPastEnd():
		return OutOfTime, nil
	case n.running > 0:
		return Stalled, n.stalled()
	}
	for i := range n.nodes {
		if n.faults.on && n.faults.gone[i] {
			continue
		}
		if err := n.nodes[i].unreported(); err != nil {
			return Failed, err
		}
	}
	return Finished, nil
}

// anyPastEnd reports whether a node's own clock has passed the end of the run: what the
// node did there needed no event.
func (n *Network) anyPastEnd() bool {
	for i := range n.nodes {
		if n.nodes[i].now > n.until {
			return true
		}
	}
	return false
}

// stalled says who waits for what, for the first few of those that wait.
func (n *Network) stalled() error {
	const most = 5
	var who []string
	for i := range n.nodes {
		p, ok := n.nodes[i].handler.(*program)
		if !ok || p.done {
			continue
		}
		if len(who) == most {
			who = append(who, fmt.Sprintf("and %d more nodes", n.running-most))
			break
		}
		who = append(who, p.proc.waiting())
	}
	if n.faults.wasted > 0 {
		who = append(who, fmt.Sprintf("%d messages were lost and not sent again: let links retransmit, or let nodes go on "+
			"after a silence", n.faults.wasted))
	}
	return fmt.Errorf("nothing can happen any more: %s", strings.Join(who, "; "))
}

// dispatch hands one event to its node.
func (n *Network) dispatch(e *sim.Event) bool {
	kind := kindOf(e)
	if kind < fails || n.queue.Len() >= n.faults.turns {
		n.clock = min(e.At, sim.Horizon)
	}
	if kind >= finishes { // of the fabric, not of a node
		if kind <= settles {
			return n.flow(e)
		}
		return n.fault(e)
	}
	c := &n.nodes[e.To]
	n.current = c
	if e.At > sim.Horizon {
		n.queue.Push(*e) // it did not happen
		n.fail(fmt.Errorf("node %d: %w", c.id, errHorizon))
		return false
	}
	if err := c.zeno(e); err != nil {
		n.queue.Push(*e) // it did not happen
		n.fail(fmt.Errorf("node %d at %v: %w", c.id, e.At, err))
		return false
	}
	switch kind {
	case arrives:
		if n.faults.on {
			n.land(e)
		} else {
			n.deliver(c, e)
		}
	case begins:
		n.begin(e)
	case timerEnds:
		if n.asleep(c, e) {
			break
		}
		n.arrived(c, arrival{tag: c.tagOf(e), seq: e.Seq, at: e.At})
	}
	return !n.stop && n.err == nil
}

func (n *Network) deliver(c *Context, e *sim.Event) {
	m := n.pool.At(e.Ref)
	link, bytes := linkOf(e), n.bytes(m)
	n.ledger.Delivered(m.Class, link)
	for _, w := range [...]uint64{
		uint64(e.At), uint64(e.To)<<32 | uint64(e.From), uint64(n.phaseOf[m.Class])<<48 ^ uint64(bytes),
	} {
		n.digest.Word(w)
		n.events.Word(w)
	}
	if n.cfg.Tracer != nil {
		n.cfg.Tracer.Arrived(metrics.Arrival{From: m.From, To: c.id, Phase: m.Phase, Sent: m.SentAt, At: e.At,
			Latency: n.fabric.Link(link).Latency, Bytes: bytes})
	}
	n.arrived(c, arrival{msg: m, link: link, at: e.At})
}

// arrived hands an arrival to its node. A program takes it up when it asks for it. A
// handler takes up everything in event order, at once or, if it is busy, when its clock
// says that it is free; one that is busy beyond the end of the run never does.
func (n *Network) arrived(c *Context, a arrival) {
	if p, ok := c.handler.(*program); ok {
		p.arrived(a)
		return
	}
	inTime := c.now <= n.until
	switch {
	case a.msg == nil && inTime:
		c.idle(a.at)
		c.handler.Wake(c, a.tag)
	case a.msg != nil && inTime:
		c.waitFor(a.msg, a.link, a.at)
		c.handler.Receive(c, a.msg)
	}
	if a.msg != nil {
		n.pool.Release(a.msg)
	}
}

// Where the tag of a timer is, by the place that a message has for its link.
const (
	tagInEvent = iota
	tagWide    // in its node's wideTags: it has more than 32 bits
)

// timer queues the end of a timer of a node.
func (n *Network) timer(c *Context, at sim.Time, tag int) {
	place := tagInEvent
	if int(int32(tag)) != tag {
		place = tagWide
		if c.wideTags == nil {
			c.wideTags = map[uint64]int{}
		}
		c.wideTags[c.seq] = tag
	}
	n.queue.Push(sim.Event{At: at, To: int32(c.id), From: fromTimer, Seq: c.seq, Ref: int32(tag),
		Port: port(timerEnds, place)})
	c.seq++
}

// tagOf returns the tag of a timer that runs out.
func (c *Context) tagOf(e *sim.Event) int {
	if linkOf(e) == tagInEvent {
		return int(e.Ref)
	}
	tag := c.wideTags[e.Seq]
	delete(c.wideTags, e.Seq)
	return tag
}

// send sends one copy of parts to the neighbours first..end-1 of c, or to those at the places only, and
// returns it.
func (n *Network) send(
	c *Context, phase, occurrence int, exchanged bool, first, end int, only []int, parts []channel.Part,
) *channel.Message {
	c.sync()
	if only != nil {
		first, end = 0, len(only)
	}
	if first == end || n.pastEnd(c) {
		return nil
	}
	squeeze := n.squeezes(c, exchanged)
	class := n.class(phase, parts, squeeze)
	for len(c.spent.Tallies) <= class {
		c.spent.Tallies = append(c.spent.Tallies, metrics.Tally{})
	}
	form := n.ledger.Class(class)
	varies, bytes := form.Varies, form.WireBytes()
	var m *channel.Message
	switch {
	case squeeze:
		m = n.compressed(c, phase, class, parts, end-first)
	case varies:
		m = n.sized(phase, class, parts, end-first)
	default:
		m = n.pool.New(class, parts, end-first)
	}
	tally := &c.spent.Tallies[class]
	tally.Send(end - first)
	if varies {
		tally.SendSize(m.Size, end-first)
		bytes = m.Size.WireBytes()
	}
	m.From, m.Phase, m.SentAt = c.id, n.phases[phase], c.now
	m.Occurrence, m.Exchanged, m.Path = occurrence, exchanged, c.spent.Path
	m.Chain, m.Cause = c.chain, c.cause
	m.Counter = c.seq
	if n.tolls != nil {
		n.pay(c, bytes, first, end, only)
	}
	track := n.ahead && exchanged && n.heavy(phase)
	for i := first; i < end; i++ {
		k := i
		if only != nil {
			k = only[i]
		}
		link := c.firstLink + k
		n.ledger.Sent(class, link)
		if varies {
			n.ledger.SentSize(link, m.Size)
		}
		if n.faults.on {
			n.post(c, m, link)
			continue
		}
		at, known := n.fabric.Send(c.now, channel.Transfer{Link: int32(link), Ref: m.Index(), Bytes: bytes, Cast: m.Counter})
		kind := begins
		if known {
			kind = arrives
		}
		to := int32(c.neighbors[k])
		n.queue.Push(sim.Event{At: at, To: to, From: int32(c.id), Seq: c.seq, Ref: m.Index(), Port: port(kind, link)})
		c.seq++
		if track {
			n.expect(int(to), link, comes{m, at})
		}
	}
	return m
}

// phase returns the number of a phase, or adds it. Runs have few phases, and equal string
// literals share their bytes, so that the search is cheap.
func (n *Network) phase(name string) int {
	for i, p := range n.phases {
		if p == name {
			return i
		}
	}
	n.phases = append(n.phases, name)
	n.classesOf = append(n.classesOf, nil)
	return len(n.phases) - 1
}

// mostShapes is how many classes the messages of a phase with the same parts may have. What comes in further
// shapes is one class, so that a run whose messages have many sizes costs no more than others.
const mostShapes = 64

// class returns the ledger's class of messages with these parts, or adds it.
func (n *Network) class(phase int, parts []channel.Part, varies bool) int {
	alike := 0
	for _, i := range n.classesOf[phase] {
		c := n.ledger.Class(i)
		switch {
		case c.Shapeless && sameParts(c.Parts, parts), c.Varies == varies && sameShapes(c.Parts, parts):
			return i
		case sameParts(c.Parts, parts):
			alike++
		}
	}
	c := metrics.Class{Phase: n.phases[phase], Varies: varies || alike >= mostShapes, Shapeless: alike >= mostShapes}
	var payload int64
	for _, p := range parts {
		shape := metrics.Shape{Name: p.Name, Kind: p.Kind}
		if !c.Shapeless {
			shape.Rows, shape.Cols, shape.Bytes = p.Rows, p.Cols, n.cfg.Codec.Size(len(p.Data))
		}
		c.Parts = append(c.Parts, shape)
		payload += shape.Bytes
	}
	c.Overhead = n.overhead(phase, payload)
	n.phaseOf = append(n.phaseOf, phase)
	i := n.ledger.AddClass(c)
	n.classesOf[phase] = append(n.classesOf[phase], i)
	return i
}

// overhead returns the bytes of the headers of a message with a payload.
func (n *Network) overhead(phase int, payload int64) int64 {
	bytes, ok := n.cfg.Overhead.Of(payload)
	if !ok {
		n.fail(fmt.Errorf("phase %q: a message with its headers has more bytes than 64 bits hold (9.2e18)", n.phases[phase]))
	}
	return bytes
}

// sized returns a message of a class without shapes, and counts its bytes and elements.
func (n *Network) sized(phase, class int, parts []channel.Part, receivers int) *channel.Message {
	m := n.pool.New(class, parts, receivers)
	var size metrics.Size
	for i, p := range parts {
		elements := int64(len(p.Data))
		bytes := n.cfg.Codec.Size(len(p.Data))
		size.Payload[p.Kind] += bytes
		size.Elements.Add(p.Kind, elements)
		n.ledger.PartSent(class, i, elements, bytes, receivers)
	}
	size.Overhead = n.overhead(phase, size.Payload.Total())
	setSize(m, size)
	return m
}

// setSize gives a message its size, in the memory that it had for that in its last use.
func setSize(m *channel.Message, size metrics.Size) {
	if m.Size == nil {
		m.Size = new(metrics.Size)
	}
	*m.Size = size
}

// sameParts reports whether parts have the names and kinds of shapes.
func sameParts(s []metrics.Shape, p []channel.Part) bool {
	if len(s) != len(p) {
		return false
	}
	for i := range s {
		if s[i].Kind != p[i].Kind || s[i].Name != p[i].Name {
			return false
		}
	}
	return true
}

func sameShapes(s []metrics.Shape, p []channel.Part) bool {
	if len(s) != len(p) {
		return false
	}
	for i := range s {
		if s[i].Rows != p[i].Rows || s[i].Cols != p[i].Cols || s[i].Kind != p[i].Kind || s[i].Name != p[i].Name {
			return false
		}
	}
	return true
}

// pastEnd reports whether a node, whose clock may be ahead of the global one, has passed
// the end of the run. If so, it does not return to a program.
func (n *Network) pastEnd(c *Context) bool {
	if c.now <= n.until {
		return false
	}
	if p, ok := c.handler.(*program); ok {
		p.proc.Sleep(0) // its event lies beyond the end
	}
	return true
}

// report records what a node reports. Where nothing is ever exchanged, it is the only
// place that notices that the run was cancelled.
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
	n.remember(c, k, x, y)
	r := n.cfg.Recorder
	if r == nil || !r.Wants(k) {
		return
	}
	for _, h := range [...]*sim.Hash{&n.digest, &n.iterates} {
		h.Word(uint64(c.id)<<32 | uint64(k))
	}
	sim.FloatsOfBoth(&n.digest, &n.iterates, x)
	sim.FloatsOfBoth(&n.digest, &n.iterates, y)
	n.scratch = metrics.NodeReport{Node: c.id, Iteration: k, At: c.now, X: x, Y: y, Counters: c.spent}
	if n.tolls != nil {
		n.scratch.Computing = n.cfg.Tariffs.Computing(c.id, c.spent.Compute)
	}
	if !r.Report(&n.scratch) {
		n.stop = true
		if p != nil {
			panic(errUnwind)
		}
	}
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

// unwind ends all programs that are still suspended.
func (n *Network) unwind() {
	for i := range n.nodes {
		if p, ok := n.nodes[i].handler.(*program); ok {
			p.unwind()
		}
	}
}
