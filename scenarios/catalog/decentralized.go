package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// decentralizedAlgorithms are the bilevel methods for networks, except the three of the
// main table; those for a star with a server are in catalog_server.go.
func decentralizedAlgorithms() []AlgorithmEntry {
	return []AlgorithmEntry{
		dbogtEntry(), dsboEntry(), maDBOEntry(),
		lPDBOEntry(), spdbEntry(), interactEntry(), prometheusEntry(), mdboEntry(), vrdboEntry(),
		sldboEntry(), dSOBAEntry(), sparkleEntry(), penaltyGTEntry(),
	}
}

// fromDescription is said of methods whose algorithm boxes were not available.
const fromDescription = "Written from the published description, not from the paper's box."

func batchParam() keys.Param {
	return keys.Param{Name: "batch", Kind: keys.Int, Default: 0, Example: "32", Range: keys.AtLeast(0),
		About: "samples of each derivative; 0 is all of a node's"}
}

func weightParam(name, of string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Required: true, Example: "0.5", Range: keys.AboveUpTo(0, 1),
		About: of}
}

// withDefault makes a parameter optional.
func withDefault(p keys.Param, value any, source string) keys.Param {
	p.Required, p.Default, p.Source = false, value, source
	return p
}

func lipschitzParam(of string) keys.Param {
	return keys.Param{Name: "lipschitz", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
		About: "L, an upper bound of the largest eigenvalue of " + of + "; the series diverges below half of it"}
}

func neumannParam() keys.Param {
	return countParam("neumann", 0, "5",
		"products of the Neumann series, which has one term more; about κ log(1/accuracy) make it exact")
}

// trackedStable is where tracked steps on nodes with one Hessian are stable, and plainStable where
// untracked ones are.
const (
	trackedStable = "stable below (1 + λ_min(W))² / (2 L)"
	plainStable   = "stable below (1 + λ_min(W)) / L"
)

// dboParams are those of DBO, DBOGT and DSBO, whose steps are described by etaY and gamma.
func dboParams(etaY, gamma string) []keys.Param {
	return []keys.Param{
		outerParam(),
		countParam("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
		countParam("jhip", 1, "20", "the paper's N. heterogeneous: steps of the Jacobian-Hessian-inverse product; "+
			"homogeneous: products with a node's own Hessian"),
		stepParam("eta_x", "the step of x"),
		stepParam("eta_y", etaY),
		{Name: "mode", Kind: keys.Enum, Default: "heterogeneous", Enum: []string{"heterogeneous", "homogeneous"},
			About: "heterogeneous: nodes have different g_i and solve the inner problem together; homogeneous: each " +
				"solves its own and sends x only"},
		{Name: "gamma", Kind: keys.Float, Example: "0.1", Range: keys.Above(0),
			About:  gamma + "; by default eta_y",
			Source: "Chen et al. set both to 0.01"},
	}
}

// trackedDBOParams are those of DBO and DBOGT.
func trackedDBOParams() []keys.Param {
	params := dboParams("the step of y; heterogeneous: "+trackedStable+"; homogeneous: below 2 / L",
		"the step of JHIP, "+trackedStable)
	params[len(params)-1].Only = "mode: heterogeneous" // conjugate gradients have no step
	return params
}

// sampledDBOParams are those of DSBO.
func sampledDBOParams() []keys.Param {
	return append(dboParams(
		"heterogeneous: the first step of y, step t is eta_y / (1 + t); a constant one would be "+plainStable+
			"; homogeneous: every step of y, stable below 2 / L",
		"heterogeneous: the first step of JHIP, step t is gamma / (1 + t); a constant one would be "+trackedStable+
			", as JHIP is tracked; homogeneous: the step of v, stable below 2 / L"), batchParam())
}

// gammaOrEtaY sets gamma to eta_y if it is left out.
func gammaOrEtaY(gamma *float64, etaY float64) {
	if *gamma == 0 {
		*gamma = etaY
	}
}

const dboSource = "Chen, Huang, Ma: Decentralized bilevel optimization. Optimization Letters; arXiv 2206.05670"

func dbogtEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "dbogt", Summary: "DBO with gradient tracking of x too, so nodes agree on x",
			Params: trackedDBOParams()},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer:
  y_i and the estimate d_i of the hypergradient as in dbo, in both modes
  u_i <- Σ_j w_ij u_j + d_i - d_i of the iteration before   (u_i = d_i in the first)
  x_i <- Σ_j w_ij x_j - eta_x u_i`,
		Cost: `heterogeneous:
