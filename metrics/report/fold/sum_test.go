package fold_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// ended returns a run with two samples: it has sent a number of bytes in as many rounds, and measured g.
func ended(label string, seed uint64, point result.Settings, status result.Status, bytes int64, g float64) result.Run {
	r := result.Run{Label: label, Seed: seed, Point: point, Status: status, Metrics: []string{"g"}}
	r.Samples = []result.Sample{{Values: []float64{1}}, {Values: []float64{g}}}
	r.Samples[1].Iteration, r.Samples[1].Totals.Payload[1], r.Samples[1].Totals.Rounds = 1, bytes, bytes
	r.Finish()
	return r
}

// of sums up runs.
func of(t *testing.T, o fold.Options, runs ...result.Run) *fold.Summary {
	t.Helper()
	f := fold.New(o)
	for i := range runs {
		if err := f.Add(&runs[i]); err != nil {
			t.Fatal(err)
		}
	}
	return f.Summary()
}

// below returns a target for g.
func below(g float64) result.Target {
	return result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=", Value: g}}}
}

// TestKeysOfAGrid: the values of a key occur once each, in order, and the key is numeric if
// all are numbers.
func TestKeysOfAGrid(t *testing.T) {
	for _, c := range []struct {
		values  []any
		text    string
		numbers []float64
	}{
		{[]any{8, 16, 8, 16}, "8 16", []float64{8, 16}}, {[]any{8, "x", 8, 8}, "8 x", nil},
		{[]any{"x", "y", "x", "x"}, "x y", nil},
		{[]any{nil, 8, 8, nil}, "null 8", nil},
	} {
		var all []result.Run
		for i, v := range c.values {
			all = append(all, ended(string(rune('A'+i)), 1, at(t, "k", v), result.Completed, 100, 1))
		}
		key := of(t, fold.Options{}, all...).Keys[0]
		if strings.Join(key.Values, " ") != c.text || !slices.Equal(key.Numbers, c.numbers) {
			t.Errorf("of %v the values are %q and the numbers %v", c.values, key.Values, key.Numbers)
		}
	}
}

// TestRangesOfAGrid: a method's range is from its least to its greatest value, over the points
// where it has one.
func TestRangesOfAGrid(t *testing.T) {
	var all []result.Run
	for _, k := range []int{1, 2, 4} {
		a, b := result.Completed, result.Diverged
		if k == 4 {
			a = result.Diverged
		}
		all = append(all, ended("A", 1, at(t, "k", k), a, int64(100*k), 1), ended("B", 1, at(t, "k", k), b, 1, 1))
	}
	if s := of(t, fold.Options{}, all[2:]...); len(s.Ranges) == 0 || s.Ranges[0].Groups != 1 {
		t.Errorf("of one value: %+v", s.Ranges)
	}
	for points, without := range map[int]int{3: 1, 2: 0} {
		s := of(t, fold.Options{}, all[:2*points]...)
		bytes, n := outcome(t, s, "totals.payload_bytes"), 0
		for _, r := range s.Ranges {
			if r.Outcome == bytes {
				if n++; r.Label != 0 || r.Groups != 2 || r.Without != without || r.Min != 100 || r.Max != 200 ||
					s.Groups[r.MinAt].Point != 0 || s.Groups[r.MaxAt].Point != 1 {
					t.Errorf("of %d points: %+v", points, r)
				}
			}
		}
		if n != 1 {
			t.Errorf("of %d points there are %d ranges, want that of A, which has values", points, n)
		}
	}
}

// TestValuesThatAreNone: a metric that is not finite has no value. If two of three runs miss the
// target, there is no median. A target that no run measures is not missed.
func TestValuesThatAreNone(t *testing.T) {
	p := at(t, "k", 1)
	for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		s := of(t, fold.Options{}, ended("A", 1, p, result.Completed, 100, bad), ended("A", 2, p, result.Completed, 100, 3))
		if m := s.Groups[0].Values[outcome(t, s, "final.g")]; m.N != 1 || m.Value != 3 || m.Max != 3 {
			t.Errorf("of %g and 3: %+v", bad, m)
		}
	}
	three := []result.Run{ended("A", 1, p, result.Completed, 100, 1), ended("A", 2, p, result.Completed, 100, 1),
		ended("A", 3, p, result.Completed, 100, 0.01)}
	other := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 1}}}
	s := of(t, fold.Options{Targets: []result.Target{other, below(0.1)}}, three...)
	m := s.Groups[0].Values[outcome(t, s, "to[1].payload_bytes")]
	if m.Statistic != fold.None || m.Reached != 1 || m.Censored != 2 || m.Min != 100 {
		t.Errorf("one of three reaches the target: %+v", m)
	}
	missed := s.Groups[0].Missed
	if len(missed) != 1 || missed[0].Metric != "g" || missed[0].Runs != 2 || missed[0].Best != 1 {
		t.Errorf("missed: %+v", missed)
	}
}

