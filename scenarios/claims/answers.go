package claims

import (
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/stats"
)

// What the helpers of a check return.

// runsAt returns the runs of a label whose grid points match the settings, ordered by point and seed. A run that
// several points share appears once.
func (e *evaluation) runsAt(label string, where map[string]any) []any {
	e.step(len(e.runs))
	var all []any
	seen := map[*result.Run]bool{}
	for _, r := range e.labeled[label] {
		if shared := r.run.Shares; r.isAt(where) && (shared == nil || !seen[shared]) {
			seen[shared] = true
			all = append(all, r)
			e.handed[r] = true
		}
	}
	if len(all) == 0 {
		wrong(e.here, "the sweep has no such grid point for %s", label)
	}
	return all
}

// isAt reports whether the run's grid point matches the settings.
func (r *runView) isAt(where map[string]any) bool {
	for key, value := range where {
		i := slices.IndexFunc(r.Point, func(s result.Setting) bool { return s.Key == key })
		if i < 0 || !matches(r.Point[i], value) {
			return false
		}
	}
	return true
}

// target returns the target of METRIC, value, METRIC, value, ...
func (e *evaluation) target(a []any, kept bool) result.Target {
	t := result.Target{Kept: kept}
	for i := 0; i < len(a); i += 2 {
		c := result.Condition{Metric: a[i].(string), Relation: "<=", Value: a[i+1].(float64)}
		if slices.Contains(e.check.scope.Metrics, Metric{c.Metric, true}) {
			c.Relation = ">="
		}
		if math.IsNaN(c.Value) {
			e.missing("the value that %s is to reach is not a number", c.Metric)
		}
		t.Conditions = append(t.Conditions, c)
	}
	return t
}

// reach returns the sum of the named costs when the run reached the target, or +Inf if it did not.
func (e *evaluation) reach(r *runView, t result.Target, ids ...string) float64 {
	if !r.run.Measures(t) {
		return e.missing("%s does not measure all of %s", r.Label, t)
	}
	a, known := r.run.Attempt(t)
	if !known {
		full, err := r.run.Full()
		if err != nil {
			return e.missing("%v", err)
		}
		a = full.Reach(t)
	}
	if a.At == nil {
		return math.Inf(1)
	}
	sum := 0.0
	for _, id := range ids {
		sum += metrics.FindCost(id).Value(a.At)
	}
	return sum
}

// sample returns a metric at the last sample that fits. If there is none, it records why.
func (e *evaluation) sample(r *runView, name string, fits func(*result.Sample) bool, none string,
	args ...any) float64 {
	run, err := r.run.Full()
	if err != nil {
		return e.missing("%v", err)
	}
	column := slices.Index(r.run.Metrics, name)
	if column < 0 {
		return e.missing("%s has no metric %s", r.Label, name)
	}
	for i := len(run.Samples) - 1; i >= 0; i-- {
		if s := &run.Samples[i]; fits(s) {
			return s.Values[column]
		}
	}
	return e.missing(none, args...)
}

func (e *evaluation) estimate(helper string, x, y []float64, of func(x, y []float64) stats.Estimate) Interval {
	if len(x) != len(y) {
		wrong(e.here, "%s takes two lists of the same length; these have %d and %d numbers", helper, len(x), len(y))
	}
	return e.given(helper, of(x, y))
}

// given returns an estimate. If it has no interval, it records why.
func (e *evaluation) given(helper string, r stats.Estimate) Interval {
	if !r.HasInterval() {
		v := e.missing("%s: %s", helper, r.Method)
		return Interval{v, v, v}
	}
	return Interval{r.Value, r.Low, r.High}
}
