package cli

import (
	"math"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/scenarios"
	"tallynet/sim"
)

// runWith is a run whose metrics go as given; iteration k has sent 100 k bytes.
func runWith(label string, seed uint64, status metrics.Status, gradient, accuracy []float64) metrics.Run {
	r := metrics.Run{Label: label, Seed: seed, Status: status, Metrics: []string{"grad_norm2", "test_accuracy"}}
	for k := range gradient {
		s := metrics.Sample{Iteration: k, Values: []float64{gradient[k], accuracy[k]}}
		s.Totals.Time = sim.Time(k) * sim.Millisecond
		s.Totals.Payload[metrics.Vector] = int64(100 * k)
		r.Samples = append(r.Samples, s)
	}
	r.Finish()
	return r
}

func TestTarget(t *testing.T) {
	nan := math.NaN()
	gradient := []float64{9, 1, 5, 1, 1, 0.5}
	accuracy := []float64{0, 0.5, 0.9, 0.5, 0.8, 0.9}
	g := scenarios.Threshold{Metric: "grad_norm2", Value: 1}
	a := scenarios.Threshold{Metric: "test_accuracy", Value: 0.8}
	for _, c := range []struct {
		target target
		status metrics.Status
		want   int // the iteration; -1: never
	}{
		{target{}, metrics.Completed, 5},
		{target{}, metrics.Diverged, -1},
		{target{all: []scenarios.Threshold{g}}, metrics.Completed, 1},
		{target{all: []scenarios.Threshold{g}, kept: true}, metrics.Completed, 3},
		{target{all: []scenarios.Threshold{a}}, metrics.Completed, 2},
		{target{all: []scenarios.Threshold{g, a}}, metrics.Completed, 4},
		{target{all: []scenarios.Threshold{g, a}, kept: true}, metrics.Interrupted, 4},
		{target{all: []scenarios.Threshold{{Metric: "grad_norm2", Value: 0.1}}}, metrics.Completed, -1},
		{target{all: []scenarios.Threshold{{Metric: "grad_norm2", Value: 0.1}}, kept: true}, metrics.Completed, -1},
		{target{all: []scenarios.Threshold{{Metric: "objective", Value: 1e9}}}, metrics.Completed, -1},
		{target{all: []scenarios.Threshold{g}}, metrics.Failed, -1},
	} {
		r := runWith("x", 1, c.status, gradient, accuracy)
		got := -1
		if m := c.target.meet(&r); m.counts {
			got = m.sample.Iteration
		}
		if got != c.want {
			t.Errorf("%v (kept %v), %s: iteration %d, want %d", c.target, c.target.kept, c.status, got, c.want)
		}
	}
	r := runWith("x", 1, metrics.Completed, []float64{nan, nan}, accuracy[:2])
	if m := (target{all: []scenarios.Threshold{g}}).meet(&r); m.counts {
		t.Error("a NaN reaches a target")
	}
}

func TestFailedRunsAreInNoMean(t *testing.T) {
	runs := []metrics.Run{
		runWith("A", 1, metrics.Reached, []float64{9, 1}, []float64{0, 0.5}),
		runWith("B", 1, metrics.Reached, []float64{9, 5, 2, 1}, []float64{0, 0, 0, 0.9}),
		runWith("A", 2, metrics.Diverged, []float64{9, 99, 999, 9999}, []float64{0, 0, 0, 0}),
		runWith("B", 2, metrics.Reached, []float64{9, 1}, []float64{0, 0.7}),
		runWith("A", 3, metrics.Reached, []float64{9, 4, 3, 1}, []float64{0, 0, 0, 0.7}),
		runWith("B", 3, metrics.Reached, []float64{9, 5, 5, 5, 1}, []float64{0, 0, 0, 0, 0.8}),
	}
	asked := &scenarios.Scenario{Seeds: []uint64{1, 2, 3}, Stop: scenarios.Stop{Metrics: []scenarios.Threshold{{Metric: "grad_norm2", Value: 1}}}}
	s, err := summarize(asked, runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.groups) != 2 || len(s.groups[0].runs) != 3 {
		t.Fatalf("%d groups", len(s.groups))
	}
	var b strings.Builder
	if err := s.costs(s.targets[0], s.groups).WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	// A: the mean of iterations 1 and 3; B: of 3, 1 and 4, so 8/3, 4/3 as many bytes as A.
	want := `method,reached,iterations,rounds,vector bytes (B),matrix bytes (B),bytes vs. best,simulated time (s),time vs. best,grad_norm2,test accuracy
A,2/3,2,0,200,0,1,0.002,1,1,0.6
B,3/3,2.6666666666666665,0,266.6666666666667,0,1.3333333333333335,0.0026666666666666666,1.3333333333333333,1,0.8
`
	if diff := goldenDiff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if got := s.groups[0].status(); got != "2 reached, 1 diverged" {
		t.Errorf("status %q", got)
	}
}

func TestFiguresOfStudies(t *testing.T) {
	study := func(points, methods int) *overview {
		var runs []metrics.Run
		for p := range points {
			set, err := metrics.NewSetting("topology.nodes", p)
			if err != nil {
				t.Fatal(err)
			}
			for m := range methods {
				r := runWith(string(rune('A'+m)), 1, metrics.Completed, []float64{3, 2, 1}, []float64{0, 0.5, 0.6})
				r.Point = metrics.Point{set}
				runs = append(runs, r)
			}
		}
		sum, err := summarize(&scenarios.Scenario{Seeds: []uint64{1}}, runs, nil)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	for _, c := range []struct{ points, methods, panels int }{
		{1, 3, 3}, {2, 4, 3}, {4, 3, 12}, {1, 9, 0}, {5, 3, 0},
	} {
		figures, notes, err := study(c.points, c.methods).figures()
		if err != nil {
			t.Fatal(err)
		}
		if c.panels == 0 {
			if len(figures) != 0 || len(notes) != 1 {
				t.Errorf("%d points, %d methods: %d figures, notes %q", c.points, c.methods, len(figures), notes)
			}
			continue
		}
		if len(figures) != 2 || len(figures[0].figure.Panels) != c.panels {
			t.Errorf("%d points, %d methods: %d figures", c.points, c.methods, len(figures))
		}
		// The accuracy of the starting point is left out.
		if x := figures[1].figure.Panels[0].Series[0].X; len(x) != 2 || x[0] != 1 {
			t.Errorf("accuracy over %v", x)
		}
	}
}

func TestLongTablesAreCut(t *testing.T) {
	long := render.Table{Title: "long", Notes: []string{"a note"}, Rows: make([][]render.Cell, 1500)}
	short := render.Table{Title: "short", Rows: make([][]render.Cell, 400)}
	tables := cut([]render.Table{long, short})
	if len(tables[0].Rows) != 400 || tables[0].Notes[1] != "1,100 more rows are in summary.json." || len(tables[1].Rows) != 400 || tables[1].Notes != nil {
		t.Errorf("%d rows, notes %q; %d rows, notes %q", len(tables[0].Rows), tables[0].Notes, len(tables[1].Rows), tables[1].Notes)
	}
}