// TestSummariesAreApart: changing a summary changes no other.
func TestSummariesAreApart(t *testing.T) {
	f := fold.New(fold.Options{Number: func(s result.Setting) (float64, bool) {
		return map[string]float64{"0": 1, "inf": math.Inf(1), "-inf": math.Inf(-1)}[s.Text()], true
	}})
	for i, v := range []string{"0", "0", "inf", "-inf"} {
		key := []string{"a", "b", "c", "d"}[i]
		r := ended("A", 1, at(t, key, v), result.Completed, 100, 1)
		if err := f.Add(&r); err != nil {
			t.Fatal(err)
		}
	}
	s := f.Summary()
	if !slices.Equal(s.Points[1].Values, []int{-1, 0, -1, -1}) {
		t.Errorf("the values of the second point are %v", s.Points[1].Values)
	}
	for i, want := range [][]float64{{1}, {1}, nil, nil} {
		if !slices.Equal(s.Keys[i].Numbers, want) {
			t.Errorf("key %d has the numbers %v, want %v", i, s.Keys[i].Numbers, want)
		}
	}
	s.Keys[0].Values[0], s.Keys[0].Numbers[0], s.Points[0].Values[0], s.Points[3].Values[3] = "x", 9, 7, 7
	if s = f.Summary(); s.Keys[0].Values[0] != "0" || s.Keys[0].Numbers[0] != 1 || s.Points[0].Values[0] != 0 ||
		s.Points[3].Values[3] != 0 {
		t.Errorf("another summary has changed: %+v, %+v", s.Keys[0], s.Points[0])
	}
}

// TestMeasureAndRuns: quantities of a group's runs, identified by the order in which they were added.
func TestMeasureAndRuns(t *testing.T) {
	f := fold.New(fold.Options{Targets: []result.Target{below(0.1)}})
	for i, r := range []result.Run{ended("A", 1, at(t, "k", 1), result.Completed, 100, 0.05),
		ended("B", 1, at(t, "k", 1), result.Completed, 200, 0.5),
		ended("A", 2, at(t, "k", 1), result.Completed, 300, 0.07)} {
		r.Samples[1].Totals.Rounds = int64(10 * (i + 1))
		r.Totals.Rounds = int64(10 * (i + 1))
		if err := f.Add(&r); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := f.Runs(0, 0), f.Runs(0, 1); !slices.Equal(a, []int{0, 2}) || !slices.Equal(b, []int{1}) {
		t.Errorf("the runs of A are %v, that of B %v", a, b)
	}
	for _, c := range []struct {
		label, target int
		q             fold.Quantity
		n             int
		value         float64
	}{
		{0, -1, fold.Quantity{Metric: "g"}, 2, 0.06}, {0, 0, fold.Quantity{Metric: "g"}, 2, 0.06},
		{1, -1, fold.Quantity{Metric: "g"}, 1, 0.5}, {1, 0, fold.Quantity{Metric: "g"}, 1, math.NaN()},
		{0, -1, fold.Quantity{Metric: "h"}, 0, math.NaN()}, {0, 0, fold.Quantity{Costs: []string{"iterations"}}, 2, 1},
		{0, -1, fold.Quantity{Costs: []string{"payload_bytes", "rounds"}}, 2, 220},
	} {
		if m := f.Measure(0, c.label, c.target, c.q); m.N != c.n || !same(m.Value, c.value) ||
			m.Censored != map[bool]int{true: 1}[c.label == 1 && c.target == 0] {
			t.Errorf("method %d, target %d, %+v: %+v", c.label, c.target, c.q, m)
		}
	}
}

// TestQuestionsWithoutAnswer: a group without runs has no values. Unknown costs and targets without
// conditions panic.
func TestQuestionsWithoutAnswer(t *testing.T) {
	f := fold.New(fold.Options{Titles: map[string]string{"g": "gradient"},
		Headlines: func(recorded []string) []string { return recorded[:1] },
		Number:    func(s result.Setting) (float64, bool) { return 7, s.Text() == "seven" }})
	for i, r := range []result.Run{ended("A", 1, at(t, "k", "seven"), result.Completed, 100, 1),
		ended("B", 1, at(t, "k", "8"), result.Completed, 100, 1)} {
		if err := f.Add(&r); err != nil {
			t.Fatal(i, err)
		}
	}
	if m := f.Measure(0, 1, -1, fold.Quantity{Metric: "g"}); m.N != 0 || m.Value.Finite() || f.Runs(0, 1) != nil {
		t.Errorf("B at A's point: %+v, runs %v", m, f.Runs(0, 1))
	}
	s := f.Summary()
	g := s.Outcomes[outcome(t, s, "final.g")]
	if g.Name != "final gradient" || !g.Headline || f.Title("h") != "h" || !slices.Equal(f.Headlines(), []string{"g"}) {
		t.Errorf("%+v; headlines %v", g, f.Headlines())
	}
	if s.Keys[0].Numbers != nil {
		t.Errorf("the numbers of %v are %v", s.Keys[0].Values, s.Keys[0].Numbers)
	}
	for name, wrong := range map[string]func(){
		"a cost":                      func() { f.Measure(0, 0, -1, fold.Quantity{Costs: []string{"none"}}) },
		"a target without conditions": func() { fold.New(fold.Options{Targets: []result.Target{{}}}) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "fold: ") {
					t.Errorf("%s: it panics with %q", name, text)
				}
			}()
			wrong()
		}()
	}
}

// TestCostsThatAreZero: the costs that compare methods are listed even if no run pays any;
// other costs are not.
func TestCostsThatAreZero(t *testing.T) {
	s := of(t, fold.Options{Targets: []result.Target{below(0.1)}}, ended("A", 1, nil, result.Completed, 0, 0.05))
	for id, want := range map[string]bool{"totals.rounds": true, "to[0].rounds": true, "totals.wait_s": false,
		"to[0].vector_bytes": false, "totals.money": false, "final.g": true} {
		if containsOutcome(s, id) != want {
			t.Errorf("%s is listed: %t", id, !want)
		}
	}
}
