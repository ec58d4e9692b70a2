package fold_test

import (
	"slices"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// at is a point of a list: keys and values in turn.
func at(t *testing.T, settings ...any) result.Settings {
	t.Helper()
	var p result.Settings
	for i := 0; i < len(settings); i += 2 {
		set, err := result.NewSetting(settings[i].(string), settings[i+1])
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, set)
	}
	return p
}

// listed sums up runs of A and B at some points, which may have names.
func listed(t *testing.T, points []result.Settings, names []string) *fold.Summary {
	t.Helper()
	f := fold.New(fold.Options{})
	for i, p := range points {
		for k, label := range []string{"A", "B"} {
			r := run(t, label, 8, 1, result.Reached, int64(1000*(i+1)*(k+1)))
			r.Point = p
			if names != nil {
				r.PointName = names[i]
			}
			if err := f.Add(&r); err != nil {
				t.Fatal(err)
			}
		}
	}
	return f.Summary()
}

func axes(s *fold.Summary) []string {
	var names []string
	for _, k := range s.Axes() {
		names = append(names, s.Keys[k].Name)
	}
	return names
}

// A step that depends on the graph is no axis: the grid has the axes kind and nodes, and
// growth with the nodes is computed for each kind.
func TestTiedKeysAreNoAxes(t *testing.T) {
	var points []result.Settings
	for _, kind := range []string{"ring", "complete"} {
		for i, n := range []int{8, 16, 32} {
			alpha := 0.15
			if kind == "ring" {
				alpha /= float64(int(1) << (2 * i))
			}
			points = append(points, at(t, "topology.kind", kind, "topology.nodes", n, "algorithms.A.alpha", alpha,
				"algorithms.B.alpha", alpha))
		}
	}
	s := listed(t, points, nil)
	if got := axes(s); !slices.Equal(got, []string{"topology.kind", "topology.nodes"}) {
		t.Fatalf("axes %v", got)
	}
	if got := s.Points[1].Name; got != "ring, 16 nodes" {
		t.Errorf("the second point is named %q", got)
	}
	grown := map[string]int{}
	for _, sl := range s.Slopes {
		grown[sl.Fixed] = max(grown[sl.Fixed], len(sl.Groups))
	}
	if len(grown) != 2 || grown["ring"] != 3 || grown["complete"] != 3 {
		t.Errorf("values behind each slope: %v", grown)
	}
	for _, im := range s.Importances {
		for _, share := range im.Shares {
			if share.Key >= 0 && s.Keys[share.Key].Tied {
				t.Errorf("%s has a share of its own", share.Name)
			}
		}
	}
}

// If several keys each identify the point, the first one is the axis; a full sweep loses none.
func TestOneOfTiedKeysStays(t *testing.T) {
	s := listed(t, []result.Settings{at(t, "problem.variant", "paper", "problem.scale", 1),
		at(t, "problem.variant", "code", "problem.scale", 0.1)}, nil)
	if got := axes(s); !slices.Equal(got, []string{"problem.variant"}) {
		t.Errorf("axes %v", got)
	}
	var grid []result.Settings
	for _, kind := range []string{"ring", "complete"} {
		for _, alpha := range []float64{0.1, 0.2} {
			grid = append(grid, at(t, "topology.kind", kind, "algorithms.A.alpha", alpha))
		}
	}
	if got := axes(listed(t, grid, nil)); !slices.Equal(got, []string{"topology.kind", "algorithms.A.alpha"}) {
		t.Errorf("axes of a sweep: %v", got)
	}
}

// Points with names are one axis, whatever their values.
func TestNamedPoints(t *testing.T) {
	names := []string{"two triangles", "a chain"}
	s := listed(t, []result.Settings{
		at(t, "topology.kind", "edges", "topology.edges", [][]int{{0, 1}, {1, 2}, {2, 0}}),
		at(t, "topology.kind", "edges", "topology.edges", [][]int{{0, 1}, {1, 2}}),
	}, names)
	if got := axes(s); !slices.Equal(got, []string{fold.NameKey}) {
		t.Errorf("axes %v", got)
	}
	for i, p := range s.Points {
		if p.Name != names[i] {
			t.Errorf("point %d is named %q", i, p.Name)
		}
	}
}
