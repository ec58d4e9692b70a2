package problems_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// smallTexts has few features; some of its samples share none.
func smallTexts(tb testing.TB) *data.SparseSet {
	tb.Helper()
	s, err := data.ReadSVM(strings.NewReader(`7 1:0.5 3:-1
-2 2:2
0 1:1 4:0.25 6:3
0 3:0.5 5:-0.75
7 1:-2 2:1 3:1
-2
7 6:1.5
0 2:0.5 6:-1
-2 1:0.1 5:1
0 3:2
7 2:1 5:0.5
`), 1)
	if err != nil {
		tb.Fatal(err)
	}
	s.Name = "small"
	return s
}

// textZoo returns texts from a file and random ones, small enough to check fully.
func textZoo(tb testing.TB) map[string]problems.Problem {
	return map[string]problems.Problem{
		"hyper-text file": must(problems.NewText(problems.TextConfig{Nodes: 1,
			Samples: problems.Samples{Train: 5, Val: 5}, Texts: smallTexts(tb), Seed: 1})),
		"hyper-text drawn": must(problems.NewText(problems.TextConfig{Nodes: 2,
			Samples: problems.Samples{Train: 5, Val: 5},
			Words:   &problems.Words{Features: 104, Classes: 2, Length: 8, Topic: 0.5, Test: 3}, Seed: 1})),
	}
}

// Losses, a gradient and accuracies of samples 2 e_1 - e_3 of class 2, by hand.
func TestTextByHand(t *testing.T) {
	text := must(problems.NewText(problems.TextConfig{Nodes: 1, Samples: problems.Samples{Train: 2, Val: 1},
		Texts: &data.SparseSet{
			Features: 4, Labels: []int{0, 1, 2}, Samples: slices.Repeat([]data.SparseSample{{Features: []int32{1, 3},
				Values: []float64{2, -1}, Class: 2}}, 3)}, Seed: 1}))
	l := text.Local(0)
	x := []float64{0.1, -0.2, 0.3, 0}
	y := []float64{1, 2, 3, 4, 5, 6, 7, 8, 0.5, 0.25, 0.125, 0}
	// Logits: 2·2-4, 2·6-8, 2·0.25-0.
	logits := []float64{0, 4, 0.5}
	sum := 0.0
	for _, z := range logits {
		sum += math.Exp(z)
	}
	loss := math.Log(sum) - 0.5
	reg := 0.0
	for b, v := range y {
		reg += math.Exp(x[b%4]) * v * v / 12
	}
	if f, g := l.F(x, y), l.G(x, y); !(math.Abs(f-loss) <= 1e-14) || !(math.Abs(g-loss-reg) <= 1e-13) {
		t.Errorf("f = %v, g = %v, want %v, %v", f, g, loss, loss+reg)
	}
	// The gradient of f is (π - onehot) s'.
	want := make([]float64, 12)
	for c, z := range logits {
		e := math.Exp(z) / sum
		if c == 2 {
			e--
		}
		want[c*4+1], want[c*4+3] = 2*e, -e
	}
	got := make([]float64, 12)
	l.GradFy(got, x, y)
	for b := range want {
		if !(math.Abs(got[b]-want[b]) <= 1e-14) {
			t.Errorf("∇_y f[%d] = %v, want %v", b, got[b], want[b])
		}
	}
	if train, test := text.(problems.Scorer).Accuracy(x, y); train != 0 || !math.IsNaN(test) {
		t.Errorf("accuracies %v, %v of a model that always predicts class 1, without test texts", train, test)
	}
	if n := text.(problems.Scorer).TestSet().Samples; n != 0 {
		t.Errorf("%d test texts, want none", n)
	}
	y[9] = 5 // now class 2 has 10 against 4
	if train, _ := text.(problems.Scorer).Accuracy(x, y); train != 1 {
		t.Errorf("training accuracy %v of a model that always predicts class 2", train)
	}
}

