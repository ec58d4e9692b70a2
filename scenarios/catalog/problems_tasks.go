package catalog

import (
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// taskProblems are the tasks of the papers beyond regularization, and the toys.
func taskProblems() []ProblemEntry {
	return []ProblemEntry{
		l2Entry(), cleaningEntry(), textEntry(), representationEntry(), linearRepresentationEntry(), fairEntry(),
		coresetEntry(), minimaxEntry(), degenerateEntry(), floorEntry(),
	}
}

func ridgeParam(name string, fallback float64, about, source string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Default: fallback, Example: keys.FormatFloat(fallback),
		Range: keys.Above(0), About: about, Source: source}
}

func checkImages(a keys.Args) *keys.ParamError { return checkClasses(a, "images") }

func l2Entry() ProblemEntry {
	return ProblemEntry{
		Entry: keys.Entry{Name: "hyper-l2",
			Summary: "the strength of one regularizer for all coefficients, chosen on held-out data; wrong labels",
			Check:   checkImages,
			Params: append(append([]keys.Param{samplesParam(100, 100), startParam("x0"), startParam("y0"),
				innerParam()}, sampleParams("images", "mnist")...), labelNoiseParam(0.1), wrongLabelsParam())},
		Formula: "f_i = mean validation loss of y, g_i = mean training loss of y + 1/2 exp(x) ||y||², x one number; " +
			"loss cross entropy of softmax(Y s)",
		Source: "Ji, Liu, Liang, Ying, arXiv 2205.14224, figures 1 and 2: MNIST, 20,000 training samples, 10% wrong " +
			"labels. " +
			"They do not say how the strength is kept positive: here it is exp(x)",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			c, err := hyperConfig(a, env, "softmax")
			if err != nil {
				return nil, err
			}
			c.Scalar = true
			return problems.NewHyper(c)
		},
	}
}

func cleaningEntry() ProblemEntry {
	return ProblemEntry{
		Entry: keys.Entry{Name: "hyper-cleaning",
			Summary: "the weight of each training sample, where some labels are wrong, chosen on held-out data",
			Check:   checkImages,
			Params: append([]keys.Param{
				samplesParam(100, 100),
				{Name: "corruption", Kind: keys.Float, Default: 0.3, Example: "0.3", Range: keys.Between(0, 1),
					About:  "the probability that a training sample has the label of another class",
					Source: "the paper prints none"},
				ridgeParam("ridge", 0.001, "C_r", "Chen, Huang, Ma"),
				startParam("x0"), startParam("y0"), innerParam(),
			}, sampleParams("images", "mnist")...)},
		Formula: "g_i = mean over node i's training samples e of σ(x_e) L_e(y) + C_r ||y||², f_i = mean validation " +
			"L_e(y); " +
			"L the cross entropy of softmax(Y s); x has one element for each training sample of all nodes",
		Source: "Chen, Huang, Ma, arXiv 2206.05670; they do not say whether x is one vector of all weights, as here",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			from, err := samplesFrom(a, env)
			if err != nil {
				return nil, err
			}
			c := problems.CleaningConfig{Budget: env.Budget,
				Nodes: env.Nodes, Seed: env.Seed, Synthetic: from.synthetic, MNIST: from.mnist, Own: from.own}
			a.Fill(&c)
			return problems.NewCleaning(c)
		},
	}
}

func representationEntry() ProblemEntry {
	// A hidden layer has biases of its own.
	samples := sampleParams("images", "mnist")
	samples = samples[:len(samples)-1]
	return ProblemEntry{
		Entry: keys.Entry{Name: "hyper-representation",
			Summary: "the hidden layer of a two-layer network, whose last layer is trained on other samples",
			Check:   checkImages,
			Params: append([]keys.Param{
				samplesParam(300, 300),
				{Name: "hidden", Kind: keys.Int, Default: 200, Example: "200", Range: keys.Between(1, 1e5),
					About:  "the number of hidden units; 200 on MNIST has p = 157,000, q = 2,010",
					Source: "Nazari et al."},
				ridgeParam("ridge", 0.01, "makes y*(x) unique", "this program"),
				{Name: "init", Kind: keys.Float, Example: "0.05", Range: keys.Above(0),
					About: "the standard deviation of the hidden weights at the start; sqrt(2/inputs) by default"},
				startParam("y0"), innerParam(),
			}, samples...)},
		Formula: "φ(s) = relu(W s + b), x = (W, b); f_i = mean validation loss of y, g_i = mean training loss of y " +
			"+ (ridge/2) ||y||², y = (V, c); " +
			"loss cross entropy of softmax(V φ + c)",
		Source: "Nazari et al., arXiv 2211.04088, figure 4; the ridge is an addition",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			from, err := samplesFrom(a, env)
			if err != nil {
				return nil, err
			}
			c := problems.RepresentationConfig{Budget: env.Budget, Model: "mlp", Nodes: env.Nodes, Seed: env.Seed,
				Synthetic: from.synthetic, MNIST: from.mnist, Own: from.own}
			a.Fill(&c)
			return problems.NewRepresentation(c)
		},
	}
}

