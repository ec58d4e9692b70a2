package catalog

import (
	"fmt"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// drawnSamplesParam returns samplesParam for a problem that reads no file of samples.
func drawnSamplesParam(train, val int) keys.Param {
	p := samplesParam(train, val)
	p.Unless = ""
	return p
}

// samplesParam returns the key of the numbers of samples of each node.
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

func ridgeParam(name string, fallback float64, about, source string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Float, Default: fallback, Example: keys.FormatFloat(fallback),
		Range: keys.Above(0), About: about, Source: source}
}

func checkImages(a keys.Args) *keys.ParamError { return checkClasses(a, "images") }

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
	return taskEntry(loss, ProblemEntry{
		Entry:   keys.Entry{Name: loss, Summary: summary, Params: params, Check: check},
		Formula: "f_i(x) = mean over node i's samples of " + formula + " + (l2/2) ||x||²",
	}, func(c *problems.TaskConfig, a keys.Args) {
		into := struct {
			*problems.TaskConfig
			Samples int // hides those of training and validation
		}{TaskConfig: c}
		a.Fill(&into)
		c.Samples.Train = into.Samples
	})
}

func hyperEntry(loss, summary, formula string) ProblemEntry {
	fallback := "synthetic"
	if loss == "svm" {
		fallback = "mushroom" // the paper's
	}
	params := append([]keys.Param{samplesParam(100, 100), startParam("x0"), startParam("y0"), spreadParam(),
		innerParam()}, sampleParams(loss, fallback)...)
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
	return taskEntry("hyper-"+loss, ProblemEntry{
		Entry: keys.Entry{Name: "hyper-" + loss, Summary: summary, Params: params,
			Check: func(a keys.Args) *keys.ParamError { return checkClasses(a, loss) }},
		Formula: "f_i = mean validation loss of y, g_i = mean training loss of y + 1/2 y'diag(exp x)y; loss " + formula,
		Source:  "Nazari et al., arXiv 2211.04088, section 6.1; the regularizer of Chen, Huang, Ma, arXiv 2206.05670",
	}, nil)
}

func spreadParam() keys.Param {
	return keys.Param{Name: "y0_spread", Kind: keys.Float, Default: 0.0, Example: "1", Range: keys.AtLeast(0),
		About: "the standard deviation of the random numbers, a node's own, that are added to its starting y"}
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

func l2Entry() ProblemEntry {
	return taskEntry("hyper-softmax", ProblemEntry{
		Entry: keys.Entry{Name: "hyper-l2",
			Summary: "the strength of one regularizer for all coefficients, chosen on held-out data; wrong labels",
			Check:   checkImages,
			Params: append(append([]keys.Param{samplesParam(100, 100), startParam("x0"), startParam("y0"),
				spreadParam(), innerParam()}, sampleParams("images", "mnist")...), labelNoiseParam(0.1), wrongLabelsParam())},
		Formula: "f_i = mean validation loss of y, g_i = mean training loss of y + 1/2 exp(x) ||y||², x one number; " +
			"loss cross entropy of softmax(Y s)",
		Source: "Ji, Liu, Liang, Ying, arXiv 2205.14224, figures 1 and 2: MNIST, 20,000 training samples, 10% wrong " +
			"labels. " +
			"They do not say how the strength is kept positive: here it is exp(x)",
	}, func(c *problems.TaskConfig, a keys.Args) {
		a.Fill(c)
		c.Scalar = true
	})
}

func cleaningEntry() ProblemEntry {
	return taskEntry("hyper-cleaning", ProblemEntry{
		Entry: keys.Entry{Name: "hyper-cleaning",
			Summary: "the weight of each training sample, where some labels are wrong, chosen on held-out data",
			Check:   checkImages,
			Params: append([]keys.Param{
				samplesParam(100, 100),
				{Name: "corruption", Kind: keys.Float, Default: 0.3, Example: "0.3", Range: keys.Between(0, 1),
					About:  "the probability that a training sample has the label of another class",
					Source: "the paper prints none"},
				ridgeParam("ridge", 0.001, "C_r", "Chen, Huang, Ma"),
				startParam("x0"), startParam("y0"), spreadParam(), innerParam(),
			}, sampleParams("images", "mnist")...)},
		Formula: "g_i = mean over node i's training samples e of σ(x_e) L_e(y) + C_r ||y||², f_i = mean validation " +
			"L_e(y); " +
			"L the cross entropy of softmax(Y s); x has one element for each training sample of all nodes",
		Source: "Chen, Huang, Ma, arXiv 2206.05670; they do not say whether x is one vector of all weights, as here",
	}, func(c *problems.TaskConfig, a keys.Args) {
		a.Fill(c)
		c.LabelNoise = a.Float("corruption")
	})
}

func representationEntry() ProblemEntry {
	// A hidden layer has biases of its own.
	samples := sampleParams("images", "mnist")
	samples = samples[:len(samples)-1]
	return taskEntry("hyper-representation", ProblemEntry{
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
	}, nil)
}

func linearRepresentationEntry() ProblemEntry {
	return taskEntry("hyper-representation-linear", ProblemEntry{
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
				startParam("y0"), spreadParam(), innerParam(),
			}},
		Formula: "f_i = 1/2 mean (s'Λy - t)² over validation samples, g_i = the same over training samples + " +
			"(ridge/2) ||y||², x = Λ; " +
			"s, Λ°, y° of standard normal entries, t = s'Λ°y° + noise",
		Source: "Ji, Liu, Liang, Ying, arXiv 2205.14224, table 3",
	}, nil)
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
	return taskEntry("fair-loss", ProblemEntry{
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
	}, nil)
}
