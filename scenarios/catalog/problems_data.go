package catalog

import (
	"fmt"
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// sampleParams returns the keys of problems on samples. fallback is the default data set.
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
			About: "pixels are averaged over pool x pool; 2 gives 14 x 14, 4 gives 7 x 7 features"},
		keys.Param{Name: "normalized", Kind: keys.Bool, Default: false, Only: images,
			About: "shift and scale pixels by 0.1307 and 0.3081, their mean and deviation in MNIST"})
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

// checkClasses checks parameters of classes that depend on each other.
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

// taskEntry completes the entry of a learning problem. fill sets the fields of the configuration besides
// the data; nil means that each parameter is named like its field.
func taskEntry(kind string, e ProblemEntry, fill func(c *problems.TaskConfig, a keys.Args)) ProblemEntry {
	config := func(a keys.Args, env ProblemEnv) problems.TaskConfig {
		c := problems.TaskConfig{Kind: kind, Budget: env.Budget, Nodes: env.Nodes, Seed: env.Seed,
			AnyLabel: keys.Optional[string](a, "wrong_labels") == "any"}
		describeSamples(&c, a)
		if fill == nil {
			a.Fill(&c)
		} else {
			fill(&c, a)
		}
		return c
	}
	e.Size = func(a keys.Args, nodes int) Size { return sizeOf(config(a, ProblemEnv{Nodes: nodes})) }
	e.New = func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
		c := config(a, env)
		if err := loadSamples(&c, a, env); err != nil {
			return nil, err
		}
		return problems.NewTask(c)
	}
	return e
}

// describeSamples sets the kind of data. The default is synthetic data.
func describeSamples(c *problems.TaskConfig, a keys.Args) {
	kind := keys.Optional[keys.Args](a, "data").Kind()
	switch kind {
	case "file":
		c.Own = new(problems.Own)
	case "mushroom":
		c.Mushroom = &problems.Mushroom{Partition: partitionFrom(a)}
	case "mnist", "fashion-mnist":
		c.MNIST = &problems.Digits{Classes: a.Ints("classes"), Pool: a.Int("pool"), Normalized: a.Bool("normalized"),
			Imbalance: a.Float("imbalance"), Partition: partitionFrom(a)}
		if kind == "fashion-mnist" {
			c.MNIST.Name = "Fashion-MNIST"
		}
	default:
		c.Synthetic = &problems.Synthetic{Dim: a.Int("dim"), Noise: a.Float("noise"),
			Heterogeneity: keys.Optional[float64](a, "heterogeneity"), Test: keys.Optional[int](a, "test"),
			ScaleByNode:   keys.Optional[string](a, "feature_scale") == "by-node",
			StandardModel: keys.Optional[string](a, "model_scale") == "standard"}
		if classes := keys.Optional[[]int](a, "classes"); len(classes) == 1 {
			c.Synthetic.Classes = classes[0]
		}
	}
}

// loadSamples loads the data that describeSamples describes.
func loadSamples(c *problems.TaskConfig, a keys.Args, env ProblemEnv) (err error) {
	folder := keys.Optional[string](a, "folder")
	if folder != "" {
		folder = keys.InFolder(env.Dir, folder)
	}
	switch keys.Optional[keys.Args](a, "data").Kind() {
	case "file":
		c.Own, err = ownFrom(a, env)
		return err
	case "mushroom":
		if c.Mushroom.Data, err = env.Data.Mushrooms(); folder != "" {
			c.Mushroom.Data, err = env.Data.MushroomsIn(folder)
		}
		return err
	case "fashion-mnist":
		c.MNIST.Images, err = env.Data.FashionMNIST(folder)
	case "mnist":
		c.MNIST.Images, err = env.Data.MNIST(folder)
	}
	return keys.About("data", err)
}
