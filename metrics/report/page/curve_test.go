package page

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

func TestFinenessIsNested(t *testing.T) {
	for f := fineness(1); f < finest; f *= 2 {
		for i := range 100_000 {
			if f.keeps(i) && !(2 * f).keeps(i) {
				t.Fatalf("fineness %d keeps %d, which %d does not", f, i, 2*f)
			}
		}
	}
}

func TestTrackKeepsTheLastSample(t *testing.T) {
	g := one()
	g.samples = 1237
	r := g.run(0, "DAGM", 0, nil, 0, result.Completed)
	k := newTrack(r, costs(), r.Metrics, 16)
	check := func() {
		t.Helper()
		n := len(k.samples)
		if k.samples[n-1] != 1236 || k.curve.Iterations[n-1] != 1236 {
			t.Errorf("the last sample is %d, at iteration %d", k.samples[n-1], k.curve.Iterations[n-1])
		}
		for i, s := range k.samples {
			if got, want := k.curve.Values[0][i], r.Samples[s].Values[0]; got != want {
				t.Errorf("row %d has %v, sample %d is %v", i, got, s, want)
			}
			if got, want := k.curve.Costs[2][i], r.Samples[s].Totals.Time.Seconds(); got != want {
				t.Errorf("row %d took %v, sample %d %v", i, got, s, want)
			}
		}
	}
	check()
	before := len(k.samples)
	k.thin(4)
	check()
	if len(k.samples) > before/2 {
		t.Errorf("%d samples of %d are left", len(k.samples), before)
	}
}

func TestColumnLine(t *testing.T) {
	k := []int{0, 1, 2, 5, 9}
	for _, c := range []struct {
		name      string
		column    column
		from, per float64
		ok        bool
	}{
		{"proportional", column{0, 3, 6, 15, 27}, 0, 3, true},
		{"with a start", column{10, 13, 16, 25, 37}, 10, 3, true},
		{"constant", column{7, 7, 7, 7, 7}, 7, 0, true},
		{"off by one", column{0, 3, 6, 16, 27}, 0, 0, false},
		{"first is special", column{5, 3, 6, 15, 27}, 0, 0, false},
		{"missing", column{0, 3, math.NaN(), 15, 27}, 0, 0, false},
		{"infinite", column{0, 3, 6, 15, math.Inf(1)}, 0, 0, false},
		{"of another length", column{0, 3}, 0, 0, false},
		{"none", nil, 0, 0, false},
	} {
		from, per, ok := c.column.line(k)
		if ok != c.ok || ok && (from != c.from || per != c.per) {
			t.Errorf("%s: %v + %v k, %v; want %v + %v k, %v", c.name, from, per, ok, c.from, c.per, c.ok)
		}
	}
}

func TestColumnJSON(t *testing.T) {
	for _, c := range []struct {
		column column
		want   string
	}{
		{nil, "null"},
		{column{1.5}, "[1.5]"},
		{column{2, 2, 2}, "2"},
		{column{0, 123456789012, 0.000123456789, -1e300}, "[0,123456789012,0.000123457,-1e+300]"},
		{column{math.NaN(), math.Inf(1), 1}, "[null,null,1]"},
		{column{math.Inf(1), math.Inf(1)}, "null"},
	} {
		got, err := json.Marshal(c.column)
		if err != nil || string(got) != c.want {
			t.Errorf("%v is %s, %v; want %s", []float64(c.column), got, err, c.want)
		}
	}
}

func TestAverage(t *testing.T) {
	of := func(iterations []int, cost, value column) fold.Track {
		return fold.Track{Iterations: iterations, Costs: [][]float64{cost}, Values: [][]float64{value, nil}}
	}
	got := average([]fold.Track{
		of([]int{0, 1, 2, 4, 7}, column{0, 10, 20, 40, 70}, column{8, 4, 2, 1, 0.5}),
		of([]int{0, 2, 4, 6}, column{0, 22, 44, 66}, column{8, 4, 3, 2}),
		of([]int{0, 1, 2, 4}, column{0, 10, 18, 36}, column{8, 6, 3, 5}),
	})
	want := meanCurve{
		Runs: 3,
		Curve: curve{Iterations: []int{0, 1, 2, 4, 6, 7}, Costs: []column{{0, 31.0 / 3, 20, 40, 63, 70}},
			Values: []column{{8, 6, 3, 3, 2, 2}, nil}},
		Low:  []column{{8, 5, 2.5, 2, 1.5, 1.25}, nil},
		High: []column{{8, 7, 3.5, 4, 3.5, 3.5}, nil},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("average (-want +got):\n%s", diff)
	}
}

func TestFailedRunsAreInMedians(t *testing.T) {
	p := newStudy().built()
	c := &p.Charts
	group := slices.IndexFunc(c.Groups, func(g chartGroup) bool {
		return c.Methods[g.Method] == "DGBO (b = 10)" && slices.Equal(g.Point, []int{0, 0})
	})
	if got, want := c.Groups[group].Status, "4 completed, 1 diverged"; got != want {
		t.Errorf("status %q, want %q", got, want)
	}
	var failed, good []runCurve
	for _, r := range c.Runs {
		if r.Group == group && r.Failed != "" {
			failed = append(failed, r)
		} else if r.Group == group {
			good = append(good, r)
		}
	}
	if len(failed) != 1 || failed[0].Failed != "diverged" || failed[0].Seed != 3 || len(good) != 4 {
		t.Fatalf("%d failed: %v; %d ended well", len(failed), failed, len(good))
	}
	i := slices.IndexFunc(c.Means, func(m meanCurve) bool { return m.Group == group })
	m := &c.Means[i]
	if m.Runs != 5 {
		t.Errorf("the mean is of %d runs", m.Runs)
	}
	// The diverged run ends half way; the curve continues, and has it above the others.
	last := len(m.Curve.Iterations) - 1
	var ends []float64
	for _, r := range good {
		ends = append(ends, r.Curve.Values[0][slices.Index(r.Curve.Iterations, m.Curve.Iterations[last])])
	}
	slices.Sort(ends)
	if got, want := m.Curve.Values[0][last], ends[2]; !(math.Abs(got-want) <= 1e-12*want) ||
		m.Curve.Iterations[last] != newStudy().samples-1 {
		t.Errorf("the curve ends with %v at iteration %d, want %v at %d", got, m.Curve.Iterations[last], want,
			newStudy().samples-1)
	}
	// A group has no mean if all of its runs stalled.
	stalled := slices.IndexFunc(c.Groups, func(g chartGroup) bool { return g.Status == "5 stalled" })
	if stalled < 0 || slices.ContainsFunc(c.Means, func(m meanCurve) bool { return m.Group == stalled }) {
		t.Errorf("group %d stalled, and must have no mean", stalled)
	}
}
