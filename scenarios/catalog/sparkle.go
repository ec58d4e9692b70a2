package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

// strategyParam chooses how a variable of SPARKLE is corrected for what nodes differ by.
func strategyParam(name, of string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Enum, Default: "ed", Example: "extra",
		Enum:   []string{"ed", "extra", "atc-gt", "semi-atc-gt", "non-atc-gt"},
		About:  "the strategy of " + of + ": exact diffusion, EXTRA, or gradient tracking in one of three forms",
		Source: "the paper finds ed and extra better than gradient tracking"}
}

// sparkleAlias is SPARKLE with one strategy for all three variables.
func sparkleAlias(name, label, strategy, summary string) keys.Alias {
	return keys.Alias{Name: name, Label: label, Summary: summary, Preset: []keys.Preset{
		{Param: "upper", Value: strategy}, {Param: "lower", Value: strategy}, {Param: "adjoint", Value: strategy}}}
}

func sparkleEntry() AlgorithmEntry {
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "sparkle", Label: "SPARKLE",
			Summary: "single loop of primal-dual steps, with a strategy for each variable; exact",
			Aliases: []keys.Alias{
				sparkleAlias("sparkle-extra", "SPARKLE-EXTRA", "extra", "with EXTRA for all"),
				sparkleAlias("sparkle-gt", "SPARKLE-GT", "atc-gt", "with gradient tracking for all, adapt then combine"),
			},
			Params: []keys.Param{
				outerParam(),
				stepParam("alpha", "the step of x"),
				stepParam("beta", "the step of y"),
				stepParam("gamma", "the step of z"),
				weightParam("theta", "the weight of the new hypergradient in the moving average"),
				strategyParam("upper", "x"),
				strategyParam("lower", "y"),
				strategyParam("adjoint", "z"),
				{Name: "lazy", Kind: keys.Bool, Default: true, Example: "false",
					About: "whether ed and extra mix with (I + W) / 2; with W they need eigenvalues above -1/3"},
				{Name: "order", Kind: keys.Enum, Default: "simultaneous", Enum: []string{"simultaneous", "sequential"},
					About: "whether all derivatives are at the old point, or those of z at the new y and that of x at " +
						"the new y and z",
					Source: "not stated in the sources at hand; D-SOBA, by some of the authors, has one point"},
				batchParam(),
			}},
		Problem: globalProblem,
		Updates: `z = r = 0;  for k = 1 ... outer, with the directions
  d^y = ∇_y g_i,  d^z = ∇²_yy g_i z_i - ∇_y f_i,  d^x = r_i,  r_i <- (1 - theta) r_i + theta (∇_x f_i - ∇²_xy g_i z_i)
each variable s of x, y and z moves by its strategy, with its step a:
  ed:           s⁺ = W (2 s - s_old - a (d - d_old));  s¹ = W (s⁰ - a d⁰)
  extra:        s⁺ = W (2 s - s_old) - a (d - d_old);  s¹ = W s⁰ - a d⁰
  atc-gt:       t <- W (t + d - d_old);  s⁺ = W (s - a t)
  semi-atc-gt:  t <- W t + d - d_old;    s⁺ = W (s - a t)
  non-atc-gt:   t <- W t + d - d_old;    s⁺ = W s - a t`,
		Cost: `rounds: 1, or 2 where a strategy is atc-gt; with order: sequential 1 for each variable, 2 for each of atc-gt
elements a node broadcasts: p + 2 q, vectors; twice as many of a variable with gradient tracking
oracle calls a node: 1 grad_g, 2 grad_f, 1 hvp, 1 jvp`,
		Source: "Zhu, Kong, Lu, Huang, Yuan: SPARKLE: A Unified Single-Loop Primal-Dual Framework for Decentralized " +
			"Bilevel Optimization. NeurIPS 2024; arXiv 2411.14166",
		Departures: fromDescription + ` Each recursion is run without its dual variable, which is the same.
The first step of gradient tracking mixes s⁰ once. x moves along the r of the same iteration.`,
		Iterations: "outer",
		New: method(func(a keys.Args, m *algorithms.SPARKLE) {
			m.Sequential = a.String("order") == "sequential"
		}, "order"),
	}
}
