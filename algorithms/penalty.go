package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Penalty replaces the inner problem by its first-order condition ∇_y g = 0 in an augmented Lagrangian F.
// Both directions are compared with epsilon as last computed. At a solution the multiplier nu is -H⁻¹ ∇_y f.
type Penalty struct {
	onOneNode
	Outer, Inner                            int
	Alpha, Beta, Gamma, Lambda, Epsilon, Nu float64
}

func (Penalty) Declare() declare.Method {
	return declare.Method{
		Name: "penalty", Label: "Penalty",
		Summary: "an augmented Lagrangian of the inner problem's first-order condition",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration"),
			declare.Step("alpha", "the step of y"),
			declare.Step("beta", "the step of x"),
			declare.Number("gamma", 0.01, declare.Above(0), "the penalty at the start").
				From("the BOME paper's runs of it"),
			declare.Number("lambda", 0.1, declare.AtLeast(0), "the weight of g at the start").
				From("the BOME paper's runs of it"),
			declare.Number("epsilon", 0.01, declare.Above(0), "the gradient norm at which the multiplier moves, "+
				"at the start").
				From("the BOME paper's runs of it"),
			declare.Number("nu", 0.0001, declare.Range{}, "the multiplier at the start, each of its q numbers").
				From("the authors' program"),
		},
		Updates: `F = f + <nu, ∇_y g> + (gamma/2) ||∇_y g||² + lambda g,  u = nu + gamma ∇_y g;  for k = 1 ... outer:
  inner times:  y <- y - alpha (∇_y f + H u + lambda ∇_y g)
  x <- x - beta (∇_x f + J u)
  where both directions together are shorter than epsilon:
    nu <- nu + gamma ∇_y g,  gamma <- 1.1 gamma,  epsilon, lambda, alpha, beta <- 0.9 times themselves`,
		Source: "Mehra, Hamm: Penalty method for inversion-free deep bilevel optimization. ACML 2021; its public " +
			"program, and " + byBOME,
		Departures: "Plain gradient steps, where the authors' program uses Adam. x sees F without lambda g, and " +
			"the weights move, as in the programs; Liu et al. print no box of it.",
	}
}

// Run is the method of Mehra and Hamm.
func (a Penalty) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	nu := zeros(d2)
	dy, gy, u, hu := zeros(d2), zeros(d2), zeros(d2), zeros(d2)
	dx, ju := zeros(d1), zeros(d1)
	for i := range nu {
		nu[i] = a.Nu
	}
	for k := 1; k <= a.Outer; k++ {
		for range a.Inner {
			o.GradFy(dy, x, y)
			o.GradGy(gy, x, y)
			floats.AddScaledTo(u, nu, a.Gamma, gy)
			o.HessGyyMul(hu, x, y, u)
			floats.Add(dy, hu)
			floats.AddScaled(dy, a.Lambda, gy)
			descend(y, y, a.Alpha, dy) // y <- y - alpha (∇_y f + H u + lambda ∇_y g)
		}
		o.GradFx(dx, x, y)
		o.GradGy(gy, x, y)
		floats.AddScaledTo(u, nu, a.Gamma, gy)
		o.JacGxyMul(ju, x, y, u)
		floats.Add(dx, ju)
		descend(x, x, a.Beta, dx) // x <- x - beta (∇_x f + J u)
		if floats.Dot(dy, dy)+floats.Dot(dx, dx) < a.Epsilon*a.Epsilon {
			floats.AddScaled(nu, a.Gamma, gy) // nu <- nu + gamma ∇_y g
			a.Gamma *= 1.1
			a.Epsilon, a.Lambda, a.Alpha, a.Beta = .9*a.Epsilon, .9*a.Lambda, .9*a.Alpha, .9*a.Beta
		}
		p.Report(k, x, y)
	}
}

// Cost is Inner + 1 gradients of f and of g, Inner HVPs and 1 JVP.
func (a Penalty) Cost(_ int, d Dims) metrics.Cost {
	return Calls{GradF: a.Inner + 1, GradG: a.Inner + 1, HVP: a.Inner, JVP: 1}.Cost(d)
}
