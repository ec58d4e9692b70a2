package study_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/result"
	"tallynet/metrics/study"
)

// ended is a run with two samples: it has sent a number of bytes in as many rounds, and measured g.
func ended(label string, seed uint64, point result.Settings, status result.Status, bytes int64, g float64) result.Run {
	r := result.Run{Label: label, Seed: seed, Point: point, Status: status, Metrics: []string{"g"}}
	r.Samples = []result.Sample{{Values: []float64{1}}, {Values: []float64{g}}}
	r.Samples[1].Iteration, r.Samples[1].Totals.Payload[1], r.Samples[1].Totals.Rounds = 1, bytes, bytes
	r.Finish()
	return r
}

// of sums up runs.
func of(t *testing.T, o study.Options, runs ...result.Run) *study.Summary {
	t.Helper()
	f := study.New(o)
	for i := range runs {
		if err := f.Add(&runs[i]); err != nil {
			t.Fatal(err)
		}
	}
	return f.Summary()
}

// below is a target for g.
func below(g float64) result.Target {
	return result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=", Value: g}}}
}

// TestMethodsMeetWhereTheOtherKeysAgree: B has no alpha, and is compared with A at each alpha, of
// the same number of
// nodes. At the seed at which neither ends well, there is nothing to compare.
func TestMethodsMeetWhereTheOtherKeysAgree(t *testing.T) {
	var all []result.Run
	for _, nodes := range []int{8, 16} {
		for _, alpha := range []int{1, 2} {
			p := at(t, "topology.nodes", nodes, "algorithms.A.alpha", alpha)
			all = append(all, ended("A", 1, p, result.Completed, int64(100*nodes), 1),
				ended("A", 2, p, result.Diverged, 1, 1))
		}
		p := at(t, "topology.nodes", nodes)
		all = append(all, ended("B", 1, p, result.Completed, int64(200*nodes), 1), ended("B", 2, p, result.Diverged, 1, 1))
	}
	s := of(t, study.Options{}, all...)
	bytes, n := outcome(t, s, "totals.payload_bytes"), 0
	for _, c := range s.Comparisons {
		a, b := s.Groups[c.A], s.Groups[c.B]
		if c.Outcome != bytes || a.Label == b.Label {
			continue
		}
		n++
		if s.Points[a.Point].Values[0] != s.Points[b.Point].Values[0] || c.Pairs != 1 || c.Neither != 1 ||
			c.AOnly+c.BOnly != 0 || c.Key != -1 || !same(c.Ratio.Value, 0.5) {
			t.Errorf("%s with %s: %+v", s.Points[a.Point].Name, s.Points[b.Point].Name, c)
		}
	}
	if n != 4 {
		t.Errorf("%d comparisons of A with B, want one at each of A's 4 points", n)
	}
}

// TestInverse: 2 in [1, 4] is 1/2 in [1/4, 1] the other way round, and what may be 0 has no
// inverse.
func TestInverse(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ value, low, high, inverse, from, to float64 }{
		{2, 1, 4, 0.5, 0.25, 1}, {2, nan, nan, 0.5, nan, nan}, {2, 0, 4, nan, nan, nan}, {0, nan, nan, nan, nan, nan},
		{2, -1, 4, nan, nan, nan}, {-2, nan, nan, nan, nan, nan},
	} {
		var x study.Comparison
		x.Ratio.Value, x.Ratio.Low, x.Ratio.High = jsonio.Real(c.value), jsonio.Real(c.low), jsonio.Real(c.high)
		x.A, x.B, x.AOnly, x.BOnly = 1, 2, 3, 4
		x.Difference.Value, x.Difference.Low, x.Difference.High = 5, 3, 9
		y := x.Inverse()
		if d := y.Difference; y.A != 2 || y.B != 1 || y.AOnly != 4 || y.BOnly != 3 || d.Value != -5 || d.Low != -9 ||
			d.High != -3 {
			t.Errorf("the inverse of %+v is %+v", x, y)
		}
		r := y.Ratio
		if !same(r.Value, c.inverse) || !same(r.Low, c.from) || !same(r.High, c.to) {
			t.Errorf("the inverse of %g in [%g, %g] is %g in [%g, %g]", c.value, c.low, c.high, r.Value, r.Low, r.High)
		}
	}
}

