package study

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestCopies: a method runs once if only another method's keys are swept.
func TestCopies(t *testing.T) {
	const src = `version: 1
seeds: 2
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 3}
algorithms:
  - {name: dagm, outer: 3, inner: 1, neumann: 1, alpha: 0.01, beta: 0.05}
  - {name: dgbo, label: other, outer: 3, terms: 2, alpha: 0.02, gamma: 0.05, beta: 0.5, lipschitz: 10}
sweep: {algorithms.dagm.alpha: [0.01, 0.02, 0.04], network.latency: [1ms, 2ms]}
claims:
  - text: a point that only the other method depends on
    source: here
    check: 'all(at("other", {"algorithms.dagm.alpha": 0.02}), .iterations == 3) && len(at("other", {"network.latency": 1ms})) == 2'
  - text: a run that several points share is one
    source: here
    check: len(runs("DAGM")) == 12 && len(runs("other")) == 4
`
	s, err := spec.Parse("x.yaml", []byte(strings.ReplaceAll(src, ": 1ms})", `: "1ms"})`)), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	study, err := New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	store, err := result.OpenRunStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, again := range []bool{false, true} {
		stored := 0
		runs, err := study.Run(context.Background(), Options{Workers: 1, Store: store, Program: "p",
			Notify: func(e Event) {
				if e.Done != nil && e.Stored {
					stored++
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, r := range runs {
			count[r.Label]++
			if _, has := r.Point.Get("algorithms.dagm.alpha"); has != (r.Label == "DAGM") {
				t.Errorf("%s has the point %v", r.Label, r.Point)
			}
		}
		if count["DAGM"] != 12 || count["other"] != 4 {
			t.Errorf("%v, want 12 runs of DAGM and 4 of the other", count)
		}
		if again && stored != 0 && stored != 16 {
			t.Errorf("%d of 16 runs were stored", stored)
		}
		for _, c := range study.Claims(runs) {
			if c.Verdict != result.Holds {
				t.Errorf("%s: %s: %s", c.Text, c.Verdict, c.Reason)
			}
		}
	}
}

// TestPointsTogether: points at which all methods change have no shared runs.
func TestPointsTogether(t *testing.T) {
	s, err := spec.Parse("x.yaml",
		[]byte(scenariotest.Small+"points: [{algorithms.DAGM.alpha: 0.1, \"algorithms[1].alpha\": 0.1}, "+
			"{algorithms.DAGM.alpha: 0.2, \"algorithms[1].alpha\": 0.2}]\n"), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	points, err := s.Points()
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range depends(points) {
		for a, o := range p {
			if o.first != i || !slices.Equal(o.values, points[i].Values) {
				t.Errorf("point %d, algorithm %d: %+v", i, a, o)
			}
		}
	}
}

// TestTuningEdge: a note says if the best value is the last one tried.
func TestTuningEdge(t *testing.T) {
	const src = `version: 1
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 3}
algorithms:
  - {name: dagm, outer: 30, neumann: 3, beta: 0.05, tune: {grid: {alpha: [GRID], inner: [1, 2]}, by: objective}}
`
	for grid, want := range map[string]string{
		"0.0001, 0.01":     "tuning chose alpha = 0.01, the largest of its grid",
		"0.01, 1e9":        "tuning chose alpha = 0.01, the smallest of its grid",
		"0.001, 0.01, 1e9": "",
	} {
		s, err := spec.Parse("x.yaml", []byte(strings.Replace(src, "GRID", grid, 1)), scenariotest.Catalog(), nil)
		if err != nil {
			t.Fatal(err)
		}
		study, err := New(s, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := study.Run(context.Background(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(runs[0].Notes, "\n")
		if want == "" && strings.Contains(notes, "chose alpha") || !strings.Contains(notes, want) ||
			strings.Contains(notes, "inner = 1") {
			t.Errorf("%s: notes %q, want %q", grid, notes, want)
		}
	}
}
