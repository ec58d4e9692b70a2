package problems

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/problems/data"
)

func testMushrooms(t *testing.T) *data.Mushrooms {
	t.Helper()
	m, err := TestLoader.Mushrooms()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Label noise changes the stated share of training labels, to all wrong classes equally
// often, and nothing else.
func TestLabelNoise(t *testing.T) {
	const m = 20000
	deal := func(t target, noise float64) *dealt {
		d, err := TaskConfig{Nodes: 2, Samples: Samples{Train: m, Val: 50}, Synthetic: &Synthetic{Dim: 2, Noise: 0.1},
			Seed: 1, LabelNoise: noise}.deal(t)
		if err != nil {
			panic(err)
		}
		return d
	}
	all := deal(targetClass, 1)
	for k, label := range deal(targetClass, 0).train.t {
		if all.train.t[k] == label {
			t.Fatalf("with label noise 1 the label %v of sample %d is right", label, k)
		}
	}
	for _, kind := range []target{targetClass, targetSign} {
		clean, spoilt := deal(kind, 0), deal(kind, 0.3)
		if !slices.Equal(clean.train.x.Data, spoilt.train.x.Data) || !slices.Equal(clean.val.t, spoilt.val.t) ||
			!slices.Equal(clean.test.t, spoilt.test.t) {
			t.Error("label noise changed more than training labels")
		}
		became := map[float64]int{}
		wrong, zeros := 0, 0
		for k, label := range clean.train.t {
			if spoilt.train.t[k] != label {
				wrong++
				if label == 0 {
					became[spoilt.train.t[k]]++
				}
			}
			if label == 0 {
				zeros++
			}
		}
		if rate := float64(wrong) / (2 * m); !(math.Abs(rate-0.3) <= 0.01) {
			t.Errorf("%v of the labels are wrong, want 0.3", rate)
		}
		if kind == targetSign {
			if got := spoilt.train.t; slices.Max(got) != 1 || slices.Min(got) != -1 {
				t.Error("a sign is not -1 or +1")
			}
			continue
		}
		if len(became) != 2 || !(math.Abs(float64(became[1])/float64(zeros)-0.15) <= 0.02) ||
			!(math.Abs(float64(became[2])/float64(zeros)-0.15) <= 0.02) {
			t.Errorf("%d samples of class 0 got the labels %v, want 15%% of each other class", zeros, became)
		}
	}
	// A node's first samples do not depend on the number of samples.
	few, err := TaskConfig{Nodes: 2, Samples: Samples{Train: 9, Val: 1}, Synthetic: &Synthetic{Dim: 2, Noise: 0.1},
		Seed: 1, LabelNoise: 0.3}.deal(targetClass)
	if err != nil {
		t.Fatal(err)
	}
	if many := deal(targetClass, 0.3); !slices.Equal(few.nodeTrain(1).t, many.nodeTrain(1).t[:9]) {
		t.Error("the first labels depend on the number of samples")
	}
}

// Chen, Huang, Ma, figure 1: features of node i = 1 ... have variance i².
func TestScaleByNode(t *testing.T) {
	d, err := TaskConfig{Nodes: 4, Samples: Samples{Train: 5000}, Synthetic: &Synthetic{Dim: 3, ScaleByNode: true},
		Seed: 1}.deal(targetSign)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		x := d.nodeTrain(i).x.Data
		if v, want := dot(x, x)/float64(len(x)), float64((i+1)*(i+1)); !(math.Abs(v-want) <= 0.05*want) {
			t.Errorf("node %d: variance %v, want %v", i, v, want)
		}
	}
}

// FedNest's long tail: class k has 6000 μ^k images, or all if it has fewer.
func TestImbalance(t *testing.T) {
	mu := math.Pow(0.01, 1.0/9)
	m := Digits{Images: testImages(t), Classes: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Imbalance: mu}
	var count [10]int
	for _, i := range (TaskConfig{Seed: 3}).longTail(m) {
		count[m.Images.Train.Labels[i]]++
	}
	if want := [10]int{5923, 3596, 2156, 1292, 774, 464, 278, 166, 100, 60}; count != want {
		t.Errorf("classes have %v images, want %v", count, want)
	}
	for _, mu := range []float64{0, 1} {
		m.Imbalance = mu
		if pool := (TaskConfig{}).longTail(m); len(pool) != 60000 {
			t.Errorf("imbalance %v leaves %d images", mu, len(pool))
		}
	}
}