// TestFrontsOfFewGroups: there is a front of two groups, whoever else has no value, and none where
// nobody has one. Of
// one point, there is no second one for the grid. Energy and money are objectives, where a run has
// them, and so is a
// metric that is shown unasked.
func TestFrontsOfFewGroups(t *testing.T) {
	p := at(t, "topology.nodes", 8)
	good, bad := ended("A", 1, p, result.Completed, 100, 1), ended("B", 1, p, result.Completed, 200, 0.5)
	lost := ended("C", 1, p, result.Diverged, 300, 0.1)
	fronts := of(t, study.Options{}, good, bad, lost).Fronts
	if len(fronts) != 1 || fronts[0].Point != 0 || len(fronts[0].Members) != 2 ||
		!slices.Equal(fronts[0].Without, []int{2}) {
		t.Errorf("of two runs that ended well and one that did not: %+v", fronts)
	}
	far := ended("A", 1, at(t, "topology.nodes", 16), result.Completed, 300, 1)
	if fronts = of(t, study.Options{}, good, far).Fronts; len(fronts) != 1 || fronts[0].Point != -1 {
		t.Errorf("of one run at each of two points: %+v", fronts)
	}
	if fronts = of(t, study.Options{}, good).Fronts; len(fronts) != 0 {
		t.Errorf("of one run: %+v", fronts)
	}
	if fronts = of(t, study.Options{Targets: []result.Target{below(0.01)}}, good, bad, lost).Fronts; len(fronts) != 0 {
		t.Errorf("nobody gets to the target: %+v", fronts)
	}
	good.Metrics, good.Final.Values = []string{"first", "g"}, append([]result.NamedValue{{Name: "first", Value: 3}},
		good.Final.Values...)
	good.Samples = nil
	good.Totals.Energy, good.Totals.Money, good.Totals.LinkEnergy = 5, 7, 2
	for more, want := range map[string]string{"": "final.first", "first": "final.first", "g": "final.g"} {
		s := of(t, study.Options{More: []string{more}}, good, bad)
		var got []string
		for _, o := range s.Fronts[0].Objectives {
			got = append(got, s.Outcomes[o].ID)
		}
		want := "totals.time_s totals.payload_bytes " + want + " totals.energy_j totals.money"
		if strings.Join(got, " ") != want {
			t.Errorf("objectives %q, want %q", got, want)
		}
	}
}

// TestKeysOfAGrid: the values of a key come once each, in order, and it is numeric if all are
// numbers.
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
		key := of(t, study.Options{}, all...).Keys[0]
		if strings.Join(key.Values, " ") != c.text || !slices.Equal(key.Numbers, c.numbers) {
			t.Errorf("of %v the values are %q and the numbers %v", c.values, key.Values, key.Numbers)
		}
	}
}

// TestSlopesWantNumbersAboveZero: a key with 0 has no logarithm, and a point at which no run ended
// well no mean.
func TestSlopesWantNumbersAboveZero(t *testing.T) {
	for least, want := range map[int]int{0: 0, 1: 1} {
		var all []result.Run
		for _, k := range []int{least, 2, 4, 8, 16} {
			status := result.Completed
			if k == 16 {
				status = result.Diverged
			}
			all = append(all, ended("A", 1, at(t, "k", k), status, int64(1+10*k*k), 1))
		}
		all = append(all, ended("A", 1, nil, result.Completed, 5, 1), ended("B", 1, at(t, "k", 2), result.Completed, 5, 1))
		s := of(t, study.Options{}, all...)
		bytes, n := outcome(t, s, "totals.payload_bytes"), 0
		for _, l := range s.Slopes {
			if l.Outcome == bytes {
				if n++; l.Without != 1 || len(l.Groups) != 4 || !l.Slope.Value.Finite() {
					t.Errorf("%+v", l)
				}
			}
		}
		if n != want {
			t.Errorf("from %d on there are %d slopes, want %d", least, n, want)
		}
	}
}

