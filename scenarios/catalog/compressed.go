package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// compressedAlgorithms are the methods that are made for compressed messages. What compresses is the
// key wire of the scenario.
func compressedAlgorithms() []AlgorithmEntry {
	return []AlgorithmEntry{chocoEntry(), leadEntry(), c2DFBEntry(), cSOBAEntry(), cmSOBAEntry(), efSOBAEntry()}
}

func chocoEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "choco-sgd", Label: "CHOCO-SGD", Summary: "gradient descent with compressed differences",
			Params: []keys.Param{
				outerParam(), stepParam("alpha", "the step; stable below 2 / L"),
				{Name: "gamma", Kind: keys.Float, Required: true, Example: "0.3", Range: keys.AboveUpTo(0, 1),
					About: "the consensus step; the coarser the compression, the smaller"},
				batchParam(),
			}},
		Problem: singleProblem,
		Updates: `x_i <- x_i - alpha ∇f_i(x_i)
q_i = C(x_i - h_i);  h_i <- h_i + q_i;  s_i <- s_i + Σ_j w_ij q_j
x_i <- x_i + gamma (s_i - h_i)`,
		Cost: "rounds: 1; elements a node broadcasts: p, a vector, in as many bytes as wire says; oracle calls a " +
			"node: 1 grad_f",
		Source: "Koloskova, Stich, Jaggi: Decentralized stochastic optimization and gossip algorithms with compressed " +
			"communication. ICML 2019",
		Iterations: "outer",
		New:        method[algorithms.CHOCO](nil),
	}
}

func leadEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{
			Name:    "lead",
			Label:   "LEAD",
			Summary: "primal-dual method with compressed differences: its limit is exact",
			Params: []keys.Param{
				outerParam(), stepParam("alpha", "the step, the paper's eta; stable below 2 / L"),
				{Name: "gamma", Kind: keys.Float, Default: 1.0, Example: "0.6", Range: keys.AboveUpTo(0, 2),
					About: "the dual step; the coarser the compression, the smaller", Source: "the paper's experiments"},
				{Name: "eta", Kind: keys.Float, Default: 0.5, Example: "0.3", Range: keys.AboveUpTo(0, 1),
					About: "how far the memory follows, the paper's alpha", Source: "the paper's experiments"},
			},
		},
		Problem: singleProblem,
		Updates: `y = x - alpha (∇f(x) + d);  q = C(y - h);  z = h + q;  w = v + Σ_j w_ij q_j
h <- (1 - eta) h + eta z;  v <- (1 - eta) v + eta w
d <- d + gamma / (2 alpha) (z - w);  x <- x - alpha (∇f(x) + d)`,
		Cost: "rounds: 1; elements a node broadcasts: p, a vector, in as many bytes as wire says; oracle calls a " +
			"node: 1 grad_f",
		Source: "Liu, Li, Wang, Tang, Yan: Linear convergent decentralized optimization with compression. ICLR 2021; " +
			"arXiv 2007.00232",
		Departures: `The box makes a gradient step before its first iteration; here x starts at the starting point.`,
		Iterations: "outer",
		New:        method[algorithms.LEAD](nil),
	}
}
