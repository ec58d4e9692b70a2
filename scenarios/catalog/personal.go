package catalog

import (
	"math"

	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// personalProblem is the class of methods in which nodes do not share y.
const personalProblem = "min over x of (1/n) Σ f_i(x, y_i*(x)), y_i*(x) = argmin over y of g_i(x, y): each node its " +
	"own y (problem.inner: personal measures this one)"

func lPDBOEntry() AlgorithmEntry {
	const source = "the experiments of Niu et al."
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "l-pdbo",
			Summary: "loopless, for personal inner problems: one gradient, one product of each kind, and x " +
				"alone is sent", Params: []keys.Param{
				outerParam(),
				withDefault(stepParam("alpha", "the step of x"), 0.01, source),
				withDefault(stepParam("beta", "the step of y, the paper's θ; stable below 2/L"), 0.016, source),
				withDefault(stepParam("lambda", "the step of v; stable below 2/L"), 0.01, source),
				batchParam(),
			}},
		Problem: personalProblem,
		Updates: `for k = 1 ... outer, from the old point but s_i, which is taken at the new one:
  x_i <- Σ_j w_ij x_j - alpha s_i
  y_i <- y_i - beta ∇_y g_i
  v_i <- (I - lambda ∇²_yy g_i) v_i + lambda ∇_y f_i
  s_i <- ∇_x f_i - ∇²_xy g_i v_i`,
		Cost: `rounds: 1
elements a node broadcasts: p, vectors
oracle calls a node: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp`,
		Source: "Niu, Sun, Huang, Xu: A Loopless Distributed Algorithm for Personalized Bilevel Optimization. " +
			"CDC 2023",
		Departures: "v and s start at 0, so the first iteration only mixes x; the paper leaves the start open.",
		Iterations: "outer",
		New:        method[algorithms.LPDBO](nil),
	}
}

func spdbEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "spdb",
			Summary: "primal-dual, for personal inner problems: consensus by multipliers, a Neumann series that grows",
			Params: []keys.Param{
				outerParam(),
				stepParam("beta", "the step of y; stable below 2/L"),
				{Name: "rho", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
					About: "the penalty on disagreement; 1/(2 rho deg) is the step of x"},
				stepParam("eta", "the step of the Neumann series; 1/L at most"),
				{Name: "decay", Kind: keys.Float, Default: 0.0, Example: "0.4", Range: keys.AtLeast(0),
					About: "e in the step of y, beta / k^e", Source: "0 keeps it constant; TTSA, whose N_k it is, has 2/5"},
				optionalFloat("base", math.E, keys.AtLeast(1.5), "the base of the logarithm in N_k", "none: it is not stated"),
				batchParam(),
			}},
		Problem: personalProblem,
		Updates: `for k = 1 ... outer, with deg_i neighbours N_i and N_k = ceil(1/2 log √(k+1)), at least 1:
  d_i = ∇_x f_i - ∇²_xy g_i v_i,  v_i = eta Σ_{s=0..N_k} (I - eta ∇²_yy g_i)^s ∇_y f_i
  x_i⁺ = x_i/2 + Σ_{j in N_i} x_j / (2 deg_i) - (d_i + π_i) / (2 rho deg_i)
  y_i <- y_i - beta / k^decay ∇_y g_i
  π_i <- π_i + rho Σ_{j in N_i} (x_i⁺ - x_j⁺)`,
		Cost: `rounds: 1
elements a node broadcasts: p, vectors
oracle calls a node: 1 grad_g, 2 grad_f, N_k hvp, 1 jvp (N_k = 1 up to k = 53, 2 up to k = 2979; with base 10, 1 up to k = 9999)`,
		Source: "Lu, Cui, Squillante, Kingsbury, Horesh: Decentralized Bilevel Optimization for Personalized Client " +
			"Learning. ICASSP 2022; N_k as in Niu et al., CDC 2023",
		Departures: fromDescription + ` It is a linearized proximal primal-dual method.
x⁺ serves the multiplier in the message of the next iteration, in which it is sent anyway. The base of the logarithm is not stated: the products of Table I of Niu et al. fit base 10, and neither e nor 2. A node without neighbours takes steps 1/(2 rho).`,
		Iterations: "outer",
		New:        method[algorithms.SPDB](nil),
	}
}

func interactEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "interact",
			Summary: "for personal inner problems: tracks hypergradients with each node's exact inverse Hessian",
			Params: []keys.Param{
				outerParam(),
				stepParam("alpha", "the step of x; stable below (1 + λ_min(W))² / 2 by the smoothness of the "+
					"objective"),
				stepParam("beta", "the step of y; stable below 2/L"),
			}},
		Problem: personalProblem,
		Updates: `d_i = ∇_x f_i - ∇²_xy g_i (∇²_yy g_i)⁻¹ ∇_y f_i;  u_i = d_i;  for k = 1 ... outer:
  x_i⁺ = Σ_j w_ij x_j - alpha u_i
  y_i⁺ = y_i - beta ∇_y g_i, at the old point
  u_i <- Σ_j w_ij u_j + d_i⁺ - d_i`,
		Cost: `rounds: 1
elements a node broadcasts: 2 p, vectors
oracle calls a node: 1 grad_g, 2 grad_f, 1 hessian, 1 solve, 1 jvp; the same at the start`,
		Source: "Liu, Zhang, Khanduri, Lu, Liu: INTERACT: Achieving Low Sample and Communication Complexities " +
			"in Decentralized Bilevel Learning over Networks. MobiHoc 2022",
		Departures: fromDescription + " The step of y takes the gradient at the old x.",
		Iterations: "outer",
		New:        method[algorithms.INTERACT](nil),
	}
}

func prometheusEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "prometheus", Label: "Prometheus",
			Summary: "for personal inner problems and x in a ball: variance-reduced, tracked, with a projected step",
			Params: []keys.Param{
				outerParam(),
				weightParam("alpha", "the step of x towards the projected point"),
				stepParam("beta", "the step of y; stable below 2/L"),
				{Name: "tau", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
					About: "of the proximal term: u/tau is the step that is projected"},
				{Name: "radius", Kind: keys.Float, Default: 0.0, Example: "10", Range: keys.AtLeast(0),
					About: "of the ball around 0 that steps are projected on; x itself stays in it if it " +
						"starts there " +
						"and alpha ≤ w_ii; 0: unconstrained"},
				neumannParam(), lipschitzParam("each node's inner Hessian"),
				batchParam(),
				{Name: "period", Kind: keys.Int, With: "batch", Default: 10, Example: "10", Range: keys.AtLeast(1),
					About:  "iterations from one gradient on all samples to the next",
					Source: "none: SPIDER has the square root of the number of samples (Fang et al. 2018)"},
			}},
		Problem: personalProblem,
		Updates: `v_i = ∇_y g_i;  d_i = ∇_x f_i - ∇²_xy g_i (1/L) Σ_{s=0..neumann} (I - ∇²_yy g_i / L)^s ∇_y f_i
u_i = d_i;  for k = 1 ... outer:
  z_i = projection of x_i - u_i/tau on the ball
  x_i⁺ = Σ_j w_ij x_j + alpha (z_i - x_i);  y_i⁺ = y_i - beta v_i
  every period iterations:  v_i and d_i on all samples
  otherwise:  v_i <- v_i + ∇_y g_i⁺ - ∇_y g_i on one batch, d_i likewise
  u_i <- Σ_j w_ij u_j + d_i⁺ - d_i`,
		Cost: `rounds: 1
elements a node broadcasts: 2 p, vectors
oracle calls a node: 1 grad_g, 2 grad_f, neumann hvp, 1 jvp; twice that where the recursion takes two points; once at the start`,
		Source: "Liu, Zhang, Lu, Liu: Prometheus: Taming Sample and Communication Complexities in Constrained " +
			"Decentralized Stochastic Bilevel Learning. ICML 2023",
		Departures: fromDescription + ` The step of y takes the gradient at the old x.
Without a radius and with alpha: 1 it is SVR-INTERACT with steps 1/tau.
The series is counted by its products. With full batches the recursion gives the full value itself, which is taken directly.`,
		Iterations: "outer",
		New:        method[algorithms.Prometheus](nil),
	}
}
