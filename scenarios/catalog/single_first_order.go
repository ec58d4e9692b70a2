package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// The methods of one node that are made for inner problems of any kind, most without
// second derivatives.

func firstOrderAlgorithms() []AlgorithmEntry {
	return []AlgorithmEntry{
		bomeEntry(), bsg1Entry(), bvfsmEntry(), penaltyEntry(), f2saEntry(), optimisticEntry(),
	}
}

const byBOME = "the public program of BOME, which compares with it"

func bomeEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "bome", Summary: "first-order descent on f that keeps the value gap of g falling",
			Params: []keys.Param{
				outerParam(),
				{Name: "inner", Kind: keys.Int, Default: 10, Example: "10", Range: keys.Between(1, 1e6),
					About: "z-steps per outer iteration, the paper's T", Source: "the paper's experiments"},
				stepParam("alpha", "the step of z; below 2 / L"),
				stepParam("xi", "the step of x and y"),
				optionalFloat("eta", 0.5, keys.Above(0), "how fast the value gap has to fall", "the paper's default"),
				{Name: "phi", Kind: keys.Enum, Default: "grad", Enum: []string{"grad", "value"},
					About: "the control barrier: eta ||∇q||², or eta q", Source: "the paper's default"},
				optionalFloat("epsilon", 0, keys.AtLeast(0), "is added to ||∇q||² in lambda",
					"0 in the paper, 1e-4 in the authors' program"),
			}},
		Problem: "min f(x, y) such that y minimizes g(x, ·), which need not be strongly convex, on one node: " +
			"topology {kind: complete, nodes: 1}",
		Updates: `for k = 1 ... outer:
  z = y;  inner times:  z <- z - alpha ∇_y g(x, z)
  q = g(x, y) - g(x, z),  ∇q = (∇_x g(x, y) - ∇_x g(x, z), ∇_y g(x, y))
  lambda = max(0, (phi - <∇f, ∇q>) / ||∇q||²),  phi = eta ||∇q||² or eta q
  (x, y) <- (x, y) - xi (∇f + lambda ∇q)
With a constant xi the gap q levels off at about (xi ||∇_y f|| / 2)².
On toy-coreset with the paper's steps rounding errors grow about fivefold a step from some starting points, as from
y = (-3, 1) from k = 45 on: claim levels of f and q over many iterations, not single late iterates.`,
		Cost: noCommunication + "oracle calls: inner + 3 grad_g, 2 grad_f; phi: value also needs 2 values of " +
			"g",
		Source: "Liu, Ye, Wright, Stone, Liu: BOME! Bilevel Optimization Made Easy: A Simple First-Order " +
			"Approach. NeurIPS 2022; and its public program",
		Iterations: "outer",
		New:        method[algorithms.BOME](nil),
	}
}

func bsg1Entry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "bsg-1", Summary: "rank-one stand-ins for the second derivatives", Params: []keys.Param{
			outerParam(), countParam("inner", 1, "10", numberOfInner), stepParam("alpha", stepOfY),
			stepParam("beta", "the step of x"),
		}},
		Problem: oneNodeProblem,
		Updates: `for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y)
  x <- x - beta (∇_x f - (<∇_y f, ∇_y g> / ||∇_y g||²) ∇_x g)
Where the inner problem is solved, ∇_y g is 0 and the quotient means nothing.`,
		Cost: noCommunication + "oracle calls: inner + 2 grad_g, 2 grad_f",
		Source: "Giovannelli, Kent, Vicente: Bilevel stochastic methods for optimization and machine learning: " +
			"Bilevel stochastic descent and DARTS. arXiv 2110.00604; " + byBOME,
		Departures: "1e-50 is added to ||∇_y g||², as in that program. Liu et al. print no box of it.",
		Iterations: "outer",
		New:        method[algorithms.BSG1](nil),
	}
}

func bvfsmEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "bvfsm", Summary: "a log barrier on the inner problem's value function",
			Params: []keys.Param{
				outerParam(),
				{Name: "inner_z", Kind: keys.Int, Default: 50, Example: "50", Range: keys.Between(1, 1e6),
					About: "z-steps per outer iteration", Source: "the authors' program"},
				{Name: "inner_y", Kind: keys.Int, Default: 25, Example: "25", Range: keys.Between(1, 1e6),
					About: "y-steps per outer iteration", Source: "the authors' program"},
				optionalFloat("alpha_z", 0.01, keys.Above(0), "the step of z", "the authors' program"),
				optionalFloat("alpha_y", 0.01, keys.Above(0), "the step of y", "the authors' program"),
				stepParam("beta", "the step of x"),
				optionalFloat("l2_z", 0.01, keys.AtLeast(0), "the weight of ||z||²", "the authors' program"),
				optionalFloat("l2_y", 0.01, keys.AtLeast(0), "the weight of ||y||²", "the authors' program"),
				optionalFloat("barrier", 0.001, keys.Above(0), "the weight of the logarithm", "the authors' program"),
				{Name: "offset", Kind: keys.Float, Required: true, Example: "50", Range: keys.Above(0),
					About: "how far g(x, y) may be above g(x, z); the authors' program has q"},
				{Name: "constant", Kind: keys.Bool, Default: false,
					About:  "whether the three weights stay constant instead of falling with k",
					Source: "they fall in the authors' program"},
				{Name: "detached", Kind: keys.Bool, Default: false,
					About:  "whether the barrier's slope leaves g(x, y) out, so y may start anywhere",
					Source: "the program of BOME does this, with offset 1e-4 and constant"},
			}},
		Problem: oneNodeProblem,
		Updates: `r = 1 / log(1.1 (k + 1)), or 1 / log(1.1 (outer + 1)) if constant;  for k = 1 ... outer:
  inner_z times:  z <- z - alpha_z ∇_z (g(x, z) + r l2_z ||z||²)
  B(x, y, z) = f(x, y) + r l2_y ||y||² - r barrier log(g(x, z) + offset - g(x, y))
  inner_y times:  y <- y - alpha_y ∇_y B
  x <- x - beta ∇_x B
detached: where log' stands in ∇B, it is taken at g(x, z) + offset.`,
		Cost: noCommunication + "oracle calls: inner_z + inner_y + 2 grad_g, inner_y + 1 grad_f, inner_y + 2 " +
			"values of g (detached: 1)",
		Source: "Liu, Liu, Zeng, Zhang, Zhang: Value-function-based sequential minimization for bi-level " +
			"optimization. arXiv 2110.04974; its public program, and " + byBOME,
		Departures: fromDescription + ` x moves by plain gradient steps, where the authors' program has Adam. k counts from 1.
A run that leaves the barrier's domain fails and says so.`,
		Iterations: "outer",
		New:        method[algorithms.BVFSM](nil),
	}
}

