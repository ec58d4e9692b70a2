package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// Problems returns the table of problems.
func Problems() []ProblemEntry {
	all := append([]ProblemEntry{
		quadraticEntry(), conditionedEntry(),
		{
			Entry: keys.Entry{Name: "consensus",
				Summary: "average consensus: node i starts at b_i, the solution is their mean", Params: []keys.Param{
					{Name: "dim", Kind: keys.Int, Required: true, Example: "1000", Range: keys.Between(1, 1e8),
						About: "the length of x"},
				}},
			Formula: "f_i(x) = 1/2 ||x - b_i||², b_i from N(0, I)",
			New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
				c := problems.ConsensusConfig{Budget: env.Budget, Nodes: env.Nodes, Seed: env.Seed}
				a.Fill(&c)
				return problems.NewConsensus(c)
			},
		},
		singleEntry("least-squares", "a linear model by least squares, single-level", "1/2 (s'x - t)²"),
		singleEntry("logistic", "a linear model by logistic loss, single-level", "log(1 + exp(-t s'x))"),
		hyperEntry("ridge", "the strength of each coefficient's regularizer, chosen on held-out data; squared loss",
			"(s'y - t)²"),
		hyperEntry("logistic", "the strength of each coefficient's regularizer, chosen on held-out data; "+
			"logistic loss", "log(1 + exp(-t s'y))"),
		hyperEntry("softmax", "the strength of each coefficient's regularizer, chosen on held-out data; "+
			"several classes", "cross entropy of softmax(Y s)"),
		hyperEntry("svm", "the strength of each coefficient's regularizer, chosen on held-out data; hinge loss",
			"max(0, 1 - t s'y), smoothed"),
	}, taskProblems()...)
	size := sizes()
	for i := range all {
		all[i].Size = unlessOwn(size[all[i].Name])
	}
	return all
}

func innerParam() keys.Param {
	return keys.Param{Name: "inner", Kind: keys.Enum, Default: "shared", Enum: []string{"shared", "personal"},
		About: "which Φ is measured: one y for all nodes, or each node its own"}
}

func startParam(name string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Default: 0.0, Example: "-3",
		About: "the value of every coordinate of the starting " + name[:1]}
}

func startSpreadParam() keys.Param {
	return keys.Param{Name: "y0_spread", Kind: keys.Float, Default: 0.0, Example: "1", Range: keys.AtLeast(0),
		About: "the standard deviation of the random numbers, a node's own, that are added to its starting y"}
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
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			if a.Has("file") {
				path := keys.InFolder(env.Dir, a.String("file"))
				q, err := problems.LoadQuadratic(path, env.Budget)
				if errors.Is(err, fs.ErrNotExist) {
					return nil, keys.Wrong("file", "there is no such file: %s", path)
				} else if err != nil {
					return nil, keys.About("file", err)
				}
				return q, nil
			}
			c := problems.QuadraticConfig{Budget: env.Budget, Nodes: env.Nodes, Seed: env.Seed}
			a.Fill(&c)
			c.SharedOuter = 1 - a.Float("outer_heterogeneity")
			return problems.GenerateQuadratic(c)
		},
	}
}

