package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// The stochastic methods of one node.

func bsaEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "bsa", Summary: "ba with sampled derivatives and a Neumann series of random length",
			Params: []keys.Param{
				outerParam(),
				countParam("q", 1, "10", "the most terms of the series"),
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				stepParam("eta", stepOfSystem),
				batchParam(),
			}},
		Problem: oneNodeProblem,
		Updates: `new samples in each step;  for k = 1 ... outer:
  ⌈k^{1/4} / 2⌉ times:  y <- y - alpha ∇_y g(x, y; S)
  t uniform on 0 ... q - 1:  v = q eta (I - eta H_1) ... (I - eta H_t) ∇_y f
  ` + implicitDirection,
		Cost:       noCommunication + "oracle calls: ⌈k^{1/4} / 2⌉ grad_g, 2 grad_f, 1 jvp, at most q - 1 hvp",
		Source:     "Ghadimi, Wang: Approximation methods for bilevel programming. arXiv 1802.02246",
		Departures: fromDescription + " y goes on from the last one; k counts from 1; steps are constant.",
		Iterations: "outer",
		New:        method[algorithms.BSA](nil),
	}
}

func stocbioEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "stocbio", Label: "stocBiO",
			Summary: "stochastic implicit differentiation with a Neumann series of sampled Hessians",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
				seriesParam(),
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				stepParam("eta", stepOfSystem),
				batchParam(),
			}},
		Problem: oneNodeOrStar,
		Updates: `new samples in each step;  for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y; S)
  v = eta Σ_{s = 0 ... q} (I - eta H_1) ... (I - eta H_s) ∇_y f,  each H_j on a batch of its own
  ` + implicitDirection,
		Cost: "oracle calls: inner grad_g, 2 grad_f, q hvp, 1 jvp" + implicitOnStar + "as aid",
		Source: "Ji, Yang, Liang: Bilevel optimization: convergence analysis and enhanced design. ICML 2021; " +
			"and its public program",
		Departures: "The factor eta is on the whole sum, as in the paper; the authors' program has it on the last " +
			"term only.",
		Iterations: "outer",
		New:        method[algorithms.StocBiO](nil),
	}
}

func vrboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "vrbo", Summary: "variance reduction by SPIDER on both levels, in two loops",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "5", "y-steps per outer iteration, the paper's m"),
				countParam("period", 1, "10", "outer iterations between estimates on all samples"),
				seriesParam(),
				stepParam("alpha", "the step of x"),
				stepParam("beta", stepOfY),
				stepParam("eta", stepOfSystem),
				{Name: "estimates", Kind: keys.Enum, Default: "before", Enum: []string{"before", "after"},
					About: "when d_y and d_x are estimated: before each y-step, so x moves by a d_x that is one y-step " +
						"late; or once more after the last", Source: "the authors' program; the paper's algorithm box was not " +
						"available"},
				batchParam(),
			}},
		Problem: oneNodeProblem,
		Updates: `∇̂Φ = ∇_x f - J v with v = eta Σ_{s = 0 ... q} (I - eta H)^s ∇_y f;  for k = 1 ... outer:
  every period iterations:  d_y = ∇_y g(x, y), d_x = ∇̂Φ(x, y), on all samples
  x <- x - alpha d_x
  inner times, on samples S at the new point and at that of the last estimate:
    d_y <- d_y + ∇_y g(new; S) - ∇_y g(old; S),  d_x <- d_x + ∇̂Φ(new; S) - ∇̂Φ(old; S)
    y <- y - beta d_y
  estimates: after makes d_y and d_x once more, at the last y`,
		Cost: noCommunication +
			`oracle calls: 2 inner times (1 grad_g, 2 grad_f, q hvp, 1 jvp), and once more every period iterations; ` +
			`estimates: after has 2 (inner + 1) times`,
		Source: sourceFaster,
		Departures: fromDescription + ` What is not certain is which point d_x belongs to: estimates has both readings.
The authors' program and a public benchmark estimate before each y-step, which is the default.
The old point is the one that the estimate was made at, so that the differences telescope; the authors' program leaves the last y-step out of them, the benchmark the step of x.
Each factor of a series has its own samples.`,
		Iterations: "outer",
		New:        method[algorithms.VRBO](nil),
	}
}

func mrboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "mrbo", Summary: "variance reduction by STORM on both levels, in a single loop",
			Params: []keys.Param{
				outerParam(),
				seriesParam(),
				stepParam("alpha", "the step of x"),
				stepParam("beta", stepOfY),
				stepParam("eta", stepOfSystem),
				{Name: "weight", Kind: keys.Float, Required: true, Example: "0.1", Range: keys.AboveUpTo(0, 1),
					About: "the weight of the new sample's own value; 1: no variance reduction"},
				batchParam(),
			}},
		Problem: oneNodeProblem,
		Updates: `∇̂Φ = ∇_x f - J v with v = eta Σ_{s = 0 ... q} (I - eta H)^s ∇_y f
d_y = ∇_y g, d_x = ∇̂Φ on one batch;  for k = 1 ... outer:
  x⁺ = x - alpha d_x,  y⁺ = y - beta d_y
  d_y <- ∇_y g(x⁺, y⁺; S) + (1 - weight) (d_y - ∇_y g(x, y; S)),  d_x likewise with ∇̂Φ`,
		Cost: noCommunication + "oracle calls: 2 grad_g, 4 grad_f, 2 q hvp, 2 jvp; half of it in the first " +
			"iteration",
		Source:     sourceFaster,
		Departures: fromDescription + "\nSteps and weight are constant; in the paper they fall with k.",
		Iterations: "outer",
		New:        method[algorithms.MRBO](nil),
	}
}

func amigoEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "amigo", Label: "AmIGO",
			Summary: "stochastic implicit differentiation with both loops warm", Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
				countParam("linear", 1, "10", "v-steps per outer iteration, the paper's M"),
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				stepParam("eta", "the step of v; stable below 2 / L"),
				batchParam(),
			}},
		Problem: oneNodeOrStar,
		Updates: `new samples in each step;  for k = 1 ... outer:
  inner times:   y <- y - alpha ∇_y g(x, y)
  linear times:  v <- v - eta (H v - ∇_y f)
  ` + implicitDirection,
		Cost: "oracle calls: inner grad_g, linear hvp, 1 jvp, 2 grad_f; linear + 1 grad_f where batches are drawn" +
			implicitOnStar +
			"inner + linear + 2 rounds; elements up and down: (inner + linear + 1) q + p, vectors; linear - 1 more " +
			"of both where batches are drawn",
		Source: "Arbel, Mairal: Amortized implicit differentiation for stochastic bilevel optimization. ICLR " +
			"2022; and its public program",
		Departures: fromDescription,
		Iterations: "outer",
		New:        method[algorithms.AmIGO](nil),
	}
}

const sobaUpdates = `for k = 1 ... outer, all derivatives at the old point:
  D_y = ∇_y g,  D_v = H v + ∇_y f,  D_x = ∇_x f + J v
  y <- y - rho D_y,  v <- v - rho D_v,  x <- x - gamma D_x
v tends to -H⁻¹ ∇_y f.`

func sobaEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "soba", Summary: "one loop that moves both variables and the linear system at once",
			Params: []keys.Param{
				outerParam(),
				stepParam("rho", "the step of y and v; stable below 2 / L"),
				stepParam("gamma", "the step of x"),
				exponentParam("decay_inner", "e in rho / k^e", "0.4"),
				exponentParam("decay_outer", "e in gamma / k^e", "0.6"),
				batchParam(),
			}},
		Problem: oneNodeOrStar,
		Updates: sobaUpdates,
		Cost: "oracle calls: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp\non one node no rounds; on a star 1: elements " +
			"up and down: p + 2q, vectors",
		Source:     sourceSOBA,
		Departures: "The exponents of the steps are parameters.",
		Iterations: "outer",
		New:        method[algorithms.SOBA](nil),
	}
}

func sabaEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "saba",
			Summary: "SOBA with the variance reduction of SAGA: exact with constant steps", Params: []keys.Param{
				outerParam(),
				stepParam("rho", "the step of y and v; stable below 2 / L"),
				stepParam("gamma", "the step of x"),
				{Name: "batch", Kind: keys.Int, Default: 0, Example: "32", Range: keys.AtLeast(0),
					About: "samples of a block; 0 is one block of all, which is soba. A block keeps 2q + p numbers " +
						"in memory"},
			}},
		Problem: oneNodeProblem,
		Updates: sobaUpdates + `
Each of ∇_y g, H v, J v, ∇_y f, ∇_x f is estimated on a block that is drawn, w its share of the samples, b the number of blocks:
  d = b w (new - kept) + mean,  mean <- mean + w (new - kept),  kept <- new`,
		Cost:       noCommunication + "oracle calls: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp, each of a block",
		Source:     sourceSOBA,
		Departures: "The stored values start at 0, which needs no pass over the data and leaves the estimates unbiased.",
		Iterations: "outer",
		New:        method[algorithms.SABA](nil),
	}
}
