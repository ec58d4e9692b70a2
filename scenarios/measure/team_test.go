package measure

import (
	"math"
	"slices"
	"sync"
	"testing"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// atOnce calls f on as many goroutines.
func atOnce(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// Every metric is the same in every bit, whoever computes what the nodes add to it.
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

// Where only one accuracy is measured, it is what it is beside the other.
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

// priced is a node whose gradients take some FLOPs.
type priced struct {
	problems.Local
	flops float64
}

func (p priced) Samples() (val, train int) { return 0, 1 }

func (p priced) Flops(metrics.Call, int) float64 { return p.flops }

// TestWorthwhile: work is shared from a million FLOPs in all on, if there is somebody to share it.
func TestWorthwhile(t *testing.T) {
	for _, c := range []struct {
		each  Each
		flops float64
		width int
	}{{atOnce, 5e5, 8}, {atOnce, 499_999, 1}, {nil, 5e5, 1}} {
		team := newTeam(c.each, []problems.Local{priced{flops: c.flops}, priced{flops: c.flops}})
		if team.width != c.width {
			t.Errorf("two nodes of %g FLOPs: %d at once, want %d", c.flops, team.width, c.width)
		}
	}
	if team := newTeam(atOnce, nil); team.width != 1 {
		t.Errorf("no nodes: %d at once", team.width)
	}
}

// TestNothingIsSolvedTwice: where the inner solution is known, or there is no inner problem, none is looked for.
func TestNothingIsSolvedTwice(t *testing.T) {
	toy, err := problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	quadratic := problems.InstanceS()
	single, err := problems.NewTask(problems.TaskConfig{Kind: "least-squares", Nodes: 1,
		Samples:   problems.Samples{Train: 5},
		Synthetic: &problems.Synthetic{Dim: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		p    problems.Problem
		want bool
	}{"known": {toy, false}, "an inner problem": {quadratic, true}, "a single level": {single, false}} {
		e, err := newEvaluator(c.p, false, []string{"grad_norm2"})
		if err != nil {
			t.Fatal(err)
		}
		p, q := c.p.Dims()
		s := snapshot(1, c.p.Nodes(), p, q)
		if e.Evaluate(s); e.inner[0].started != c.want {
			t.Errorf("%s: an evaluation has solved it: %v", name, e.inner[0].started)
		}
		e.inner[0].started = false
		if e.objectiveAt(s.X[0], s.Y[0]); e.inner[0].started != c.want {
			t.Errorf("%s: an objective has solved it: %v", name, e.inner[0].started)
		}
	}
}

// TestInexact: a gradient norm above what is aimed at is said.
func TestInexact(t *testing.T) {
	for worst, want := range map[float64]bool{0: false, innerTolerance: false, 1.01 * innerTolerance: true} {
		if err := (&Evaluator{worst: worst}).Inexact(); (err != nil) != want {
			t.Errorf("a gradient norm of %g: %v", worst, err)
		}
	}
}

// TestTeamHoldsAFewVectors: at most as many as are filled at once, and as there are to add.
func TestTeamHoldsAFewVectors(t *testing.T) {
	for _, c := range []struct{ width, n, want int }{{3, 7, 3}, {3, 3, 3}, {3, 2, 2}, {1, 4, 1}, {8, 0, 0}} {
		all, sum := &team{each: inOrder, width: c.width}, 0.0
		all.vectors(c.n, 2, func(i int, v []float64) { v[0], v[1] = float64(i), 1 },
			func(i int, v []float64) { sum += v[0]*10 + v[1] })
		if want := float64(c.n*(c.n-1)/2*10 + c.n); len(all.parts) != c.want || sum != want {
			t.Errorf("%d vectors, %d at once: %d are held, and their sum is %g, want %g", c.n, c.width, len(all.parts), sum,
				want)
		}
	}
}
