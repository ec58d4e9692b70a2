package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// grown grows a study of a scenario with overrides, and returns the runs that were done at each step.
func grown(t *testing.T, g Growth, sets ...string) (st *Study, runs []result.Run, notes []string, done []int) {
	t.Helper()
	store, err := result.OpenRunStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	done = []int{0}
	count := map[string]int{}
	g.Step = func(string) { done = append(done, 0) }
	st, err = New(scenariotest.Parse(t, scenariotest.Study, sets...), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Workers: 1, Store: store, Program: "p", Fresh: true, Notify: func(e Event) {
		if e.Done != nil {
			count[fmt.Sprint(e.Done.Label, e.Done.Seed, e.Done.Point)]++
		} else if e.Progress.Iteration == 1 {
			done[len(done)-1]++
		}
	}}
	if st, runs, notes, err = Grow(t.Context(), st, o, g, &scenariotest.Data); err != nil {
		t.Fatal(err)
	}
	if len(count) != len(runs) {
		t.Errorf("%d runs ended, and %d are returned", len(count), len(runs))
	}
	return st, runs, notes, done
}

// TestGrowSeeds: seeds are added until the margin is decided, and no run is repeated, even with Fresh.
func TestGrowSeeds(t *testing.T) {
	const methods = 3
	for _, c := range []struct {
		set       string
		decidedAt int
		want      []int // seeds at each look
		note      string
	}{
		{"seeds={until: 10%, most: 100}", 5, []int{5}, "5 of at most 100 seeds ran: every margin is decided to 10 %"},
		{"seeds={until: 10%, most: 100}", 20, []int{5, 10, 20}, "20 of at most 100 seeds ran"},
		{"seeds={until: 2%, most: 12}", 99, []int{5, 10, 12}, "12 seeds ran, the most allowed: not every margin is " +
			"decided to 2 %"},
		{"seeds={until: 2%, most: 5}", 99, []int{5}, "5 seeds ran, the most allowed"},
		{"seeds={run: 7, until: 2%, most: 10}", 99, []int{7, 10}, "10 seeds ran, the most allowed"},
		{"seeds=2", 99, nil, ""},
	} {
		var looks []int
		levels := map[float64]bool{}
		st, runs, notes, done := grown(t, Growth{Decided: func(s *spec.Scenario, runs []result.Run,
			level float64) (bool, error) {
			looks, levels[level] = append(looks, len(s.Seeds)), true
			if len(runs) != methods*len(s.Seeds) {
				t.Errorf("%s: %d runs of %d seeds", c.set, len(runs), len(s.Seeds))
			}
			return len(s.Seeds) >= c.decidedAt, nil
		}}, c.set, "stop={iterations: 2}")
		if !slices.Equal(looks, c.want) || len(levels) != min(1, len(c.want)) {
			t.Errorf("%s: looks at %v, at confidences %v", c.set, looks, levels)
		}
		if got := strings.Join(notes, "; "); !strings.HasPrefix(got, c.note) || (got == "") != (c.note == "") {
			t.Errorf("%s: the notes are %q", c.set, got)
		}
		before := 0
		for i, n := range c.want {
			if done[i] != methods*(n-before) {
				t.Errorf("%s: %v runs were done", c.set, done)
			}
			before = n
		}
		if n := len(st.Scenario.Seeds); len(runs) != methods*n {
			t.Errorf("%s: %d runs of %d seeds are returned", c.set, len(runs), n)
		}
	}
}

// TestLooks: the error of all looks is split over them.
func TestLooks(t *testing.T) {
	for _, c := range []struct{ n, most, next, looks int }{{5, 100, 10, 6}, {10, 100, 20, 6}, {80, 100, 100, 6},
		{100, 100, 0, 6}, {5, 5, 0, 1}, {5, 6, 6, 2}, {7, 40, 10, 4}, {20, 40, 40, 4}} {
		level, next := look(c.n, c.most)
		if next != c.next || math.Abs(level-(1-0.05/float64(c.looks))) > 1e-12 {
			t.Errorf("after %d of %d: %g, %d", c.n, c.most, level, next)
		}
	}
}

// TestGrowSweep: a sweep becomes finer where the answer changes, until that is known within 5 %.
func TestGrowSweep(t *testing.T) {
	const change = 75.5e-6
	changes := func(s *spec.Scenario, _ []result.Run) ([]Gap, error) {
		gap := Gap{Key: "network.latency", Low: 0, High: math.Inf(1)}
		for _, v := range s.Sweep[0].Values {
			x, _ := keys.Quantity(v.(string))
			if x <= change {
				gap.Low = max(gap.Low, x)
			} else {
				gap.High = min(gap.High, x)
			}
		}
		return []Gap{gap, {Key: "problem.q", Low: 1, High: 2}}, nil
	}
	sweep := []string{`sweep={network.latency: [10us, 1ms]}`, "seeds=1", "stop={iterations: 2}"}
	st, runs, notes, done := grown(t, Growth{Changes: changes}, sweep...)
	gaps, _ := changes(st.Scenario, nil)
	if gaps[0].High/gaps[0].Low > 1.05 || notes != nil || len(runs) != 3*len(st.Scenario.Sweep[0].Values) {
		t.Errorf("the sweep is %v, notes %v", st.Scenario.Sweep, notes)
	}
	if len(done) < 6 || slices.Max(done[1:]) != 3 || done[0] != 6 {
		t.Errorf("%v runs were done", done)
	}
	// What was refined is in the resolved scenario.
	text, err := st.Scenario.YAML()
	if err != nil {
		t.Fatal(err)
	}
	back, err := spec.ParseResolved("result.json", text, scenariotest.Catalog())
	if err != nil || !spec.SameRuns(back, st.Scenario) {
		t.Errorf("a round trip loses points: %v", err)
	}
	for want, g := range map[string]Growth{
		"no answer": {Changes: func(*spec.Scenario, []result.Run) ([]Gap, error) { return nil, errors.New("no answer") }},
		"network.latency = 1.41ns: ": {Changes: func(*spec.Scenario, []result.Run) ([]Gap, error) {
			return []Gap{{"network.latency", 1e-9, 2e-9}}, nil
		}},
	} {
		_, runs, notes, _ := grown(t, g, "sweep={network.latency: [1ns, 2ns]}", "seeds=1", "stop={iterations: 2}")
		if len(runs) != 6 || len(notes) != 1 || !strings.Contains(notes[0], "nothing was added to the study: "+want) {
			t.Errorf("%d runs, notes %q, want %q", len(runs), notes, want)
		}
	}
}
