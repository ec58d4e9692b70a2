package problems

import (
	"fmt"
	"slices"

	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// TextConfig describes hyper-parameter optimization on texts: choose the strength of
// each word's regularizer so that a linear classifier does well on held-out texts,
//
//	f_i(x, y) = mean validation loss of y
//	g_i(x, y) = mean training loss of y + 1/(C d) Σ_c Σ_j exp(x_j) y_cj²
//
// with the cross entropy of softmax(Y s), y = Y (C x d) flattened by rows, and one x
// for each of the d features: p = d, q = C d. Samples are sparse, and all oracle calls
// but those that form matrices take O(C nonzeros + q).
//
// Source: Chen, Huang, Ma, arXiv 2206.05670, figure 4: 20 Newsgroups, C = 20, d = 101,631.
type TextConfig struct {
	Nodes   int
	Samples Samples // of each node, at least 1 of both

	// Exactly one of both: texts that are dealt out at random, none twice, or drawn
	// ones. Test may be nil; then the test samples are those that no node gets.
	Texts, Test *data.SparseSet
	Words       *Words

	X0, Y0 float64 // the value of every coordinate of the starting point
	Seed   uint64
}

// NewText builds the problem. It is a Scorer, and MatrixLimited.
func NewText(c TextConfig) (Problem, error) {
	if err := needCount("nodes", c.Nodes); err != nil {
		return nil, err
	}
	if err := c.Samples.check(); err != nil {
		return nil, err
	}
	if err := needFinite(c.X0, c.Y0); err != nil {
		return nil, err
	}
	if (c.Texts == nil) == (c.Words == nil) {
		return nil, fmt.Errorf("want either texts from a file or drawn words")
	}
	t := &text{config: c}
	if c.Words != nil {
		if err := t.draw(*c.Words); err != nil {
			return nil, err
		}
	} else if err := t.deal(); err != nil {
		return nil, err
	}
	t.p, t.q = t.features, t.classes*t.features
	return t, nil
}

type text struct {
	config            TextConfig
	features, classes int
	train, val        [][]data.SparseSample // of each node
	test              []data.SparseSample
	about             string
	p, q              int
}

// deal gives each node texts of the file.
func (t *text) deal() error {
	c, texts := t.config, t.config.Texts
	t.features, t.classes = texts.Features, len(texts.Labels)
	per := c.Samples.Train + c.Samples.Val
	if have := len(texts.Samples); have < c.Nodes*per {
		return wrong("file", "it has %d texts, and %d nodes with %d training and %d validation samples need %d; take fewer samples or nodes",
			have, c.Nodes, c.Samples.Train, c.Samples.Val, c.Nodes*per)
	}
	shuffled := slices.Clone(texts.Samples)
	sim.Stream(c.Seed, "partition").Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for i := range c.Nodes {
		own := shuffled[i*per : (i+1)*per]
		t.train, t.val = append(t.train, own[:c.Samples.Train]), append(t.val, own[c.Samples.Train:])
	}
	t.test = shuffled[c.Nodes*per:]
	if c.Test != nil {
		t.features = max(t.features, c.Test.Features)
		t.test = nil
		for _, s := range c.Test.Samples {
			class, known := slices.BinarySearch(texts.Labels, c.Test.Labels[s.Class])
			if !known {
				return wrong("test_file", "the label %d is none of the training texts'", c.Test.Labels[s.Class])
			}
			s.Class = class
			t.test = append(t.test, s)
		}
	}
	t.about = fmt.Sprintf("%s, %d texts", texts.Name, len(texts.Samples))
	return nil
}

func (t *text) Dims() (p, q int) { return t.p, t.q }
func (t *text) Nodes() int       { return t.config.Nodes }

func (t *text) Start(i int) (x0, y0 []float64) {
	mustNode(i, t.config.Nodes)
	return fill(t.p, t.config.X0), fill(t.q, t.config.Y0)
}

func (t *text) About() string {
	return fmt.Sprintf("hyper-text: %s, %d classes, %d features; %d nodes with %d training and %d validation samples, p = %d, q = %d",
		t.about, t.classes, t.features, t.config.Nodes, t.config.Samples.Train, t.config.Samples.Val, t.p, t.q)
}

// LargestMatrix implements MatrixLimited.
func (t *text) LargestMatrix() int { return MaxMatrix }

// Accuracy implements Scorer: of the model y.
func (t *text) Accuracy(x, y []float64) (train, test float64) {
	mustLen("y", y, t.q)
	right, all := 0, 0
	for _, own := range t.train {
		right += t.right(y, own)
		all += len(own)
	}
	train = float64(right) / float64(all)
	if len(t.test) > 0 {
		test = float64(t.right(y, t.test)) / float64(len(t.test))
	}
	return train, test
}

// right counts the samples that the model gets right; of equal logits the first counts.
func (t *text) right(y []float64, s []data.SparseSample) int {
	n, logits := 0, make([]float64, t.classes)
	for _, sample := range s {
		best := 0
		for c := range logits {
			own := y[c*t.features : (c+1)*t.features]
			logits[c] = 0
			for i, j := range sample.Features {
				logits[c] += sample.Values[i] * own[j]
			}
			if logits[c] > logits[best] {
				best = c
			}
		}
		if best == sample.Class {
			n++
		}
	}
	return n
}

func (t *text) Local(i int) Local {
	mustNode(i, t.config.Nodes)
	return &textLocal{
		p: t.p, q: t.q, unit: 2 / float64(t.q),
		val: newSparseRisk(t.classes, t.features, t.val[i]), train: newSparseRisk(t.classes, t.features, t.train[i]),
	}
}