// sampleParams are the keys of problems on samples, whose data are fallback unless
// the file says otherwise.
func sampleParams(loss, fallback string) []keys.Param {
	const synthetic, images, dealt = "data: synthetic", "data: mnist or fashion-mnist",
		"data: mnist or fashion-mnist or mushroom"
	kinds := dataKinds(loss)
	ps := []keys.Param{
		{Name: "data", Kind: keys.Variant, Default: fallback, Example: "{file: mine.csv, target: price}",
			Variants: &keys.Variants{Key: "kind", What: "data set", Entries: kinds, Implied: map[string]string{"file": "file"}},
			About:    "the source of the samples: a name, or your own file; for texts there is the problem hyper-text"},
		{Name: "dim", Kind: keys.Int, Default: 20, Only: synthetic, Example: "20", Range: keys.Between(1, 1e6),
			About: "the number of features"},
		{Name: "noise", Kind: keys.Float, Default: 0.1, Only: synthetic, Example: "0.1", Range: keys.AtLeast(0),
			About: "the standard deviation of the noise"},
		{Name: "heterogeneity", Kind: keys.Float, Default: 0.0, Only: synthetic, Example: "0.5",
			Range: keys.AtLeast(0), About: "how far nodes differ; 0: not at all"},
		{Name: "feature_scale", Kind: keys.Enum, Default: "equal", Only: synthetic, Example: "by-node",
			Enum:  []string{"equal", "by-node"},
			About: "by-node: the features of node i = 1, 2, ... have variance i²"},
		{Name: "model_scale", Kind: keys.Enum, Only: synthetic, Example: "standard",
			Enum:  []string{"normalized", "standard"},
			About: "the variance of the true coefficients: by default 1/dim, or 1 (standard), as in Chen, Huang, Ma"},
	}
	bias := keys.Param{Name: "bias", Kind: keys.Bool, Default: false, About: "append a feature that is always 1"}
	if loss == "least-squares" {
		return slices.Concat(ps, ownPartition("data: file", []string{"iid", "column", "sizes"}), []keys.Param{bias})
	}
	classes := keys.Param{Name: "classes", Kind: keys.Ints, Required: true, Only: images, Example: "[4, 9]",
		Range: keys.AtLeast(0), About: "the two digits to distinguish"}
	if loss == "softmax" || loss == "images" { // several classes, none of them a number
		classes = keys.Param{Name: "classes", Kind: keys.Ints, Example: "[3, 4, 9]", Range: keys.AtLeast(0),
			Unless: "data: file", About: "mnist: the digits used, or all ten; synthetic: how many classes, or 3"}
	}
	if loss != "ridge" {
		ps = append(ps, keys.Param{Name: "test", Kind: keys.Int, Default: 1000, Only: synthetic, Example: "1000",
			Range: keys.AtLeast(1), About: "the number of test samples"})
	}
	ps = append(ps, classes,
		keys.Param{Name: "pool", Kind: keys.Int, Default: 1, Only: images, Example: "4", Range: keys.Between(1, 14),
			About: "pixels are averaged over pool x pool; 2 gives 14 x 14, 4 gives 7 x 7 features"})
	ps = append(ps, ownPartition(dealt+" or file",
		[]string{"iid", "by-label", "shards", "dirichlet", "own-class", "column", "sizes"})...)
	return append(ps,
		keys.Param{Name: "shards", Kind: keys.Int, Default: 2, Only: "partition: by-label or shards", Example: "2",
			Range: keys.AtLeast(1), About: "runs of one label for each node"},
		keys.Param{Name: "concentration", Kind: keys.Float, Default: 0.5, Only: "partition: dirichlet",
			Example: "0.5", Range: keys.Between(1e-200, 1e200), About: "small values are skewed, large ones nearly iid"},
		keys.Param{Name: "own_share", Kind: keys.Float, Default: 0.5, Only: "partition: own-class", Example: "0.5",
			Range: keys.Between(0, 1),
			About: "the share of a node's samples that is of its own class, the q of Nazari et al., section 6.3"},
		keys.Param{Name: "imbalance", Kind: keys.Float, Default: 1.0, Only: images, Example: "0.6",
			Range: keys.AboveUpTo(0, 1),
			About: "μ: of the k-th class, k = 0, 1, ..., at most 6000 μ^k images are dealt out; 1: all"},
		keys.Param{Name: "folder", Kind: keys.Path, Only: dealt, Example: "mnist/",
			About: "the folder of the four idx files, or of a mushroom file, under any names; MNIST is found by itself, " +
				"mushrooms are part of the program"},
		bias)
}

