package measure

import (
	"math"
	"slices"
	"sync"
	"testing"

	"tallynet/scenarios/problems"
)

// atOnce calls f on the given number of goroutines.
func atOnce(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// Every metric is the same in every bit, whoever computes the nodes' terms.
func TestSpreadOverGoroutines(t *testing.T) {
	problem, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 11,
		Samples: problems.Samples{Train: 200, Val: 50}, Synthetic: &problems.Synthetic{Dim: 130}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, q := problem.Dims()
	samples := 3
	if testing.Short() {
		samples = 2
	}
	of := slices.DeleteFunc(Of(problem, Metrics()), func(m Metric) bool { return m.Name == "staleness" })
	for _, personal := range []bool{false, true} {
		alone := NewEvaluator(problem, personal, of, nil)
		spread := NewEvaluator(problem, personal, of, atOnce)
		if spread.all.width == 1 {
			t.Fatal("the problem is too small to be spread")
		}
		for k := range samples {
			s := snapshot(uint64(k), problem.Nodes(), p, q)
			s.Iteration = k
			want, got := alone.Evaluate(s), spread.Evaluate(s)
			for i, m := range of {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
					t.Errorf("personal %v, sample %d: %s is %v when spread, and %v alone", personal, k, m.Name, got[i], want[i])
				}
			}
		}
	}
}

// A single measured accuracy equals its value when measured with the other.
func TestAccuracyAlone(t *testing.T) {
	problem, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 3,
		Samples: problems.Samples{Train: 30, Val: 10}, Synthetic: &problems.Synthetic{Dim: 5}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, q := problem.Dims()
	s := snapshot(1, 3, p, q)
	both, err := newEvaluator(problem, false, []string{"train_accuracy", "test_accuracy"})
	if err != nil {
		t.Fatal(err)
	}
	want := both.Evaluate(s)
	x, y := make([]float64, p), make([]float64, q)
	Average(x, s.X)
	Average(y, s.Y)
	if train, test := problem.(problems.Scorer).Accuracy(x, y); want[0] != train || want[1] != test || train == 0 {
		t.Errorf("accuracies %v, want %v and %v", want, train, test)
	}
	for i, name := range []string{"train_accuracy", "test_accuracy"} {
		alone, err := newEvaluator(problem, false, []string{name})
		if err != nil {
			t.Fatal(err)
		}
		if got := alone.Evaluate(s)[0]; got != want[i] {
			t.Errorf("%s is %v alone and %v beside the other", name, got, want[i])
		}
	}
}

// TestInexact: a gradient norm above the tolerance is reported.
func TestInexact(t *testing.T) {
	for worst, want := range map[float64]bool{0: false, innerTolerance: false, 1.01 * innerTolerance: true} {
		if err := (&Evaluator{worst: worst}).Inexact(); (err != nil) != want {
			t.Errorf("a gradient norm of %g: %v", worst, err)
		}
	}
}