func penaltyEntry() AlgorithmEntry {
	const settings = "the BOME paper's runs of it"
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "penalty", Label: "Penalty",
			Summary: "an augmented Lagrangian of the inner problem's first-order condition", Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", numberOfInner),
				stepParam("alpha", "the step of y"),
				stepParam("beta", "the step of x"),
				optionalFloat("gamma", 0.01, keys.Above(0), "the penalty at the start", settings),
				optionalFloat("lambda", 0.1, keys.AtLeast(0), "the weight of g at the start", settings),
				optionalFloat("epsilon", 0.01, keys.Above(0),
					"the gradient norm at which the multiplier moves, at the start", settings),
				optionalFloat("nu", 1e-4, keys.Range{}, "the multiplier at the start, each of its q numbers",
					"the authors' program"),
			}},
		Problem: oneNodeProblem,
		Updates: `F = f + <nu, ∇_y g> + (gamma/2) ||∇_y g||² + lambda g,  u = nu + gamma ∇_y g;  for k = 1 ... outer:
  inner times:  y <- y - alpha (∇_y f + H u + lambda ∇_y g)
  x <- x - beta (∇_x f + J u)
  where both directions together are shorter than epsilon:
    nu <- nu + gamma ∇_y g,  gamma <- 1.1 gamma,  epsilon, lambda, alpha, beta <- 0.9 times themselves`,
		Cost: noCommunication + "oracle calls: inner + 1 grad_f, inner + 1 grad_g, inner hvp, 1 jvp",
		Source: "Mehra, Hamm: Penalty method for inversion-free deep bilevel optimization. ACML 2021; its " +
			"public program, and " + byBOME,
		Departures: "Plain gradient steps, where the authors' program uses Adam. x sees F without lambda g, " +
			"and the weights move, as in the programs; Liu et al. print no box of it.",
		Iterations: "outer",
		New:        method[algorithms.Penalty](nil),
	}
}

func f2saEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "f2sa", Summary: "stochastic first-order descent on a penalty of the value gap",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "steps of y and z per outer iteration"),
				stepParam("eta_x", "the step of x"),
				stepParam("eta_y", "the step of y; stable below 2 / (L_f + lambda L)"),
				stepParam("eta_z", "the step of z; stable below 2 / L"),
				{Name: "lambda", Kind: keys.Float, Required: true, Example: "1", Range: keys.Above(0),
					About: "the penalty; the limit is O(1 / lambda) from the optimum"},
				exponentParam("growth", "e in lambda k^e", "0.143"),
				exponentParam("decay_outer", "e in eta_x / k^e", "0.714"),
				exponentParam("decay_inner", "e in eta_y / k^e and eta_z / k^e", "0.571"),
				batchParam(),
			}},
		Problem: oneNodeProblem,
		Updates: `new samples in each step;  for k = 1 ... outer:
  inner times:  y <- y - eta_y (∇_y f(x, y) + lambda ∇_y g(x, y)),  z <- z - eta_z ∇_y g(x, z)
  x <- x - eta_x (∇_x f(x, y) + lambda (∇_x g(x, y) - ∇_x g(x, z)))`,
		Cost: noCommunication + "oracle calls: 2 inner + 2 grad_g, inner + 1 grad_f",
		Source: "Kwon, Kwon, Wright, Nowak: A fully first-order method for stochastic bilevel optimization. " +
			"ICML 2023; in the form of a public benchmark",
		Departures: "lambda grows by a power of k; the exponents (1/7, 5/7 and 4/7 there) are parameters.",
		Iterations: "outer",
		New:        method[algorithms.F2SA](nil),
	}
}

func optimisticEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "optimistic-gd", Label: "Optimistic GD",
			Summary: "optimistic gradient descent-ascent, for min-max problems (g = -f)", Params: []keys.Param{
				outerParam(), stepParam("eta", "the step of x and y"),
			}},
		Problem: "min over x and max over y of f(x, y), written as a bilevel problem with g = -f, on one node: " +
			"topology {kind: complete, nodes: 1}",
		Updates: `for k = 1 ... outer; at the start, "before" is the starting point:
  x⁺ = x - 2 eta ∇_x f(x, y) + eta (the ∇_x f before)
  y⁺ = y - 2 eta ∇_y g(x⁺, y) + eta (the ∇_y g before)`,
		Cost: noCommunication + "oracle calls: 1 grad_f, 1 grad_g; at the start 1 grad_g",
		Source: "Daskalakis, Ilyas, Syrgkanis, Zeng: Training GANs with optimism. ICLR 2018; in the form of " +
			byBOME,
		Departures: "y uses the new x, as in that program.",
		Iterations: "outer", ExampleProblem: "toy-minimax",
		New: method[algorithms.OptimisticGD](nil),
	}
}
