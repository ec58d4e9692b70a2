package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// Penalty is the penalty method of Mehra and Hamm (2021), on one node, with the inner
// problem replaced by its first-order condition ∇_y g = 0. For k = 1 ... Outer, with
// the multiplier nu (q) and the augmented Lagrangian
//
//	F = f + <nu, ∇_y g> + (gamma/2) ||∇_y g||² + lambda g
//
//	Inner times: y <- y - alpha ∇_y F,   ∇_y F = ∇_y f + H u + lambda ∇_y g,  u = nu + gamma ∇_y g
//	x <- x - beta (∇_x f + J u)          (x sees F without lambda g)
//
// and once ||∇_y F||² + ||∇_x F||² < epsilon², both as last computed:
//
//	nu <- nu + gamma ∇_y g,  gamma <- 1.1 gamma,  epsilon, lambda, alpha, beta <- 0.9 times themselves
//
// At a solution nu is -H⁻¹ ∇_y f. All of nu begins at Nu.
//
// Source: Mehra, Hamm, "Penalty method for inversion-free deep bilevel optimization",
// ACML 2021, its public program, and that of BOME, which compares with it.
//
// Departure: plain gradient steps; the authors' program uses Adam. x sees F without
// lambda g, and the weights move, as in the programs; Liu et al. print no box of it.
type Penalty struct {
	Outer   int     // outer iterations K
	Inner   int     // y-steps, at least 1
	Alpha   float64 // step of y
	Beta    float64 // step of x
	Gamma   float64 // the penalty at the start
	Lambda  float64 // the weight of g at the start
	Epsilon float64 // the tolerance at the start
	Nu      float64 // the multiplier at the start, each of its numbers
}

// Iterations returns Outer.
func (a Penalty) Iterations() int { return a.Outer }

// Needs says that Penalty is a method of one node.
func (a Penalty) Needs() Requirements { return oneNode() }

// Run is the method of Mehra and Hamm.
func (a Penalty) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, nu := zeros(d1), zeros(d2), zeros(d2)
	dy, gy, u, hu := zeros(d2), zeros(d2), zeros(d2), zeros(d2)
	dx, ju := zeros(d1), zeros(d1)
	for i := range nu {
		nu[i] = a.Nu
	}
	o.Start(x, y)
	p.Report(0, x, y)
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
func (a Penalty) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradF: a.Inner + 1, GradG: a.Inner + 1, HVP: a.Inner, JVP: 1})
	return c
}
