package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// stale is a node of a method that never waits: at each step it mixes with the last values received from its
// neighbours, however old, moves, and sends its x. Until it has heard from a neighbour, it uses its own x in its
// place.
// Sending takes none of its time, so it computes while messages travel.
type stale struct {
	pause sim.Time // from the end of a step to the next
	begin func()   // sets the starting point
	move  func(mixed []float64)
	x, y  []float64 // y is nil without an inner problem
	mixed []float64
	k     int
	heard []heard // by neighbour
}

// heard is the last message received from a neighbour.
type heard struct {
	x    []float64 // nil: nothing yet
	sent sim.Time
	k    int // after so many of its iterations
}

func (s *stale) Start(c *node.Context) {
	s.heard = make([]heard, len(c.Neighbors()))
	s.mixed = zeros(len(s.x))
	s.begin()
	c.Report(0, s.x, s.y)
	s.tell(c)
}

// tell sends x, and sets the time of the next step.
func (s *stale) tell(c *node.Context) {
	c.Broadcast("x", channel.Vec("x", s.x))
	c.After(s.pause, 0)
}

func (s *stale) Receive(c *node.Context, m *channel.Message) {
	for i, j := range c.Neighbors() {
		if h := &s.heard[i]; j == m.From && (h.x == nil || m.Occurrence > h.k) {
			h.x, h.sent, h.k = append(h.x[:0], m.Vec(0)...), m.SentAt, m.Occurrence
		}
	}
}

func (s *stale) Wake(c *node.Context, _ int) {
	if c.Restarted() {
		s.begin()
		c.Report(s.k, s.x, s.y)
	}
	for e, v := range s.x {
		s.mixed[e] = c.SelfWeight() * v
	}
	for i, w := range c.Weights() {
		h := &s.heard[i]
		if h.x == nil {
			for e, v := range s.x {
				s.mixed[e] += w * v
			}
			continue
		}
		c.MixedStale(h.sent, max(0, s.k-h.k))
		for e, v := range h.x {
			s.mixed[e] += w * v
		}
	}
	c.Work(float64(2 * len(s.x) * (len(s.heard) + 1)))
	s.move(s.mixed)
	s.k++
	c.Report(s.k, s.x, s.y)
	s.tell(c)
}

// staleCost is what the messages of one step of all nodes cost: one from each node to each neighbour.
func staleCost(d Dims) (c metrics.Cost) {
	if d.Links > 0 {
		c.Messages = int64(d.Links)
		c.Broadcast = metrics.Elements{Vector: int64(d.P)}.Times(int64(d.Nodes))
		c.Wire = metrics.Elements{Vector: int64(d.P)}.Times(int64(d.Links))
	}
	return c
}

// AsyncDGD is decentralized gradient descent without rounds. Slow nodes and links delay nobody, but make the
// mixed values older. A node that steps more often counts more: with nodes of unequal speed the limit is that
// of a weighted sum of the f_i.
type AsyncDGD struct {
	restarting
	Outer int
	Alpha float64
	Batch int
	Pause sim.Time
}

func (AsyncDGD) Declare() declare.Method {
	return declare.Method{
		Name: "async-dgd", Label: "Async DGD",
		Summary: "gradient descent with the last values received from the neighbours",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step; "+plainStable+" if nothing is old"),
			declare.Batch(),
			pause(),
		},
		Updates: "whenever i is ready:  x_i <- w_ii x_i + Σ_j w_ij x_j(last heard) - alpha ∇f_i(x_i), and tells " +
			"x_i",
		Source: "Tsitsiklis, Bertsekas, Athans: Distributed asynchronous deterministic and stochastic gradient " +
			"optimization algorithms. IEEE Transactions on Automatic Control 31, 1986",
		Departures: "Until a neighbour is heard from, a node uses its own x in its place.",
	}
}

// Handler returns a node's reactions.
func (a AsyncDGD) Handler(o Oracle) node.Handler {
	d, _ := o.Dims()
	s := &stale{pause: a.Pause, x: zeros(d)}
	g := zeros(d)
	s.begin = func() { o.Start(s.x, nil) }
	s.move = func(mixed []float64) {
		o.On(o.Draw(a.Batch, "gradient")).GradFx(g, s.x, nil)
		descend(s.x, mixed, a.Alpha, g) // x <- mix(x) - alpha ∇f(x)
	}
	return s
}

// Cost is one vector to each neighbour and one gradient per node.
func (a AsyncDGD) Cost(_ int, d Dims) metrics.Cost {
	return staleCost(d).Plus(Calls{GradF: 1}.Cost(d))
}

// AsyncLPDBO is L-PDBO without rounds: the same updates, with the last x received from each neighbour.
type AsyncLPDBO struct {
	personal
	Outer               int
	Alpha, Beta, Lambda float64
	Batch               int
	Pause               sim.Time
}

func (AsyncLPDBO) Declare() declare.Method {
	return declare.Method{
		Name: "async-l-pdbo", Label: "Async L-PDBO",
		Summary: "L-PDBO with the last values received from the neighbours",
		Fields:  append(LPDBO{}.Declare().Fields, pause()),
		Updates: `whenever i is ready, with the x_j that it last heard:
  x_i <- w_ii x_i + Σ_j w_ij x_j - alpha s_i, and tells x_i;  y_i, v_i and s_i as in l-pdbo`,
		Source: "Niu, Sun, Huang, Xu: A Loopless Distributed Algorithm for Personalized Bilevel Optimization. " +
			"CDC 2023",
		Departures: "The paper's method waits for all neighbours in each iteration.",
	}
}

// Handler returns a node's reactions.
func (a AsyncLPDBO) Handler(o Oracle) node.Handler {
	d1, d2 := o.Dims()
	s := &stale{pause: a.Pause, x: zeros(d1), y: zeros(d2)}
	s.begin = func() { o.Start(s.x, s.y) }
	s.move = LPDBO{Alpha: a.Alpha, Beta: a.Beta, Lambda: a.Lambda, Batch: a.Batch}.mover(o, s.x, s.y)
	return s
}

// Cost is one vector to each neighbour, and the calls of L-PDBO.
func (a AsyncLPDBO) Cost(_ int, d Dims) metrics.Cost {
	return staleCost(d).Plus(ownGradients(1, 1).Cost(d))
}
