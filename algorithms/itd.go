package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// ITD is bilevel optimization by iterative differentiation, ITD-BiO, on one node: the
// hypergradient is the derivative of f(x, y^N(x)) through the inner steps, by
// backpropagation. For k = 1 ... Outer, from y^0 = the last y, taken as a constant:
//
//	y^{t+1} = y^t - alpha ∇_y g(x, y^t),  t = 0 ... N-1, N = Inner
//	l = ∇_y f(x, y^N);  for t = N-1 ... 0:  s += J(x, y^t) l,  l <- (I - alpha H(x, y^t)) l
//	x <- x - beta (∇_x f(x, y^N) - alpha s)
//
// The two variants of Ji et al. are choices of Inner: N-N-loop has N of the order of
// kappa log (kappa/epsilon), no-loop 1 or constant. With a constant N the limit is
// biased, however many iterations are made.
//
// If Cold, y^0 is the starting point in each outer iteration; then the hypergradient is
// the true gradient of f(x, y^N(x)), as reverse-mode differentiation of Grazzi et al.
// has it. Back cuts backpropagation short: it goes through the last Back steps only.
//
// Source: Ji, Liu, Liang, Ying, "Will Bilevel Optimizers Benefit from Loops", NeurIPS
// 2022, arXiv 2205.14224, Algorithm 2; Grazzi, Franceschi, Pontil, Salzo, "On the
// iteration complexity of hypergradient computation", ICML 2020.
//
// Departure: the last product with H is not needed and not made, so MV = 2 N - 1 an
// iteration, where the paper counts 2 N. Adam is an addition to the paper's gradient steps.
type ITD struct {
	Outer int     // outer iterations K
	Inner int     // y-steps N, at least 1
	Back  int     // steps that are differentiated, at most Inner; 0: all
	Alpha float64 // step of y
	Beta  float64 // step of x
	Cold  bool    // y starts over in each outer iteration
	Adam  bool    // x moves by Adam's rule with the step Beta, not by gradient steps
}

// Iterations returns Outer.
func (a ITD) Iterations() int { return a.Outer }

// Needs says that ITD is a method of one node.
func (a ITD) Needs() Requirements { return oneNode() }

// back is the number of steps that are differentiated.
func (a ITD) back() int {
	if a.Back == 0 {
		return a.Inner
	}
	return min(a.Back, a.Inner)
}

// Run is Algorithm 2 of Ji et al.
func (a ITD) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, y0 := zeros(d1), zeros(d2), zeros(d2)
	gy, l, hl := zeros(d2), zeros(d2), zeros(d2)
	d, s, jl := zeros(d1), zeros(d1), zeros(d1)
	path := make([][]float64, a.Inner) // y^0 ... y^{N-1}
	for t := range path {
		path[t] = zeros(d2)
	}
	move := outerStep(a.Adam, a.Beta, d1)
	o.Start(x, y)
	copy(y0, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		if a.Cold {
			copy(y, y0)
		}
		for t := range a.Inner {
			copy(path[t], y)
			o.GradGy(gy, x, y)
			descend(y, y, a.Alpha, gy) // y <- y - alpha ∇_y g
		}
		o.GradFy(l, x, y)
		clear(s)
		first := a.Inner - a.back()
		for t := a.Inner - 1; t >= first; t-- {
			o.JacGxyMul(jl, x, path[t], l)
			floats.Add(s, jl) // s += J l
			if t > first {
				o.HessGyyMul(hl, x, path[t], l)
				descend(l, l, a.Alpha, hl) // l <- (I - alpha H) l
			}
		}
		o.GradFx(d, x, y)
		floats.AddScaled(d, -a.Alpha, s)
		move(x, d) // x <- x - beta (∇_x f - alpha s)
		p.Report(k, x, y)
	}
}

// Held is the path of y: Inner vectors of q numbers.
func (a ITD) Held(d Dims) float64 { return float64(a.Inner) * float64(d.Q) }

// Cost is Inner gradients of g, 2 of f, and B JVPs and B - 1 HVPs for B steps that are
// differentiated.
func (a ITD) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradG: a.Inner, GradF: 2, HVP: a.back() - 1, JVP: a.back()})
	return c
}
