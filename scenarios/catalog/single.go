package catalog

import (
	"fmt"

	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// oneNodeAlgorithms are the methods that do not communicate.
func oneNodeAlgorithms() []AlgorithmEntry {
	return append([]AlgorithmEntry{
		aidEntry(), aidFPEntry(), aidCGEntry(), itdEntry(), reverseEntry(), baEntry(), bsaEntry(),
		stocbioEntry(), vrboEntry(), mrboEntry(), amigoEntry(), accbioEntry(), sobaEntry(), sabaEntry(),
	}, firstOrderAlgorithms()...)
}

const (
	oneNodeProblem = "min over x of f(x, y*(x)), y*(x) = argmin over y of g(x, y), on one node: topology {kind: " +
		"complete, nodes: 1}"

	sourceLoops = "Ji, Liu, Liang, Ying: Will Bilevel Optimizers Benefit from Loops. NeurIPS 2022; arXiv " +
		"2205.14224"
	sourceHypertorch = "Grazzi, Franceschi, Pontil, Salzo: On the iteration complexity of hypergradient " +
		"computation. ICML 2020"
	sourceFaster = "Yang, Ji, Liang: Provably faster algorithms for bilevel optimization. NeurIPS 2021; and " +
		"its public program"
	sourceSOBA = "Dagréou, Ablin, Vaiter, Moreau: A framework for bilevel optimization that enables " +
		"stochastic and global variance reduction algorithms. NeurIPS 2022"
	stepOfY         = "the step of y; stable below 2 / L, L the largest eigenvalue of the inner Hessian"
	stepOfSystem    = "the step of the linear system or series; below 2 / L"
	numberOfInner   = "y-steps per outer iteration"
	noCommunication = "rounds: none\n"
	oneNodeOrStar   = oneNodeProblem +
		"; or on a star with a server, {kind: star, nodes: ..., center: server}, where f and g are means over " +
		"the clients"
	implicitOnStar = "\non one node no rounds; on a star each derivative goes up and its mean down, ∇_x f - J v " +
		"as one vector:\n"
	implicitDirection = "x <- x - beta (∇_x f - J v)"
)

func exponentParam(name, of, paper string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Default: 0.0, Example: paper, Range: keys.AtLeast(0),
		About: of, Source: "0 keeps it constant; the paper has " + paper}
}

func optionalFloat(name string, value float64, r keys.Range, about, source string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Default: value, Example: keys.FormatFloat(value), Range: r,
		About: about, Source: source}
}

// optimizerParam chooses how x moves along its direction.
func optimizerParam() keys.Param {
	return keys.Param{Name: "optimizer", Kind: keys.Enum, Default: "gd", Enum: []string{"gd", "adam"}, Example: "adam",
		About: "how x moves along its direction: gradient steps, or Adam steps with the step beta and decays 0.9 " +
			"and 0.999", Source: "the papers analyze gradient steps; the programs of Grazzi et al. use Adam"}
}

func movesByAdam(a keys.Args) bool { return a.String("optimizer") == "adam" }

func seriesParam() keys.Param {
	return countParam("q", 0, "10", "factors of the Neumann series, which has one more term")
}

func aidEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "aid", Label: "AID-BiO",
			Summary: "approximate implicit differentiation; the loop variants are choices of inner and q",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "y-steps per outer iteration, the paper's N"),
				countParam("q", 1, "10", "steps of the linear solver, the paper's Q"),
				{Name: "solve", Kind: keys.Enum, Default: "gd", Enum: []string{"gd", "cg", "neumann"},
					About:  "the linear solver: gradient descent, conjugate gradients, or the Neumann series",
					Source: "gradient descent is the one that Ji et al. analyze"},
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				{Name: "eta", Kind: keys.Float, Example: "0.1", Range: keys.Above(0),
					About:  stepOfSystem + "; by default alpha; not used by cg",
					Source: "Ji et al. take both as 1 / L, and a smaller eta without loops"},
				{Name: "warm", Kind: keys.Bool, Default: true,
					About:  "whether v starts at the last one or at 0; the series always starts from scratch",
					Source: "Theorem 1 of Ji et al. is for a warm start, Theorem 2 for 0"},
				{Name: "cg_tolerance", Kind: keys.Float, Default: 1e-10, Only: "solve: cg", Example: "1e-10",
					Range: keys.FromBelow(0, 1), About: "the relative residual at which conjugate gradients stop " +
						"before q"},
				optimizerParam(),
			},
			Check: func(a keys.Args) *keys.ParamError {
				switch solve := a.String("solve"); {
				case solve == "neumann" && a.Given("warm") && a.Bool("warm"):
					return &keys.ParamError{Param: "warm",
						Message: "the Neumann series always starts from scratch", Hint: "leave warm out, or take solve: gd"}
				case solve == "cg" && a.Given("eta"):
					return &keys.ParamError{Param: "eta",
						Message: "conjugate gradients have no step", Hint: "leave eta out, or take solve: gd"}
				}
				return nil
			}},
		Problem: oneNodeOrStar,
		Updates: `H = ∇²_yy g, J = ∇²_xy g;  for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y)
  gd:       q times  v <- v - eta (H v - ∇_y f), from the last v (warm) or from 0
  cg:       q steps of conjugate gradients on H v = ∇_y f, from the last v (warm) or from 0
  neumann:  v = eta Σ_{s = 0 ... q} (I - eta H)^s ∇_y f
  ` + implicitDirection + `
The four loop variants of Ji et al., κ = L / μ, all with solve: gd:
  N-Q-loop  inner and q of the order κ log κ:      MV and Gc of the order κ⁴ / ε
  N-loop    inner of that order, q constant:       MV κ⁴ / ε, Gc κ⁵ / ε
  Q-loop    inner 1, q of that order:              MV κ⁶ / ε, Gc κ⁵ / ε
  no-loop   inner 1, q 1 or constant:              MV and Gc κ⁶ / ε`,
		Cost: `oracle calls: inner grad_g, 2 grad_f, q hvp, 1 jvp; with cg at most q hvp, and 1 more if warm
the paper's count: Gc = K (inner + 2) gradients, MV = K (q + 1) products` + implicitOnStar + `inner + q + 2 rounds; elements up and down: (inner + q + 1) dim y + dim x, vectors; not with cg`,
		Source: sourceLoops + ", Algorithm 1; Ji, Yang, Liang: Bilevel optimization: convergence analysis and " +
			"enhanced design. ICML 2021",
		Departures: "Conjugate gradients, the Neumann series and Adam steps of x are additions to the paper's gradient " +
			"descent. " +
			"v starts at 0; Algorithm 1 leaves v_0 open.",
		Iterations: "outer",
		New: method(func(a keys.Args, m *algorithms.AID) {
			m.Adam = movesByAdam(a)
			if m.Eta == 0 {
				m.Eta = m.Alpha
			}
			m.Warm = m.Warm && m.Solve != algorithms.SolveNeumann
		}, "optimizer"),
	}
}

func aidFPEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "aid-fp", Summary: "implicit differentiation by a fixed-point iteration from 0",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", numberOfInner),
				countParam("q", 1, "10", "steps of the fixed-point iteration"),
				stepParam("alpha", stepOfY+"; it scales the fixed-point map too"),
				stepParam("beta", "the step of x"),
			}},
		Problem: oneNodeOrStar,
		Updates: `the map Ψ(y) = y - alpha ∇_y g(x, y) has the derivatives I - alpha H and -alpha J;  for k = 1 ... outer:
  inner times:  y <- Ψ(y)
  w = 0;  q times:  w <- (I - alpha H) w + ∇_y f
  x <- x - beta (∇_x f - alpha J w)
It is aid with solve: gd, eta: alpha, warm: false, whose v is alpha w.`,
		Cost:       "oracle calls: inner grad_g, 2 grad_f, q hvp, 1 jvp" + implicitOnStar + "as aid",
		Source:     sourceHypertorch + "; and its public program",
		Departures: "y goes on from the last one in each outer iteration.",
		Iterations: "outer",
		New:        method(func(_ keys.Args, m *algorithms.AID) { m.Solve, m.Eta = algorithms.SolveGD, m.Alpha }),
	}
}

func aidCGEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "aid-cg", Summary: "implicit differentiation by conjugate gradients from 0",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", numberOfInner),
				countParam("q", 1, "10", "the most steps of conjugate gradients"),
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				optionalFloat("cg_tolerance", 1e-10, keys.FromBelow(0, 1),
					"the relative residual at which conjugate gradients stop before q",
					"the authors' program has such a tolerance"),
			}},
		Problem: oneNodeProblem,
		Updates: `for k = 1 ... outer:
  inner times:  y <- y - alpha ∇_y g(x, y)
  v = 0;  q steps of conjugate gradients on H v = ∇_y f
  ` + implicitDirection + `
On the fixed-point map with step a, (I - ∂Ψ) w = ∇_y f is a H w = ∇_y f, and a J w = J v.
It is aid with solve: cg, warm: false.`,
		Cost:       noCommunication + "oracle calls: inner grad_g, 2 grad_f, at most q hvp, 1 jvp",
		Source:     sourceHypertorch + "; and its public program",
		Departures: "y goes on from the last one in each outer iteration.",
		Iterations: "outer",
		New:        method(func(_ keys.Args, m *algorithms.AID) { m.Solve = algorithms.SolveCG }),
	}
}

