package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// More local solvers, of AID. SolveCG is one too.
const (
	SolveGD      Solve = "gd"      // gradient descent; also AID's zero value
	SolveNeumann Solve = "neumann" // truncated Neumann series
)

// AID is bilevel optimization by approximate implicit differentiation, AID-BiO, on
// one node. For k = 1 ... Outer:
//
//	Inner times: y <- y - alpha ∇_y g(x, y), from the last y
//	v ~ H⁻¹ ∇_y f(x, y), H = ∇²_yy g, by Q steps
//	x <- x - beta (∇_x f - J v), J = ∇²_xy g
//
// The steps for v are, with SolveGD, v <- v - eta (H v - ∇_y f); with SolveCG,
// conjugate gradients; with SolveNeumann, Q + 1 terms of the series of (I - eta H)^s.
// If Warm, v starts at the last one, or else at 0.
//
// The four loop variants of Ji et al. are choices of Inner (N) and Q: N-Q-loop has
// both of the order of kappa log kappa, N-loop only N, Q-loop only Q, and the other 1
// or constant; no-loop has both so. They are analyzed with SolveGD. In their count,
// Gc = K (N + 2) gradients of f and g and MV = K (Q + 1) products.
//
// AID-FP of Grazzi et al. is AID with SolveGD, eta = alpha and v from 0: its fixed-point
// iteration v <- (I - alpha H) v + ∇_y f gives v / alpha, and its hypergradient
// ∇_x f - alpha J v is this one. AID-CG is AID with SolveCG and v from 0.
//
// With a warm v, or v solved exactly, the limit is exact. From 0, Q steps leave v short
// of H⁻¹ ∇_y f at the limit too, which is biased.
//
// On a star with a server, every derivative is the mean over the clients, who send
// theirs up and get it back; ∇_x f - J v is one vector. SolveCG, whose calls depend on
// values, is for one node only.
//
// Source: Ji, Liu, Liang, Ying, "Will Bilevel Optimizers Benefit from Loops", NeurIPS
// 2022, arXiv 2205.14224, Algorithm 1; Ji, Yang, Liang, "Bilevel optimization:
// convergence analysis and enhanced design", ICML 2021; for AID-FP and AID-CG: Grazzi,
// Franceschi, Pontil, Salzo, "On the iteration complexity of hypergradient
// computation", ICML 2020.
//
// Departure: conjugate gradients, the Neumann series and Adam are additions to the gradient
// descent of Algorithm 1, which leaves v_0 open: v starts at 0. AID-FP and AID-CG
// keep y from one iteration to the next.
type AID struct {
	Outer       int     // outer iterations K
	Inner       int     // y-steps N, at least 1
	Q           int     // steps for v, at least 1
	Solve       Solve   // SolveGD, SolveCG or SolveNeumann
	Alpha       float64 // step of y
	Beta        float64 // step of x
	Eta         float64 // step for v; not of SolveCG
	Warm        bool    // v starts at the last one; not of SolveNeumann
	CGTolerance float64 // of SolveCG: relative residual at which it stops before Q
	Adam        bool    // x moves by Adam's rule with the step Beta, not by gradient steps
}

// Iterations returns Outer.
func (a AID) Iterations() int { return a.Outer }

// Needs says that AID is a method of one node or, except with SolveCG, of a star.
func (a AID) Needs() Requirements {
	if a.Solve == SolveCG {
		return oneNode()
	}
	return oneNodeOrStar()
}

// Run is Algorithm 1 of Ji et al.
func (a AID) Run(p *node.Proc, o Oracle) {
	sample := pooled(p, o)
	on := sample(0, "")
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	fy, v, d := zeros(d2), zeros(d2), zeros(d1)
	inner := innerLoop{kind: innerAlone, steps: a.Inner, eta: a.Alpha}
	inner.start(p, sample, x, y)
	system, jv := newLinearSystem(d2), zeros(d1)
	cg := newConjugateGradient(d2, a.CGTolerance, a.Q)
	product := func(dst, v []float64) { on.HessGyyMul(dst, x, y, v) }
	same := func(int) derivatives { return on }
	move := outerStep(a.Adam, a.Beta, d1)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		inner.run() // y <- y - alpha ∇_y g
		on.GradFy(fy, x, y)
		if !a.Warm {
			clear(v)
		}
		switch a.Solve {
		case SolveCG:
			cg.solve(v, fy, a.Warm, product)
		case SolveNeumann:
			system.neumann(v, same, x, y, fy, a.Eta, a.Q+1)
		default:
			system.descend(v, on, x, y, fy, a.Eta, a.Q) // v <- v - eta (H v - ∇_y f)
		}
		implicitGradient(on, d, jv, x, y, v)
		move(x, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost is Inner gradients of g, 2 of f, Q HVPs and 1 JVP. Conjugate gradients may end
// before Q, and take a product more for the first residual if Warm. On a star each of
// these is a vector that goes up and down, Inner + Q + 1 of length q and 1 of length p,
// in as many rounds.
func (a AID) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	products := a.Q
	if a.Solve == SolveCG {
		c.Bound = true
		if a.Warm {
			products++
		}
	}
	AddCalls(&c, d, Calls{GradG: a.Inner, GradF: 2, HVP: products, JVP: 1})
	averages(&c, d, a.Inner+a.Q+1)
	return c
}
