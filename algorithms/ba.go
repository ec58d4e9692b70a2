package algorithms

import (
	"math"

	"tallynet/metrics"
	"tallynet/node"
)

// BA is the bilevel approximation method of Ghadimi and Wang (2018), deterministic, on
// one node. For k = 1 ... Outer:
//
//	N_k times: y <- y - alpha ∇_y g(x, y)
//	H v = ∇_y f, solved exactly
//	x <- x - beta (∇_x f - J v)
//
// so that it inverts a q x q matrix in each outer iteration. N_k is ceil(k^(1/4) / 2), for
// convex and nonconvex Φ, or with Linear ceil(k / 2), for strongly convex Φ.
//
// Source: Ghadimi, Wang, "Approximation methods for bilevel programming", arXiv
// 1802.02246; the slower schedule N_k is as Ji et al., arXiv 2205.14224, compare with it.
//
// Departure: written from the published description, not from the authors' box. y goes
// on from the last one, unless Cold; the description leaves that open. k counts from 1. Linear is
// from memory: it makes the log² of Nazari et al., Table 1.
type BA struct {
	Outer int     // outer iterations K
	Alpha float64 // step of y
	Beta  float64 // step of x
	Cold  bool    // y starts over in each outer iteration
	// Linear: N_k grows in proportion to k.
	Linear bool
}

// Iterations returns Outer.
func (a BA) Iterations() int { return a.Outer }

// Needs says that BA is a method of one node.
func (a BA) Needs() Requirements { return oneNode() }

// slowlyMore is N_k = ceil(k^(1/4) / 2), the inner steps of BA and BSA in outer iteration k:
// the least n with (2n)^4 >= k, which no rounding of a root moves.
func slowlyMore(k int) int {
	n := max(1, int(math.Sqrt(math.Sqrt(float64(k)))/2)-1) // at most the least
	for fourth(2*n) < uint64(k) {
		n++
	}
	return n
}

// fourth returns n^4, for n below 65,536.
func fourth(n int) uint64 {
	square := uint64(n) * uint64(n)
	return square * square
}

func (a BA) innerSteps(k int) int {
	if a.Linear {
		return (k + 1) / 2
	}
	return slowlyMore(k)
}

// Run is the method of Ghadimi and Wang.
func (a BA) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, y0 := zeros(d1), zeros(d2), zeros(d2)
	fy, v, d := zeros(d2), zeros(d2), zeros(d1)
	inner := innerLoop{kind: innerAlone, eta: a.Alpha}
	inner.start(p, own(o), x, y)
	jv := zeros(d1)
	var chol Factor
	o.Start(x, y)
	copy(y0, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		if a.Cold {
			copy(y, y0)
		}
		inner.steps = a.innerSteps(k)
		inner.run() // y <- y - alpha ∇_y g
		o.GradFy(fy, x, y)
		factorGyy(p, o, &chol, x, y, 1, 0, "ba: the inner Hessian is not positive definite, so the inner problem "+
			"is not strongly convex here; regularize it")
		o.Solve(v, &chol, fy)
		implicitGradient(o, d, jv, x, y, v)
		descend(x, x, a.Beta, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost is N_k gradients of g, 2 of f, a Hessian, a solve and a JVP. It grows with k.
func (a BA) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddCalls(&c, d, Calls{GradG: a.innerSteps(k), GradF: 2, Hessian: 1, Solve: 1, JVP: 1})
	return c
}
