package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// DAGM is the decentralized alternating gradient method: gradient steps on the penalized pair
//
//	F(x, y) = 1/(2 alpha) x'(I - W)x + Σ_i f_i(x_i, y_i)
//	G(x, y) = 1/(2 beta)  y'(I - W)y + Σ_i g_i(x_i, y_i)
//
// alpha and beta are step sizes and inverse penalties at once, so the limit is biased. A DIHGP step contracts
// by about 1 - beta mu / (2 (1 - w_ii)): with a small beta, Neumann must grow like 1/beta, or most of the
// implicit hypergradient is lost. Local and Period are readings of the K of the paper's experiments, which it
// does not define: nodes do more between two exchanges.
type DAGM struct {
	Outer, Inner, Neumann int
	Local, Period         int // 0 is 1
	Alpha, Beta           float64
	Solve                 Solve
	CGTolerance           float64
	CGIterations          int
}

func (DAGM) Declare() declare.Method {
	return declare.Method{
		Name: "dagm",
		Summary: "alternating gradient method on a penalized pair, with a Neumann series for the hypergradient: " +
			"vectors only",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's M"),
			declare.Count("neumann", 0, "3", "exchanges of the Neumann series, the paper's U; the smaller beta, "+
				"the more are needed (about 1/beta)"),
			declare.Count("local", 1, "5", "y-steps for each exchange of y: the first with the mixed y, the "+
				"others a node's own; 1 by default").Optional(),
			declare.Count("period", 1, "5", "outer iterations from one with exchanges to the next; in between W "+
				"is the identity; 1 by default").Optional(),
			declare.Step("alpha", "the step of x, and the inverse penalty on its disagreement"),
			declare.Step("beta", "the step of y, and the inverse penalty on its disagreement"),
			declare.Enum("solve", "how a node solves with its own q x q matrix: it forms and factors the "+
				"Hessian, or it multiplies with it only", "cholesky", "cg").
				From("the paper's boxes solve exactly"),
			declare.Number("cg_tolerance", 1e-10, declare.Inside(0, 1), "the relative residual at which "+
				"conjugate gradients stop").OnlyIf("solve: cg"),
			declare.Count("cg_iterations", 1, "100", "the most iterations of one solve").In(declare.AtLeast(1)).
				Or(100, "").OnlyIf("solve: cg"),
		},
		Updates: `for k = 1 ... outer:
  inner times:  y_i <- Σ_j w_ij y_j - beta ∇_y g_i(x_i, y_i)
      local - 1 times:  y_i <- y_i - beta ∇_y g_i(x_i, y_i)
  D_i = beta ∇²_yy g_i + 2(1 - w_ii) I;   D_i h_i = -∇_y f_i
  neumann times:  D_i h_i <- (1 - w_ii) h_i + Σ_{j≠i} w_ij h_j - ∇_y f_i
  x_i <- Σ_j w_ij x_j - alpha (∇_x f_i + beta ∇²_xy g_i h_i)
but with W = I, so that beta h_i = -(∇²_yy g_i)⁻¹ ∇_y f_i, unless k is 1, period + 1, 2 period + 1, ...`,
		Source: "Nazari, Mousavi, Tarzanagh, Michailidis: A Penalty-Based Method for Communication-Efficient " +
			"Decentralized Bilevel Programming. Automatica; arXiv 2211.04088",
		Departures: `x is sent with the first y instead of on its own: a round less, the same numbers.
The paper's penalized Hessian has a wrong sign off the diagonal; the steps are those of the right one.
local and period are not in the paper's box: they are two readings of the K of its experiments.`,
	}
}

// Needs says that DAGM is bilevel and wants a symmetric W.
func (a DAGM) Needs() Requirements {
	return Requirements{Bilevel: true, SymmetricW: true, FixedW: true}
}

// Run is the paper's DAGM box.
func (a DAGM) Run(p *node.Proc, o Oracle) { a.run(p, o, p.MixAll, p.SelfWeight()) }

// run is the box with a way to mix, and a node's weight on itself.
func (a DAGM) run(p *node.Proc, o Oracle, mix mixer, self float64) {
	x, y, d1, d2 := start(p, o)
	mx, my := zeros(d1), zeros(d2)
	fx, jh := zeros(d1), zeros(d1)
	gy, h := zeros(d2), zeros(d2)
	objects := []node.Mixed{node.MixVec("y", my, y), node.MixVec("x", mx, x)}
	mixed, alone := newDIHGP(p, o, mix, self, a), newDIHGP(p, o, keep, 1, a.apart())
	for k := 1; k <= a.Outer; k++ {
		exchange, hyper := mix, mixed
		if !a.exchanges(k) {
			exchange, hyper = keep, alone
		}
		for t := range a.Inner {
			if t == 0 {
				exchange("inner", objects...) // x with the first y
			} else {
				exchange("inner", objects[:1]...)
			}
			o.GradGy(gy, x, y)
			descend(y, my, a.Beta, gy) // y <- mix(y) - beta ∇_y g, eq. (7)
			for range a.Local - 1 {
				o.GradGy(gy, x, y)
				descend(y, y, a.Beta, gy)
			}
		}
		hyper.run(h, x, y)
		o.GradFx(fx, x, y)
		o.JacGxyMul(jh, x, y, h)
		floats.AddScaled(fx, a.Beta, jh)
		descend(x, mx, a.Alpha, fx) // x <- mix(x) - alpha (∇_x f + beta J h)
		p.Report(k, x, y)
	}
}

// exchanges reports whether nodes exchange in iteration k. In the others W is the identity, and a node's beta h_i
// is -H_i⁻¹ ∇_y f_i, its own hypergradient's.
func (a DAGM) exchanges(k int) bool { return a.Period <= 1 || (k-1)%a.Period == 0 }

// apart is a with a Neumann series for W = I, where one term is the whole series.
func (a DAGM) apart() DAGM {
	a.Neumann = 0
	return a
}

// keep mixes with W = I.
func keep(_ string, objects ...node.Mixed) {
	for _, o := range objects {
		copy(o.Dst, o.Src)
	}
}

// Cost is a bound with SolveCG, whose products depend on values. Iterations without exchanges have calls only.
func (a DAGM) Cost(k int, d Dims) (c metrics.Cost) {
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

// CostPeriod returns the period of the exchanges.
func (a DAGM) CostPeriod() int { return max(1, a.Period) }