// TestImportancesByHand: g is 0 and 2 at 8 nodes and 4 and 6 at 16, of which the mean is 3 and the
// squares are 9 + 1 +
// 1 + 9; those of the means 1 and 5 are 4 x 4 of these 20. As 0 has no logarithm, it is of the
// numbers themselves. One
// run in each cell leaves nothing within.
func TestImportancesByHand(t *testing.T) {
	var all []result.Run
	for i, g := range []float64{0, 2, 4, 6} {
		all = append(all, ended([]string{"A", "B"}[i%2], 1, at(t, "k", 8+8*(i/2)), result.Completed, 100, g))
	}
	find := func(s *study.Summary) *study.Importance {
		g := outcome(t, s, "final.g")
		i := slices.IndexFunc(s.Importances, func(im study.Importance) bool { return im.Outcome == g })
		if i < 0 {
			return &study.Importance{}
		}
		return &s.Importances[i]
	}
	im := find(of(t, study.Options{}, all...))
	if len(im.Shares) != 2 || im.Log || im.Runs != 4 || !same(im.Shares[0].First, 0.2) ||
		!same(im.Shares[1].First, 0.8) ||
		im.Shares[0].Name != "method" || im.Shares[0].Key != -1 || im.Shares[1].Name != "k" ||
		!im.Balanced || !same(im.Within, 0) {
		t.Errorf("both methods: %+v", im)
	}
	im = find(of(t, study.Options{}, all[0], all[2]))
	if len(im.Shares) != 1 || im.Shares[0].Name != "k" || im.Runs != 2 {
		t.Errorf("one method, at two points: %+v", im)
	}
	if im = find(of(t, study.Options{}, all[0], all[1])); len(im.Shares) != 1 || im.Shares[0].Name != "method" {
		t.Errorf("two methods at one point: %+v", im)
	}
	some := slices.Clone(all[2:])
	some[0].Point = nil
	some[0].Label = "B"
	if im = find(of(t, study.Options{}, some...)); len(im.Shares) != 1 || im.Shares[0].Name != "k" || !im.Log {
		t.Errorf("one method, with a key and without: %+v", im)
	}
}

// TestRangesOfAGrid: a method goes from its least to its greatest value, over the points where it
// has one.
func TestRangesOfAGrid(t *testing.T) {
	var all []result.Run
	for _, k := range []int{1, 2, 4} {
		a, b := result.Completed, result.Diverged
		if k == 4 {
			a = result.Diverged
		}
		all = append(all, ended("A", 1, at(t, "k", k), a, int64(100*k), 1), ended("B", 1, at(t, "k", k), b, 1, 1))
	}
	if s := of(t, study.Options{}, all[2:]...); len(s.Ranges) == 0 || s.Ranges[0].Groups != 1 {
		t.Errorf("of one value: %+v", s.Ranges)
	}
	for points, without := range map[int]int{3: 1, 2: 0} {
		s := of(t, study.Options{}, all[:2*points]...)
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

// TestValuesThatAreNone: a metric that is not finite has no value; where two of three runs do not
// get to the target there
// is no median; a target that no run measures is missed by none.
func TestValuesThatAreNone(t *testing.T) {
	p := at(t, "k", 1)
	for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		s := of(t, study.Options{}, ended("A", 1, p, result.Completed, 100, bad), ended("A", 2, p, result.Completed, 100, 3))
		if m := s.Groups[0].Values[outcome(t, s, "final.g")]; m.N != 1 || m.Value != 3 || m.Max != 3 {
			t.Errorf("of %g and 3: %+v", bad, m)
		}
	}
	three := []result.Run{ended("A", 1, p, result.Completed, 100, 1), ended("A", 2, p, result.Completed, 100, 1),
		ended("A", 3, p, result.Completed, 100, 0.01)}
	other := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 1}}}
	s := of(t, study.Options{Targets: []result.Target{other, below(0.1)}}, three...)
	m := s.Groups[0].Values[outcome(t, s, "to[1].payload_bytes")]
	if m.Statistic != study.None || m.Reached != 1 || m.Censored != 2 || m.Min != 100 {
		t.Errorf("one of three gets there: %+v", m)
	}
	missed := s.Groups[0].Missed
	if len(missed) != 1 || missed[0].Metric != "g" || missed[0].Runs != 2 || missed[0].Best != 1 {
		t.Errorf("missed: %+v", missed)
	}
}