const itdUpdates = `y⁰ = %s;  for k = 1 ... outer:
  y^{t+1} = y^t - alpha ∇_y g(x, y^t),  t = 0 ... inner - 1
  l = ∇_y f(x, y^inner), s = 0;  for t = inner - 1 ... %s:
    s <- s + J(x, y^t) l,  l <- (I - alpha H(x, y^t)) l
  x <- x - beta (∇_x f(x, y^inner) - alpha s)`

func itdEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "itd", Label: "ITD-BiO",
			Summary: "iterative differentiation: backpropagation through the inner steps, from the last y",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "y-steps per outer iteration, the paper's N"),
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				optimizerParam(),
			}},
		Problem: oneNodeProblem,
		Updates: fmt.Sprintf(itdUpdates, "the last y, taken as a constant", "0") + `
The two loop variants of Ji et al., κ = L / μ:
  N-N-loop  inner of the order κ log(κ/ε):  MV and Gc of the order κ⁴ / ε
  no-loop   inner 1 or constant:            a bias remains, however many iterations are made`,
		Cost: noCommunication + `oracle calls: inner grad_g, 2 grad_f, inner jvp, inner - 1 hvp
the paper's count: Gc = K (inner + 2) gradients, MV = 2 K inner products`,
		Source: sourceLoops + ", Algorithm 2",
		Departures: "The last product with H is not needed, so it is left out: MV is K (2 inner - 1). Adam steps of x " +
			"are " +
			"an addition to the paper's gradient steps.",
		Iterations: "outer",
		New:        method(func(a keys.Args, m *algorithms.ITD) { m.Adam = movesByAdam(a) }, "optimizer"),
	}
}

func reverseEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "reverse", Label: "Reverse-mode ITD",
			Summary: "reverse-mode differentiation of the inner steps, which start over, or of the last of them",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", numberOfInner),
				{Name: "back", Kind: keys.Int, Default: 0, Example: "5", Range: keys.Between(0, 1e6),
					About: "how many steps are differentiated, from the last one back; 0 is all"},
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				{Name: "warm", Kind: keys.Bool, Default: false,
					About: "whether y⁰ is the last y, or the starting point in each outer iteration"},
				optimizerParam(),
			}, Check: func(a keys.Args) *keys.ParamError {
				if back, inner := a.Int("back"), a.Int("inner"); back > inner {
					return &keys.ParamError{Param: "back",
						Message: fmt.Sprintf("%d steps cannot be differentiated if inner is %d", back, inner),
						Hint:    "0 is all of them"}
				}
				return nil
			}},
		Problem: oneNodeProblem,
		Updates: fmt.Sprintf(itdUpdates, "the starting point, or the last y (warm)", "inner - back") + `
From the starting point and with all steps, it is gradient descent on f(x, y^inner(x)).`,
		Cost:       noCommunication + "oracle calls: inner grad_g, 2 grad_f, back jvp, back - 1 hvp",
		Source:     sourceHypertorch + "; and its public program",
		Departures: "The last product with H is not needed, so it is left out.",
		Iterations: "outer",
		New: method(func(a keys.Args, m *algorithms.ITD) {
			m.Adam, m.Cold = movesByAdam(a), !a.Bool("warm")
		}, "optimizer", "warm"),
	}
}

func baEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "ba", Summary: "slowly growing numbers of inner steps, and the inner Hessian inverted " +
			"exactly",
			Params: []keys.Param{
				outerParam(),
				stepParam("alpha", stepOfY),
				stepParam("beta", "the step of x"),
				{Name: "warm", Kind: keys.Bool, Default: true,
					About: "whether y starts at the last one, or at the starting point in each outer iteration"},
				{Name: "schedule", Kind: keys.Enum, Default: "quarter", Enum: []string{"quarter", "linear"},
					About:  "N_k, the inner steps of iteration k: ⌈k^{1/4} / 2⌉, or ⌈k / 2⌉",
					Source: "linear is for strongly convex Φ, from memory; the other is as Ji et al. state it"},
			}},
		Problem: oneNodeProblem,
		Updates: `for k = 1 ... outer:
  N_k times:  y <- y - alpha ∇_y g(x, y)
  H v = ∇_y f, solved by Cholesky
  ` + implicitDirection,
		Cost:       noCommunication + "oracle calls: N_k grad_g, 2 grad_f, 1 hessian, 1 solve, 1 jvp",
		Source:     "Ghadimi, Wang: Approximation methods for bilevel programming. arXiv 1802.02246",
		Departures: fromDescription + " k counts from 1. y goes on from the last one unless warm is false.",
		Iterations: "outer",
		New: method(func(a keys.Args, m *algorithms.BA) {
			m.Cold, m.Linear = !a.Bool("warm"), a.String("schedule") == "linear"
		}, "warm", "schedule"),
	}
}
