package measure

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

// TestOwnLosses: on instance S, f_i = 1/2 y² - i y + 1/2 x² and g_i = i/2 y² - x y.
func TestOwnLosses(t *testing.T) {
	s := &metrics.Snapshot{X: [][]float64{{0}, {2}, {1}, {1}}, Y: [][]float64{{5}, {1}, {0}, {2}}}
	f, g := []float64{7.5, 0.5, 0.5, -5.5}, []float64{12.5, -1, 0, 6}
	for _, personal := range []bool{false, true} {
		e, err := newEvaluator(problems.InstanceS(), personal,
			[]string{"own_loss", "worst_loss", "own_loss_spread", "own_inner_loss", "worst_inner_loss"})
		if err != nil {
			t.Fatal(err)
		}
		got := e.Evaluate(s)
		mean, square := floats.Sum(f)/4, 0.0
		for _, v := range f {
			square += (v - mean) * (v - mean) / 4
		}
		for i, want := range []float64{mean, 7.5, math.Sqrt(square), floats.Sum(g) / 4, 12.5} {
			near(t, e.metrics[i].Name, got[i], want, 1e-14)
		}
		names := Default(Of(problems.InstanceS(), Metrics()), personal)
		if slices.Contains(names, "own_loss") != personal {
			t.Errorf("personal %v: recorded by default are %v", personal, names)
		}
	}
}

// TestNodesHaveTheMean: the mean of a metric's values for nodes is the metric, and the values differ between nodes.
func TestNodesHaveTheMean(t *testing.T) {
	n, syn := problems.Samples{Train: 30, Val: 30}, &problems.Synthetic{Dim: 5, Noise: 0.3, Heterogeneity: 0.5, Test: 40}
	for name, build := range map[string]func() (problems.Problem, error){
		"instance V": func() (problems.Problem, error) { return problems.InstanceV(), nil },
		"logistic": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 3, Samples: n, Synthetic: syn, Seed: 1})
		},
		"many minimizers": func() (problems.Problem, error) {
			return problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 3})
		},
	} {
		problem, err := build()
		if err != nil {
			t.Fatal(err)
		}
		has := Of(problem, Metrics())
		p, q := problem.Dims()
		for _, personal := range []bool{false, true} {
			e, err := newEvaluator(problem, personal, Names(has))
			if err != nil {
				t.Fatal(err)
			}
			values := e.Evaluate(snapshot(1, problem.Nodes(), p, q))
			names, of := e.Nodes(has)
			if len(names) < 5 {
				t.Errorf("%s: nodes have %v only", name, names)
			}
			for i, m := range names {
				if len(of[i]) != problem.Nodes() || slices.Min(of[i]) == slices.Max(of[i]) {
					t.Errorf("%s: %s of %d nodes is %v", name, m, problem.Nodes(), of[i])
				}
				near(t, name+" "+m, floats.Sum(of[i])/float64(len(of[i])), values[slices.Index(Names(has), m)], 1e-12)
			}
		}
	}
}

// TestNodesTakeNoTime: nodes have metrics that need y*(x) or take long only if these were measured anyway.
func TestNodesTakeNoTime(t *testing.T) {
	problem, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 3, Seed: 1,
		Samples: problems.Samples{Train: 3, Val: 3}, Synthetic: &problems.Synthetic{Dim: 2, Test: 10}})
	if err != nil {
		t.Fatal(err)
	}
	cheap := []string{"consensus_error", "consensus_error_y", "own_loss", "own_inner_loss", "own_train_accuracy"}
	p, q := problem.Dims()
	for _, measured := range []string{"train_loss", "inner_error", "own_test_accuracy", "own_test_accuracy_spread"} {
		e, err := newEvaluator(problem, false, []string{measured})
		if err != nil {
			t.Fatal(err)
		}
		e.Evaluate(snapshot(1, 3, p, q))
		has := Of(problem, Metrics())
		got, _ := e.Nodes(has)
		want := slices.DeleteFunc(Names(has), func(m string) bool {
			own := m == measured && (m == "inner_error" || m == "own_test_accuracy")
			return !own && !slices.Contains(cheap, m)
		})
		if !slices.Equal(got, want) {
			t.Errorf("with %s measured nodes have %v, want %v", measured, got, want)
		}
	}
}

