package catalog

import (
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

const bomeSource = "Liu, Ye, Wright, Stone, Liu, BOME! Bilevel Optimization Made Easy, NeurIPS 2022"

func pointParam(name, length string, fallback []float64, source string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Floats, Default: fallback, Example: "0",
		About: "the starting " + name[:1] + ": " + length, Source: source}
}

func variantParam(about string) keys.Param {
	return keys.Param{Name: "variant", Kind: keys.Enum, Default: "paper", Enum: []string{"paper", "code"}, About: about}
}

func toyEntry(kind string, e ProblemEntry) ProblemEntry {
	return configured(e, problems.NewToy, func(env ProblemEnv) problems.ToyConfig {
		return problems.ToyConfig{Budget: env.Budget, Nodes: env.Nodes, Kind: kind}
	})
}

func coresetEntry() ProblemEntry {
	return toyEntry("coreset", ProblemEntry{
		Entry: keys.Entry{Name: "toy-coreset",
			Summary: "weights of four points whose mean is nearest to a target; its solution is reached only as x goes to " +
				"infinity",
			Params: []keys.Param{
				variantParam("the points: paper has a_4 = (-3, 2) and y -> (3, 1), the authors' code has (-3, -2) " +
					"and y -> (1.8, 0.4)"),
				{Name: "scale", Kind: keys.Float, Default: 1.0, Example: "0.1", Range: keys.Above(0),
					About: "multiplies f; the authors' code has 0.1"},
				pointParam("x0", "four numbers, or one for all", []float64{0}, "the paper"),
				pointParam("y0", "two numbers, or one for both; the paper has (0, 3), (-3, 1), (3.5, 1)",
					[]float64{0, 3}, "the paper's first"),
			}},
		Formula: "f = scale ||y - (3, -2)||², g = ||y - Σ_j softmax(x)_j a_j||², a = (1, 3), (3, 1), (-2, 2), (-3, " +
			"2); every node has both",
		Source: bomeSource,
	})
}

func minimaxEntry() ProblemEntry {
	return toyEntry("minimax", ProblemEntry{
		Entry: keys.Entry{Name: "toy-minimax",
			Summary: "min over x, max over y of xy, as a bilevel problem; its inner problem has a solution only " +
				"at x = 0",
			Params: []keys.Param{pointParam("x0", "a number", []float64{4}, "the authors' code"),
				pointParam("y0", "a number", []float64{4}, "the authors' code")}},
		Formula: "f = xy, g = -xy; every node has both",
		Source:  bomeSource,
	})
}

func degenerateEntry() ProblemEntry {
	return toyEntry("degenerate", ProblemEntry{
		Entry: keys.Entry{Name: "toy-degenerate",
			Summary: "an inner problem with a line of solutions; Φ is the best f on it",
			Params: []keys.Param{
				variantParam("the functions: as printed, where every x is optimal with y = (x, 1); or the authors' " +
					"code, f = 1/2 (x - y_2)² + 1/2 (y_1 - 1)², g = 1/2 y_1² - x y_1, optimal at x = 1, y = (1, 1)"),
				pointParam("x0", "a number", []float64{0}, "this program"),
				pointParam("y0", "two numbers, or one for both", []float64{0}, "this program"),
			}},
		Formula: "paper: f = ||y - (x, 1)||², g = (y_1 - x)²; every node has both",
		Source:  bomeSource + "; the code's functions are those of Liu, Mu, Yuan, Zeng, Zhang, ICML 2020",
	})
}

func floorEntry() ProblemEntry {
	return configured(ProblemEntry{
		Entry: keys.Entry{Name: "toy-floor",
			Summary: "a quadratic on which iterative differentiation with few inner steps does not converge",
			Params: []keys.Param{
				{Name: "condition", Kind: keys.Float, Default: 10.0, Example: "10", Range: keys.AtLeast(1),
					About: "κ, the ratio of the two eigenvalues of Z; the larger is 1"},
				{Name: "weight", Kind: keys.Float, Default: 1.0, Example: "1", Range: keys.Above(0), About: "M"},
			}},
		Formula: "f = 1/2 x'Z x + M (y_1 + y_2), g = 1/2 y'Z y - x'y + y_1 + y_2, Z = diag(1, 1/κ); every node has " +
			"both, x = y = 0 at the start",
		Source: "Ji, Liu, Liang, Ying, arXiv 2205.14224, theorem 4, with L = 1 and μ = 1/κ",
	}, problems.NewFloor, func(env ProblemEnv) problems.FloorConfig {
		return problems.FloorConfig{Budget: env.Budget, Nodes: env.Nodes}
	})
}