rounds: inner + jhip (x and u travel with the first y)
elements a node broadcasts: 2 p + 2 inner q, vectors; 2 jhip p q, matrices
oracle calls a node: inner grad_g, 2 grad_f, (jhip - 1) p hvp, 1 jacobian
homogeneous:
rounds: 1; elements: 2 p, vectors; oracle calls: inner grad_g, 2 grad_f, at most jhip + 1 hvp, 1 jvp`,
		Source: dboSource,
		Departures: `As for dbo. u is sent in the first iteration too, although it is still 0 then: the numbers are the same, and so is every iteration's cost.
With restarted inner trackers the limit keeps a bias that decays geometrically in inner and jhip.`,
		Iterations: "outer",
		New:        method(func(_ keys.Args, m *algorithms.DBOGT) { gammaOrEtaY(&m.Gamma, m.EtaY) }),
	}
}

func dsboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "dsbo",
			Summary: "stochastic DBO: inner steps without trackers, sampled JHIP or Neumann series",
			Params:  sampledDBOParams()},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer, with fresh samples in each step:
heterogeneous:
  for t = 0 ... inner-1:  y_i <- Σ_j w_ij y_j - eta_y/(1+t) ∇_y g_i
  Z_i by JHIP as in dbo, with steps gamma/(1+t) and sampled H and J
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - Z_i' ∇_y f_i)
homogeneous:
  inner times:  y_i <- y_i - eta_y ∇_y g_i
  v = 0;  jhip times:  v <- (I - gamma ∇²_yy g_i) v + gamma ∇_y f_i
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - ∇²_xy g_i v)`,
		Cost: `heterogeneous:
rounds: inner + jhip (x travels with the first y)
elements a node broadcasts: p + inner q, vectors; 2 jhip p q, matrices
oracle calls a node: inner grad_g, 2 grad_f, (jhip - 1) p hvp, jhip jacobians
homogeneous:
rounds: 1; elements: p, vectors; oracle calls: inner grad_g, 2 grad_f, jhip hvp, 1 jvp`,
		Source: dboSource,
		Departures: `The paper asks for heterogeneous steps of the order 1/t (Theorem 3.3); they are eta/(1+t) here.
Homogeneous steps of y are constant there, of the order outer^(-1/2), and constant here.
x is sent with the first y.`,
		Iterations: "outer",
		New:        method(func(_ keys.Args, m *algorithms.DSBO) { gammaOrEtaY(&m.Gamma, m.EtaY) }),
	}
}

func maDBOEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "ma-dbo",
			Summary: "a moving average of hypergradients by tracked Hessian-inverse-gradient products: vectors only",
			Aliases: []keys.Alias{{Name: "ma-dsbo", Label: "MA-DSBO", Summary: "its stochastic form: give it a batch"}},
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
				countParam("higp", 1, "10", "steps of the Hessian-inverse-gradient product, the paper's N"),
				stepParam("alpha", "the step of x"),
				stepParam("eta_y", "the step of y; "+plainStable+"; with tracking "+trackedStable),
				stepParam("gamma", "the step of HIGP, which is tracked; "+trackedStable),
				weightParam("theta", "the weight of the new hypergradient in the moving average"),
				{Name: "tracking", Kind: keys.Bool, Default: false,
					About: "inner steps by gradient tracking; false: plain ones, which send half as much and " +
						"keep a bias",
					Source: "the paper's algorithm box was not available; others call the tracked form MA-DSBO-GT"},
				batchParam(),
			}},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer:
  inner times:  y_i <- Σ_j w_ij y_j - eta_y ∇_y g_i
      (tracking: true:  y_i⁺ = Σ_j w_ij y_j - eta_y v_i, v_i tracking ∇_y g_i, from v_i = ∇_y g_i)
  s_i = ∇²_yy g_i z_i - ∇_y f_i;  d_i = s_i
  higp times:  z_i⁺ = Σ_j w_ij z_j - gamma d_i,  d_i <- Σ_j w_ij d_j + s_i⁺ - s_i
  x_i⁺ = Σ_j w_ij x_j - alpha m_i
  m_i <- (1 - theta) m_i + theta (∇_x f_i - ∇²_xy g_i z_i), at the old x_i`,
		Cost: `rounds: inner + higp (x travels with the first y)