// The sizes equal those of Chen, Huang and Ma, and a product at that size works.
func TestTextSizes(t *testing.T) {
	p := must(problems.NewText(problems.TextConfig{Nodes: 1, Samples: problems.Samples{Train: 3, Val: 3},
		Words: &problems.Words{Features: 101631, Classes: 20, Length: 120, Topic: 0.2, Test: 1}, Seed: 1}))
	np, nq := p.Dims()
	if np != 101631 || nq != 2032620 {
		t.Fatalf("p, q = %d, %d, want 101631, 2032620", np, nq)
	}
	x, y := p.Start(0)
	v, dst := make([]float64, nq), make([]float64, nq)
	v[nq-1] = 1
	p.Local(0).HessGyyMul(dst, x, y, v)
	// The derivative of a word in no text comes from the regularizer only.
	if want := 2 / float64(nq); dst[nq-1] != want || p.(problems.MatrixLimited).LargestMatrix() >= np*nq {
		t.Errorf("(H v)[last] = %v, want %v", dst[nq-1], want)
	}
}

// Random texts have the documented statistics.
func TestWords(t *testing.T) {
	const texts = 4000
	w := problems.Words{Features: 2000, Classes: 4, Length: 60, Topic: 0.3, Test: 1}
	c := problems.TextConfig{Nodes: 1, Samples: problems.Samples{Train: texts, Val: 1}, Words: &w, Seed: 2}
	l := must(problems.NewText(c)).Local(0)
	_, q := must(problems.NewText(c)).Dims()
	x, y, g := make([]float64, w.Features), make([]float64, q), make([]float64, q)
	// At y = 0 the gradient of class c's row is the mean of (1/C - [class c]) s: the sum
	// over classes is 0, and topic words stand out in one class.
	l.GradGy(g, x, y)
	telling, common := 0.0, 0.0
	for j := range w.Features {
		sum, largest := 0.0, 0.0
		for class := range w.Classes {
			sum += g[class*w.Features+j]
			largest = max(largest, -g[class*w.Features+j])
		}
		if !(math.Abs(sum) <= 1e-12) {
			t.Fatalf("word %d: the gradients of its classes sum to %v", j, sum)
		}
		if j < 100 { // a common word
			common += largest
		} else {
			telling += largest
		}
	}
	if !(telling > 5*common) {
		t.Errorf("topic words weigh %v, common ones %v; want a factor above 5", telling, common)
	}
	// A node's texts do not depend on the number of nodes.
	c.Nodes, c.Samples = 3, problems.Samples{Train: 5, Val: 4}
	three := must(problems.NewText(c))
	c.Nodes = 2
	two := must(problems.NewText(c))
	for b := range y {
		y[b] = float64(b%7) - 3
	}
	if a, b := three.Local(1).G(x, y), two.Local(1).G(x, y); a != b {
		t.Errorf("g_1 = %v with three nodes, %v with two", a, b)
	}
}

// The FLOP formulas by hand: 2 samples with 2 nonzeros each, C = 3, p = 4, k = 79.
func TestTextFlops(t *testing.T) {
	set := &data.SparseSet{Features: 4, Labels: []int{0, 1, 2},
		Samples: slices.Repeat([]data.SparseSample{{Features: []int32{1, 3}, Values: []float64{2, -1}, Class: 2}}, 3)}
	l := must(problems.NewText(problems.TextConfig{Nodes: 1, Samples: problems.Samples{Train: 2, Val: 1},
		Texts: set})).Local(0)
	for call, want := range map[metrics.Call]float64{
		metrics.CallValue: 2*(12+79) + 44 + 36, metrics.CallGradF: 2 * (24 + 79),
		metrics.CallGradG: 2*(24+79) + 44 + 12,
		metrics.CallHVP:   2*(36+79+15) + 44 + 12, metrics.CallJVP: 48 + 24, metrics.CallJacobian: 44 + 12,
		metrics.CallHessian: 12 * (2*(36+79+15) + 44 + 12), metrics.CallSolve: 576 + 288,
	} {
		if got := l.Flops(call, 2); got != want {
			t.Errorf("%v costs %v, want %v", call, got, want)
		}
	}
}