// TestRunsOfFewSamples: a run of which only the start was recorded came nowhere near a target, and of one without
// samples nothing is known. A metric that was infinite all along was never finite.
func TestRunsOfFewSamples(t *testing.T) {
	for _, c := range []struct {
		samples     int
		g           float64
		missed      int
		neverFinite string
	}{{2, 1, 1, ""}, {1, math.NaN(), 1, "g"}, {1, 1, 1, ""}, {1, math.Inf(-1), 1, "g"}, {0, 1, 0, ""}} {
		r := ended("A", 1, nil, result.Completed, 100, 1)
		r.Samples[0].Values = []float64{c.g}
		r.Samples, r.Targets = r.Samples[:c.samples], []result.Attempt{{Target: below(0.1)}}
		s := of(t, study.Options{}, r)
		g := s.Groups[0]
		if len(g.Missed) != c.missed || strings.Join(g.NeverFinite, " ") != c.neverFinite {
			t.Errorf("%d samples from %g: missed %+v, never finite %v", c.samples, c.g, g.Missed, g.NeverFinite)
		}
		other := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 1}}}
		if c.samples > 0 {
			s = of(t, study.Options{Targets: []result.Target{other}}, r)
			m := s.Groups[0].Values[outcome(t, s, "to[0].payload_bytes")]
			if m.Censored != 0 || len(s.Groups[0].Missed) != 0 {
				t.Errorf("%d samples, in which the target is not measured: %+v", c.samples, m)
			}
		}
	}
}

// TestFailedRunsAreAsked: a run that diverged before it could measure a target did not get there; one that
// ended well without measuring it was not asked.
func TestFailedRunsAreAsked(t *testing.T) {
	goal := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 1}}}
	for status, want := range map[result.Status]int{result.Diverged: 1, result.Completed: 0} {
		a, b := ended("A", 1, nil, result.Completed, 100, 0.5), ended("B", 1, nil, status, 200, 0.5)
		a.Metrics = []string{"h"}
		s := of(t, study.Options{Targets: []result.Target{goal}}, a, b)
		bytes, only := outcome(t, s, "to[0].payload_bytes"), 0
		for _, c := range s.Comparisons {
			if c.Outcome == bytes {
				only += c.AOnly
			}
		}
		if only != want {
			t.Errorf("B %v: %d seeds at which A alone gets there, want %d", status, only, want)
		}
	}
}

// TestMetricsThatOneRunLacks: the other one has it.
func TestMetricsThatOneRunLacks(t *testing.T) {
	a, b := ended("A", 1, nil, result.Completed, 100, 1), ended("B", 1, nil, result.Completed, 100, 2)
	a.Metrics, a.Samples = []string{"g", "h"}, nil
	a.Final.Values = append(a.Final.Values, result.NamedValue{Name: "h", Value: 3})
	s := of(t, study.Options{}, a, b)
	for i, want := range [][2]int{{1, 1}, {1, 0}} {
		g, h := s.Groups[i].Values[outcome(t, s, "final.g")], s.Groups[i].Values[outcome(t, s, "final.h")]
		if g.N != want[0] || h.N != want[1] {
			t.Errorf("%s: %+v and %+v", s.Labels[s.Groups[i].Label], g, h)
		}
	}
	for _, o := range s.Outcomes {
		if o.Target != -1 {
			t.Errorf("%s is of target %d", o.ID, o.Target)
		}
	}
	if !containsOutcome(s, "iterations") {
		t.Error("there are no iterations")
	}
}