elements a node broadcasts: p + (inner + 2 higp) q, vectors; p + 2 (inner + higp) q with tracking
oracle calls a node: inner grad_g, 2 grad_f, higp hvp, 1 jvp`,
		Source: "Chen, Huang, Ma, Balasubramanian: Decentralized Stochastic Bilevel Optimization with Improved " +
			"per-Iteration Complexity. ICML 2023; arXiv 2210.12839",
		Departures: fromDescription + ` Whether the inner steps are tracked is not certain. Zhu, Kong, Lu, Huang, Yuan (SPARKLE) compare with a form that they name MA-DSBO-GT, so that plain steps are the default.
x uses the old average m, which starts at 0; z is kept, the trackers restart in each outer iteration; x is sent with the first y.`,
		Iterations: "outer",
		New:        method(func(a keys.Args, m *algorithms.MADBO) { m.Plain = !a.Bool("tracking") }, "tracking"),
	}
}

func mdboParams() []keys.Param {
	return []keys.Param{
		outerParam(),
		stepParam("alpha_1", "the weight of the new hypergradient: times eta (mdbo) or eta² (vrdbo), together "+
			"at most 1"),
		stepParam("alpha_2", "the same for ∇_y g"),
		stepParam("beta_1", "the step of x is eta beta_1"),
		stepParam("beta_2", "the step of y is eta beta_2"),
		weightParam("eta", "how far x and y move towards the new point"),
		neumannParam(), lipschitzParam("the inner Hessians"), batchParam(),
	}
}

const (
	homogeneousOnly = " The inverse is the node's own, so the limit is right only if all nodes have the same " +
		"inner problem; otherwise they agree on a wrong point"
	mdboSource = "Gao, Gu, Thai: On the Convergence of Distributed Stochastic Bilevel Optimization Algorithms " +
		"over a Network. AISTATS 2023; arXiv 2206.15025"
	mdboDepartures = fromDescription + `
The series is summed in full instead of cut at random: less variance for the same expectation, and a known cost.`
)

// momentumAtMostOne checks that the weights of new derivatives are weights.
func momentumAtMostOne(scale func(eta float64) float64) func(a keys.Args) *keys.ParamError {
	return func(a keys.Args) *keys.ParamError {
		for _, name := range []string{"alpha_1", "alpha_2"} {
			if a.Float(name)*scale(a.Float("eta")) > 1 {
				return &keys.ParamError{Param: name,
					Message: "the weight that it gives the new derivative, with eta, is above 1",
					Hint:    "take a smaller " + name + " or eta"}
			}
		}
		return nil
	}
}

func mdboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "mdbo",
			Summary: "momentum and tracking of local hypergradients, for nodes with one inner problem",
			Params:  mdboParams(),
			Check:   momentumAtMostOne(func(eta float64) float64 { return eta })},
		Problem: globalProblem + "." + homogeneousOnly,
		Updates: `d_i = ∇_x f_i - ∇²_xy g_i (1/L) Σ_{s=0..neumann} (I - ∇²_yy g_i / L)^s ∇_y f_i
