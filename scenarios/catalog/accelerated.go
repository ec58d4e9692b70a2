package catalog

import (
	"tallynet/algorithms"
	"tallynet/scenarios/keys"
)

func accbioEntry() AlgorithmEntry {
	curvature := func(name, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Float, Required: true, Example: "1", Range: keys.Above(0), About: about}
	}
	return AlgorithmEntry{
		Entry: keys.Entry{Name: "accbio", Label: "AccBiO",
			Summary: "implicit differentiation with momentum in x, in y and in the linear system",
			Aliases: []keys.Alias{
				{Name: "accbio-bg", Label: "AccBiO-BG", Summary: "for a bounded ∇_y f: Nesterov's steps of x, a warm y",
					Preset: []keys.Preset{{Param: "bounded_gradient", Value: "true"}}},
			},
			Params: []keys.Param{
				outerParam(),
				countParam("inner", 1, "10", "Nesterov's steps of y per outer iteration, the paper's N; about "+
					"sqrt(L_y / mu_y) log(1/accuracy)"),
				countParam("linear", 1, "10", "heavy-ball steps of v per outer iteration, the paper's M; likewise"),
				{Name: "alpha", Kind: keys.Float, Required: true, Example: "0.02", Range: keys.Above(0),
					About: "the step of x; the paper's are at most 1 / (2 L_Φ), and 1 / L_Φ for AccBiO-BG"},
				curvature("mu_x", "a lower bound of the curvature of Φ + regularize/2 ||x||², at most 1 / alpha"),
				curvature("mu_y", "the least eigenvalue of ∇²_yy g"),
				{Name: "l_y", Kind: keys.Float, Required: true, Example: "10", Range: keys.Above(0),
					About: "the largest eigenvalue of ∇²_yy g, at least mu_y"},
				{Name: "regularize", Kind: keys.Float, Default: 0.0, Example: "1e-4", Range: keys.AtLeast(0),
					About:  "the weight of ||x||²/2 that is added to f if Φ is not strongly convex",
					Source: "the paper adds it for convex Φ, with a weight of the order of epsilon / ||x*||²"},
				{Name: "bounded_gradient", Kind: keys.Bool, Default: false, About: "AccBiO-BG instead of AccBiO"},
				{Name: "warm", Kind: keys.Bool, Default: false,
					About:  "whether y and v continue from the last ones",
					Source: "from memory, y starts anew in AccBiO and continues in AccBiO-BG, v starts at 0 in both"},
			},
			Check: func(a keys.Args) *keys.ParamError {
				switch {
				case a.Float("l_y") < a.Float("mu_y"):
					return &keys.ParamError{Param: "l_y", Message: "l_y is less than mu_y",
						Hint: "they are the largest and the least eigenvalue of one matrix"}
				case a.Float("alpha")*a.Float("mu_x") > 1:
					return &keys.ParamError{Param: "mu_x", Message: "mu_x is more than 1 / alpha",
						Hint: "a curvature cannot be more than L_Φ, of which 1 / alpha is a bound"}
				}
				return nil
			}},
		Problem: oneNodeOrStar,
		Updates: `H = ∇²_yy g, J = ∇²_xy g, κ = l_y / mu_y, m = (√κ - 1) / (√κ + 1), r = √(alpha mu_x);  z = x;  for k = 1 ... outer:
  u = (r x + 2 z) / (r + 2);  y = w = y⁰
  inner times:   y⁺ = w - ∇_y g(u, w) / l_y;  w = y⁺ + m (y⁺ - y)
  v = 0;  linear times:  v⁺ = v - 4 / (√l_y + √mu_y)² (H v - ∇_y f(u, y)) + m² (v - v_old)
  G = ∇_x f(u, y) - J v + regularize u
  x <- (r/2) u + (1 - r/2) x - √(alpha / mu_x) G;  z <- u - alpha G
z is reported. AccBiO-BG has u = x, y from the last one, and
  z⁺ = x - alpha G;  x <- z⁺ + (1 - r) / (1 + r) (z⁺ - z)`,
		Cost: "oracle calls: inner grad_g, 2 grad_f, linear hvp, 1 jvp" + implicitOnStar +
			"inner + linear + 2 rounds; elements up and down: (inner + linear + 1) dim y + dim x, vectors",
		Source: "Ji, Liang: Lower bounds and accelerated algorithms for bilevel optimization. Journal of Machine " +
			"Learning Research 24, 2023; arXiv 2102.03926",
		Departures: `Written from memory of the published description; the paper's boxes could not be seen.
The least certain part is where the loops begin: warm offers the other reading.`,
		Iterations: "outer",
		New:        method[algorithms.AccBiO](nil),
	}
}