// TestOwnAccuracies: ten nodes each know one digit and predict it for every image.
// Their test accuracies are about 0.1, though every image is right on its own node.
func TestOwnAccuracies(t *testing.T) {
	few := func(n int, label func(i int) int) *data.Images { // instead of MNIST's
		im := &data.Images{Pixels: make([]byte, n*28*28), Rows: 28, Cols: 28}
		for i := range n {
			im.Labels = append(im.Labels, byte(label(i)))
		}
		for k := range im.Pixels {
			im.Pixels[k] = byte(k * k)
		}
		return im
	}
	const tests = 500 // some classes have fewer than others
	images := &data.MNIST{Train: few(400, func(i int) int { return i % 10 }),
		Test: few(tests, func(i int) int { return max(i%10, i%7) })}
	problem, err := problems.NewTask(problems.TaskConfig{
		Kind: "hyper-softmax", Nodes: 10, Samples: problems.Samples{Train: 20, Val: 1}, Bias: true, Seed: 1,
		MNIST: &problems.Digits{Images: images, Pool: 14, Partition: data.Partition{Kind: "own-class", Own: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p, q := problem.Dims()
	s := &metrics.Snapshot{}
	for i := range 10 {
		y := make([]float64, q)
		y[(i+1)*q/10-1] = 1 // the bias of class i
		s.X, s.Y = append(s.X, make([]float64, p)), append(s.Y, y)
	}
	e, err := newEvaluator(problem, false, []string{"own_train_accuracy", "worst_train_accuracy",
		"own_test_accuracy", "worst_test_accuracy", "own_test_accuracy_spread"})
	if err != nil {
		t.Fatal(err)
	}
	got := e.Evaluate(s)
	least, square := 1.0, 0.0
	for class := range 10 {
		share := float64(len(images.Test.Select([]int{class}))) / tests
		least, square = min(least, share), square+(share-0.1)*(share-0.1)/10
	}
	for i, want := range []float64{1, 1, 0.1, least, math.Sqrt(square)} {
		near(t, e.metrics[i].Name, got[i], want, 1e-12)
	}
}

// TestCostlyMetrics: slow metrics are recorded only if they are named.
func TestCostlyMetrics(t *testing.T) {
	for test, cheap := range map[int]bool{10_000: true, 100_000: false} {
		problem, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 3000,
			Samples: problems.Samples{Train: 1, Val: 1}, Synthetic: &problems.Synthetic{Dim: 2, Test: test}})
		if err != nil {
			t.Fatal(err)
		}
		has := Of(problem, Metrics())
		if slices.Contains(Default(has, false), "own_test_accuracy") != cheap {
			t.Errorf("%d test samples: recorded by default are %v", test, Default(has, false))
		}
		names, work := LeftOut(problem, Metrics())
		if cheap && (len(names) > 0 || work != 0) {
			t.Errorf("%d test samples: %v are left out", test, names)
		}
		// 3000 models of two coefficients on 100,000 samples. Metrics that are recorded only if
		// named are not reported as left out.
		if want := []string{"own_test_accuracy", "worst_test_accuracy"}; !cheap &&
			(!slices.Equal(names, want) || work != 6e8) {
			t.Errorf("%d test samples: %v with %g multiplications are left out, want %v with 6e8", test, names, work, want)
		}
		if !slices.Contains(Names(has), "own_test_accuracy") {
			t.Errorf("%d test samples: own_test_accuracy cannot be named", test)
		}
	}
}

// TestNoTestSamples: if the nodes have all texts, there is no test accuracy.
func TestNoTestSamples(t *testing.T) {
	texts := &data.SparseSet{Features: 2, Labels: []int{0, 1}, Samples: make([]data.SparseSample, 3)}
	for dealt, want := range map[int]bool{1: true, 2: false} {
		problem, err := problems.NewText(problems.TextConfig{Nodes: 1, Texts: texts,
			Samples: problems.Samples{Train: dealt, Val: 1}})
		if err != nil {
			t.Fatal(err)
		}
		names := Names(Of(problem, Metrics()))
		for _, name := range []string{"test_accuracy", "own_test_accuracy", "worst_test_accuracy",
			"own_test_accuracy_spread", "test_loss"} {
			if slices.Contains(names, name) != want {
				t.Errorf("%d of 3 texts dealt: metrics %v", dealt+1, names)
			}
		}
		if !slices.Contains(names, "train_accuracy") || !slices.Contains(names, "train_loss") {
			t.Errorf("metrics %v", names)
		}
	}
}

// TestScale: on instance S each node adds 1.16 x - 1 to the hypergradient if nodes share y,
// and x + x/i² - 1 if each has its own.
func TestScale(t *testing.T) {
	s := &metrics.Snapshot{X: [][]float64{{0}, {2}, {1}, {1}}, Y: [][]float64{{5}, {1}, {0}, {2}}} // average x = 1
	for personal, want := range map[bool]float64{false: 0.16 * 0.16, true: (1 + 1./16 + 1./81 + 1./256) / 4} {
		e, err := newEvaluator(problems.InstanceS(), personal, []string{"grad_norm2"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a second call does not accumulate
			e.Evaluate(s)
			near(t, "scale", e.Scale(), want, 1e-9)
		}
	}
}

// TestNamesAndTitles by hand.
func TestNamesAndTitles(t *testing.T) {
	table := []Metric{{Name: "a", Headline: true, Title: "A"}, {Name: "b", MoreIsBetter: true},
		{Name: "c", InsteadOf: "a", Title: "C"}, {Name: "d", Headline: true, MoreIsBetter: true}}
	for _, c := range []struct{ recorded, want []string }{
		{[]string{"a", "b", "c", "d"}, []string{"a", "d"}}, {[]string{"b", "c"}, []string{"c"}}, {[]string{"b"}, nil},
		{[]string{"c", "a"}, []string{"a"}}, {nil, nil},
	} {
		if got := Headlines(table, c.recorded); !slices.Equal(got, c.want) {
			t.Errorf("of %v are shown %v, want %v", c.recorded, got, c.want)
		}
	}
	if got := MoreIsBetter(table); !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("more is better of %v", got)
	}
	if got := Titles(table); len(got) != 2 || got["a"] != "A" || got["c"] != "C" {
		t.Errorf("titles %v", got)
	}
}
