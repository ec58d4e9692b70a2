package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// pushAlgorithms are the methods for directed graphs.
func pushAlgorithms() []AlgorithmEntry {
	return []AlgorithmEntry{pushSumEntry(), sgpEntry(), pushPullEntry()}
}

const degrees = "r_ij = 1 / (1 + in-degree of i), c_ij = 1 / (1 + out-degree of j), of the round"

func pushSumEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "push-sum", Label: "Push-sum", Summary: "averaging on directed graphs", Params: []keys.Param{
			{Name: "rounds", Kind: keys.Int, Default: 100, Example: "100", Range: keys.Between(0, 1e9), About: "rounds"},
		}},
		Problem:    meanProblem,
		Updates:    "s_i <- Σ_j c_ij s_j,  w_i <- Σ_j c_ij w_j,  x_i = s_i / w_i\n" + degrees,
		Cost:       "rounds: 1; elements a node broadcasts: p, a vector, and a scalar",
		Source:     "Kempe, Dobra, Gehrke: Gossip-based computation of aggregate information. FOCS 2003",
		Iterations: "rounds",
		New:        method[algorithms.PushSum](nil),
	}
}

func sgpEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{
			Name:    "sgp",
			Summary: "stochastic gradient push: gradient descent on directed graphs",
			Params: []keys.Param{
				outerParam(), stepParam("alpha", "the step; stable below 2 / L on average"), batchParam(),
			},
		},
		Problem: singleProblem,
		Updates: "s_i <- s_i - alpha ∇f_i(x_i)\ns_i <- Σ_j c_ij s_j,  w_i <- Σ_j c_ij w_j,  x_i = s_i / w_i\n" + degrees,
		Cost:    "rounds: 1; elements a node broadcasts: p, a vector, and a scalar; oracle calls a node: 1 grad_f",
		Source: "Assran, Loizou, Ballas, Rabbat: Stochastic gradient push for distributed deep learning. ICML 2019; arXiv " +
			"1811.10792",
		Departures: "Without momentum.",
		Iterations: "outer",
		New:        method[algorithms.SGP](nil),
	}
}

func pushPullEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "push-pull", Label: "Push-pull", Summary: "gradient tracking on directed graphs (AB)",
			Params: []keys.Param{outerParam(), stepParam("alpha", "the step")}},
		Problem: singleProblem,
		Updates: "x_i⁺ = Σ_j r_ij (x_j - alpha t_j);  t_i <- Σ_j c_ij t_j + ∇f_i(x_i⁺) - ∇f_i(x_i)\n" + degrees,
		Cost:    "rounds: 1; elements a node broadcasts: 2 p, vectors; oracle calls a node: 1 grad_f, and 1 at the start",
		Source: "Pu, Shi, Xu, Nedić: Push-pull gradient methods for distributed optimization in networks. IEEE " +
			"Transactions on " +
			"Automatic Control 66, 2021; Xin, Khan: A linear algorithm for optimization over directed graphs with geometric " +
			"convergence. IEEE Control Systems Letters 2, 2018",
		Iterations: "outer",
		New:        method[algorithms.PushPull](nil),
	}
}