u_i = s_i = d_i, v_i = t_i = ∇_y g_i;  for k = 1 ... outer:
  x_i⁺ = x_i + eta (Σ_j w_ij x_j - beta_1 s_i - x_i)
  y_i⁺ = y_i + eta (Σ_j w_ij y_j - beta_2 t_i - y_i)
  u_i⁺ = (1 - alpha_1 eta) u_i + alpha_1 eta d_i⁺;  v_i⁺ = (1 - alpha_2 eta) v_i + alpha_2 eta ∇_y g_i⁺
  s_i <- Σ_j w_ij s_j + u_i⁺ - u_i;  t_i <- Σ_j w_ij t_j + v_i⁺ - v_i`,
		Cost: `rounds: 1
elements a node broadcasts: 2 (p + q), vectors
oracle calls a node: 1 grad_g, 2 grad_f, neumann hvp, 1 jvp; the same at the start`,
		Source: mdboSource, Departures: mdboDepartures, Iterations: "outer",
		New: method[algorithms.MDBO](nil),
	}
}

func vrdboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "vrdbo",
			Summary: "MDBO with variance reduction (STORM), for nodes with one inner problem", Params: mdboParams(),
			Check: momentumAtMostOne(func(eta float64) float64 { return eta * eta })},
		Problem: globalProblem + "." + homogeneousOnly,
		Updates: `as mdbo, but with the derivatives at the old and the new point on the same samples:
  u_i⁺ = (1 - alpha_1 eta²) (u_i - d_i) + d_i⁺
  v_i⁺ = (1 - alpha_2 eta²) (v_i - ∇_y g_i) + ∇_y g_i⁺`,
		Cost: `rounds: 1
elements a node broadcasts: 2 (p + q), vectors
oracle calls a node: 2 grad_g, 4 grad_f, 2 neumann hvp, 2 jvp; half of that at the start`,
		Source: mdboSource, Departures: mdboDepartures, Iterations: "outer",
		New: method[algorithms.VRDBO](nil),
	}
}

func sldboEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "sldbo",
			Summary: "single loop: x, y and the solution of the linear system move together, all tracked; exact",
			Params: []keys.Param{
				outerParam(),
				stepParam("alpha", "the step of x"),
				stepParam("beta", "the step of y; "+trackedStable),
				stepParam("eta", "the step of v; "+trackedStable),
				{Name: "radius", Kind: keys.Float, Default: 0.0, Example: "10", Range: keys.AtLeast(0),
					About: "of the ball that v is projected on, at least the size of ∇_y f over the least " +
						"eigenvalue of " +
						"H; 0: no projection"},
			}},
		Problem: globalProblem,
		Updates: `t = the directions at the start;  for k = 1 ... outer:
  y_i⁺ = Σ_j w_ij y_j - beta t_i^y;  x_i⁺ = Σ_j w_ij x_j - alpha t_i^x
  v_i⁺ = projection of Σ_j w_ij v_j - eta t_i^v
  t_i <- Σ_j w_ij t_j + direction⁺ - direction, the directions being
  ∇_y g_i,  ∇²_yy g_i v_i - ∇_y f_i,  ∇_x f_i - ∇²_xy g_i v_i`,
		Cost: `rounds: 1
