package study

import (
	"context"
	"slices"
	"sync"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
)

// Each run of a study reports its progress with every sample, and is the same as without
// reports.
func TestRecorded(t *testing.T) {
	for _, leave := range []chan struct{}{nil, make(chan struct{})} {
		st, err := New(scenariotest.Parse(t, scenariotest.Study), &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		var mu sync.Mutex
		told := map[int][]func() *result.Run{}
		runs, err := st.Run(context.Background(), Options{Workers: 2, Leave: leave,
			Recorded: func(job int, soFar func() *result.Run) {
				mu.Lock()
				defer mu.Unlock()
				told[job] = append(told[job], soFar)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(entries(t, runs), entries(t, runStudy(t, scenariotest.Study, 1))) {
			t.Error("to tell how far runs have got changes them")
		}
		for job := range runs {
			if got, want := len(told[job]), len(runs[job].Samples); got != want {
				t.Errorf("%s: told %d times, want %d", runs[job].Label, got, want)
			}
			for i, soFar := range told[job] { // later: a part does not change
				r := soFar()
				if len(r.Samples) != i+1 || r.Iterations != i || r.Status != result.Interrupted || r.Label != runs[job].Label {
					t.Errorf("%s: the part %d has %d samples, iteration %d, status %s", r.Label, i, len(r.Samples), r.Iterations,
						r.Status)
				}
			}
		}
	}
}

// Trials of a tuning are not runs of the result.
func TestRecordedCountsRuns(t *testing.T) {
	const tuned = `
version: 1
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 5, inner: 1, neumann: 1, beta: 0.05, tune: {grid: {alpha: [0.01, 0.02]}, by: grad_norm2}}
`
	st, err := New(scenariotest.Parse(t, tuned), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	n := 0
	runs, err := st.Run(context.Background(), Options{Workers: 1, Recorded: func(int, func() *result.Run) { n++ }})
	if err != nil || len(runs) != 1 || n != len(runs[0].Samples) {
		t.Errorf("told %d times: %v", n, err)
	}
}
