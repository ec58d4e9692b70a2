package catalog

import (
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

func textEntry() ProblemEntry {
	return ProblemEntry{
		Entry: keys.Entry{Name: "hyper-text",
			Summary: "the strength of each word's regularizer, chosen on held-out texts; sparse features",
			Params: []keys.Param{
				drawnSamplesParam(100, 100),
				{Name: "file", Kind: keys.Path, Example: "news20.svm",
					About: "texts in svmlight's format, label index:value ...; drawn at random by default"},
				{Name: "test_file", Kind: keys.Path, With: "file", Example: "news20-test.svm",
					About: "test texts, or those of the file that no node gets"},
				{Name: "first_index", Kind: keys.Int, With: "file", Default: 1, Example: "0", Range: keys.Between(0, 1),
					About: "the index of the files' first feature: 1 is svmlight's, 0 is scikit-learn's"},
				unlessFile(keys.Param{Name: "features", Kind: keys.Int, Default: 101631, Example: "101631",
					Range: keys.Between(102, 1e7), About: "the number of words", Source: "Chen, Huang, Ma"}),
				unlessFile(keys.Param{Name: "classes", Kind: keys.Int, Default: 20, Example: "20",
					Range: keys.Between(2, 1e4), About: "the number of topics"}),
				unlessFile(keys.Param{Name: "length", Kind: keys.Float, Default: 120.0, Example: "120",
					Range: keys.Between(1, 1e5), About: "words of a text, on average; lognormal with σ = 1"}),
				unlessFile(keys.Param{Name: "topic", Kind: keys.Float, Default: 0.2, Example: "0.2",
					Range: keys.Between(0, 1), About: "the share of a text's words that are of its topic"}),
				unlessFile(keys.Param{Name: "test", Kind: keys.Int, Default: 1000, Example: "1000",
					Range: keys.AtLeast(1), About: "the number of test texts"}),
				startParam("x0"), startParam("y0"), innerParam(),
			}},
		Formula: "f_i = mean validation loss of y, g_i = mean training loss of y + 1/(C p) Σ_c Σ_j exp(x_j) y_cj²; " +
			"loss cross entropy of softmax(Y s), C classes; " +
			"drawn texts are tf-idf vectors of words with Zipf's frequencies",
		Source: "Chen, Huang, Ma, arXiv 2206.05670, figure 4: 20 Newsgroups, 20 classes, p = 101,631",
		Size:   func(a keys.Args, nodes int) Size { return sizeOf(textConfig(a, ProblemEnv{Nodes: nodes})) },
		New: func(a keys.Args, env ProblemEnv) (_ problems.Problem, err error) {
			c := textConfig(a, env)
			if c.Words != nil {
				return problems.NewText(c)
			}
			if c.Texts, err = readTexts(a, env, "file"); err != nil {
				return nil, err
			}
			if a.Has("test_file") {
				if c.Test, err = readTexts(a, env, "test_file"); err != nil {
					return nil, err
				}
			}
			return problems.NewText(c)
		},
	}
}

// textConfig returns the configuration without the texts of a file.
func textConfig(a keys.Args, env ProblemEnv) problems.TextConfig {
	c := problems.TextConfig{Budget: env.Budget, Nodes: env.Nodes, X0: a.Float("x0"), Y0: a.Float("y0"), Seed: env.Seed}
	a.Section("samples").Fill(&c.Samples)
	if !a.Has("file") {
		c.Words = new(problems.Words)
		a.Fill(c.Words)
	}
	return c
}

func readTexts(a keys.Args, env ProblemEnv, key string) (*data.SparseSet, error) {
	path := keys.InFolder(env.Dir, a.String(key))
	s, err := data.ReadSVMFile(path, a.Int("first_index"), env.Budget.Part(4)) // a problem needs more than its samples
	return s, keys.OfFile(key, path+"; docs/data.md says how to make one", err)
}
