package catalog

import (
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

func conditionedEntry() ProblemEntry {
	return configured(ProblemEntry{
		Entry: keys.Entry{Name: "conditioned",
			Summary: "Φ in closed form, convex or not; its smoothness grows like κ² of the inner problem",
			Params: []keys.Param{
				{Name: "dim", Kind: keys.Int, Default: 8, Example: "8", Range: keys.Between(1, 1e5),
					About: "the length of x and of y"},
				{Name: "condition", Kind: keys.Float, Default: 10.0, Example: "10", Range: keys.AtLeast(1),
					About: "κ = L / μ of the inner problem; L is 1"},
				{Name: "shape", Kind: keys.Enum, Default: "strongly-convex", Enum: problems.ConditionedShapes(),
					Example: "convex", About: "φ, and with it Φ: s²/2; |s|^power / power near 0, continued by its " +
						"expansion of second order from |s| = 1 on; or s²/(1 + s²)"},
				{Name: "power", Kind: keys.Float, Default: 8.0, Only: "shape: convex", Example: "8", Range: keys.Above(2),
					About: "how flat φ is at its minimum; max φ'' is power - 1"},
				{Name: "curvature", Kind: keys.Float, Default: 0.0, Only: "shape: strongly-convex", Example: "0.1",
					Range: keys.AtLeast(0), About: "of f in x"},
				{Name: "distance", Kind: keys.Float, Default: 2.0, Example: "2", Range: keys.Above(0),
					About: "how far U'y is from its best value t at the start, on average; the |t_j| are between half of it and " +
						"one and a half"},
				{Name: "heterogeneity", Kind: keys.Float, Default: 0.0, Example: "0.5", Range: keys.FromBelow(0, 1),
					About: "how far nodes differ, by what has the mean 0 over them: the shared problem stays the same"},
			}},
		Formula: "g = 1/2 y'U D U'y - x'V U'y, f = curvature/2 ||x||² + Σ_j φ((U'y)_j - t_j), D = diag(1 ... 1/κ): " +
			"Φ = curvature/2 ||x||² + Σ_j φ((V'x)_j / D_jj - t_j), L_Φ = curvature + κ² max φ''",
		Source: "made for the complexity tables of Nazari et al. and Ji et al., which print no problem",
	}, problems.NewConditioned, func(env ProblemEnv) problems.ConditionedConfig {
		return problems.ConditionedConfig{Budget: env.Budget, Nodes: env.Nodes, Seed: env.Seed}
	})
}