// TestSummariesAreApart: what is done to a summary changes no other.
func TestSummariesAreApart(t *testing.T) {
	f := study.New(study.Options{Number: func(s result.Setting) (float64, bool) {
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

// TestMeasureAndRuns: quantities of the runs of a group, which are known by when they were added.
func TestMeasureAndRuns(t *testing.T) {
	f := study.New(study.Options{Targets: []result.Target{below(0.1)}})
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
		q             study.Quantity
		n             int
		value         float64
	}{
		{0, -1, study.Quantity{Metric: "g"}, 2, 0.06}, {0, 0, study.Quantity{Metric: "g"}, 2, 0.06},
		{1, -1, study.Quantity{Metric: "g"}, 1, 0.5}, {1, 0, study.Quantity{Metric: "g"}, 0, math.NaN()},
		{0, -1, study.Quantity{Metric: "h"}, 0, math.NaN()}, {0, 0, study.Quantity{Costs: []string{"iterations"}}, 2, 1},
		{0, -1, study.Quantity{Costs: []string{"payload_bytes", "rounds"}}, 2, 220},
	} {
		if m := f.Measure(0, c.label, c.target, c.q); m.N != c.n || !same(m.Value, c.value) || m.Censored != 0 {
			t.Errorf("method %d, target %d, %+v: %+v", c.label, c.target, c.q, m)
		}
	}
}

// TestQuestionsWithoutAnswer: of a group without runs there is nothing, and what does not exist is a mistake
// of the program.
func TestQuestionsWithoutAnswer(t *testing.T) {
	f := study.New(study.Options{Titles: map[string]string{"g": "gradient"},
		Headlines: func(recorded []string) []string { return recorded[:1] },
		Number:    func(s result.Setting) (float64, bool) { return 7, s.Text() == "seven" }})
	for i, r := range []result.Run{ended("A", 1, at(t, "k", "seven"), result.Completed, 100, 1),
		ended("B", 1, at(t, "k", "8"), result.Completed, 100, 1)} {
		if err := f.Add(&r); err != nil {
			t.Fatal(i, err)
		}
	}
	if m := f.Measure(0, 1, -1, study.Quantity{Metric: "g"}); m.N != 0 || m.Value.Finite() || f.Runs(0, 1) != nil {
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
		"a cost":                      func() { f.Measure(0, 0, -1, study.Quantity{Costs: []string{"none"}}) },
		"a target without conditions": func() { study.New(study.Options{Targets: []result.Target{{}}}) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "study: ") {
					t.Errorf("%s: it panics with %q", name, text)
				}
			}()
			wrong()
		}()
	}
}

// TestCostsThatAreZero: the costs by which methods are compared are there if no run pays any,
// others are not.
func TestCostsThatAreZero(t *testing.T) {
	s := of(t, study.Options{Targets: []result.Target{below(0.1)}}, ended("A", 1, nil, result.Completed, 0, 0.05))
	for id, want := range map[string]bool{"totals.rounds": true, "to[0].rounds": true, "totals.wait_s": false,
		"to[0].vector_bytes": false, "totals.money": false, "final.g": true} {
		if containsOutcome(s, id) != want {
			t.Errorf("%s is there: %t", id, !want)
		}
	}
}

// TestNamesOfPoints: the name of a point goes before its keys, wherever it comes first, and keys of
// all methods before those
// of one. A grid of one point has its keys.
func TestNamesOfPoints(t *testing.T) {
	named := func(name string, settings ...any) result.Run {
		r := ended("A", 1, at(t, settings...), result.Completed, 100, 1)
		r.PointName = name
		return r
	}
	for want, runs := range map[string][]result.Run{
		"topology.nodes = 8": {named("", "topology.nodes", 8)},
		", big":              {named("", "topology.nodes", 8), named("big", "topology.nodes", 16)},
		"topology.nodes = 8, topology.nodes = 16": {named("", "algorithms.A.alpha", 1, "topology.nodes", 8),
			named("", "algorithms.A.alpha", 2, "topology.nodes", 16)},
	} {
		var got []string
		for _, p := range of(t, study.Options{}, runs...).Points {
			got = append(got, p.Name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("the points are %q, want %q", got, want)
		}
	}
}
