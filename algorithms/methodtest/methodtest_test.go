package methodtest_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/algorithms/methodtest"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// fault identifies what is wrong with a method.
type fault int

const (
	none fault = iota
	doubledCost
	looseBound
	brokenBound
	lostExchange
	extraCall
	matrixForVector
	sharedPointer
	packageVariable
	readsTheClock
	scaledByNumber
	branchesByNumber
	weighsByPosition
	otherNodesStream
	fixedSeed
	jitterStream
	sharedStream
	globalRandomness
	keepsState
	changesTheMessage
	stalls
	diverges
	stopsEarly
)

// board is what a faulty method shares between nodes.
type board struct {
	x     map[int][]float64
	calls int
}

var packageBoard = board{x: map[int][]float64{}}

// method alternates y <- mix(y) - beta ∇_y g on a batch and x <- mix(x) - alpha ∇_x f
// on a random block of samples, with one fault.
type method struct {
	fault fault
	batch int
	board *board
}

func newMethod(f fault, batch int) func() algorithms.Method {
	return func() algorithms.Method { return method{f, batch, &board{x: map[int][]float64{}}} }
}

func (method) Iterations() int                { return 4 }
func (method) Needs() algorithms.Requirements { return algorithms.Requirements{Bilevel: true} }

func (m method) Cost(k int, d algorithms.Dims) (c metrics.Cost) {
	algorithms.AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P + d.Q)})
	algorithms.AddCalls(&c, d, algorithms.Calls{GradG: 1, GradF: 1})
	switch m.fault {
	case doubledCost:
		return c.Times(2)
	case looseBound:
		c = c.Times(2)
		c.Bound = true
	case brokenBound:
		c.Bound, c.Oracle.GradF = true, c.Oracle.GradF/2
	}
	return c
}

func (m method) Run(p *node.Proc, o algorithms.Oracle) {
	const alpha, beta = .05, .1
	d1, d2 := o.Dims()
	x, y := make([]float64, d1), make([]float64, d2)
	mx, my := make([]float64, d1), make([]float64, d2)
	gx, gy := make([]float64, d1), make([]float64, d2)
	_, blocks := o.Blocks(m.batch)
	random := m.stream(p)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= algorithms.Iterations(m); k++ {
		if m.fault == stopsEarly && k == 4 {
			return
		}
		m.mix(p, k, x, y, mx, my)
		o.On(blocks[random.IntN(len(blocks))].Batch).GradGy(gy, x, y)
		floats.AddScaledTo(y, my, -beta, gy)
		o.On(o.Draw(m.batch, "outer")).GradFx(gx, x, y)
		if m.fault == extraCall && k == 3 {
			o.GradFx(gx, x, y)
		}
		floats.AddScaledTo(x, mx, -m.step(p, alpha), gx)
		p.Report(k, x, y)
	}
}

// stream is the source of the blocks.
func (m method) stream(p *node.Proc) *rand.Rand {
	switch m.fault {
	case otherNodesStream:
		return sim.Stream(p.Seed(), "block", (p.ID()+1)%p.Nodes())
	case fixedSeed:
		return sim.Stream(1, "block")
	case jitterStream:
		return sim.Stream(p.Seed(), "jitter", p.ID(), 0)
	case sharedStream:
		return sim.Stream(p.Seed(), "block")
	case globalRandomness:
		return rand.New(rand.NewPCG(rand.Uint64(), 0))
	}
	return p.Rand("block")
}

// mix sets mx and my to the weighted means.
func (m method) mix(p *node.Proc, k int, x, y, mx, my []float64) {
	objects := []node.Mixed{node.MixVec("x", mx, x), node.MixVec("y", my, y)}
	switch m.fault {
	case lostExchange:
		if k == 2 {
			copy(mx, x)
			copy(my, y)
			return
		}
	case matrixForVector:
		objects[1] = node.MixMat("y", mat.NewDense(len(y), 1, my), mat.NewDense(len(y), 1, y))
	case sharedPointer, packageVariable:
		b := &packageBoard
		if m.fault == sharedPointer {
			b = m.board
		}
		b.x[p.ID()] = slices.Clone(x)
		defer func() { m.peek(p, b, mx) }()
	case weighsByPosition:
		defer func() {
			if len(p.Neighbors()) > 0 && p.Neighbors()[0] < p.ID() {
				floats.Scale(.9, mx)
			}
		}()
	case changesTheMessage:
		p.Exchange("x", channel.Vec("x", x), channel.Vec("y", y))[0].Vec(0)[0] = 1
		return
	case stalls:
		p.Receive("never")
	case diverges:
		x[0] = 1 / (x[0] - x[0])
	}
	p.MixAll("mix", objects...)
}

// peek reads the neighbours' values from shared memory.
func (m method) peek(p *node.Proc, b *board, mx []float64) {
	for _, j := range p.Neighbors() {
		if v := b.x[j]; len(v) == len(mx) {
			floats.AddScaled(mx, .01, v)
		}
	}
}

