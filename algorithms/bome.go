package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Control chooses how strongly BOME pulls y towards the inner solution.
type Control string

// The controls of BOME.
const (
	ControlGrad  Control = "grad"  // phi = eta ||∇q||²; also the zero value
	ControlValue Control = "value" // phi = eta q
)

// BOME minimizes f subject to q(x, y) = g(x, y) - min_y g(x, y) <= 0, by first derivatives. Its direction is
// the nearest to ∇f along which q falls at a rate of at least phi; lambda is 0 where ∇q is.
type BOME struct {
	onOneNode
	Outer, Inner int
	Alpha, Xi    float64
	Eta          float64
	Phi          Control
	Epsilon      float64
}

func (BOME) Declare() declare.Method {
	return declare.Method{
		Name: "bome", Summary: "first-order descent on f that keeps the value gap of g falling",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "z-steps per outer iteration, the paper's T").Or(10, "the paper's experiments"),
			declare.Step("alpha", "the step of z; below 2 / L"),
			declare.Step("xi", "the step of x and y"),
			declare.Number("eta", 0.5, declare.Above(0), "how fast the value gap has to fall").
				From("the paper's default"),
			declare.Enum("phi", "the control barrier: eta ||∇q||², or eta q", "grad", "value").
				From("the paper's default"),
			declare.Number("epsilon", 0, declare.AtLeast(0), "is added to ||∇q||² in lambda").
				From("0 in the paper, 1e-4 in the authors' program"),
		},
		Problem: "min f(x, y) such that y minimizes g(x, ·), which need not be strongly convex, on one node: " +
			"topology {kind: complete, nodes: 1}",
		Updates: `for k = 1 ... outer:
  z = y;  inner times:  z <- z - alpha ∇_y g(x, z)
  q = g(x, y) - g(x, z),  ∇q = (∇_x g(x, y) - ∇_x g(x, z), ∇_y g(x, y))
  lambda = max(0, (phi - <∇f, ∇q>) / ||∇q||²),  phi = eta ||∇q||² or eta q
  (x, y) <- (x, y) - xi (∇f + lambda ∇q)
With a constant xi the gap q levels off at about (xi ||∇_y f|| / 2)².
On toy-coreset with the paper's steps rounding errors grow about fivefold a step from some starting points, as from
y = (-3, 1) from k = 45 on: claim levels of f and q over many iterations, not single late iterates.`,
		Source: "Liu, Ye, Wright, Stone, Liu: BOME! Bilevel Optimization Made Easy: A Simple First-Order " +
			"Approach. NeurIPS 2022; and its public program",
	}
}

// Run is the paper's box.
func (a BOME) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	z, gz := zeros(d2), zeros(d2)
	fx, fy := zeros(d1), zeros(d2)
	qx, qy, gx := zeros(d1), zeros(d2), zeros(d1)
	for k := 1; k <= a.Outer; k++ {
		copy(z, y)
		for range a.Inner {
			o.GradGy(gz, x, z)
			descend(z, z, a.Alpha, gz) // z <- z - alpha ∇_y g(x, z)
		}
		o.GradGx(qx, x, y)
		o.GradGx(gx, x, z)
		floats.Sub(qx, gx)
		o.GradGy(qy, x, y) // ∇q = (∇_x g(x, y) - ∇_x g(x, z), ∇_y g(x, y))
		o.GradFx(fx, x, y)
		o.GradFy(fy, x, y)
		norm2 := floats.Dot(qx, qx) + floats.Dot(qy, qy)
		phi := a.Eta * norm2
		if a.Phi == ControlValue {
			phi = a.Eta * (o.G(x, y) - o.G(x, z))
		}
		if lambda := (phi - floats.Dot(fx, qx) - floats.Dot(fy, qy)) / (norm2 + a.Epsilon); norm2 > 0 && lambda > 0 {
			floats.AddScaled(fx, lambda, qx)
			floats.AddScaled(fy, lambda, qy)
		}
		descend(x, x, a.Xi, fx) // (x, y) <- (x, y) - xi (∇f + lambda ∇q)
		descend(y, y, a.Xi, fy)
		p.Report(k, x, y)
	}
}

// Cost takes the gradient of the first z-step twice, since ∇q has it too.
func (a BOME) Cost(k int, d Dims) (c metrics.Cost) {
	AddCalls(&c, d, Calls{GradG: a.Inner + 3, GradF: 2})
	if a.Phi == ControlValue {
		AddCalls(&c, d, Calls{Value: 2})
	}
	return c
}
