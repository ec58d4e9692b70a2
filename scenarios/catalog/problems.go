package catalog

import (
	"math"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// Problems returns the table of problems.
func Problems() []ProblemEntry {
	const strength = "the strength of each coefficient's regularizer, chosen on held-out data; "
	return []ProblemEntry{
		quadraticEntry(), conditionedEntry(), consensusEntry(),
		singleEntry("least-squares", "a linear model by least squares, single-level", "1/2 (s'x - t)²"),
		singleEntry("logistic", "a linear model by logistic loss, single-level", "log(1 + exp(-t s'x))"),
		hyperEntry("ridge", strength+"squared loss", "(s'y - t)²"),
		hyperEntry("logistic", strength+"logistic loss", "log(1 + exp(-t s'y))"),
		hyperEntry("softmax", strength+"several classes", "cross entropy of softmax(Y s)"),
		hyperEntry("svm", strength+"hinge loss", "max(0, 1 - t s'y), smoothed"),
		l2Entry(), cleaningEntry(), textEntry(), representationEntry(), linearRepresentationEntry(), fairEntry(),
		coresetEntry(), minimaxEntry(), degenerateEntry(), floorEntry(),
	}
}

// Size is the size of a problem, computed from its parameters alone.
type Size struct {
	P, Q  int   // the lengths of x and y; P is 0 where only a file says them
	Bytes int64 // of memory, about; math.MaxInt64 where it is more than that
	// Products means that large Hessians and Jacobians are never formed, only multiplied with. A method that forms
	// them is refused.
	Products bool
}

func sizeOf(c problems.Sized) Size {
	s := c.Size()
	size := Size{P: int(s.P), Q: int(s.Q), Bytes: math.MaxInt64, Products: s.Limited}
	if s.Need.Bytes < math.MaxInt64 {
		size.Bytes = int64(s.Need.Bytes)
	}
	return size
}

// configured completes the entry of a problem that is made of its parameters alone: they fill what place returns.
func configured[C problems.Sized, P problems.Problem](e ProblemEntry, build func(C) (P, error),
	place func(env ProblemEnv) C) ProblemEntry {
	config := func(a keys.Args, env ProblemEnv) C {
		c := place(env)
		a.Fill(&c)
		return c
	}
	e.Size = func(a keys.Args, nodes int) Size { return sizeOf(config(a, ProblemEnv{Nodes: nodes})) }
	e.New = func(a keys.Args, env ProblemEnv) (problems.Problem, error) { return build(config(a, env)) }
	return e
}

func consensusEntry() ProblemEntry {
	return configured(ProblemEntry{
		Entry: keys.Entry{Name: "consensus",
			Summary: "average consensus: node i starts at b_i, the solution is their mean", Params: []keys.Param{
				{Name: "dim", Kind: keys.Int, Required: true, Example: "1000", Range: keys.Between(1, 1e8),
					About: "the length of x"},
			}},
		Formula: "f_i(x) = 1/2 ||x - b_i||², b_i from N(0, I)",
	}, problems.NewConsensus, func(env ProblemEnv) problems.ConsensusConfig {
		return problems.ConsensusConfig{Budget: env.Budget, Nodes: env.Nodes, Seed: env.Seed}
	})
}

func innerParam() keys.Param {
	return keys.Param{Name: "inner", Kind: keys.Enum, Default: "shared", Enum: []string{"shared", "personal"},
		About: "which Φ is measured: one y for all nodes, or each node its own"}
}

func startParam(name string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Default: 0.0, Example: "-3",
		About: "the value of every coordinate of the starting " + name[:1]}
}

func unlessFile(p keys.Param) keys.Param {
	p.Unless = "file"
	return p
}

func quadraticEntry() ProblemEntry {
	size := func(name, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Int, Required: true, Unless: "file", Example: "20",
			Range: keys.Between(1, 1e5), About: about}
	}
	return ProblemEntry{
		Entry: keys.Entry{
			Name: "quadratic", Summary: "quadratic f and g, solved in closed form; drawn at random, or explicit " +
				"from a file",
			Params: []keys.Param{
				{Name: "file", Kind: keys.Path, Example: "q.json",
					About: "a JSON file with H, P, q, A, B, C, a, c of each node"},
				size("p", "the length of x (a file says it too)"),
				size("q", "the length of y (a file says it too)"),
				{Name: "condition", Kind: keys.Float, Default: 10.0, Example: "10", Range: keys.AtLeast(1),
					Unless: "file", About: "the ratio of the largest to the smallest eigenvalue of each H_i"},
				{Name: "heterogeneity", Kind: keys.Float, Default: 0.5, Example: "0.5", Range: keys.Between(0, 1),
					Unless: "file", About: "0: one inner problem for all nodes; 1: independent ones"},
				{Name: "outer_heterogeneity", Kind: keys.Float, Default: 1.0, Example: "0.5",
					Range: keys.Between(0, 1), Unless: "file",
					About: "0: one outer objective for all nodes; 1: independent ones"},
				unlessFile(startParam("x0")), unlessFile(startParam("y0")), innerParam(),
			},
		},
		Formula: "g_i = 1/2 y'H_i y + x'P_i y + q_i'y, f_i = 1/2 x'A_i x + x'B_i y + 1/2 y'C_i y + a_i'x + c_i'y",
		Size: func(a keys.Args, nodes int) Size {
			if a.Has("file") {
				return Size{}
			}
			return sizeOf(quadraticConfig(a, ProblemEnv{Nodes: nodes}))
		},
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			if a.Has("file") {
				path := keys.InFolder(env.Dir, a.String("file"))
				q, err := problems.LoadQuadratic(path, env.Budget)
				return q, keys.OfFile("file", path, err)
			}
			return problems.GenerateQuadratic(quadraticConfig(a, env))
		},
	}
}

func quadraticConfig(a keys.Args, env ProblemEnv) problems.QuadraticConfig {
	c := problems.QuadraticConfig{Budget: env.Budget, Nodes: env.Nodes, Seed: env.Seed}
	a.Fill(&c)
	c.SharedOuter = 1 - a.Float("outer_heterogeneity")
	return c
}
