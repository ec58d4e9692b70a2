package views

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/sim"
)

// runWith returns a run with the given metrics; by iteration k it has sent 100 k bytes.
func runWith(label string, seed uint64, status result.Status, gradient, accuracy []float64) result.Run {
	r := result.Run{Label: label, Seed: seed, Status: status, Metrics: []string{"grad_norm2", "test_accuracy"}}
	for k := range gradient {
		s := result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{gradient[k], accuracy[k]}}
		s.Totals.Time = sim.Time(k) * sim.Millisecond
		s.Totals.Payload[metrics.Vector] = int64(100 * k)
		r.Samples = append(r.Samples, s)
	}
	r.Finish()
	return r
}

func condition(metric, relation string, value float64) result.Condition {
	return result.Condition{Metric: metric, Relation: relation, Value: value}
}

func csvOf(t *testing.T, out table.Table) string {
	t.Helper()
	var b strings.Builder
	if err := out.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFailedRunsAreInfinite(t *testing.T) {
	runs := []result.Run{
		runWith("A", 1, result.Reached, []float64{9, 1}, []float64{0, 0.5}),
		runWith("B", 1, result.Reached, []float64{9, 5, 2, 1}, []float64{0, 0, 0, 0.875}),
		runWith("A", 2, result.Diverged, []float64{9, 99, 999, 9999}, []float64{0, 0, 0, 0}),
		runWith("B", 2, result.Reached, []float64{9, 1}, []float64{0, 0.75}),
		runWith("A", 3, result.Reached, []float64{9, 4, 3, 1}, []float64{0, 0, 0, 0.7}),
		runWith("B", 3, result.Reached, []float64{9, 5, 5, 5, 1}, []float64{0, 0, 0, 0, 0.625}),
	}
	s, err := New(runs, fold.Options{Targets: []result.Target{{Conditions: []result.Condition{condition("grad_norm2",
		"<=", 1)}}}, More: []string{"test_accuracy"}, Titles: map[string]string{"test_accuracy": "test accuracy"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.groups) != 2 || len(s.groups[0].runs) != 3 {
		t.Fatalf("%d groups", len(s.groups))
	}
	// A: the median of iterations 1, 3 and infinity; B: the mean of 3, 1 and 4, so 8/9 as many bytes as A.
	want := `method,reached,iterations,rounds,vector bytes (B),matrix bytes (B),bytes vs. best,simulated time (s),time vs. best,grad_norm2,test accuracy
B,3/3,2.6666666666666665,0,266.6666666666667,0,1,0.0026666666666666666,1,1,0.75
A,2/3 (medians),3,0,300,0,1.125,0.003,1.125,1,0.6
`
	if diff := cmp.Diff(want, csvOf(t, s.costs(0, s.groups))); diff != "" {
		t.Error(diff)
	}
	if got := s.groups[0].status(); got != "2 reached, 1 diverged" {
		t.Errorf("status %q", got)
	}
}

// If some costs are censored, the table and the summary show medians: 20 for 10, 20 and
// more than 40 iterations.
func TestCensoredCostsAreMedians(t *testing.T) {
	flat := []float64{0, 0, 0, 0, 0}
	runs := []result.Run{
		runWith("A", 1, result.Reached, []float64{9, 1}, flat[:2]),
		runWith("A", 2, result.Reached, []float64{9, 3, 1}, flat[:3]),
		runWith("A", 3, result.Completed, []float64{9, 3, 3, 3, 3}, flat),
	}
	s, err := New(runs, fold.Options{Targets: []result.Target{{Conditions: []result.Condition{condition("grad_norm2",
		"<=", 1)}}}, More: []string{"test_accuracy"}, Titles: map[string]string{"test_accuracy": "test accuracy"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `method,reached,iterations,rounds,vector bytes (B),matrix bytes (B),simulated time (s),grad_norm2,test accuracy
A,2/3 (medians),2,0,200,0,0.002,1,0
`
	if diff := cmp.Diff(want, csvOf(t, s.costs(0, s.groups))); diff != "" {
		t.Error(diff)
	}
}

func TestFiguresOfStudies(t *testing.T) {
	of := func(points, methods int) *StudyView {
		var runs []result.Run
		for p := range points {
			set, err := result.NewSetting("topology.nodes", p)
			if err != nil {
				t.Fatal(err)
			}
			for m := range methods {
				r := runWith(string(rune('A'+m)), 1, result.Completed, []float64{3, 2, 1}, []float64{0, 0.5, 0.6})
				r.Point = result.Settings{set}
				runs = append(runs, r)
			}
		}
		s, err := New(runs, fold.Options{More: []string{"test_accuracy"}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct{ points, methods, panels, curves, notes int }{
		{1, 3, 3, 3, 0}, {2, 4, 3, 8, 0}, {4, 3, 12, 3, 0}, // one row, or one for each point,
		{5, 3, 9, 5, 0},                                    // or for each method,
		{1, 9, 3, 8, 1}, {9, 5, 3, 8, 1}, {3, 12, 3, 8, 1}, // or chosen ones
	} {
		figures, notes, err := of(c.points, c.methods).figures()
		if err != nil {
			t.Fatal(err)
		}
		if len(figures) != 2 || len(figures[0].Panels) != c.panels || len(figures[0].Panels[0].Series) != c.curves ||
			len(notes) != c.notes || len(figures[0].Notes) != c.notes {
			t.Errorf("%d points, %d methods: %d figures, notes %q, %v", c.points, c.methods, len(figures), notes, figures)
		}
		// The starting point's accuracy is left out.
		if x := figures[1].Panels[0].Series[0].X; len(x) != 2 || x[0] != 1 {
			t.Errorf("accuracy over %v", x)
		}
	}
}

func TestLongTablesAreCut(t *testing.T) {
	long := table.Table{Title: "long", Notes: []string{"a note"}, Rows: make([][]table.Cell, 1500)}
	short := table.Table{Title: "short", Rows: make([][]table.Cell, 400)}
	tables := cut([]table.Table{long, short}, true)
	if len(tables[0].Rows) != 400 || tables[0].Notes[1] != "1,100 more rows are in summary.json." ||
		len(tables[1].Rows) != 400 || tables[1].Notes != nil {
		t.Errorf("%d rows, notes %q; %d rows, notes %q", len(tables[0].Rows), tables[0].Notes, len(tables[1].Rows),
			tables[1].Notes)
	}
}

// TestRingsMarkTheTarget: a ring has the table's cost and lies on the curve, in panels of the target's
// metric.
func TestRingsMarkTheTarget(t *testing.T) {
	runs := []result.Run{
		runWith("A", 1, result.Completed, []float64{4, 2, 1}, []float64{0, 0.5, 0.6}),
		runWith("B", 1, result.Completed, []float64{4, 3, 3}, []float64{0, 0.5, 0.6}),
	}
	target := result.Target{Conditions: []result.Condition{condition("grad_norm2", "<=", 2)}}
	s, err := New(runs, fold.Options{More: []string{"test_accuracy"}, Targets: []result.Target{target}})
	if err != nil {
		t.Fatal(err)
	}
	figures, _, err := s.figures()
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []float64{1, 100, 1e-3} { // iterations, bytes, seconds
		if marks := figures[0].Panels[i].Marks; len(marks) != 1 || marks[0] != (figure.Mark{X: x, Y: 2}) {
			t.Errorf("panel %d has rings at %v, want one at %g, 2", i, marks, x)
		}
	}
	if n := len(figures[1].Panels[0].Marks); n != 0 {
		t.Errorf("%d rings on curves of accuracy, which has no target", n)
	}
}

func TestHeightBetweenSamples(t *testing.T) {
	xs, ys := []float64{1, 100, 200}, []float64{1, 1e-4, 3e-4}
	for _, c := range []struct {
		x          float64
		logX, logY bool
		want       float64
	}{
		{1, false, false, 1}, {200, true, true, 3e-4}, {150, false, false, 2e-4},
		{10, true, true, 1e-2}, {10, true, false, 0.50005}, {50.5, false, true, 1e-2},
		{0.5, false, false, math.NaN()}, {201, false, false, math.NaN()}, {math.NaN(), false, false, math.NaN()},
		{math.Inf(1), false, false, math.NaN()},
	} {
		got := height(xs, ys, c.x, c.logX, c.logY)
		if same := math.Abs(got-c.want) <= 1e-12 || math.IsNaN(got) && math.IsNaN(c.want); !same {
			t.Errorf("height at %g (logarithmic x %t, y %t): got %g, want %g", c.x, c.logX, c.logY, got, c.want)
		}
	}
}
