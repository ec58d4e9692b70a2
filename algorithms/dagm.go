package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// DAGM is the decentralized alternating gradient method of Nazari et al.:
// gradient steps on the penalized pair
//
//	F(x, y) = 1/(2 alpha) x'(I - W)x + sum f_i(x_i, y_i)
//	G(x, y) = 1/(2 beta)  y'(I - W)y + sum g_i(x_i, y_i)
//
// with the hypergradient of the pair by DIHGP. For k = 1 ... Outer:
//
//	Inner times: y_i <- mix(y)_i - beta ∇_y g_i(x_i, y_i)   (7)
//	h_i ~ -[((I - W) + beta H)⁻¹ ∇_y f]_i by Neumann steps (DIHGP)
//	x_i <- mix(x)_i - alpha (∇_x f_i + beta J_i h_i)
//
// alpha and beta are step sizes and inverse penalties at once, so the limit is
// biased. A DIHGP step contracts by about 1 - beta mu / (2 (1 - w_ii)): with a small
// beta, Neumann must grow like 1/beta, or most of the implicit hypergradient is lost.
//
// All nodes exchange vectors only: Inner + Neumann rounds an iteration, x riding
// with the first y.
//
// Source: Nazari, Mousavi, Tarzanagh, Michailidis, "A Penalty-Based Method for
// Communication-Efficient Decentralized Bilevel Programming", Automatica,
// arXiv 2211.04088.
//
// Departure: the paper sends x after the y-loop; it is known before it and is sent
// with the first y, which saves a round and changes no number. The off-diagonal
// block of the paper's penalized Hessian has a wrong sign; the steps here are those
// of the right one. The paper has no Local and no Period, see dagmRounds.
type DAGM struct {
	Outer   int     // outer iterations K
	Inner   int     // y-steps M per outer iteration, at least 1
	Neumann int     // DIHGP exchanges U, at least 0
	Local   int     // y-steps K for each exchange of y; 0 and 1: one
	Period  int     // iterations from one with exchanges to the next; 0 and 1: each has them
	Alpha   float64 // outer step
	Beta    float64 // inner step
	Solve   Solve   // how a node solves with D_i
	// Of SolveCG: relative residual and most iterations of one solve.
	CGTolerance  float64
	CGIterations int
}

// Iterations returns Outer.
func (a DAGM) Iterations() int { return a.Outer }

// Needs says that DAGM is bilevel and wants a symmetric W.
func (a DAGM) Needs() Requirements {
	return Requirements{Bilevel: true, SymmetricW: true, FixedW: true}
}

// Run is the paper's DAGM box.
func (a DAGM) Run(p *node.Proc, o Oracle) { a.run(p, o, p.MixAll, p.SelfWeight()) }

// run is the box with a way to mix, and a node's weight on itself.
func (a DAGM) run(p *node.Proc, o Oracle, mix mixer, self float64) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	mx, my := zeros(d1), zeros(d2)
	fx, jh := zeros(d1), zeros(d1)
	gy, h := zeros(d2), zeros(d2)
	objects := []node.Mixed{node.MixVec("y", my, y), node.MixVec("x", mx, x)}
	rounds := newDAGMRounds(p, o, mix, self, a)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		rounds.begin(k)
		for t := range a.Inner {
			if t == 0 {
				rounds.mix("inner", objects...) // x with the first y
			} else {
				rounds.mix("inner", objects[:1]...)
			}
			o.GradGy(gy, x, y)
			descend(y, my, a.Beta, gy) // y <- mix(y) - beta ∇_y g, eq. (7)
			rounds.more(gy, x, y)
		}
		rounds.hyper.run(h, x, y)
		o.GradFx(fx, x, y)
		o.JacGxyMul(jh, x, y, h)
		floats.AddScaled(fx, a.Beta, jh)
		descend(x, mx, a.Alpha, fx) // x <- mix(x) - alpha (∇_x f + beta J h)
		p.Report(k, x, y)
	}
}

// Cost is Inner + Neumann rounds, p + (Inner + Neumann) q vector elements per node, and
// no matrix; nothing of that in an iteration without exchanges. With SolveCG the number
// of products depends on values, and is bounded.
func (a DAGM) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	p, q := int64(d.P), int64(d.Q)
	if a.exchanges(k) {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: p + q})
		AddExchanges(&c, d, a.Inner-1+a.Neumann, metrics.Elements{Vector: q})
	} else {
		a = a.apart()
	}
	AddCalls(&c, d, Calls{GradG: a.Inner * max(a.Local, 1), GradF: 2, JVP: 1})
	if a.Solve == SolveCG {
		AddCalls(&c, d, Calls{HVP: (a.Neumann+1)*a.CGIterations + a.Neumann})
		c.Bound = true
	} else {
		AddCalls(&c, d, Calls{Hessian: 1, Solve: a.Neumann + 1})
	}
	if a.Period > 1 {
		return c // the paper's count is of exchanges in each iteration
	}
	u, m := float64(a.Neumann), float64(a.Inner)
	c.Paper = &metrics.PaperCount{
		ElementsPerNode: (u+1)*float64(p) + m*float64(q),
		Formula:         "(U+1) d1 + M d2",
		Source:          "Nazari et al., Supplement S1",
		Note: "counts the U vectors of DIHGP as d1 long; they are multiplied by H, so they are d2 " +
			"long: d1 + (U+M) d2",
	}
	return c
}