func TestMushroomProblem(t *testing.T) {
	p, err := NewTask(TaskConfig{Kind: "hyper-svm", Smoothing: 0.5, Nodes: 4, Samples: Samples{Train: 300, Val: 100},
		X0: math.Log(1e-3), Seed: 1,
		Mushroom: &Mushroom{Data: testMushrooms(t), Partition: data.Partition{Kind: "own-class", Own: 0.8}}})
	if err != nil {
		t.Fatal(err)
	}
	h := dealtTask{p, p.(Scorer), taskOf(p).data}
	if np, nq := p.Dims(); np != 125 || nq != 125 || h.data.test.len() != 8124-1600 {
		t.Errorf("p, q = %d, %d and %d test samples", np, nq, h.data.test.len())
	}
	const want = "hyper-svm: mushrooms, own-class(0.8); " +
		"4 nodes with 300 training and 100 validation samples, p = 125, q = 125"
	if got := p.About(); got != want {
		t.Errorf("About: %q, want %q", got, want)
	}
	poisonous := 0
	for _, s := range []samples{h.data.train, h.data.val, h.data.tested()} {
		for _, v := range s.t {
			if v == 1 {
				poisonous++
			}
		}
	}
	if poisonous != 3916 { // each mushroom is in one place
		t.Errorf("%d poisonous mushrooms, want 3916", poisonous)
	}
	x, y := descend(p, 300, 0.2)
	if train, test := h.Accuracy(x, y); train < 0.97 || test < 0.97 {
		t.Errorf("accuracy %.3f on training, %.3f on test data", train, test)
	}
	if _, ok := p.(Unmeasurable); ok {
		t.Error("the smoothed hinge is unmeasurable")
	}
}

// descend does gradient descent on the mean of the g_i at the start's x.
func descend(p Problem, steps int, rate float64) (x, y []float64) {
	x, y = p.Start(0)
	g := make([]float64, len(y))
	var locals []Local
	for i := range p.Nodes() {
		locals = append(locals, p.Local(i))
	}
	for range steps {
		next := slices.Clone(y)
		for _, l := range locals {
			l.GradGy(g, x, y)
			for b, v := range g {
				next[b] -= rate * v / float64(len(locals))
			}
		}
		y = next
	}
	return x, y
}

// Every task learns digits from its start. This covers the chain from pixels to accuracy.
func TestTasksLearnDigits(t *testing.T) {
	n := Samples{Train: 250, Val: 20}
	images := &Digits{Images: testImages(t), Pool: 4}
	tail := &Digits{Images: testImages(t), Pool: 4, Imbalance: 0.7,
		Partition: data.Partition{Kind: "own-class", Own: 0.5}}
	for name, c := range map[string]struct {
		build func() (Problem, error)
		rate  float64
		least float64
	}{
		"cleaning": {func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "hyper-cleaning", Nodes: 4, Samples: n, MNIST: images, LabelNoise: 0.2,
				Ridge: 0.001,
				X0:    2, Seed: 1})
		}, 1, 0.75},
		"l2": {func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "hyper-softmax", Scalar: true, LabelNoise: 0.1, Nodes: 4, Samples: n,
				MNIST: images, X0: -6, Seed: 1})
		}, 1, 0.75},
		"fair": {func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "fair-loss", Nodes: 4, Samples: n, MNIST: tail, Ridge: 0.001, X0: 3, Seed: 1})
		}, 1, 0.6},
		"fair net": {func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "fair-loss", Nodes: 4, Samples: n, MNIST: tail, Hidden: 30, Ridge: 0.001,
				X0: 3, Seed: 1})
		}, 0.5, 0.6},
		"mlp": {func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "hyper-representation", Hidden: 60, Nodes: 4, Samples: n,
				MNIST: images, Ridge: 0.001, Seed: 1})
		}, 2, 0.75},
	} {
		p, err := c.build()
		if err != nil {
			t.Fatal(err)
		}
		x, y := descend(p, 200, c.rate)
		if _, test := p.(Scorer).Accuracy(x, y); test < c.least {
			t.Errorf("%s: accuracy %.3f on test data, want %.2f", name, test, c.least)
		}
	}
}

// A hypergradient step of hyper-cleaning must reduce the weight of wrong samples. At the
// model y of the correct labels their losses in ∇_x g are higher, so J v separates them.
// This tests the first-order condition directly.
func TestCleaningFindsWrongLabels(t *testing.T) {
	c := TaskConfig{Kind: "hyper-cleaning", Nodes: 1, Samples: Samples{Train: 300, Val: 300},
		Synthetic:  &Synthetic{Dim: 5, Noise: 0.01},
		LabelNoise: 0.3, Ridge: 0.01, Seed: 1}
	p, err := NewTask(c)
	if err != nil {
		t.Fatal(err)
	}
	c.LabelNoise = 0
	clean, err := NewTask(c)
	if err != nil {
		t.Fatal(err)
	}
	c.LabelNoise = 1
	all, err := NewTask(c)
	if err != nil {
		t.Fatal(err)
	}
	for e, label := range taskOf(clean).data.train.t {
		if taskOf(all).data.train.t[e] == label {
			t.Errorf("with all labels wrong, that of sample %d is right", e)
		}
	}
	x, y := descend(p, 500, 0.5)
	l := p.Local(0)
	grad, jac := make([]float64, len(y)), make([]float64, len(x))
	l.GradFy(grad, x, y)
	l.JacGxyMul(jac, x, y, grad) // H is near a multiple of I, so the sign is right
	right, wrong, rights := 0.0, 0.0, 0
	for e, label := range taskOf(p).data.train.t {
		if label == taskOf(clean).data.train.t[e] {
			right -= jac[e]
			rights++
		} else {
			wrong -= jac[e]
		}
	}
	right /= float64(rights)
	wrong /= float64(len(x) - rights)
	if !(wrong > 0 && right < wrong/4) { // -J v > 0: less weight lowers the validation loss
		t.Errorf("mean hypergradient of correct samples %v, of wrong ones %v", right, wrong)
	}
}

