package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// serverAlgorithms are the methods for a star with a server and clients.
func serverAlgorithms() []AlgorithmEntry {
	return []AlgorithmEntry{fedNestEntry(), lFedNestEntry(), centralizedDAGMEntry()}
}

// onAServer is said of their costs.
const onAServer = "An average over the clients is one round: each client sends up, the server sends down."

// localStepsParam counts steps between two averages.
func localStepsParam(name, of string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Int, Default: 1, Example: "5", Range: keys.Between(1, 1e6),
		About:  "local steps on " + of + " from one average to the next",
		Source: "FedNest in the form that Nazari et al. compare with"}
}

func fedNestEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "fednest", Label: "FedNest",
			Summary: "federated, for a star with a server: local steps with corrections, and averaged Neumann steps",
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "5", "runs of FedInn per outer iteration, the paper's T"),
				localStepsParam("inner_steps", "y"), localStepsParam("outer_steps", "x"),
				countParam("neumann", 0, "5", "products with averaged Hessians; the series has one term more"),
				stepParam("alpha", "the step of x"),
				stepParam("beta", "the step of y; stable below 2/L"),
				lipschitzParam("the averaged inner Hessian"),
				{Name: "correction", Kind: keys.Enum, Default: "direct", Enum: []string{"direct", "whole"},
					About: "what the local steps on x evaluate again: ∇_x f_i, or all of the hypergradient; the same with one " +
						"local step", Source: "the authors' program; the paper's algorithm box was not available"},
				batchParam(),
			}},
		Problem: globalProblem,
		Updates: `for k = 1 ... outer, mean being over the clients:
  inner times:  q = mean ∇_y g_i(x, y);  y_i = y
    inner_steps times:  y_i <- y_i - beta (∇_y g_i(x, y_i) - ∇_y g_i(x, y) + q)
    y <- mean y_i
  r = mean ∇_y f_i, v = r
  neumann times:  r <- mean (r - ∇²_yy g_i r / L), v <- v + r
  v <- v / L;  h_i(x) = ∇_x f_i - ∇²_xy g_i v;  h = mean h_i(x);  x_i = x
  outer_steps times:  x_i <- x_i - alpha (c_i(x_i) - c_i(x) + h),  c_i = ∇_x f_i (correction: direct) or h_i (whole)
  x <- mean x_i`,
		Cost: onAServer + `
rounds: 2 inner + neumann + 3
elements a client sends up, and the server down: (2 inner + neumann + 1) q + 2 p, vectors
oracle calls a client: inner (2 inner_steps - 1) grad_g, 2 outer_steps grad_f, neumann hvp, 1 jvp; correction: whole has 2 outer_steps - 1 jvp`,
		Source: "Tarzanagh, Li, Thrampoulidis, Oymak: FedNest: Federated Bilevel, Minimax, and Compositional " +
			"Optimization. ICML 2022",
		Departures: `All clients take part in each iteration. The Neumann series is summed in full; the paper cuts it at random; the authors' program sums it in full, without the factor 1/L.
The paper's box of the local outer steps was not available. Their correction has two readings: the authors' program evaluates ∇_x f_i again and keeps ∇²_xy g_i v as averaged, which is the default.
The first local step needs no correction, so its two gradients are not taken.`,
		Iterations: "outer",
		New:        method[algorithms.FedNest](nil),
	}
}

func lFedNestEntry() AlgorithmEntry {
	e := fedNestEntry()
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "lfednest", Label: "LFedNest",
			Summary: "FedNest without corrections, each client with its own inverse Hessian: one average for a run " +
				"of local steps", Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "5", "runs of local steps on y per outer iteration"),
				localStepsParam("inner_steps", "y"), localStepsParam("outer_steps", "x"),
				neumannParam(),
				stepParam("alpha", "the step of x"),
				stepParam("beta", "the step of y; stable below 2/L"),
				lipschitzParam("each client's inner Hessian"),
				batchParam(),
			}},
		Problem: globalProblem + "." + homogeneousOnly,
		Updates: `for k = 1 ... outer, mean being over the clients:
  inner times:  y_i = y;  inner_steps times:  y_i <- y_i - beta ∇_y g_i(x, y_i);  y <- mean y_i
  v_i = (1/L) Σ_{s=0..neumann} (I - ∇²_yy g_i / L)^s ∇_y f_i at (x, y);  x_i = x
  outer_steps times:  x_i <- x_i - alpha (∇_x f_i(x_i, y) - ∇²_xy g_i(x_i, y) v_i)
  x <- mean x_i`,
		Cost: onAServer + `
rounds: inner + 1
elements a client sends up, and the server down: inner q + p, vectors
oracle calls a client: inner inner_steps grad_g, outer_steps + 1 grad_f, neumann hvp, outer_steps jvp`,
		Source:     e.Source,
		Departures: fromDescription + " All clients take part in each iteration; the series is summed in full.",
		Iterations: "outer",
		New:        method[algorithms.LFedNest](nil),
	}
}

func centralizedDAGMEntry() AlgorithmEntry {
	e := dagmEntry()
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "centralized-dagm", Label: "Centralized DAGM",
			Summary: "DAGM for a star with a server, which averages what DAGM mixes: W = 11'/n over the clients",
			Params:  e.Params},
		Problem: globalProblem,
		Updates: "those of dagm with w_ij = 1/n for all of the n clients i, j",
		Cost: onAServer + `
rounds: inner + neumann (x travels with the first y)
elements a client sends up, and the server down: p + (inner + neumann) q, vectors; no matrix
oracle calls a client: those of a node of dagm`,
		Source: e.Source,
		Departures: "The paper names centralized DAGM and does not define it. This is one reading; the other is " +
			"dagm on one node that holds all data (topology: {kind: complete, nodes: 1}).",
		Iterations: "outer",
		New: func(a keys.Args) (algorithms.Method, error) {
			m, err := e.New(a)
			if err != nil {
				return nil, err
			}
			return algorithms.CentralizedDAGM(m.(algorithms.DAGM)), nil
		},
	}
}