// TestTestSets: classifying the test samples costs a multiplication for each coefficient that a sample meets, by
// hand. Their accuracy alone equals the one computed together with the training accuracy.
func TestTestSets(t *testing.T) {
	n := problems.Samples{Train: 2, Val: 1}
	syn := &problems.Synthetic{Dim: 4, Test: 7}
	texts := &data.SparseSet{Features: 4, Labels: []int{0, 1, 2},
		Samples: slices.Repeat([]data.SparseSample{{Features: []int32{1, 3}, Values: []float64{2, -1}, Class: 2}}, 5)}
	for _, c := range []struct {
		p    problems.Problem
		want problems.TestSet
	}{
		{must(problems.NewText(problems.TextConfig{Nodes: 1, Samples: n, Texts: texts})), problems.TestSet{2, 2 * 2 * 3}},
		{must(problems.NewTask(problems.TaskConfig{Kind: "hyper-softmax", Nodes: 1, Samples: n, Synthetic: syn})),
			problems.TestSet{7, 7 * 12}},
		{must(problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 1, Samples: n, Synthetic: syn})),
			problems.TestSet{7, 7 * 4}},
		{must(problems.NewTask(problems.TaskConfig{Kind: "fair-loss", Nodes: 1, Samples: n, Synthetic: syn, Ridge: 1,
			Hidden: 5})),
			problems.TestSet{7, 7 * (5*5 + 3*6)}},
		{must(problems.NewTask(problems.TaskConfig{Kind: "hyper-representation", Hidden: 5, Nodes: 1, Samples: n,
			Synthetic: syn, Ridge: 1})), problems.TestSet{7, 7 * (5*5 + 3*6)}},
	} {
		s := c.p.(problems.Scorer)
		if got := s.TestSet(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.p.About(), got, c.want)
		}
		x, y := c.p.Start(0)
		for k := range y {
			y[k] = math.Sin(float64(k))
		}
		if _, want := s.Accuracy(x, y); s.TestAccuracy(x, y) != want {
			t.Errorf("%s: test accuracy %g, and %g beside that of training", c.p.About(), s.TestAccuracy(x, y), want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	words := problems.Words{Features: 200, Classes: 2, Length: 10, Topic: 0.2, Test: 1}
	with := func(change func(w *problems.Words)) *problems.Words {
		w := words
		change(&w)
		return &w
	}
	n := problems.Samples{Train: 2, Val: 2}
	for want, c := range map[string]problems.TextConfig{
		"features is 101; want at": {Nodes: 1, Samples: n,
			Words: with(func(w *problems.Words) { w.Features = 101 })},
		"need 12 texts, but the file has 11": {Nodes: 3, Samples: n, Texts: smallTexts(t)},
		"test_file: label 9 does not occur": {Nodes: 1, Samples: n, Texts: smallTexts(t),
			Test: &data.SparseSet{Features: 1, Labels: []int{9}, Samples: []data.SparseSample{{Class: 0}}}},
	} {
		if _, err := problems.NewText(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for _, topic := range []float64{0, 1} { // no extra words of the topic, or no others
		c := problems.TextConfig{Nodes: 1, Samples: n, Words: with(func(w *problems.Words) { w.Topic = topic })}
		if _, err := problems.NewText(c); err != nil {
			t.Errorf("topic %v: %v", topic, err)
		}
	}
}

// Starts of different nodes differ by normal noise of the stated standard deviation.
func TestStartSpread(t *testing.T) {
	p := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 2,
		Samples:   problems.Samples{Train: 1, Val: 1},
		Synthetic: &problems.Synthetic{Dim: 4000, Test: 1}, Y0: 5, Y0Spread: 2, Seed: 1}))
	_, a := p.Start(0)
	_, b := p.Start(1)
	_, again := p.Start(0)
	if !slices.Equal(a, again) {
		t.Error("two starts of one node differ")
	}
	mean, square, product := 0.0, 0.0, 0.0
	for k := range a {
		mean += a[k] / 4000
		square += (a[k] - 5) * (a[k] - 5) / 4000
		product += (a[k] - 5) * (b[k] - 5) / 4000
	}
	// Within five standard deviations of these means.
	if !(math.Abs(mean-5) <= 5*2/math.Sqrt(4000)) || !(math.Abs(square-4) <= 5*4*math.Sqrt(2.0/4000)) ||
		!(math.Abs(product) <= 5*4/math.Sqrt(4000)) {
		t.Errorf("mean %v, variance %v, covariance of two nodes %v; want 5, 4, 0", mean, square, product)
	}
	// The starts are successive draws of the node's stream.
	rng := sim.Stream(1, "start", 1)
	for k, got := range b[:5] {
		if want := 5 + 2*rng.NormFloat64(); got != want {
			t.Errorf("node 1 starts at y_%d = %v, want %v", k, got, want)
		}
	}
}
