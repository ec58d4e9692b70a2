package study

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
)

// TestTunedRunsWithAndWithoutStore: a store has equal trials and a tuning's best trial under one key, and changes
// no run. Two targets of one tuning have the same trials here.
func TestTunedRunsWithAndWithoutStore(t *testing.T) {
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
	study, err := New(scenariotest.Parse(t, src), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	store, err := result.OpenRunStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, o := range []Options{{Store: store}, {}} {
		ended := map[string]int{}
		o.Workers = 2
		o.Notify = func(e Event) {
			if e.Done != nil {
				ended[fmt.Sprintf("%d (trial: %v) of %d", e.Job, e.Tuning, e.Jobs)]++
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
		if diff := cmp.Diff(want, entries(t, runs)); diff != "" {
			t.Errorf("with a store (-), without one (+): %s", diff)
		}
	}
}
