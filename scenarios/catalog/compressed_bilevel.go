package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// The bilevel methods that are made for compressed messages.

func c2DFBEntry() AlgorithmEntry {
	mixing := func(name, of string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Float, Default: 0.5, Example: "0.3", Range: keys.AboveUpTo(0, 1), About: of}
	}
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "c2dfb", Label: "C2DFB",
			Summary: "fully first-order: a penalized problem, whose inner loops mix by compressed differences",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "steps of y and z per outer iteration, the paper's K"),
				{Name: "lambda", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
					About: "the penalty; the limit is O(1/lambda) from the optimum"},
				stepParam("eta_x", "the step of x"),
				{Name: "eta_y", Kind: keys.Float, Required: true, Example: "0.002", Range: keys.Above(0),
					About: "the step of y; its direction grows like lambda, so it is about 1/(lambda L)"},
				stepParam("eta_z", "the step of z, about 1 / L"),
				mixing("gamma_x", "the mixing step of x and its tracker, which are not compressed"),
				mixing("gamma_d", "the mixing step of y, z and their trackers; the coarser the compression, the smaller"),
			}},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer:
  x_i <- x_i + gamma_x (Σ_j w_ij x_j - x_i) - eta_x s^x_i
  inner times, for d = y and z, with r_y = f_i + lambda g_i and r_z = g_i, s^d being ∇_d r_d at first:
    d_i <- d_i + gamma_d (Σ_j w_ij ^d_j - ^d_i) - eta_d s^d_i
    s^d_i <- s^d_i + gamma_d (Σ_j w_ij ^s^d_j - ^s^d_i) + ∇_d r_d(x_i, d_i) - its last value
    ^d_i <- ^d_i + C(d_i - ^d_i);  ^s^d_i <- ^s^d_i + C(s^d_i - ^s^d_i)
  u_i = ∇_x f_i(x_i, y_i) + lambda (∇_x g_i(x_i, y_i) - ∇_x g_i(x_i, z_i))
  s^x_i <- s^x_i + gamma_x (Σ_j w_ij s^x_j - s^x_i) + u_i - its last value
C is what wire.compress says; x and s^x are sent as they are.`,
		Cost: `rounds: inner + 1
elements a node broadcasts: 4 inner q, vectors, in as many bytes as wire says; 2 p, vectors, 8 bytes each where wire compresses
oracle calls a node: inner + 1 grad_f, 2 inner + 2 grad_g; at the start 2 grad_f, 4 grad_g`,
		Source: "Wen, Liu, Abdelmoniem, Zhou, Xu: A Communication and Computation Efficient Fully First-order Method " +
			"for Decentralized Bilevel Optimization. arXiv 2410.14115",
		Departures: fromDescription + ` Open is how an inner loop begins: here y, z, their trackers and all reference points go on from the last iteration, and reference points start at 0.
The two loops run side by side: y, z and their trackers travel in one message, x and its tracker in another.`,
		Iterations: "outer",
		New:        method[algorithms.C2DFB](nil),
	}
}

// cSOBA is what the family of C-SOBA has in common; more are the parameters that a member has of its own.
func cSOBA(entry keys.Entry, more []keys.Param, updates, wire string) AlgorithmEntry {
	entry.Params = append([]keys.Param{
		outerParam(), stepParam("alpha", "the step of x"), stepParam("beta", "the step of y; stable below 2 / L"),
		stepParam("gamma", "the step of z; stable below 2 / L"),
	}, more...)
	entry.Params = append(entry.Params,
		keys.Param{Name: "clip", Kind: keys.Float, Example: "100", Range: keys.Above(0),
			About: "the largest length of z, the paper's ρ; unlimited by default"}, batchParam())
	return AlgorithmEntry{
		Entry:   entry,
		Problem: globalProblem,
		Updates: `for k = 1 ... outer, all derivatives of client i at the old point, mean being over the clients:
  D_y = ∇_y g_i,  D_z = ∇²_yy g_i z + ∇_y f_i,  D_x = ∇_x f_i + ∇²_xy g_i z
` + updates + `
z tends to -H⁻¹ ∇_y f. C is what wire.compress says; what the server sends down is not compressed. ` + wire,
		Cost: onAServer + `
rounds: 1
elements a client sends up: p + 2 q, vectors, in as many bytes as wire says; the server down as many, 8 bytes each where wire compresses
oracle calls a client: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp`,
		Source: "He, Hu, Huang, Lu, Wang, Yuan: Distributed Bilevel Optimization with Communication Compression. " +
			"ICML 2024; arXiv 2405.18858",
		Iterations: "outer",
		New:        method[algorithms.CSOBA](nil),
	}
}

// unbiasedWire and serverSends are said of the family.
const (
	unbiasedWire = "It needs unbiased messages, such as wire: {compress: qsgd, levels: 4, unbiased: true, memory: " +
		"none, " +
		"direction: up}."
	serverSends = " The paper's server sends the new x, y and z, as many numbers as the three means that it sends here."
	oldMomentum = " The paper leaves open whether x takes the old h, as here, or the new one."
)

func thetaParam() keys.Param {
	return weightParam("theta", "the weight of the new direction of x in its moving average")
}

func cSOBAEntry() AlgorithmEntry {
	e := cSOBA(keys.Entry{Name: "c-soba", Label: "C-SOBA",
		Summary: "SOBA on a star whose clients send compressed directions"},
		nil, `  ^D = mean C(D), for each of the three
  y <- y - beta ^D_y,  z <- clip(z - gamma ^D_z),  x <- x - alpha ^D_x`, unbiasedWire)
	e.Departures = fromDescription + serverSends
	return e
}

func cmSOBAEntry() AlgorithmEntry {
	e := cSOBA(keys.Entry{Name: "cm-soba", Label: "CM-SOBA",
		Summary: "C-SOBA with a moving average of the direction of x"},
		[]keys.Param{thetaParam()}, `  ^D = mean C(D), for each of the three
  y <- y - beta ^D_y,  z <- clip(z - gamma ^D_z),  x <- x - alpha h,  h <- (1 - theta) h + theta ^D_x,  h = 0 at first`,
		unbiasedWire)
	e.Departures = fromDescription + oldMomentum + serverSends
	return e
}

func efSOBAEntry() AlgorithmEntry {
	e := cSOBA(keys.Entry{Name: "ef-soba", Label: "EF-SOBA",
		Summary: "C-SOBA with a moving average and error feedback: its limit is exact"},
		[]keys.Param{thetaParam(), {Name: "delta", Kind: keys.Float, Default: 1.0, Example: "0.5",
			Range: keys.AboveUpTo(0, 1),
			About: "the step of the memories: 1 where compression shrinks, 1 / (1 + ω) where it is unbiased with " +
				"relative variance ω"}},
		`  c_i = C(D - m_i),  m_i <- m_i + delta c_i;  ^D = m + mean c_i,  m <- m + delta mean c_i, for each of the three
  y <- y - beta ^D_y,  z <- clip(z - gamma ^D_z),  x <- x - alpha h,  h <- (1 - theta) h + theta ^D_x
m_i, m and h are 0 at first.`, "It takes any compression with memory: none, direction: up.")
	e.Departures = fromDescription + oldMomentum + " The paper also leaves open whether the direction of x is " +
		"averaged before it is compressed; here it is averaged after." + serverSends
	return e
}
