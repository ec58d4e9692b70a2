package stats

import (
	"slices"
	"testing"

	"tallynet/sim"
)

func TestPareto(t *testing.T) {
	points := [][]float64{{1, 5, 0.9}, {2, 3, 0.9}, {2, 4, 0.9}, {2, 4, 0.95}, {2, 3, 0.9}, {nan, 0, 1}, {0, 0, inf},
		{9, 9, 0.1}}
	want := []bool{true, true, false, true, true, false, false, false}
	if got := Pareto(points, []bool{false, false, true}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got := Pareto([][]float64{{1, 2}, {2, 1}, {2, 2}}, []bool{true, true})
	if !slices.Equal(got, []bool{false, false, true}) {
		t.Errorf("both maximised: %v", got)
	}
	random := sim.Stream(1, "Pareto") // many points on a coarse grid, against the definition
	points = nil
	for range 300 {
		points = append(points, []float64{float64(random.IntN(8)), float64(random.IntN(8)), float64(random.IntN(8))})
	}
	for i, on := range Pareto(points, []bool{false, true, false}) {
		beaten := slices.ContainsFunc(points, func(q []float64) bool {
			p := points[i]
			return q[0] <= p[0] && q[1] >= p[1] && q[2] <= p[2] && !slices.Equal(p, q)
		})
		if on == beaten {
			t.Errorf("%v: on the front: %v", points[i], on)
		}
	}
	if got := Pareto(nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
