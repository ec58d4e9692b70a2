package result

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/sim"
)

func target(kept bool, conditions ...Condition) Target { return Target{conditions, kept} }

func TestReach(t *testing.T) {
	bound := func(relation string) func(string, float64) Condition {
		return func(metric string, value float64) Condition {
			return Condition{Metric: metric, Relation: relation, Value: value}
		}
	}
	most, least := bound("<="), bound(">=")
	run := Run{Status: Completed, Metrics: []string{"e", "accuracy"}}
	for i, v := range [][]float64{{1, 0.1}, {math.NaN(), 0.9}, {0.1, 0.8}, {2, 0.9}, {0.05, math.Inf(1)}} {
		run.Samples = append(run.Samples, Sample{Moment: metrics.Moment{Iteration: 5 * i,
			Totals: metrics.Totals{Time: sim.Time(5 * i)}}, Values: v})
	}
	for _, c := range []struct {
		target Target
		status Status
		want   int // iteration, or -1
	}{
		{target(false, most("e", 1)), Completed, 10}, // the start does not count
		{target(false, most("e", 0.1)), Completed, 10},
		{target(false, most("e", 0.09)), Completed, 20},
		{target(false, most("e", 0.01)), Completed, -1},
		{target(false, least("accuracy", 0.85)), Completed, 5},
		{target(false, least("accuracy", 2)), Completed, 20},
		{target(false, most("other", 1)), Completed, -1},
		{target(false, most("e", 1), least("accuracy", 0.85)), Completed, 20},
		{target(true, most("e", 1)), Completed, 20},
		{target(true, least("accuracy", 0.8)), Completed, 5},
		{target(true, least("accuracy", 0.8), most("e", 5)), Completed, 10}, // e is NaN at 5
		{target(true, most("e", 0.01)), Completed, -1},
		{target(false, most("e", 0.1)), Reached, 10},
		{target(false, most("e", 0.1)), Stalled, -1},
		{target(false, most("e", 0.1)), Interrupted, -1},
		{target(false, most("e", 0.1)), Diverged, -1},
		{target(false, most("e", 0.1)), Failed, -1},
		{target(true, most("e", 1)), Reached, 20},
		{target(true, most("e", 1)), Diverged, -1},
		{target(true, most("e", 1)), Interrupted, -1},
		{target(true, most("e", 1)), Failed, -1},
	} {
		run.Status = c.status
		a := run.Reach(c.target)
		got := -1
		if a.At != nil {
			got = a.At.Iteration
			if a.At.Totals.Time != sim.Time(got) || len(a.Values) != 2 {
				t.Errorf("%v: the totals or values are those of another iteration", c.target)
			}
		}
		if got != c.want {
			t.Errorf("%v of a run that %s: reached at %d, want %d", c.target, c.status, got, c.want)
		}
	}
}

// A run whose first sample is not its start can reach a target there.
func TestReachAtTheFirstSample(t *testing.T) {
	run := Run{Status: Completed, Metrics: []string{"e"},
		Samples: []Sample{{Moment: metrics.Moment{Iteration: 3}, Values: []float64{1}}}}
	for _, kept := range []bool{false, true} {
		goal := target(kept, Condition{Metric: "e", Relation: "<=", Value: 1})
		if a := run.Reach(goal); a.At == nil || a.At.Iteration != 3 {
			t.Errorf("kept %v: reached at %+v, want 3", kept, a.At)
		}
		a, known := run.Attempt(goal)
		if !known || a.At == nil || a.At.Iteration != 3 {
			t.Errorf("kept %v: the attempt is known: %t, %+v", kept, known, a.At)
		}
	}
}

func TestAttemptWithoutSamples(t *testing.T) {
	goal := target(true, Condition{Metric: "e", Relation: "<=", Value: 1})
	run := Run{Status: Completed, Targets: []Attempt{{Target: goal, At: &metrics.Moment{Iteration: 3}}}}
	if a, known := run.Attempt(goal); !known || a.At == nil || a.At.Iteration != 3 {
		t.Errorf("the run's own statement: %+v, %v", a, known)
	}
	goal.Kept = false
	if _, known := run.Attempt(goal); known {
		t.Error("a target that is not stated is known")
	}
	run.Status = Failed
	if a, known := run.Attempt(goal); !known || a.At != nil {
		t.Errorf("a failed run without samples: %+v, %v", a, known)
	}
}

func TestTargetCheck(t *testing.T) {
	for want, bad := range map[string]Target{
		"without conditions": {}, "neither <= nor >=": target(false, Condition{Metric: "e", Relation: "<", Value: 1}),
	} {
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", bad, err, want)
		}
	}
	if err := target(true, Condition{Metric: "e", Relation: ">=", Value: 1}).Check(); err != nil {
		t.Error(err)
	}
	floor := Condition{Metric: "e", Relation: "<=", Value: 1.1, Floor: true}
	if floor.Met(0) || !target(false, floor).Relative() || floor.String() != "e <= 1.1 x floor" {
		t.Errorf("%v is a level", floor)
	}
}

// An attempt at one condition, reached first, keeps its original JSON keys.
func TestAttemptJSON(t *testing.T) {
	one := target(false, Condition{Metric: "e", Relation: "<=", Value: 0.5})
	for _, c := range []struct {
		target Target
		want   string
	}{
		{one, `{"metric":"e","relation":"<=","value":0.5,"at":null}`},
		{target(true, one.Conditions...),
			`{"metric":"","relation":"","value":null,"conditions":[{"metric":"e","relation":"<=","value":0.5}],"kept":true` +
				`,"at":null}`},
	} {
		text, err := jsonText(Attempt{Target: c.target})
		if err != nil || text != c.want {
			t.Errorf("%v is %s, %v; want %s", c.target, text, err, c.want)
		}
		var back Attempt
		if err := json.Unmarshal([]byte(text), &back); err != nil || !back.Equal(c.target) {
			t.Errorf("%s reads as %+v, %v", text, back, err)
		}
	}
}

func jsonText(a Attempt) (string, error) {
	text, err := a.MarshalJSON()
	return string(text), err
}
