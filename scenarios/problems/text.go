package problems

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// TextConfig describes hyper-parameter optimization on texts: choose the strength of each
// word's regularizer so that a linear classifier does well on held-out texts,
//
//	f_i(x, y) = mean validation loss of y
//	g_i(x, y) = mean training loss of y + 1/(C d) Σ_c Σ_j exp(x_j) y_cj²
//
// with the cross entropy of softmax(Y s), y = Y (C x d) flattened by rows, and one x
// for each of the d features: p = d, q = C d. Samples are sparse, and oracle calls that
// form no matrix take O(C nonzeros + q).
//
// Source: Chen, Huang, Ma, arXiv 2206.05670, figure 4: 20 Newsgroups, C = 20, d = 101,631.
type TextConfig struct {
	Nodes   int
	Samples Samples // per node, at least 1 of each

	// Either Texts, which are dealt to the nodes at random, none twice, or Words. If Test
	// is nil, the test samples are the Texts that no node gets.
	Texts, Test *data.SparseSet
	Words       *Words

	X0, Y0 float64 // value of every coordinate of the starting point
	Seed   uint64
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized. Texts of a file must have been read, since only they state the
// numbers of features and classes.
func (c TextConfig) Size() Size {
	n, m := float64(c.Nodes), float64(c.Samples.Train)+float64(c.Samples.Val)
	var d, classes, words, test float64 // words of a text
	need := budget.Need{}
	switch {
	case c.Words != nil:
		d, classes, words, test = float64(c.Words.Features), float64(c.Words.Classes), c.Words.Length, float64(c.Words.Test)
		need = budget.Float64s(6, d)
		need.Flops = (n*m + test) * words * drawing * math.Log2(d+1)
	case c.Texts != nil:
		d, classes = float64(c.Texts.Features), float64(len(c.Texts.Labels))
		total := 0.0
		for _, s := range c.Texts.Samples {
			total += float64(len(s.Features))
		}
		words = total / float64(max(len(c.Texts.Samples), 1))
		if c.Test != nil {
			d = max(d, float64(c.Test.Features))
		}
	}
	const wordBytes, headBytes = 2 * (4 + 8), 64 // slices grow to twice their length
	texts := budget.Need{Bytes: (n*m + test) * (words*wordBytes + headBytes)}
	active := min(d, m*words) // features that a node's texts have
	risks := budget.Need{Bytes: 2 * (n*m*(words*4+80+16*classes) + 16*n*active*classes*2)}
	s := newSize(c.Nodes, d, d*classes, need.Plus(texts).Plus(risks))
	s.Limited = true
	return s
}

// NewText builds the problem. It is a Scorer, Fitted and MatrixLimited.
func NewText(c TextConfig) (Problem, error) {
	if err := fits(c, c.Budget, "hyper-text"); err != nil {
		return nil, err
	}
	t := &text{
		base: base{name: "hyper-text",
			holds: fmt.Sprintf("%d training and %d validation samples", c.Samples.Train, c.Samples.Val)},
		config: c,
	}
	if c.Words != nil {
		if err := t.draw(*c.Words); err != nil {
			return nil, err
		}
	} else if err := t.deal(); err != nil {
		return nil, err
	}
	p, q := t.features, t.classes*t.features
	t.frame = frame{p, q, c.Nodes, fill(p, c.X0), fill(q, c.Y0)}
	t.about += fmt.Sprintf(", %d classes, %d features", t.classes, t.features)
	return t, nil
}

type text struct {
	base
	config            TextConfig
	features, classes int
	train, val        [][]data.SparseSample // of each node
	test              []data.SparseSample
}

// deal gives each node texts from the file.
func (t *text) deal() error {
	c, texts := t.config, t.config.Texts
	t.features, t.classes = texts.Features, len(texts.Labels)
	if t.classes < 2 {
		return fmt.Errorf("file: all texts have the label %v; want at least two labels", texts.Labels[0])
	}
	if t.features < 1 {
		return fmt.Errorf("file: no text has a feature; want index:value after the labels")
	}
	per := c.Samples.Train + c.Samples.Val
	if have := len(texts.Samples); have < c.Nodes*per {
		return keys.Wrong("file", "file: %d nodes with %d training and %d validation samples need %d texts, "+
			"but the file has %d; take fewer samples or nodes",
			c.Nodes, c.Samples.Train, c.Samples.Val, c.Nodes*per, have)
	}
	shuffled := slices.Clone(texts.Samples)
	sim.Stream(c.Seed, "partition").Shuffle(len(shuffled), func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	})
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
				return keys.Wrong("test_file", "test_file: label %d does not occur in the training texts, whose labels are %v",
					c.Test.Labels[s.Class], texts.Labels)
			}
			s.Class = class
			t.test = append(t.test, s)
		}
	}
	t.about = fmt.Sprintf("%s, %d texts", texts.Name, len(texts.Samples))
	return nil
}

// LargestMatrix implements MatrixLimited.
func (t *text) LargestMatrix() int { return MaxMatrix }

// Accuracy implements Scorer: that of the model y.
func (t *text) Accuracy(x, y []float64) (train, test float64) {
	return t.right(slices.Concat(t.train...), y), t.TestAccuracy(x, y)
}

// TrainAccuracy implements Scorer.
func (t *text) TrainAccuracy(i int, x, y []float64) float64 {
	mustNode(i, t.nodes)
	return t.right(t.train[i], y)
}

// TestAccuracy implements Scorer. It is NaN if the nodes have all texts.
func (t *text) TestAccuracy(x, y []float64) float64 { return t.right(t.test, y) }

// TestSet implements Scorer.
func (t *text) TestSet() TestSet {
	words := 0
	for _, s := range t.test {
		words += len(s.Features)
	}
	return TestSet{len(t.test), float64(words) * float64(t.classes)}
}

// TrainLoss implements Fitted.
func (t *text) TrainLoss(_, y []float64) float64 { return t.lossOn(slices.Concat(t.train...), y) }

// TestLoss implements Fitted.
func (t *text) TestLoss(_, y []float64) float64 { return t.lossOn(t.test, y) }

func (t *text) lossOn(s []data.SparseSample, y []float64) float64 {
	mustLen("y", y, t.q)
	if len(s) == 0 {
		return math.NaN()
	}
	return newSparseRisk(t.classes, t.features, s).value(y)
}

// right returns the share of samples that the model gets right. If logits are equal, the first
// one wins.
func (t *text) right(s []data.SparseSample, y []float64) float64 {
	mustLen("y", y, t.q)
	n, logits := 0, make([]float64, t.classes)
	for _, sample := range s {
		for c := range logits {
			own := y[c*t.features : (c+1)*t.features]
			logits[c] = 0
			for i, j := range sample.Features {
				logits[c] += sample.Values[i] * own[j]
			}
		}
		if floats.MaxIdx(logits) == sample.Class {
			n++
		}
	}
	return float64(n) / float64(len(s))
}

func (t *text) Local(i int) Local {
	mustNode(i, t.nodes)
	l := &textFormulas{regularizer: expRegularizer(2 / float64(t.q))}
	l.hessian = l.hessMul
	l.val = newSparseRisk(t.classes, t.features, t.val[i])
	l.train = newSparseRisk(t.classes, t.features, t.train[i])
	return &oracle{formulas: l, p: t.p, q: t.q, limited: true}
}