// checkClasses checks what one parameter alone does not show.
func checkClasses(a keys.Args, loss string) *keys.ParamError {
	wrong := func(param, message, hint string) *keys.ParamError {
		return &keys.ParamError{Param: param, Message: message, Hint: hint}
	}
	classes := a.Ints("classes")
	if e := checkOwn(a); e != nil {
		return e
	}
	switch a.Section("data").Kind() {
	case "file":
		return nil
	case "synthetic":
		if a.Given("classes") && (len(classes) != 1 || classes[0] < 2) {
			return wrong("classes", "want the number of classes, at least 2", "write classes: 3")
		}
		return nil
	case "mushroom":
		if a.Given("classes") {
			return wrong("classes", "mushrooms have two classes, edible and poisonous", "leave it out")
		}
		return nil
	case "fashion-mnist":
		if !a.Has("folder") {
			return wrong("data", "Fashion-MNIST is not part of this program",
				"give the folder of its four files, as in folder: fashion-mnist/; docs/data.md says where they are")
		}
	}
	for i, c := range classes {
		if slices.Contains(classes[:i], c) {
			return wrong("classes", fmt.Sprintf("the digit %d is given twice", c), "")
		}
		if c > 9 {
			return wrong("classes", fmt.Sprintf("%d is not a digit", c), "digits are 0 to 9")
		}
	}
	if p := a.Int("pool"); 28%p != 0 {
		return wrong("pool", fmt.Sprintf("an image of 28 x 28 pixels does not divide into squares of %d x %d", p, p),
			"pool is 1, 2, 4, 7 or 14")
	}
	switch {
	case loss != "softmax" && loss != "images" && len(classes) != 2:
		return wrong("classes", "want two digits to distinguish", "write classes: [4, 9]")
	case len(classes) == 1:
		return wrong("classes", "want at least two digits", "write classes: [3, 4, 9]")
	}
	return nil
}

// samplesOf is the data part of a problem's configuration: one of the kinds.
type samplesOf struct {
	synthetic *problems.Synthetic
	mnist     *problems.Digits
	mushroom  *problems.Mushroom
	own       *problems.Own
}

func samplesFrom(a keys.Args, env ProblemEnv) (s samplesOf, err error) {
	kind := a.Section("data").Kind()
	if kind == "file" {
		s.own, err = ownFrom(a, env)
		return s, err
	}
	if kind == "synthetic" {
		s.synthetic = &problems.Synthetic{Dim: a.Int("dim"), Noise: a.Float("noise"),
			Heterogeneity: a.Float("heterogeneity"),
			Test:          keys.Optional[int](a, "test"), ScaleByNode: a.String("feature_scale") == "by-node",
			StandardModel: keys.Optional[string](a, "model_scale") == "standard"}
		if c := keys.Optional[[]int](a, "classes"); len(c) == 1 {
			s.synthetic.Classes = c[0]
		}
		return s, nil
	}
	partition := partitionFrom(a)
	folder := ""
	if a.Has("folder") {
		folder = keys.InFolder(env.Dir, a.String("folder"))
	}
	if kind == "mushroom" {
		s.mushroom = &problems.Mushroom{Partition: partition}
		if s.mushroom.Data, err = env.Data.Mushrooms(); folder != "" {
			s.mushroom.Data, err = env.Data.MushroomsIn(folder)
		}
		return s, err
	}
	s.mnist = &problems.Digits{Classes: a.Ints("classes"), Pool: a.Int("pool"), Imbalance: a.Float("imbalance"),
		Partition: partition}
	if kind == "fashion-mnist" {
		s.mnist.Name = "Fashion-MNIST"
		s.mnist.Images, err = env.Data.FashionMNIST(folder)
	} else {
		s.mnist.Images, err = env.Data.MNIST(folder)
	}
	if err != nil {
		return s, keys.About("data", err)
	}
	return s, nil
}

func singleEntry(loss, summary, formula string) ProblemEntry {
	params := append([]keys.Param{
		{Name: "samples", Kind: keys.Int, Default: 100, Example: "100", Range: keys.Between(1, 1e7), Unless: "data: file",
			About: "samples of each node"},
		{Name: "l2", Kind: keys.Float, Default: 0.0, Example: "0.01", Range: keys.AtLeast(0),
			About: "the strength of the regularizer"},
		startParam("x0"),
	}, sampleParams(loss, "synthetic")...)
	check := func(a keys.Args) *keys.ParamError { return checkClasses(a, loss) }
	if loss == "least-squares" { // the targets are numbers, so there are no classes
		check = checkOwn
	}
	return ProblemEntry{
		Entry:   keys.Entry{Name: loss, Summary: summary, Params: params, Check: check},
		Formula: "f_i(x) = mean over node i's samples of " + formula + " + (l2/2) ||x||²",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			from, err := samplesFrom(a, env)
			if err != nil {
				return nil, err
			}
			c := problems.SingleConfig{Budget: env.Budget, Loss: loss, Nodes: env.Nodes, Seed: env.Seed,
				Synthetic: from.synthetic, MNIST: from.mnist, Mushroom: from.mushroom, Own: from.own}
			a.Fill(&c)
			return problems.NewSingle(c)
		},
	}
}

