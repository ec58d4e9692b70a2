package catalog

import (
	"fmt"
	"slices"

	"tallynet/algorithms"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// Algorithms returns the table of methods.
func Algorithms() []AlgorithmEntry {
	all := []AlgorithmEntry{dagmEntry(), dgboEntry(), dboEntry()}
	all = append(all, decentralizedAlgorithms()...)
	all = append(all, serverAlgorithms()...)
	all = append(all, oneNodeAlgorithms()...)
	all = append(all,
		gossipEntry(), randomizedGossipEntry(), dgdEntry(), gradientTrackingEntry(), extraEntry())
	all = append(all, compressedAlgorithms()...)
	all = append(all, pushAlgorithms()...)
	return append(all, asynchronousAlgorithms()...)
}

// The problem classes that methods solve.
const (
	globalProblem = "min over x of (1/n) Σ f_i(x, y*(x)), y*(x) = argmin over y of (1/n) Σ g_i(x, y): one inner " +
		"problem, shared by all nodes"
	singleProblem = "min over x of (1/n) Σ f_i(x): no inner problem"
	meanProblem   = "the average of the nodes' starting points"
)

func outerParam() keys.Param {
	return keys.Param{Name: "outer", Kind: keys.Int, Default: 100, Example: "100", Range: keys.Between(0, 1e9),
		About: "outer iterations; stop.iterations may end the run earlier"}
}

func stepParam(name, of string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Required: true, Example: "0.02", Range: keys.Above(0), About: of}
}

func countParam(name string, least float64, example, about string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Int, Required: true, Example: example, Range: keys.Between(least, 1e6),
		About: about}
}

func dagmEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "dagm",
			Summary: "alternating gradient method on a penalized pair, with a Neumann series for the hypergradient: " +
				"vectors only", Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "y-steps per outer iteration, the paper's M"),
				countParam("neumann", 0, "3", "exchanges of the Neumann series, the paper's U; the smaller beta, the "+
					"more are needed (about 1/beta)"),
				{Name: "local", Kind: keys.Int, Example: "5", Range: keys.Between(1, 1e6),
					About: "y-steps for each exchange of y: the first with the mixed y, the others a " +
						"node's own; 1 by " +
						"default"},
				{Name: "period", Kind: keys.Int, Example: "5", Range: keys.Between(1, 1e6),
					About: "outer iterations from one with exchanges to the next; in between W is the identity; " +
						"1 by " +
						"default"},
				stepParam("alpha", "the step of x, and the inverse penalty on its disagreement"),
				stepParam("beta", "the step of y, and the inverse penalty on its disagreement"),
				{Name: "solve", Kind: keys.Enum, Default: "cholesky", Enum: []string{"cholesky", "cg"},
					About: "how a node solves with its own q x q matrix: it forms and factors the Hessian, or it " +
						"multiplies with it only", Source: "the paper's boxes solve exactly"},
				{Name: "cg_tolerance", Kind: keys.Float, Default: 1e-10, Only: "solve: cg", Example: "1e-10",
					Range: keys.Inside(0, 1), About: "the relative residual at which conjugate gradients stop"},
				{Name: "cg_iterations", Kind: keys.Int, Default: 100, Only: "solve: cg", Example: "100",
					Range: keys.AtLeast(1), About: "the most iterations of one solve"},
			}},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer:
  inner times:  y_i <- Σ_j w_ij y_j - beta ∇_y g_i(x_i, y_i)
      local - 1 times:  y_i <- y_i - beta ∇_y g_i(x_i, y_i)
  D_i = beta ∇²_yy g_i + 2(1 - w_ii) I;   D_i h_i = -∇_y f_i
  neumann times:  D_i h_i <- (1 - w_ii) h_i + Σ_{j≠i} w_ij h_j - ∇_y f_i
  x_i <- Σ_j w_ij x_j - alpha (∇_x f_i + beta ∇²_xy g_i h_i)
but with W = I, so that beta h_i = -(∇²_yy g_i)⁻¹ ∇_y f_i, unless k is 1, period + 1, 2 period + 1, ...`,
		Cost: `rounds: inner + neumann (x travels with the first y); none where W = I
elements a node broadcasts: p + (inner + neumann) q, vectors; no matrix; nothing where W = I
oracle calls a node: inner local grad_g, 2 grad_f, 1 jvp, 1 hessian, neumann + 1 solves (cholesky), or hvp instead of the last two (cg)
the paper's own count: (U+1) p + M q`,
		Source: "Nazari, Mousavi, Tarzanagh, Michailidis: A Penalty-Based Method for Communication-Efficient " +
			"Decentralized Bilevel Programming. Automatica; arXiv 2211.04088",
		Departures: `x is sent with the first y instead of on its own: a round less, the same numbers.
The paper's penalized Hessian has a wrong sign off the diagonal; the steps are those of the right one.
local and period are not in the paper's box: they are two readings of the K of its experiments.`,
		Iterations: "outer",
		New:        method[algorithms.DAGM](nil),
	}
}

func dgboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "dgbo",
			Summary: "gossips moving averages of all derivatives, Hessians and Jacobian included", Params: []keys.Param{
				outerParam(),
				countParam("terms", 1, "5", "Hessian estimates that are kept and sent, the paper's b; the series has "+
					"one more term"),
				stepParam("alpha", "the step of x"),
				stepParam("gamma", "the step of y"),
				{Name: "beta", Kind: keys.Float, Required: true, Example: "0.5", Range: keys.AboveUpTo(0, 1),
					About: "the weight of new derivatives in the moving averages"},
				{Name: "lipschitz", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
					About: "L, an upper bound of the largest eigenvalue of the inner Hessians; the series diverges " +
						"below half of it"},
				{Name: "batch", Kind: keys.Int, Default: 0, Example: "32", Range: keys.AtLeast(0),
					About: "samples per derivative; 0 is all of a node's"},
			}},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer, everything at the old point:
  q = (1/L) (I + (I - v_b/L)(I + (I - v_{b-1}/L)( ... )))
  x_i <- Σ_j w_ij x_j - alpha (s_i - u_i q h_i)
  y_i <- Σ_j w_ij y_j - gamma ∇_y g_i
  s_i <- (1 - beta) Σ_j w_ij s_j + beta ∇_x f_i
  h_i, u_i, v_1 ... v_b likewise, with ∇_y f_i, ∇²_xy g_i and b samples of ∇²_yy g_i`,
		Cost: `rounds: 1
elements a node broadcasts: 2 (p + q), vectors; p q + b q², matrices
oracle calls a node: 2 grad_f, 1 grad_g, 1 jacobian, b hessians; at the start 2 grad_f, 1 jacobian, b hessians`,
		Source: "Yang, Zhang, Wang: Decentralized Gossip-Based Stochastic Bilevel Optimization over Communication " +
			"Networks. NeurIPS 2022; arXiv 2206.10870",
		Departures: `The averages start at the derivatives of the starting point, not at 0.
The series is applied to h by products of matrix and vector: the same numbers, less work.`,
		Iterations: "outer",
		New:        method[algorithms.DGBO](nil),
	}
}

func dboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "dbo",
			Summary: "gradient tracking for the inner problem, and on matrices for the hypergradient (JHIP)",
			Aliases: []keys.Alias{{Name: "dgtbo", Label: "DGTBO",
				Summary: "the name that Nazari et al. give DBO for heterogeneous nodes",
				Preset:  []keys.Preset{{Param: "mode", Value: "heterogeneous"}}}},
			Params: trackedDBOParams()},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer:
heterogeneous:
  v_i = ∇_y g_i;  inner times:  y_i⁺ = Σ_j w_ij y_j - eta_y v_i,  v_i <- Σ_j w_ij v_j + ∇_y g_i(x_i, y_i⁺) - ∇_y g_i(x_i, y_i)
  Z_i = 0, Y_i = -(∇²_xy g_i)';  jhip times:  Z_i⁺ = Σ_j w_ij Z_j - gamma Y_i,  Y_i <- Σ_j w_ij Y_j + ∇²_yy g_i (Z_i⁺ - Z_i)
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - Z_i' ∇_y f_i)
homogeneous:
  inner times:  y_i <- y_i - eta_y ∇_y g_i
  ∇²_yy g_i v_i = ∇_y f_i by jhip steps of conjugate gradients from the last v_i
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - ∇²_xy g_i v_i)`,
		Cost: `heterogeneous:
rounds: inner + jhip (x travels with the first y)
elements a node broadcasts: p + 2 inner q, vectors; 2 jhip p q, matrices
oracle calls a node: inner grad_g, 2 grad_f, (jhip - 1) p hvp, 1 jacobian
the count of Nazari et al.: M q + p + n N p q
homogeneous:
rounds: 1; elements: p, vectors; oracle calls: inner grad_g, 2 grad_f, at most jhip + 1 hvp, 1 jvp`,
		Source: dboSource,
		Departures: `x is sent with the first y and v. The tracker v restarts in each outer iteration: the text leaves it open.
The tracker of JHIP starts at HZ - J'; without J', as printed, Z would stay 0.`,
		Iterations: "outer",
		New:        method(func(_ keys.Args, m *algorithms.DBO) { gammaOrEtaY(&m.Gamma, m.EtaY) }),
	}
}

func gossipEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "gossip", Label: "Gossip", Summary: "synchronous averaging", Params: []keys.Param{
			{Name: "rounds", Kind: keys.Int, Default: 100, Example: "100", Range: keys.Between(0, 1e9),
				About: "rounds"},
		}},
		Problem:    meanProblem,
		Updates:    `x_i <- Σ_j w_ij x_j`,
		Cost:       "rounds: 1; elements a node broadcasts: p, a vector",
		Source:     "Xiao, Boyd: Fast linear iterations for distributed averaging. Systems & Control Letters 53, 2004",
		Iterations: "rounds",
		New:        method[algorithms.Gossip](nil),
	}
}

func randomizedGossipEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "randomized-gossip", Label: "Randomized gossip",
			Summary: "asynchronous averaging of random pairs, on exponential clocks", Params: []keys.Param{
				{Name: "ticks", Kind: keys.Int, Default: 100, Example: "100", Range: keys.Between(0, 1e9),
					About: "ticks of each node's clock; a tick is an iteration"},
				{Name: "interval", Kind: keys.Duration, Default: 10 * sim.Millisecond, Example: "10ms",
					Range: keys.Above(0), About: "the mean time between two ticks of a node"},
			}},
		Problem: meanProblem,
		Updates: `at a tick, i draws a random neighbour j; unless it still waits for an answer, it sends x_i to j and waits
j, if it does not wait itself:  delta = (x_i - x_j)/2, x_j <- x_j + delta, and sends delta back;  i sets x_i <- x_i - delta
j, if it waits:  says that it is busy;  i goes on as it was`,
		Cost: "at most 2 messages for each tick, of p elements each or, to say busy, of none; no rounds",
		Source: "Boyd, Ghosh, Prabhakar, Shah: Randomized gossip algorithms. IEEE Transactions on Information Theory " +
			"52, 2006",
		Departures: `Messages take time here, so exchanges can meet, which the paper's cannot: one that meets another is abandoned.
A node that waits for an answer keeps its value, so each exchange averages two values exactly, whatever the delays.`,
		Iterations: "ticks",
		New:        method[algorithms.RandomizedGossip](nil),
	}
}

func dgdEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "dgd", Summary: "decentralized gradient descent", Params: []keys.Param{
			outerParam(), stepParam("alpha", "the step; stable below (1 + λ_min(W)) / L"),
		}},
		Problem: singleProblem,
		Updates: `x_i <- Σ_j w_ij x_j - alpha ∇f_i(x_i)`,
		Cost:    "rounds: 1; elements a node broadcasts: p, a vector; oracle calls a node: 1 grad_f",
		Source: "Nedić, Ozdaglar: Distributed subgradient methods for multi-agent optimization. IEEE " +
			"Transactions on Automatic Control 54, 2009",
		Iterations: "outer",
		New:        method[algorithms.DGD](nil),
	}
}

func gradientTrackingEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "gradient-tracking", Label: "Gradient tracking",
			Summary: "gradient descent along a tracker of the average gradient", Params: []keys.Param{
				outerParam(), stepParam("alpha", "the step; stable below (1 + λ_min(W))² / (2 L)"),
			}},
		Problem: singleProblem,
		Updates: "x_i⁺ = Σ_j w_ij x_j - alpha t_i;  t_i <- Σ_j w_ij t_j + ∇f_i(x_i⁺) - ∇f_i(x_i)",
		Cost: "rounds: 1; elements a node broadcasts: 2 p, vectors; oracle calls a node: 1 grad_f, and 1 at " +
			"the start",
		Source: "Qu, Li: Harnessing smoothness to accelerate distributed optimization. IEEE Transactions on " +
			"Control of Network Systems 5, 2018",
		Iterations: "outer",
		New:        method[algorithms.GradientTracking](nil),
	}
}

func extraEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "extra", Summary: "exact first-order method with a correction from the step before",
			Params: []keys.Param{
				outerParam(), stepParam("alpha", "the step; stable below (1 + λ_min(W)) / L"),
			}},
		Problem: singleProblem,
		Updates: `x¹ = W x⁰ - alpha ∇f(x⁰);  V = (I + W)/2
x^{k+1} = (I + W) x^k - V x^{k-1} - alpha (∇f(x^k) - ∇f(x^{k-1}))`,
		Cost: "rounds: 1; elements a node broadcasts: p, a vector; oracle calls a node: 1 grad_f",
		Source: "Shi, Ling, Wu, Yin: EXTRA: An exact first-order algorithm for decentralized consensus " +
			"optimization. SIAM Journal on Optimization 25, 2015",
		Iterations: "outer",
		New:        method[algorithms.EXTRA](nil),
	}
}

// method returns the New of a method whose fields are named as its keys. The keys that mean
// something else are read by adjust.
func method[M algorithms.Method](adjust func(a keys.Args, m *M),
	read ...string) func(keys.Args) (algorithms.Method, error) {
	read = append(read, "name", "label", "tune", "at")
	return func(a keys.Args) (algorithms.Method, error) {
		var m M
		for _, key := range a.Fill(&m) {
			if !slices.Contains(read, key) {
				panic(fmt.Sprintf("catalog: %T has no field for the key %s", m, key))
			}
		}
		if adjust != nil {
			adjust(a, &m)
		}
		return m, nil
	}
}