elements a node broadcasts: 2 p + 4 q, vectors
oracle calls a node: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp; the same at the start`,
		Source: "Dong, Ma, Yang, Yin: A Single-Loop Algorithm for Decentralized Bilevel Optimization. " +
			"Mathematics of Operations Research 2025; arXiv 2311.08945",
		Departures: fromDescription + " The projection comes after mixing; v starts at 0.",
		Iterations: "outer",
		New:        method[algorithms.SLDBO](nil),
	}
}

func dSOBAEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "d-soba", Label: "D-SOBA",
			Summary: "single loop without trackers: each node mixes what its neighbours have already moved",
			Aliases: []keys.Alias{
				{Name: "d-soba-so", Label: "D-SOBA-SO", Summary: "with products of Hessian and Jacobian",
					Preset: []keys.Preset{{Param: "order", Value: "second"}}},
				{Name: "d-soba-fo", Label: "D-SOBA-FO", Summary: "with differences of gradients",
					Preset: []keys.Preset{{Param: "order", Value: "first"}}},
			},
			Params: []keys.Param{
				outerParam(),
				stepParam("alpha", "the step of x"),
				stepParam("beta", "the step of y; stable below 2/L"),
				stepParam("gamma", "the step of z; stable below 2/L"),
				weightParam("theta", "the weight of the new hypergradient in the moving average"),
				{Name: "order", Kind: keys.Enum, Default: "second", Enum: []string{"second", "first"},
					About: "of the derivatives of g: products, or differences of gradients"},
				{Name: "delta", Kind: keys.Float, Default: 1e-3, Only: "order: first", Example: "1e-3",
					Range: keys.Above(0), About: "the gradients are taken at y ± delta z",
					Source: "none: error of the order delta² |z|³, rounding 1e-16 / delta"},
				batchParam(),
			}},
		Problem: globalProblem,
		Updates: `z = h = 0;  for k = 1 ... outer, everything at the old point:
  y_i <- Σ_j w_ij (y_j - beta ∇_y g_j)
  z_i <- Σ_j w_ij (z_j - gamma (∇²_yy g_j z_j - ∇_y f_j))
  x_i <- Σ_j w_ij (x_j - alpha h_j)
  h_i <- (1 - theta) h_i + theta (∇_x f_i - ∇²_xy g_i z_i)
order: first takes (∇_y g(x, y + delta z) - ∇_y g(x, y - delta z)) / (2 delta) for ∇²_yy g z,
and the same with ∇_x g for ∇²_xy g z`,
		Cost: `rounds: 1
elements a node broadcasts: p + 2 q, vectors
oracle calls a node: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp; with order: first, 5 grad_g and 2 grad_f`,
		Source: "Kong, Zhu, Lu, Huang, Yuan: Decentralized Bilevel Optimization: A Perspective from Transient " +
			"Iteration Complexity. Journal of Machine Learning Research 26, 2025; arXiv 2402.03167",
		Departures: fromDescription + " h takes the old z; the differences are central.",
		Iterations: "outer",
		New:        method[algorithms.DSOBA](nil),
	}
}

func penaltyGTEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "penalty-gt", Label: "Penalty-GT",
			Summary: "fully first-order: gradient tracking on a penalized problem, no second derivative",
			Params: []keys.Param{
				outerParam(),
				{Name: "lambda", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
					About: "the penalty; the limit is O(1/lambda) from the optimum"},
				stepParam("eta_x", "the step of x"),
				{Name: "eta_y", Kind: keys.Float, Required: true, Example: "0.002", Range: keys.Above(0),
					About: "the step of y; its direction grows like lambda, so it is about 1/(lambda L)"},
				{Name: "eta_z", Kind: keys.Float, Required: true, Example: "0.002", Range: keys.Above(0),
					About: "the step of z; likewise"},
				batchParam(),
			}},
		Problem: globalProblem,
		Updates: `z = y, t = the directions at the start;  for k = 1 ... outer and each s of x, y, z:
  s_i⁺ = Σ_j w_ij s_j - eta_s t_i^s;  t_i^s <- Σ_j w_ij t_j^s + direction⁺ - direction, the directions being
  ∇_x f_i(x, y) + lambda (∇_x g_i(x, y) - ∇_x g_i(x, z)),
  ∇_y f_i(x, y) + lambda ∇_y g_i(x, y),  lambda ∇_y g_i(x, z)`,
		Cost: `rounds: 1
elements a node broadcasts: 2 p + 4 q, vectors
oracle calls a node: 4 grad_g, 2 grad_f; the same at the start`,
		Source: "the common part of Wang, Chen, Ma, Zhang: Fully First-Order Methods for Decentralized Bilevel " +
			"Optimization (DSGDA-GT), arXiv 2410.19319, and its relatives; the penalty of Kwon, Kwon, Wright, " +
			"Nowak, ICML 2023",
		Departures: "Written from the published descriptions, not from one paper's box. x, y and z move at once; z " +
			"starts at y; lambda is fixed.",
		Iterations: "outer",
		New:        method[algorithms.PenaltyGT](nil),
	}
}
