package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// asynchronousAlgorithms are the methods that never wait, and the baseline that always does.
func asynchronousAlgorithms() []AlgorithmEntry {
	return []AlgorithmEntry{asyncDGDEntry(), adPSGDEntry(), asyncLPDBOEntry(), allReduceEntry()}
}

func pauseParam() keys.Param {
	return keys.Param{Name: "pause", Kind: keys.Duration, Default: sim.Millisecond, Example: "1ms", Range: keys.Above(0),
		About: "the time from the end of a step to the beginning of the next"}
}

func asyncDGDEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{
			Name:    "async-dgd",
			Label:   "Async DGD",
			Summary: "gradient descent with the last values received from the neighbours",
			Params: []keys.Param{
				outerParam(),
				stepParam("alpha", "the step; stable below (1 + λ_min(W)) / L if nothing is old"),
				batchParam(),
				pauseParam(),
			},
		},
		Problem: singleProblem,
		Updates: "whenever i is ready:  x_i <- w_ii x_i + Σ_j w_ij x_j(last heard) - alpha ∇f_i(x_i), and tells x_i",
		Cost:    "no rounds; elements a node broadcasts: p, a vector, for each step; oracle calls a node: 1 grad_f",
		Source: "Tsitsiklis, Bertsekas, Athans: Distributed asynchronous deterministic and stochastic gradient " +
			"optimization " +
			"algorithms. IEEE Transactions on Automatic Control 31, 1986",
		Departures: "Until a neighbour is heard from, a node uses its own x in its place.",
		Iterations: "outer",
		New:        method[algorithms.AsyncDGD](nil),
	}
}

func adPSGDEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{
			Name:    "ad-psgd",
			Label:   "AD-PSGD",
			Summary: "asynchronous gossip SGD: a step and an average with one neighbour",
			Params: []keys.Param{
				{Name: "ticks", Kind: keys.Int, Default: 100, Example: "100", Range: keys.Between(0, 1e9),
					About: "ticks of each node's clock; a tick is an iteration"},
				stepParam("alpha", "the step; stable below 2 / L"), batchParam(),
				{Name: "interval", Kind: keys.Duration, Default: 10 * sim.Millisecond, Example: "10ms", Range: keys.Above(0),
					About: "the mean time between two ticks of a node"},
			},
		},
		Problem: singleProblem,
		Updates: `at a tick:  x_i <- x_i - alpha ∇f_i(x_i);  then i exchanges with a random neighbour, as randomized-gossip`,
		Cost: "at most 2 messages for each tick, of p elements each or, to say busy, of none; no rounds; oracle " +
			"calls a node: 1 " +
			"grad_f",
		Source: "Lian, Zhang, Zhang, Liu: Asynchronous decentralized parallel stochastic gradient descent. ICML " +
			"2018; arXiv " +
			"1710.06952",
		Departures: "There averaging is atomic. Here messages take time: both nodes move by the same difference with " +
			"opposite signs, and an exchange that meets another is abandoned.",
		Iterations: "ticks",
		New:        method[algorithms.ADPSGD](nil),
	}
}

func asyncLPDBOEntry() AlgorithmEntry {
	sync := lPDBOEntry()
	e := AlgorithmEntry{
		Entry: keys.Entry{
			Name:    "async-l-pdbo",
			Label:   "Async L-PDBO",
			Summary: "L-PDBO with the last values received from the neighbours",
			Params:  append(sync.Params, pauseParam()),
		},
		Problem: sync.Problem,
		Updates: `whenever i is ready, with the x_j that it last heard:
  x_i <- w_ii x_i + Σ_j w_ij x_j - alpha s_i, and tells x_i;  y_i, v_i and s_i as in l-pdbo`,
		Cost:       "no rounds; elements a node broadcasts: p, a vector, for each step; oracle calls as l-pdbo",
		Source:     sync.Source,
		Departures: "The paper's method waits for all neighbours in each iteration.",
		Iterations: "outer",
		New:        method[algorithms.AsyncLPDBO](nil),
	}
	return e
}

func allReduceEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{
			Name:    "allreduce-gd",
			Label:   "All-reduce GD",
			Summary: "gradient descent with the exact mean of all gradients",
			Params: []keys.Param{outerParam(), stepParam("alpha", "the step; stable below 2 / L"), batchParam(),
				{Name: "collective", Kind: keys.Enum, Default: "tree", Enum: []string{"tree", "ring"},
					About: "ring: 2 (n - 1) steps of 1/n of the vector, on a graph that is a ring; tree: the vector up and down a " +
						"breadth-first tree"}},
		},
		Problem: singleProblem,
		Updates: "x <- x - alpha (1/n) Σ_i ∇f_i(x), from the mean of the starting points",
		Cost: `tree: 2 rounds, 2 (n - 1) messages of p elements
ring: 2 (n - 1) rounds, 2 n (n - 1) messages of p/n elements
oracle calls a node: 1 grad_f; the start is an all-reduce too`,
		Source: "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations. Journal of " +
			"Parallel and " +
			"Distributed Computing 69, 2009",
		Iterations: "outer",
		New:        method[algorithms.AllReduceGD](nil),
	}
}
