package fold

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Three runs reach their target after 2, 4 and 6 iterations. The curve goes to 6; runs
// that have arrived keep their last value.
func TestFinishedRunsAreCarriedOn(t *testing.T) {
	got := FoldCurves([]Track{
		{[]int{0, 1, 2}, [][]float64{{0, 10, 20}}, [][]float64{{8, 4, 1}, {1, 1, 1}}, nil},
		{[]int{0, 2, 4}, [][]float64{{0, 20, 40}}, [][]float64{{8, 6, 0.5}, {1, math.NaN(), 3}}, nil},
		{[]int{0, 2, 4, 6}, [][]float64{{0, 30, 60, 90}}, [][]float64{{8, 7, 5, 0.75}, {1, 2, 3, 4}}, nil},
	})
	want := Curves{
		Iterations: []int{0, 1, 2, 4, 6},
		Costs:      [][]float64{{0, 35.0 / 3, 70.0 / 3, 50, 90}},
		Mid:        [][]float64{{8, 8, 6, 1, 0.75}, {1, 1, 1.5, 3, 3}},
		Low:        [][]float64{{8, 6, 3.5, 0.75, 0.625}, {1, 1, 1.25, 2, 2}},
		High:       [][]float64{{8, 8, 6.5, 3, 0.875}, {1, 1, 1.75, 3, 3.5}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The end of a slow run must not lower the mean cost.
func TestCostsNeverDecrease(t *testing.T) {
	got := FoldCurves([]Track{
		{[]int{0, 1}, [][]float64{{0, 100}}, [][]float64{{1, 1}, nil}, nil},
		{[]int{0, 1, 2, 3}, [][]float64{{0, 1, 2, 103}}, [][]float64{{1, 1, 1, 1}, {1, 1, 1, 1}}, nil},
	})
	if diff := cmp.Diff([]float64{0, 50.5, 50.5, 103}, got.Costs[0]); diff != "" {
		t.Error(diff)
	}
	short := FoldCurves([]Track{{[]int{0}, nil, [][]float64{{1}, {2}}, nil}, {[]int{0}, nil, [][]float64{{3}}, nil}})
	if len(short.Mid) != 2 || short.Mid[0][0] != 2 || short.Mid[1] != nil {
		t.Errorf("one run lacks the second metric: %v", short.Mid)
	}
	if got.Mid[1] != nil {
		t.Errorf("a metric that one run lacks has the curve %v", got.Mid[1])
	}
}

// TestCurveOfOneRun: the curve equals the run's. A run of one sample keeps its cost, and a mean never falls.
func TestCurveOfOneRun(t *testing.T) {
	one := Track{[]int{0, 3}, [][]float64{{5, 7}}, [][]float64{{2, 1}}, nil}
	got := FoldCurves([]Track{one})
	want := Curves{one.Iterations, one.Costs, one.Values, one.Values, one.Values}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = FoldCurves([]Track{{[]int{0}, [][]float64{{100}}, nil, nil}, {[]int{0, 1}, [][]float64{{0, 1}}, nil, nil}})
	if diff := cmp.Diff([][]float64{{50, 50}}, got.Costs); diff != "" {
		t.Error(diff)
	}
	// One run ended well, one failed with numbers that no one believes, one before its first sample.
	well, bad := Track{[]int{0, 1, 2}, [][]float64{{0, 10, 20}}, [][]float64{{8, 4, 2}}, nil}, []float64{math.Inf(1)}
	failed := Track{[]int{0, 1}, [][]float64{{0, 30}}, [][]float64{{8, math.NaN()}}, bad}
	got = FoldCurves([]Track{well, well, failed, {Worst: bad}})
	if diff := cmp.Diff([][]float64{{8, 4, 2}, {0, 50.0 / 3, 20}}, [][]float64{got.Low[0], got.Costs[0]}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{8, math.Inf(1), math.Inf(1)}, got.Mid[0]); diff != "" {
		t.Error(diff)
	}
	if got = FoldCurves([]Track{well, failed, failed}); got.Iterations != nil {
		t.Errorf("one of three runs ended well, and there is a curve: %+v", got)
	}
	if got = FoldCurves(nil); got.Iterations != nil || got.Costs != nil {
		t.Errorf("of no runs: %+v", got)
	}
}

// TestCostBetweenSamples: between two recorded iterations a cost grows linearly.
func TestCostBetweenSamples(t *testing.T) {
	if got := (&Track{Iterations: []int{5, 6}, Costs: [][]float64{{10, 20}}}).at(0, 0, 3); got != 10 {
		t.Errorf("before its first sample a run has cost %v, want the first sample's cost", got)
	}
	track := Track{Iterations: []int{0, 10, 30}, Costs: [][]float64{{0, 100, 300}, {5, 6, 26}}}
	for _, c := range []struct {
		cost, row, k int
		want         float64
	}{{0, 0, 0, 0}, {0, 0, 4, 40}, {0, 1, 10, 100}, {0, 1, 15, 150}, {1, 1, 20, 16}, {1, 2, 30, 26}, {1, 2, 40, 26}} {
		if got := track.at(c.cost, c.row, c.k); got != c.want {
			t.Errorf("cost %d at iteration %d: %v, want %v", c.cost, c.k, got, c.want)
		}
	}
}
