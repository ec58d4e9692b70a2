package fold

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
)

// A missed target states the best value of each condition. A run that passed through
// the target and diverged is reported as diverged, not as too far away.
func TestMissedTargetHasItsBest(t *testing.T) {
	run := func(seed uint64, status result.Status, loss, accuracy []float64) *result.Run {
		r := &result.Run{Label: "A", Seed: seed, Status: status, Metrics: []string{"loss", "accuracy", "bound"}}
		for k := range loss {
			r.Samples = append(r.Samples, result.Sample{Moment: metrics.Moment{Iteration: k},
				Values: []float64{loss[k], accuracy[k], math.Inf(1)}})
		}
		r.Finish()
		return r
	}
	target := result.Target{Conditions: []result.Condition{{Metric: "loss", Relation: "<=", Value: 0.1},
		{Metric: "accuracy", Relation: ">=", Value: 0.9}}}
	f := New(Options{Targets: []result.Target{target}, More: []string{"accuracy"}})
	nan := math.NaN()
	for _, r := range []*result.Run{
		run(1, result.Completed, []float64{0, 3, 0.5, nan}, []float64{1, 0.2, 0.8, 0.7}), // the start does not count
		run(2, result.Completed, []float64{9, 0.3, math.Inf(-1), 0.6}, []float64{0, 0.1, 0.1, 0.1}),
		run(3, result.Diverged, []float64{9, 0.01, 99}, []float64{0, 0.95, 0.1}),
		run(4, result.Reached, []float64{9, 0.1}, []float64{0, 0.9}),
	} {
		if err := f.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	s := f.Summary()
	if diff := cmp.Diff([]Miss{{0, "loss", 0.3, 2}, {0, "accuracy", 0.8, 2}}, s.Groups[0].Missed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"bound"}, s.Groups[0].NeverFinite); diff != "" {
		t.Error(diff)
	}
}