// drawnSamplesParam is samplesParam of a problem that takes no file of samples.
func drawnSamplesParam(train, val int) keys.Param {
	p := samplesParam(train, val)
	p.Unless = ""
	return p
}

// samplesParam counts the samples of each node.
func samplesParam(train, val int) keys.Param {
	count := func(name string, n int, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Int, Default: n, Example: fmt.Sprint(n), Range: keys.Between(1, 1e7),
			About: about}
	}
	return keys.Param{Name: "samples", Kind: keys.Section, Each: []string{"train", "val"}, Example: fmt.Sprint(train),
		Unless: "data: file",
		About:  "samples of each node: one number, or train and val",
		Params: []keys.Param{count("train", train, "training samples, behind g"),
			count("val", val, "validation samples, behind f")}}
}

func hyperEntry(loss, summary, formula string) ProblemEntry {
	params := append([]keys.Param{samplesParam(100, 100), startParam("x0"), startParam("y0"), startSpreadParam(),
		innerParam()}, sampleParams(loss, hyperData(loss))...)
	switch loss {
	case "softmax":
		params = append(params, keys.Param{Name: "shared_across_classes", Kind: keys.Bool, Default: false,
			About: "one x for each feature, not for each coefficient"})
	case "svm":
		params = append(params, keys.Param{Name: "smoothing", Kind: keys.Float, Default: 0.5, Example: "0.5",
			Range: keys.AtLeast(0),
			About: "w: the hinge loss is u²/2w for 0 < u < w; 0 is the hinge itself, with subgradients, where Φ is " +
				"not measured"})
	}
	if loss != "ridge" {
		params = append(params, labelNoiseParam(0), wrongLabelsParam())
	}
	return ProblemEntry{
		Entry: keys.Entry{Name: "hyper-" + loss, Summary: summary, Params: params,
			Check: func(a keys.Args) *keys.ParamError { return checkClasses(a, loss) }},
		Formula: "f_i = mean validation loss of y, g_i = mean training loss of y + 1/2 y'diag(exp x)y; loss " + formula,
		Source:  "Nazari et al., arXiv 2211.04088, section 6.1; the regularizer of Chen, Huang, Ma, arXiv 2206.05670",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			c, err := hyperConfig(a, env, loss)
			if err != nil {
				return nil, err
			}
			return problems.NewHyper(c)
		},
	}
}

func hyperData(loss string) string {
	if loss == "svm" { // the paper's
		return "mushroom"
	}
	return "synthetic"
}

func labelNoiseParam(fallback float64) keys.Param {
	return keys.Param{Name: "label_noise", Kind: keys.Float, Default: fallback, Example: "0.1",
		Range: keys.Between(0, 1),
		About: "the probability that a training sample has the label of another class"}
}

func wrongLabelsParam() keys.Param {
	return keys.Param{Name: "wrong_labels", Kind: keys.Enum, Example: "any", Enum: []string{"other", "any"},
		About: "with label_noise: by default the label of another class, or that of any class, the right one " +
			"included, as in Ji " +
			"et al."}
}

// hyperConfig is the configuration of a regularized linear model.
func hyperConfig(a keys.Args, env ProblemEnv, loss string) (problems.HyperConfig, error) {
	from, err := samplesFrom(a, env)
	c := problems.HyperConfig{Budget: env.Budget, Loss: loss, Nodes: env.Nodes, Seed: env.Seed,
		Synthetic: from.synthetic, MNIST: from.mnist, Mushroom: from.mushroom, Own: from.own,
		AnyLabel: keys.Optional[string](a, "wrong_labels") == "any"}
	a.Fill(&c)
	return c, err
}