func linearRepresentationEntry() ProblemEntry {
	return ProblemEntry{
		Entry: keys.Entry{Name: "hyper-representation-linear",
			Summary: "a linear map to features, on which a linear model is trained on other samples",
			Params: []keys.Param{
				drawnSamplesParam(500, 500),
				{Name: "dim", Kind: keys.Int, Default: 64, Example: "64", Range: keys.Between(1, 1e5),
					About: "the number of inputs", Source: "Grazzi et al. 2020"},
				{Name: "hidden", Kind: keys.Int, Default: 128, Example: "128", Range: keys.Between(1, 1e5),
					About: "the number of features", Source: "Grazzi et al. 2020"},
				{Name: "noise", Kind: keys.Float, Default: 0.1, Example: "0.1", Range: keys.AtLeast(0),
					About: "the standard deviation of the targets' noise"},
				ridgeParam("ridge", 0.1, "the strength of y's regularizer", "Grazzi et al. 2020"),
				{Name: "init", Kind: keys.Float, Default: 1.0, Example: "1", Range: keys.Above(0),
					About: "the standard deviation of the map at the start"},
				startParam("y0"), innerParam(),
			}},
		Formula: "f_i = 1/2 mean (s'Λy - t)² over validation samples, g_i = the same over training samples + " +
			"(ridge/2) ||y||², x = Λ; " +
			"s, Λ°, y° of standard normal entries, t = s'Λ°y° + noise",
		Source: "Ji, Liu, Liang, Ying, arXiv 2205.14224, table 3",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			c := problems.RepresentationConfig{Budget: env.Budget, Model: "linear", Nodes: env.Nodes, Seed: env.Seed,
				Synthetic: &problems.Synthetic{Dim: a.Int("dim"), Noise: a.Float("noise")}}
			a.Fill(&c)
			return problems.NewRepresentation(c)
		},
	}
}

func fairEntry() ProblemEntry {
	samples := sampleParams("images", "mnist")
	for i := range samples {
		switch samples[i].Name {
		case "imbalance":
			samples[i].Default, samples[i].Source = 0.5994842503189409,
				"0.01^(1/9): the last of ten classes has a hundredth of the first"
		case "partition":
			samples[i].Default, samples[i].Source = "own-class", "Nazari et al., section 6.3"
		}
	}
	return ProblemEntry{
		Entry: keys.Entry{Name: "fair-loss",
			Summary: "scale and shift of each class's logits in the training loss, for data with rare classes",
			Check:   checkImages,
			Params: append([]keys.Param{
				samplesParam(100, 100), ridgeParam("ridge", 0.01, "makes y*(x) of the linear model unique", "this program"),
				{Name: "hidden", Kind: keys.Int, Default: 0, Example: "200", Range: keys.Between(0, 1e5),
					About:  "the hidden units of the network, which is all in the inner problem; 0: the model is linear",
					Source: "Tarzanagh et al., whose program has 784-200-10, q = 159,010"},
				startParam("x0"), startParam("y0"), innerParam(),
			}, samples...)},
		Formula: "o = Y s, or o = V relu(W s + b) + c with hidden units; g_i = mean training CE(σ(δ)∘o + l, class) + " +
			"(ridge/2) ||Y||², x = (δ, l); f_i = mean " +
			"validation ω_class CE(o, class), " +
			"ω the inverse of the class's share; CE the cross entropy after softmax",
		Source: "Nazari et al., arXiv 2211.04088, section 6.3, after Tarzanagh et al., ICML 2022; without " +
			"hidden units the model is linear, and the ridge is an addition",
		New: func(a keys.Args, env ProblemEnv) (problems.Problem, error) {
			from, err := samplesFrom(a, env)
			if err != nil {
				return nil, err
			}
			c := problems.FairConfig{Budget: env.Budget,
				Nodes: env.Nodes, Seed: env.Seed, Synthetic: from.synthetic, MNIST: from.mnist, Own: from.own}
			a.Fill(&c)
			return problems.NewFair(c)
		},
	}
}
