package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// OptimisticGD is optimistic gradient descent-ascent for min-max problems. It does not solve bilevel problems
// with another g than -f.
type OptimisticGD struct {
	onOneNode
	Outer int
	Eta   float64
}

func (OptimisticGD) Declare() declare.Method {
	return declare.Method{
		Name: "optimistic-gd", Label: "Optimistic GD",
		Summary: "optimistic gradient descent-ascent, for min-max problems (g = -f)",
		Fields:  declare.Fields{declare.Outer(), declare.Step("eta", "the step of x and y")},
		Problem: "min over x and max over y of f(x, y), written as a bilevel problem with g = -f, on one node: " +
			"topology {kind: complete, nodes: 1}",
		Updates: `for k = 1 ... outer; at the start, "before" is the starting point:
  x⁺ = x - 2 eta ∇_x f(x, y) + eta (the ∇_x f before)
  y⁺ = y - 2 eta ∇_y g(x⁺, y) + eta (the ∇_y g before)`,
		Source: "Daskalakis, Ilyas, Syrgkanis, Zeng: Training GANs with optimism. ICLR 2018; in the form of " +
			byBOME,
		Departures:     "y uses the new x, as in that program.",
		ExampleProblem: "toy-minimax",
	}
}

// Run is optimistic gradient descent-ascent.
func (a OptimisticGD) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	dx, dy := zeros(d1), zeros(d2)
	oldX, oldY := zeros(d1), zeros(d2)
	o.GradGy(oldY, x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		o.GradFx(dx, x, y)
		if k == 1 {
			copy(oldX, dx)
		}
		descend(x, x, 2*a.Eta, dx) // x⁺ = x - 2 eta ∇_x f + eta (before)
		descend(x, x, -a.Eta, oldX)
		o.GradGy(dy, x, y)
		descend(y, y, 2*a.Eta, dy) // y⁺ = y - 2 eta ∇_y g + eta (before)
		descend(y, y, -a.Eta, oldY)
		dx, oldX, dy, oldY = oldX, dx, oldY, dy
		p.Report(k, x, y)
	}
}

// StartCost is a gradient of g.
func (a OptimisticGD) StartCost(d Dims) metrics.Cost { return Calls{GradG: 1}.Cost(d) }

// Cost is a gradient of f and one of g.
func (a OptimisticGD) Cost(_ int, d Dims) metrics.Cost { return Calls{GradF: 1, GradG: 1}.Cost(d) }
