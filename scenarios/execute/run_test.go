package execute

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/scenariotest"
	"tallynet/sim"
)

// TestDivergenceFromAnOptimum: if the first gradient is tiny, growth is relative to the nodes' own terms, whose mean
// square is 0.16^2 on instance S at x = 1: a hundred-millionth of that, times the growth of 1e8. A larger first
// gradient is used itself.
func TestDivergenceFromAnOptimum(t *testing.T) {
	p := problems.InstanceS()
	s := scenariotest.Parse(t, scenariotest.Study)
	in := &build.Instance{Scenario: s, Problem: p}
	// A run records whether it was ever finite.
	for k, want := range map[int]string{
		0: "grad_norm2 is +Inf at iteration 0: it was never finite, so the step is not the cause",
		7: "grad_norm2 is +Inf at iteration 7",
	} {
		r := &runner{in: in, run: result.Run{Metrics: []string{"grad_norm2"}, Samples: make([]result.Sample, k)}}
		r.checkDivergence(&result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{math.Inf(1)}})
		if r.run.Reason != want {
			t.Errorf("at iteration %d: %q, want %q", k, r.run.Reason, want)
		}
	}
	// If the size of gradients is unknown, there is no growth.
	r := &runner{in: in, run: result.Run{Metrics: []string{"grad_norm2"}}, eval: &measure.Evaluator{}}
	for k, g := range []float64{0, 5, 1e300} {
		r.run.Samples = make([]result.Sample, k+1)
		r.checkDivergence(&result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{g}})
	}
	if r.ended {
		t.Errorf("from 0: %s %s", r.run.Status, r.run.Reason)
	}
	for _, c := range []struct {
		first, then float64
		diverged    bool
	}{{1e-30, 0.025, false}, {1e-30, 0.026, true}, {1e-9, 0.09, false}, {1e-9, 0.11, true}, {1, 1e8, false},
		{1e-30, math.NaN(), true},
		{1e-30, math.Inf(1), true}, {1e-30, math.Inf(-1), true}} {
		of, err := measure.Select(p, measure.Metrics(), []string{"grad_norm2"})
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{in: in, run: result.Run{Metrics: measure.Names(of)}, eval: measure.NewEvaluator(p, false, of, nil)}
		r.eval.Evaluate(&metrics.Snapshot{X: [][]float64{{1}, {1}, {1}, {1}}, Y: [][]float64{{0}, {0}, {0}, {0}}})
		for k, g := range []float64{c.first, c.then} {
			r.run.Samples = make([]result.Sample, k+1)
			r.checkDivergence(&result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{g}})
		}
		if got := r.run.Status == result.Diverged; got != c.diverged || strings.Contains(r.run.Reason, "never finite") {
			t.Errorf("%g, then %g: %s %s", c.first, c.then, r.run.Status, r.run.Reason)
		}
	}
}

// outside is a problem or a method whose code runs in another process.
type outside struct {
	problems.Problem
	algorithms.Method
}

func (outside) Close() error { return nil }

// TestCoresOfOutsideCode: only the program's own code uses several cores.
func TestCoresOfOutsideCode(t *testing.T) {
	for name, r := range map[string]*runner{
		"the problem": {in: &build.Instance{Problem: outside{}}, method: algorithms.DGD{}},
		"the method":  {in: &build.Instance{Problem: problems.InstanceS()}, method: outside{}},
		"both":        {in: &build.Instance{Problem: outside{}}, method: outside{}},
		"neither":     {in: &build.Instance{Problem: problems.InstanceS()}, method: algorithms.DGD{}},
	} {
		r.cores = sim.NewCores(2)
		if got := r.helpers(); (got != nil) != (name == "neither") {
			t.Errorf("%s outside: helpers %v", name, got)
		}
	}
}

// TestRowsAreCopied: a run keeps copies of iterates.
func TestRowsAreCopied(t *testing.T) {
	of := [][]float64{{1, 2}, {3}}
	got := rows(of)
	of[0][0] = 9
	if want := (result.Iterates{{1, 2}, {3}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
