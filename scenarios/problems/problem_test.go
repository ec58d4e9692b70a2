package problems

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/problems/gemm"
	"tallynet/sim"
)

// TestLoader is shared by the tests, as a caller would share it, including those of package problems_test.
var TestLoader data.Loader

func testImages(tb testing.TB) *data.MNIST {
	tb.Helper()
	m, err := TestLoader.MNIST("")
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// FewImages returns noise instead of MNIST's images: 100 of each class for training and 10 for testing.
func FewImages() *data.MNIST {
	of := func(n int) *data.Images {
		im := &data.Images{Pixels: make([]byte, n*28*28), Labels: make([]byte, n), Rows: 28, Cols: 28}
		rng := sim.Stream(1, "images", n)
		for k := range im.Pixels {
			im.Pixels[k] = byte(max(0, rng.IntN(640)-384)) // most are 0
		}
		for i := range im.Labels {
			im.Labels[i] = byte(i % 10)
		}
		return im
	}
	return &data.MNIST{Train: of(1000), Test: of(100)}
}

// dealtTask is a task with its data.
type dealtTask struct {
	Problem
	Scorer
	data *dealt
}

func (t *task) self() *task { return t }

func taskOf(p Problem) *task { return p.(interface{ self() *task }).self() }

func mnistHyper(t *testing.T, change func(*TaskConfig)) dealtTask {
	t.Helper()
	c := TaskConfig{Kind: "hyper-logistic", Nodes: 4, Samples: Samples{Train: 30, Val: 20}, Seed: 1, X0: math.Log(0.05),
		MNIST: &Digits{Classes: []int{4, 9}, Pool: 4}}
	if change != nil {
		change(&c)
	}
	if c.MNIST != nil && c.MNIST.Images == nil {
		c.MNIST.Images = testImages(t)
	}
	p, err := NewTask(c)
	if err != nil {
		t.Fatal(err)
	}
	return dealtTask{p, p.(Scorer), taskOf(p).data}
}

func TestMNISTProblem(t *testing.T) {
	p := mnistHyper(t, nil)
	if np, nq := p.Dims(); np != 49 || nq != 49 {
		t.Errorf("p, q = %d, %d, want 49, 49", np, nq)
	}
	if got := p.data.test.len(); got != 982+1009 { // the official test fours and nines
		t.Errorf("%d test samples, want 1991", got)
	}
	if x0, y0 := p.Start(2); x0[7] != math.Log(0.05) || y0[7] != 0 {
		t.Errorf("start %v, %v", x0[7], y0[7])
	}
	for _, v := range p.data.train.x.Data {
		if v < 0 || v > 1 {
			t.Fatalf("feature %v outside [0, 1]", v)
		}
	}
	const want = "hyper-logistic: MNIST digits 4,9 at 7 x 7, iid; " +
		"4 nodes with 30 training and 20 validation samples, p = 49, q = 49"
	if got := p.About(); got != want {
		t.Errorf("About: %q, want %q", got, want)
	}
	// Another seed deals different images; more classes and a shared x change the sizes.
	if again := mnistHyper(t, nil); !slices.Equal(again.data.val.x.Data, p.data.val.x.Data) {
		t.Error("one seed gives two deals")
	}
	if other := mnistHyper(t, func(c *TaskConfig) { c.Seed = 2 }); slices.Equal(other.data.val.x.Data,
		p.data.val.x.Data) {
		t.Error("two seeds give one deal")
	}
	soft := mnistHyper(t, func(c *TaskConfig) {
		c.Kind, c.MNIST.Classes, c.MNIST.Pool, c.Bias, c.SharedAcrossClasses = "hyper-softmax", nil, 2, true, true
	})
	if np, nq := soft.Dims(); np != 197 || nq != 1970 {
		t.Errorf("p, q = %d, %d, want 197, 1970", np, nq)
	}
}

// With partition by-label and one shard, four nodes hold one digit each.
func TestMNISTByLabel(t *testing.T) {
	p := mnistHyper(t, func(c *TaskConfig) { c.MNIST.Partition = data.Partition{Kind: "by-label", Shards: 1} })
	pure := 0
	for i := range 4 {
		s := p.data.nodeTrain(i).t
		if slices.Max(s) == slices.Min(s) {
			pure++
		}
	}
	if pure < 3 { // the cut may fall inside one node's range
		t.Errorf("%d of 4 nodes hold one digit only", pure)
	}
}

// Gradient descent on all of g learns the digits. This covers the whole chain from pixels to accuracy.
func TestLearnsDigits(t *testing.T) {
	for _, loss := range []string{"ridge", "logistic", "softmax"} {
		p := mnistHyper(t, func(c *TaskConfig) {
			c.Kind, c.X0, c.Samples.Train = "hyper-"+loss, math.Log(1e-3), 200
		})
		x, y := p.Start(0)
		g := make([]float64, len(y))
		locals := []Local{p.Local(0), p.Local(1), p.Local(2), p.Local(3)}
		for range 300 {
			step := slices.Clone(y)
			for _, l := range locals {
				l.GradGy(g, x, y)
				for b, v := range g {
					step[b] -= 0.05 * v / 4
					if loss != "ridge" {
						step[b] -= 0.95 * v / 4
					}
				}
			}
			y = step
		}
		if train, test := p.Accuracy(x, y); train < 0.9 || test < 0.9 {
			t.Errorf("%s: accuracy %.3f on training, %.3f on test data", loss, train, test)
		}
	}
}

// Accuracy equals its definition, sample by sample.
func TestAccuracy(t *testing.T) {
	s := newSamples(4, 2)
	copy(s.x.Data, []float64{1, 0, 0, 1, -1, 0, 0, 0})
	copy(s.t, []float64{1, 1, 1, 1})
	if got := accuracy([]float64{2, 1}, s); got != 0.5 { // margins 2, 1, -2, 0
		t.Errorf("signs: %v, want 0.5", got)
	}
	copy(s.t, []float64{0, 1, 1, 2})
	if got := accuracy([]float64{1, 0, 0, 1, -1, -1}, s); got != 0.5 { // classes 0, 1, 2, 0
		t.Errorf("classes: %v, want 0.5", got)
	}
}

func TestLeastSquaresSolution(t *testing.T) {
	for _, l2 := range []float64{0, 0.3} {
		p, err := NewTask(TaskConfig{Kind: "least-squares", Nodes: 3, Samples: Samples{Train: 5}, L2: l2, Seed: 4,
			Synthetic: &Synthetic{Dim: 6, Noise: 0.2, Heterogeneity: 1}})
		if err != nil {
			t.Fatal(err)
		}
		x, y, err := p.(Solved).Solution()
		if err != nil || len(y) != 0 {
			t.Fatal(y, err)
		}
		sum, g := make([]float64, 6), make([]float64, 6)
		for i := range 3 {
			p.Local(i).GradFx(g, x, nil)
			for j, v := range g {
				sum[j] += v
			}
		}
		near(t, "sum of gradients at x*", sum, make([]float64, 6), 1e-13)
	}
	p, err := NewTask(TaskConfig{Kind: "least-squares", Nodes: 1, Samples: Samples{Train: 2},
		Synthetic: &Synthetic{Dim: 6}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.(Solved).Solution(); err == nil || !strings.Contains(err.Error(), "set l2 > 0") {
		t.Errorf("too few samples: error %v", err)
	}
}

func TestConsensus(t *testing.T) {
	c, err := NewConsensus(ConsensusConfig{Nodes: 5, Dim: 3, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := c.Solution()
	if err != nil {
		t.Fatal(err)
	}
	sum := make([]float64, 3)
	for i := range 5 {
		b, _ := c.Start(i)
		if f := c.Local(i).F(b, nil); f != 0 {
			t.Errorf("f_%d at its own start is %v", i, f)
		}
		for j, v := range b {
			sum[j] += v / 5
		}
	}
	near(t, "mean", x, sum, 1e-15)
}

// Without noise and heterogeneity the true model fits all samples: least squares has the
// same solution and zero loss on every node.
func TestSyntheticTruth(t *testing.T) {
	c := TaskConfig{Kind: "least-squares", Nodes: 3, Samples: Samples{Train: 20}, Seed: 6, Synthetic: &Synthetic{Dim: 4}}
	p, err := NewTask(c)
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := p.(Solved).Solution()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if f := p.Local(i).F(x, nil); f > 1e-25 {
			t.Errorf("f_%d(x*) = %v, want 0", i, f)
		}
	}
	c.Synthetic = &Synthetic{Dim: 4, Heterogeneity: 1}
	if p, err = NewTask(c); err != nil {
		t.Fatal(err)
	}
	if x, _, err = p.(Solved).Solution(); err != nil {
		t.Fatal(err)
	}
	if f := p.Local(0).F(x, nil); f < 0.01 {
		t.Errorf("heterogeneity 1: f_0(x*) = %v, want a large loss, since nodes differ", f)
	}
}

// The data depend on the seed and the node, not on the number of nodes or samples.
func TestSyntheticKeys(t *testing.T) {
	make := func(nodes, train, val int, seed uint64) *dealt {
		p, err := NewTask(TaskConfig{Kind: "hyper-softmax", Nodes: nodes, Samples: Samples{train, val}, Seed: seed,
			Synthetic: &Synthetic{Dim: 3, Noise: 0.1, Heterogeneity: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return taskOf(p).data
	}
	small, large := make(2, 5, 5, 1), make(6, 9, 7, 1)
	for i := range 2 {
		if a, b := small.nodeTrain(i), large.nodeTrain(i).slice(0, 5); !slices.Equal(a.x.Data, b.x.Data) ||
			!slices.Equal(a.t, b.t) {
			t.Errorf("node %d: the first training samples depend on the sizes", i)
		}
		if a, b := small.nodeVal(i), large.nodeVal(i).slice(0, 5); !slices.Equal(a.x.Data, b.x.Data) ||
			!slices.Equal(a.t, b.t) {
			t.Errorf("node %d: the first validation samples depend on the sizes", i)
		}
	}
	if !slices.Equal(small.tested().x.Data, large.tested().x.Data) {
		t.Error("the test samples depend on the sizes")
	}
	if other := make(2, 5, 5, 2); slices.Equal(other.train.x.Data, small.train.x.Data) {
		t.Error("the seed changes nothing")
	}
	if slices.Equal(small.nodeTrain(0).x.Data, small.nodeVal(0).x.Data) ||
		slices.Equal(small.nodeTrain(0).x.Data, small.nodeTrain(1).x.Data) {
		t.Error("two sets of samples are equal")
	}
}

// Many Locals of one problem run concurrently, under the race detector.
func TestLocalsConcurrently(t *testing.T) {
	p := mnistHyper(t, func(c *TaskConfig) {
		if testing.Short() { // unpacking takes some seconds under the race detector
			c.MNIST.Images = FewImages()
		}
	})
	x, y := p.Start(0)
	var got [8][]float64
	var wg sync.WaitGroup
	for k := range got {
		got[k] = make([]float64, len(y))
		wg.Go(func() {
			l := p.Local(1)
			l.SetBatch(nil, []int{k % 2, 3})
			l.GradGy(got[k], x, y)
			p.Accuracy(x, y)
		})
	}
	wg.Wait()
	for k := range got {
		if !slices.Equal(got[k], got[k%2]) {
			t.Errorf("goroutine %d has a different gradient from goroutine %d", k, k%2)
		}
	}
}

func TestPanics(t *testing.T) {
	p := mnistHyper(t, nil)
	x, y := p.Start(0)
	l := p.Local(0)
	consensus, err := NewConsensus(ConsensusConfig{Nodes: 1, Dim: 1})
	if err != nil {
		t.Fatal(err)
	}
	dst, tall, blocks := make([]float64, 49), mat.NewDense(49, 2, nil), l.(BlockHVP)
	for want, f := range map[string]func(){
		"problems: x has length 48, want 49":    func() { l.F(x[1:], y) },
		"problems: dst has length 1, want 49":   func() { l.GradGy(x[:1], x, y) },
		"problems: dst has length 2, want 49":   func() { l.HessGyyMul(dst[:2], x, y, y) },
		"problems: dst has length 3, want 49":   func() { l.JacGxyMul(dst[:3], x, y, y) },
		"problems: v has length 3, want 49":     func() { l.HessGyyMul(dst, x, y, x[:3]) },
		"problems: v has length 4, want 49":     func() { l.JacGxyMul(dst, x, y, x[:4]) },
		"problems: dst is 2 x 2, want 49 x 49":  func() { l.HessGyy(mat.NewSymDense(2, nil), x, y) },
		"problems: dst is 2 x 49, want 49 x 49": func() { l.JacGxy(mat.NewDense(2, 49, nil), x, y) },
		"problems: dst is 49 x 1, want 49 x 2":  func() { blocks.HessGyyMulMat(mat.NewDense(49, 1, nil), x, y, tall) },
		"problems: v is 48 x 2, want 49 x 2":    func() { blocks.HessGyyMulMat(tall, x, y, mat.NewDense(48, 2, nil)) },
		"problems: a call on an empty batch":    func() { l.SetBatch([]int{}, nil); l.F(x, y) },
		"problems: y has length 1, want 0":      func() { consensus.Local(0).F(x[:1], x[:1]) },
		"problems: unknown oracle call 99":      func() { l.Flops(99, 1) },

		"problems: node 4 is out of range; the problem has 4 nodes":         func() { p.Local(4) },
		"problems: batch index 30 is out of range; the node has 30 samples": func() { l.SetBatch(nil, []int{30}) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}

// The products equal gonum's, for sizes with one block of rows and with several.
func TestProducts(t *testing.T) {
	rng := sim.Stream(1, "products")
	for _, n := range [][3]int{{1, 1, 1}, {3, 4, 5}, {7, 130, 300}, {5, 2, 40000}} { // rows, inner, columns
		a, b := gaussian(n[0], n[1], rng), gaussian(n[1], n[2], rng)
		at, bt := newGeneral(n[1], n[0]), newGeneral(n[2], n[1])
		for k := range n[1] {
			for i := range n[0] {
				at.Data[k*n[0]+i] = a.Data[i*n[1]+k]
			}
			for j := range n[2] {
				bt.Data[j*n[1]+k] = b.Data[k*n[2]+j]
			}
		}
		want := newGeneral(n[0], n[2])
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, want)
		got := gaussian(n[0], n[2], rng) // to be overwritten
		gemm.Mul(got, a, b, 0)
		near(t, "a b", got.Data, want.Data, 1e-12)
		gemm.MulTransA(got, at, b, 0, make([]float64, n[1]))
		near(t, "(a')'b", got.Data, want.Data, 1e-12)
		gemm.MulTransB(got, a, bt)
		near(t, "a (b')'", got.Data, want.Data, 1e-12)
	}
}

// TestStandardModel: noise of 0.1 changes about 0.45 % of the labels if coefficients have
// variance 1, and 3.2 % if they have variance 1/dim, at dim 50.
func TestStandardModel(t *testing.T) {
	for standard, want := range map[bool]float64{false: 0.032, true: 0.0045} {
		turned, all := 0, 0
		for seed := range uint64(5) {
			labels := func(noise float64) []float64 {
				d, err := TaskConfig{Nodes: 1, Samples: Samples{Train: 4000}, Seed: seed, Synthetic: &Synthetic{
					Dim: 50, Noise: noise, StandardModel: standard}}.deal(targetSign)
				if err != nil {
					t.Fatal(err)
				}
				return d.train.t
			}
			noisy := labels(0.1)
			for k, label := range labels(0) {
				all++
				if label != noisy[k] {
					turned++
				}
			}
		}
		if share := float64(turned) / float64(all); !(math.Abs(share-want) <= want/4) {
			t.Errorf("standard %v: %v of the labels turn, want about %v", standard, share, want)
		}
	}
}

// TestWrongLabels: a wrong label has another class or, with anyLabel, any class: of ten
// classes a tenth of the drawn labels is right.
func TestWrongLabels(t *testing.T) {
	for _, c := range []struct {
		any     bool
		classes int
		want    float64
	}{{false, 10, 0.3}, {true, 10, 0.27}, {false, 2, 0.3}, {true, 2, 0.15}} {
		labels := func(noise float64) []float64 {
			from := TaskConfig{Nodes: 2, Samples: Samples{Train: 5000}, Seed: 3, LabelNoise: noise, AnyLabel: c.any,
				Synthetic: &Synthetic{Dim: 5}}
			target := targetSign
			if c.classes > 2 {
				from.Synthetic.Classes, target = c.classes, targetClass
			}
			d, err := from.deal(target)
			if err != nil {
				t.Fatal(err)
			}
			return d.train.t
		}
		wrong, noisy := 0, labels(0.3)
		for k, label := range labels(0) {
			if label != noisy[k] {
				wrong++
			}
		}
		if share := float64(wrong) / 10_000; !(math.Abs(share-c.want) <= 0.02) {
			t.Errorf("%+v: %v of the labels are wrong", c, share)
		}
	}
}
