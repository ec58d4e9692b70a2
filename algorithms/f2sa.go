package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// F2SA is fully first-order stochastic approximation. It descends on the penalized problem
//
//	min over x, y of max over z of f(x, y) + lambda (g(x, y) - g(x, z)).
//
// With a fixed lambda the limit is that of the penalized problem. y needs a step below 2 / (L_f + lambda L_g).
type F2SA struct {
	onOneNode
	Outer, Inner                   int
	EtaX, EtaY, EtaZ, Lambda       float64
	Growth, DecayOuter, DecayInner float64
	Batch                          int
}

func (F2SA) Declare() declare.Method {
	return declare.Method{
		Name: "f2sa", Summary: "stochastic first-order descent on a penalty of the value gap",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "steps of y and z per outer iteration"),
			declare.Step("eta_x", "the step of x"),
			declare.Step("eta_y", "the step of y; stable below 2 / (L_f + lambda L)"),
			declare.Step("eta_z", "the step of z; stable below 2 / L"),
			declare.Positive("lambda", "1", "the penalty; the limit is O(1 / lambda) from the optimum"),
			exponent("growth", "e in lambda k^e", "0.143"),
			exponent("decay_outer", "e in eta_x / k^e", "0.714"),
			exponent("decay_inner", "e in eta_y / k^e and eta_z / k^e", "0.571"),
			declare.Batch(),
		},
		Updates: `new samples in each step;  for k = 1 ... outer:
  inner times:  y <- y - eta_y (∇_y f(x, y) + lambda ∇_y g(x, y)),  z <- z - eta_z ∇_y g(x, z)
  x <- x - eta_x (∇_x f(x, y) + lambda (∇_x g(x, y) - ∇_x g(x, z)))`,
		Source: "Kwon, Kwon, Wright, Nowak: A fully first-order method for stochastic bilevel optimization. ICML " +
			"2023; in the form of a public benchmark",
		Departures: "lambda grows by a power of k; the exponents (1/7, 5/7 and 4/7 there) are parameters.",
	}
}

// Run is the method of Kwon et al.
func (a F2SA) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	z := zeros(d2)
	dx, gx, dy, gy := zeros(d1), zeros(d1), zeros(d2), zeros(d2)
	copy(z, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		lambda := a.Lambda * math.Pow(float64(k), a.Growth)
		for range a.Inner {
			on := o.On(o.Draw(a.Batch, "inner"))
			on.GradFy(dy, x, y)
			on.GradGy(gy, x, y)
			floats.AddScaled(dy, lambda, gy)
			descend(y, y, decayed(a.EtaY, a.DecayInner, k), dy) // y <- y - eta_y (∇_y f + lambda ∇_y g)
			on.GradGy(gy, x, z)
			descend(z, z, decayed(a.EtaZ, a.DecayInner, k), gy) // z <- z - eta_z ∇_y g
		}
		penaltyGradient(o.On(o.Draw(a.Batch, "outer")), dx, gx, x, y, z, lambda)
		descend(x, x, decayed(a.EtaX, a.DecayOuter, k), dx) // x <- x - eta_x (∇_x f + lambda (...))
		p.Report(k, x, y)
	}
}

// Cost is 2 Inner + 2 gradients of g and Inner + 1 of f.
func (a F2SA) Cost(_ int, d Dims) metrics.Cost {
	return Calls{GradG: 2*a.Inner + 2, GradF: a.Inner + 1}.Cost(d)
}
