package views

import (
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// moving returns a run of one node with the iterates in the columns x and y.
func moving(label string, x, y [][]float64) result.Run {
	r := runWith(label, 1, result.Completed, make([]float64, len(x)), make([]float64, len(x)))
	for k := range x {
		r.Samples[k].X, r.Samples[k].Y = result.Iterates{x[k]}, result.Iterates{y[k]}
	}
	return r
}

func pathsOf(t *testing.T, kept bool, runs ...result.Run) (figure.Figure, string) {
	t.Helper()
	s, err := New(runs, fold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Name, s.Paths = "paths", kept
	f, note, err := s.trajectories()
	if err != nil {
		t.Fatal(err)
	}
	return f, note
}

// The plane is y's if y has two numbers, x's if only x has, and both variables' if each has one number.
func TestPlaneOfPaths(t *testing.T) {
	for _, c := range []struct {
		p, q         int
		label        string // of the horizontal axis; "": no picture
		wantX, wantY []float64
	}{
		{1, 1, "x", []float64{1, 11}, []float64{5, 15}},
		{3, 2, "y₁", []float64{5, 15}, []float64{6, 16}},
		{2, 2, "y₁", []float64{5, 15}, []float64{6, 16}},
		{2, 3, "x₁", []float64{1, 11}, []float64{2, 12}},
		{3, 3, "", nil, nil},
	} {
		x := [][]float64{[]float64{1, 2, 3}[:c.p], []float64{11, 12, 13}[:c.p]}
		y := [][]float64{[]float64{5, 6, 7}[:c.q], []float64{15, 16, 17}[:c.q]}
		f, note := pathsOf(t, true, moving("A", x, y))
		if c.label == "" {
			if len(f.Panels) != 0 || note != "" {
				t.Errorf("p = %d, q = %d: %d panels, note %q", c.p, c.q, len(f.Panels), note)
			}
			continue
		}
		if len(f.Panels) != 1 || f.Panels[0].XLabel != c.label || !f.Panels[0].Paths {
			t.Fatalf("p = %d, q = %d: %+v", c.p, c.q, f.Panels)
		}
		if s := f.Panels[0].Series[0]; s.Label != "A" || !slices.Equal(s.X, c.wantX) || !slices.Equal(s.Y, c.wantY) {
			t.Errorf("p = %d, q = %d: %+v", c.p, c.q, s)
		}
	}
}

// A stored result, whose samples lack the iterates, gives the same paths.
func TestPathsOfStoredRun(t *testing.T) {
	run := moving("A", [][]float64{{1}, {2}}, [][]float64{{3}, {4}})
	stored := run
	stored.Samples = slices.Clone(run.Samples)
	for i, s := range run.Samples {
		stored.Trajectory = append(stored.Trajectory, result.Iterate{Iteration: s.Iteration, X: s.X, Y: s.Y})
		stored.Samples[i].X, stored.Samples[i].Y = nil, nil
	}
	for _, r := range []result.Run{run, stored} {
		f, _ := pathsOf(t, true, r)
		if len(f.Panels) != 1 || !slices.Equal(f.Panels[0].Series[0].X, []float64{1, 2}) ||
			!slices.Equal(f.Panels[0].Series[0].Y, []float64{3, 4}) {
			t.Errorf("%+v", f.Panels)
		}
	}
}

func TestNoPaths(t *testing.T) {
	one := [][]float64{{1}, {2}}
	if f, _ := pathsOf(t, false, moving("A", one, one)); len(f.Panels) != 0 {
		t.Error("paths without record.iterates: all")
	}
	two := moving("A", one, one)
	for k := range two.Samples {
		two.Samples[k].X = append(two.Samples[k].X, []float64{3})
		two.Samples[k].Y = append(two.Samples[k].Y, []float64{3})
	}
	if f, _ := pathsOf(t, true, two); len(f.Panels) != 0 {
		t.Error("one path for two nodes")
	}
	var runs []result.Run
	for point := range maxPathPanels + 1 {
		r := moving("A", one, one)
		set, err := result.NewSetting("problem.x0", point)
		if err != nil {
			t.Fatal(err)
		}
		r.Point = result.Settings{set}
		runs = append(runs, r)
	}
	if f, note := pathsOf(t, true, runs...); len(f.Panels) != 0 || !strings.Contains(note, "13 grid points") {
		t.Errorf("%d panels, note %q", len(f.Panels), note)
	}
	if f, note := pathsOf(t, true, runs[1:]...); len(f.Panels) != maxPathPanels || note != "" {
		t.Errorf("%d panels, note %q", len(f.Panels), note)
	}
}