// All classes have equal weight in f: constant logits give f = log C.
func TestFairWeights(t *testing.T) {
	p, err := NewTask(TaskConfig{Kind: "fair-loss", Nodes: 3, Samples: Samples{Train: 5, Val: 40}, Ridge: 0.1,
		Synthetic: &Synthetic{Dim: 2, Classes: 3, Heterogeneity: 2}, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	x, y := p.Start(0)
	sum := 0.0
	for i := range 3 {
		sum += p.Local(i).F(x, y) / 3
	}
	if !(math.Abs(sum-math.Log(3)) <= 1e-12) {
		t.Errorf("f(0) = %v, want log 3", sum)
	}
	var total float64
	f := taskOf(p)
	count := make([]float64, 3)
	for _, t := range f.data.val.t {
		count[int(t)]++
	}
	for c, n := range count {
		if total = n * f.omega[c]; !(math.Abs(total-40) <= 1e-12) {
			t.Errorf("class %d weighs %v, want 40", c, total)
		}
	}
}

// At δ = 0, l = 0 training halves the logits: the training loss at 2y is the plain cross
// entropy at y.
func TestFairIsCrossEntropy(t *testing.T) {
	n := Samples{Train: 30, Val: 5}
	syn := &Synthetic{Dim: 4, Noise: 0.2}
	p, err := NewTask(TaskConfig{Kind: "fair-loss", Nodes: 1, Samples: n, Ridge: 1e-12, Synthetic: syn, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := NewTask(TaskConfig{Kind: "hyper-softmax", Nodes: 1, Samples: n, Synthetic: syn, X0: -800, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	x, y := p.Start(0)
	px, py := plain.Start(0)
	for b := range y {
		py[b] = float64(b%5) - 2
		y[b] = 2 * py[b]
	}
	if a, b := p.Local(0).G(x, y), plain.Local(0).G(px, py); !(math.Abs(a-b) <= 1e-9) {
		t.Errorf("g = %v, the cross entropy is %v", a, b)
	}
}

// A linear representation that starts at the truth fits its noise-free data.
func TestLinearRepresentationTruth(t *testing.T) {
	c := TaskConfig{Kind: "hyper-representation-linear", Hidden: 3, Nodes: 2, Samples: Samples{Train: 20, Val: 20},
		Synthetic: &Synthetic{Dim: 2}, Ridge: 1e-13, Seed: 3}
	p, err := NewTask(c)
	if err != nil {
		t.Fatal(err)
	}
	// For any Λ of full rank, some y has Λy = Λ°w°: both losses can be 0.
	x, y := descend(p, 4000, 0.05)
	for i := range 2 {
		if f, g := p.Local(i).F(x, y), p.Local(i).G(x, y); f > 1e-10 || g > 1e-10 {
			t.Errorf("node %d: f = %v, g = %v, want 0", i, f, g)
		}
	}
	d := taskOf(p).data
	if slices.Equal(d.nodeTrain(1).x.Data, d.nodeVal(1).x.Data) {
		t.Error("training and validation samples are the same")
	}
}

func TestTaskErrors(t *testing.T) {
	of := func(kind string, change func(*TaskConfig)) error {
		c := TaskConfig{Kind: kind, Nodes: 2, Samples: Samples{3, 3}, Ridge: 0.1}
		change(&c)
		_, err := NewTask(c)
		return err
	}
	for _, c := range []struct {
		want string
		err  error
	}{
		{"mnist, digits [4 9]: 2 nodes with 10003 samples each need 20006 samples, but there are 11791",
			of("hyper-logistic", func(c *TaskConfig) {
				c.Samples.Train, c.MNIST = 10000, &Digits{Images: testImages(t), Classes: []int{4, 9}, Pool: 2}
			})},
		{"there are 2; take fewer", of("fair-loss", func(c *TaskConfig) {
			c.MNIST = &Digits{Images: tiny(testImages(t)), Pool: 14, Imbalance: 1e-4, Classes: []int{1, 2}}
		})},
		{"leaves none for testing", of("hyper-svm", func(c *TaskConfig) {
			c.Mushroom, c.Samples = &Mushroom{Data: testMushrooms(t)}, Samples{Train: 4000, Val: 62}
		})},
		{"mushroom: 2 nodes with 6000 samples each need 12000 samples, but there", of("hyper-svm", func(c *TaskConfig) {
			c.Mushroom, c.Samples.Train = &Mushroom{Data: testMushrooms(t)}, 5997
		})},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// tiny is a data set of 20 training images.
func tiny(m *data.MNIST) *data.MNIST {
	const n = 20
	train := data.Images{Pixels: m.Train.Pixels[:n*28*28], Labels: m.Train.Labels[:n], Rows: 28, Cols: 28}
	return &data.MNIST{Train: &train, Test: m.Test}
}
