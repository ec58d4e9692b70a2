package algorithms

import (
	"cmp"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// More local solvers, of AID. SolveCG is one too.
const (
	SolveGD      Solve = "gd"      // gradient descent; also AID's zero value
	SolveNeumann Solve = "neumann" // truncated Neumann series
)

// AID is bilevel optimization by approximate implicit differentiation, AID-BiO. Its loop variants are choices
// of Inner and Q; the paper analyzes them with SolveGD.
//
// The limit is exact if v is warm or solved exactly. From 0, Q steps leave v short of H⁻¹ ∇_y f at the limit
// too, so the limit is biased.
//
// On a star with a server, every derivative is the mean over the clients, who send theirs up and receive the
// mean; ∇_x f - J v is one vector. SolveCG runs on one node only, since its calls depend on values.
type AID struct {
	Outer, Inner, Q  int
	Solve            Solve
	Alpha, Beta, Eta float64 // Eta is Alpha if it is 0
	Warm             bool    // SolveNeumann ignores it
	CGTolerance      float64
	Optimizer        Optimizer
}

func (AID) Declare() declare.Method {
	return declare.Method{
		Name: "aid", Label: "AID-BiO",
		Summary: "approximate implicit differentiation; the loop variants are choices of inner and q",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's N"),
			declare.Count("q", 1, "10", "steps of the linear solver, the paper's Q"),
			declare.Enum("solve", "the linear solver: gradient descent, conjugate gradients, or the Neumann "+
				"series", "gd", "cg", "neumann").
				From("gradient descent is the one that Ji et al. analyze"),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Positive("eta", "0.1", stepOfSystem+"; by default alpha; not used by cg").Optional().
				From("Ji et al. take both as 1 / L, and a smaller eta without loops"),
			declare.Flag("warm", true, "whether v starts at the last one or at 0; the series always starts from "+
				"scratch").
				From("Theorem 1 of Ji et al. is for a warm start, Theorem 2 for 0"),
			declare.Number("cg_tolerance", 1e-10, declare.FromBelow(0, 1), "the relative residual at which "+
				"conjugate gradients stop before q").OnlyIf("solve: cg"),
			optimizer(),
		},
		Updates: `H = ∇²_yy g, J = ∇²_xy g;  for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y)
  gd:       q times  v <- v - eta (H v - ∇_y f), from the last v (warm) or from 0
  cg:       q steps of conjugate gradients on H v = ∇_y f, from the last v (warm) or from 0
  neumann:  v = eta Σ_{s = 0 ... q} (I - eta H)^s ∇_y f
  x <- x - beta (∇_x f - J v)
The four loop variants of Ji et al., κ = L / μ, all with solve: gd:
  N-Q-loop  inner and q of the order κ log κ:      MV and Gc of the order κ⁴ / ε
  N-loop    inner of that order, q constant:       MV κ⁴ / ε, Gc κ⁵ / ε
  Q-loop    inner 1, q of that order:              MV κ⁶ / ε, Gc κ⁵ / ε
  no-loop   inner 1, q 1 or constant:              MV and Gc κ⁶ / ε
The paper counts Gc = K (inner + 2) gradients and MV = K (q + 1) products.`,
		Source: loopsSource + ", Algorithm 1; Ji, Yang, Liang: Bilevel optimization: convergence analysis and " +
			"enhanced design. ICML 2021",
		Departures: "Conjugate gradients, the Neumann series and Adam steps of x are additions to the paper's " +
			"gradient descent. v starts at 0; Algorithm 1 leaves v_0 open.",
	}
}

// AIDFP is AID with SolveGD from 0, and Eta = Alpha: its v is Alpha w of the fixed-point iteration.
type AIDFP struct{ AID }

func (AIDFP) Declare() declare.Method {
	return declare.Method{
		Name: "aid-fp", Summary: "implicit differentiation by a fixed-point iteration from 0",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration"),
			declare.Count("q", 1, "10", "steps of the fixed-point iteration"),
			declare.Step("alpha", stepOfY+"; it scales the fixed-point map too"),
			declare.Step("beta", "the step of x"),
		},
		Updates: `the map Ψ(y) = y - alpha ∇_y g(x, y) has the derivatives I - alpha H and -alpha J;  for k = 1 ... outer:
  inner times:  y <- Ψ(y)
  w = 0;  q times:  w <- (I - alpha H) w + ∇_y f
  x <- x - beta (∇_x f - alpha J w)
It is aid with solve: gd, eta: alpha, warm: false, whose v is alpha w.`,
		Source:     hypertorchSource,
		Departures: "y goes on from the last one in each outer iteration.",
	}
}

// AIDCG is AID with SolveCG from 0.
type AIDCG struct{ AID }

func (AIDCG) Declare() declare.Method {
	return declare.Method{
		Name: "aid-cg", Summary: "implicit differentiation by conjugate gradients from 0",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration"),
			declare.Count("q", 1, "10", "the most steps of conjugate gradients"),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Number("cg_tolerance", 1e-10, declare.FromBelow(0, 1), "the relative residual at which "+
				"conjugate gradients stop before q").
				From("the authors' program has such a tolerance"),
		},
		Updates: `for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y)
  v = 0;  q steps of conjugate gradients on H v = ∇_y f
  x <- x - beta (∇_x f - J v)
On the fixed-point map with step a, (I - ∂Ψ) w = ∇_y f is a H w = ∇_y f, and a J w = J v.
It is aid with solve: cg, warm: false.`,
		Source:     hypertorchSource,
		Departures: "y goes on from the last one in each outer iteration.",
	}
}

// Needs says that AID is a method of one node or, except with SolveCG, of a star.
func (a AID) Needs() Requirements {
	if a.Solve == SolveCG {
		return onOneNode{}.Needs()
	}
	return onOneNodeOrStar{}.Needs()
}

// Run is Algorithm 1 of Ji et al.
func (a AID) Run(p *node.Proc, o Oracle) {
	a.Eta = cmp.Or(a.Eta, a.Alpha)
	sample := pooled(p, o)
	on := sample(0, "")
	x, y, d1, d2 := start(p, o)
	fy, v, d := zeros(d2), zeros(d2), zeros(d1)
	inner := innerLoop{kind: innerAlone, steps: a.Inner, eta: a.Alpha}
	inner.start(p, sample, x, y)
	system, jv := newLinearSystem(d2), zeros(d1)
	cg := newConjugateGradient(p, d2, a.CGTolerance, a.Q, "aid"+notConvex)
	product := func(dst, v []float64) { on.HessGyyMul(dst, x, y, v) }
	same := func(int) derivatives { return on }
	move := a.Optimizer.step(a.Beta, d1)
	for k := range iterations(p, a.Outer, x, y, kept(a.Warm, v)) {
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

// Cost is a bound with SolveCG: conjugate gradients may stop before Q, and a warm start takes one more product.
func (a AID) Cost(k int, d Dims) (c metrics.Cost) {
	products := a.Q
	if a.Solve == SolveCG {
		c.Bound = true
		if a.Warm {
			products++
		}
	}
	AddCalls(&c, d, Calls{GradG: a.Inner, GradF: 2, HVP: products, JVP: 1})
	averages(&c, d, a.Inner+a.Q+1, a.Warm)
	return c
}
