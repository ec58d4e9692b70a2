package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// AllReduceGD is gradient descent with the exact mean of all gradients, the baseline of a data centre. All
// nodes start at the mean of their starting points.
type AllReduceGD struct {
	Outer      int
	Alpha      float64
	Batch      int
	Collective Collective
}

func (AllReduceGD) Declare() declare.Method {
	return declare.Method{
		Name: "allreduce-gd", Label: "All-reduce GD",
		Summary: "gradient descent with the exact mean of all gradients",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step; stable below 2 / L"),
			declare.Batch(),
			declare.Enum("collective", "ring: 2 (n - 1) steps of 1/n of the vector, on a graph that is a ring; "+
				"tree: the vector up and down a breadth-first tree", "tree", "ring"),
		},
		Updates: "x <- x - alpha (1/n) Σ_i ∇f_i(x), from the mean of the starting points",
		Source: "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations. Journal " +
			"of Parallel and Distributed Computing 69, 2009",
	}
}

// Collective is how nodes form a sum together.
type Collective string

// The collectives.
const (
	RingCollective Collective = "ring" // 2 (n - 1) rounds of 1/n of the vector; the graph must be a ring
	TreeCollective Collective = "tree" // the vector up and down a breadth-first tree
)

// Needs says that the method has no inner problem, and may want a ring.
func (a AllReduceGD) Needs() Requirements {
	return Requirements{SingleLevel: true, FixedW: true, AllNeighbors: true, Lossless: true,
		Ring: a.Collective == RingCollective}
}

// Run is the method as described above.
func (a AllReduceGD) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := origin(o)
	g := zeros(d)
	a.mean(p, x)
	p.Report(0, x, nil)
	for k := 1; k <= a.Outer; k++ {
		o.On(o.Draw(a.Batch, "gradient")).GradFx(g, x, nil)
		a.mean(p, g)
		descend(x, x, a.Alpha, g) // x <- x - alpha (1/n) Σ ∇f
		p.Report(k, x, nil)
	}
}

// mean sets v to its mean over all nodes.
func (a AllReduceGD) mean(p *node.Proc, v []float64) {
	if a.Collective == RingCollective {
		p.AllReduceRing("all-reduce", v)
	} else {
		p.AllReduceTree("all-reduce", v)
	}
	floats.Scale(1/float64(p.Nodes()), v)
}

// StartCost is one all-reduce.
func (a AllReduceGD) StartCost(d Dims) (c metrics.Cost) {
	n := int64(d.Nodes)
	if n > 1 {
		c = metrics.Cost{Rounds: 2, Messages: 2 * (n - 1)}
		if a.Collective == RingCollective {
			c = metrics.Cost{Rounds: 2 * (n - 1), Messages: 2 * n * (n - 1)}
		}
		e := metrics.Elements{Vector: 2 * (n - 1) * int64(d.P)}
		c.Broadcast, c.Wire, c.Whole = e, e, e
	}
	return c
}

// Cost is one all-reduce and one gradient per node.
func (a AllReduceGD) Cost(_ int, d Dims) metrics.Cost {
	return a.StartCost(d).Plus(Calls{GradF: 1}.Cost(d))
}
