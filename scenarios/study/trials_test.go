package study

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
)

// TestEqualTrialsRunOnce: two targets of one tuning have the same trials, which run once, and what is the best
// for a target is its run. The runs, with their timelines, are those of a store, where each is under its key.
func TestEqualTrialsRunOnce(t *testing.T) {
	const src = `
version: 1
seeds: 2
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 2}
algorithms:
  - {name: dagm, label: A, outer: 60, inner: 2, neumann: 5, beta: 0.05, tune: {grid: {alpha: [0.05, 0.02]}, by: iterations, to: {grad_norm2: 0.05}}}
points:
  - {algorithms.A.tune.to.grad_norm2: 0.05}
  - {algorithms.A.tune.to.grad_norm2: 2}
  - {algorithms.A.tune.to.grad_norm2: 1e-30}
  - {algorithms.A.tune.to.grad_norm2: 0.05, problem.q: 3}
`
	study, err := NewStudy(scenariotest.Parse(t, src), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	store, err := result.OpenRunStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, o := range []Options{{Store: store}, {}} {
		began, ended := map[string]bool{}, map[string]int{}
		o.Workers = 2
		o.Notify = func(e StudyEvent) {
			name := fmt.Sprintf("%d (trial: %v) of %d", e.Job, e.Tuning, e.Jobs)
			if e.Done != nil {
				ended[name]++
			} else {
				began[name] = true
			}
		}
		runs, err := study.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			full, err := runs[i].Full()
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = *full
		}
		if len(ended) != 8+8 {
			t.Errorf("%d ends of trials and runs: %v, want one of each of 8 trials and 8 runs", len(ended), ended)
		}
		if o.Store != nil {
			want = entries(t, runs)
			continue
		}
		// Without a store: two values of alpha at q = 2 and two at q = 3, and the runs of the second seed where
		// there is a winner.
		if len(began) != 4+3 {
			t.Errorf("%v have run, want 4 trials and 3 runs", began)
		}
		if diff := cmp.Diff(want, entries(t, runs)); diff != "" {
			t.Errorf("with a store (-), without one (+): %s", diff)
		}
	}
}