func (m method) step(p *node.Proc, alpha float64) float64 {
	switch m.fault {
	case readsTheClock:
		return alpha / (1 + p.Now().Seconds())
	case scaledByNumber:
		return alpha / float64(1+p.ID())
	case branchesByNumber:
		if p.ID() == 0 {
			return 0
		}
	case keepsState:
		m.board.calls++
		return alpha / float64(m.board.calls)
	}
	return alpha
}

// A method without a fault passes, with all samples and with a few.
func TestFaultlessMethods(t *testing.T) {
	for _, batch := range []int{0, 1, 3} {
		methodtest.Run(t, methodtest.Case{Name: "faultless", New: newMethod(none, batch)})
	}
}

// dgdTwin is x⁺ = W x - alpha ∇f(x), node by node.
func dgdTwin(alpha float64) methodtest.Twin {
	return func(s methodtest.Stacked) []methodtest.Iterates {
		all := []methodtest.Iterates{{X: s.X0}}
		for range s.Outer {
			x, next := all[len(all)-1].X, make([][]float64, len(s.Nodes))
			for i, f := range s.Nodes {
				var g mat.VecDense
				g.MulVec(f.A, mat.NewVecDense(len(x[i]), x[i]))
				next[i] = make([]float64, len(x[i]))
				for j := range s.Nodes {
					floats.AddScaled(next[i], s.W.At(i, j), x[j])
				}
				floats.AddScaled(next[i], -alpha, g.RawVector().Data)
				floats.AddScaled(next[i], -alpha, f.LinearX)
			}
			all = append(all, methodtest.Iterates{X: next})
		}
		return all
	}
}

// An equal twin passes; a different one is a fault.
func TestTwin(t *testing.T) {
	c := methodtest.Case{Name: "dgd", New: func() algorithms.Method { return algorithms.DGD{Outer: 4, Alpha: .1} }}
	c.Twin = dgdTwin(.1)
	if err := methodtest.Check(c); err != nil {
		t.Error(err)
	}
	c.Twin = dgdTwin(.1001)
	err := methodtest.Check(c)
	if err == nil || !strings.HasPrefix(err.Error(), "twin: dgd on one node, p = 3, q = 0: iteration 1, node 0: x is ") {
		t.Error(err)
	}
}

// A rule that a method has reason to break does not apply to it.
func TestDeviations(t *testing.T) {
	for _, c := range []methodtest.Case{
		{Name: "shared stream", New: newMethod(sharedStream, 3),
			Deviations: methodtest.Deviations{SharedStream: "nodes choose the same block"}},
		{Name: "clock", New: newMethod(readsTheClock, 0),
			Deviations: methodtest.Deviations{Timed: "the step falls with simulated time"}},
		{Name: "randomized gossip", New: func() algorithms.Method {
			return algorithms.RandomizedGossip{Ticks: 5, Interval: sim.Millisecond}
		}, Deviations: methodtest.Deviations{NeighborOrder: "a node draws the position of a neighbour"}},
	} {
		if err := methodtest.Check(c); err != nil {
			t.Error(err)
		}
		c.Deviations = methodtest.Deviations{}
		if methodtest.Check(c) == nil {
			t.Errorf("%s passes without its deviation", c.Name)
		}
	}
}

// Each fault is found by its own check.
func TestFaultsAreFound(t *testing.T) {
	for f, want := range map[fault][]string{
		doubledCost:       {"cost: ", "one node, p = 3, q = 4: iteration 1: grad_f calls: counted 1, predicted 2 by Cost"},
		looseBound:        {"cost: ", "at most 50% of what Cost gives as a bound"},
		brokenBound:       {"cost: ", "grad_f calls: counted 1, above the bound of 0"},
		lostExchange:      {"cost: ", "iteration 2: rounds: counted 1, predicted 2 by Cost"},
		extraCall:         {"cost: ", "one node, p = 3, q = 4: iteration 3: grad_f calls: counted 4, predicted 3 by Cost"},
		matrixForVector:   {"cost: ", "vector elements: counted"},
		sharedPointer:     {"determinism: ", "an instance for each node: another result"},
		packageVariable:   {"time: ", "does a node read what another has"},
		readsTheClock:     {"time: ", "does a node read what another has, or the clock?"},
		scaledByNumber:    {"renumbering: ", "iteration 1: x of node"},
		branchesByNumber:  {"renumbering: ", "iteration 1: x of node"},
		weighsByPosition:  {"renumbering: ", "x of node"},
		otherNodesStream:  {"renumbering: ", "streams: "},
		fixedSeed:         {"streams: ", "with every seed of the run"},
		jitterStream:      {"renumbering: ", "streams: "},
		sharedStream:      {"streams: "},
		globalRandomness:  {"determinism: ", "another result"},
		keepsState:        {"determinism: ", "the same instance again"},
		changesTheMessage: {"it panics", "changed its shared data"},
		stalls:            {"nothing can happen any more", "has waited since"},
		diverges:          {"diverged", "not finite"},
		stopsEarly:        {"returned after iteration 3 of 4"},
	} {
		err := methodtest.Check(methodtest.Case{Name: "faulty", New: newMethod(f, 3)})
		if err == nil {
			t.Errorf("fault %d is not found", f)
			continue
		}
		for _, text := range want {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("fault %d: want %q in\n%v", f, text, err)
			}
		}
	}
}
