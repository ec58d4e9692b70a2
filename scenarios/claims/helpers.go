package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"tallynet/metrics"
	"tallynet/metrics/result"
	"tallynet/metrics/stats"
)

// evaluation is one pass over a check. Its methods are the helpers of a check: an
// error is a check that makes no sense, a NaN with a remark a value that there is not.
type evaluation struct {
	scope   *Scope
	runs    []*Run
	handed  map[*Run]bool // what the check was given
	remarks []string      // why values are missing
}

// missing notes why a value is not there.
func (e *evaluation) missing(format string, args ...any) float64 {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.remarks, text) {
		e.remarks = append(e.remarks, text)
	}
	return math.NaN()
}

func (e *evaluation) runsOf(label string) []*Run {
	var all []*Run
	for _, r := range e.runs {
		if r.Label == label {
			all = append(all, r)
			e.handed[r] = true
		}
	}
	return all
}

// one is run("LABEL"), the only run of a label.
func (e *evaluation) one(label string) (*Run, error) {
	all := e.runsOf(label)
	if len(all) != 1 {
		return nil, fmt.Errorf("%d runs have the label %s", len(all), label)
	}
	return all[0], nil
}

// at is at("LABEL", {"key": value, ...}): the runs of the grid points that have all of
// these values, by seed.
func (e *evaluation) at(label string, where map[string]any) ([]*Run, error) {
	var all []*Run
	for _, r := range e.runs {
		fits := r.Label == label
		for key, want := range where {
			i := slices.IndexFunc(r.run.Point, func(s result.Setting) bool { return s.Key == key })
			fits = fits && i >= 0 && matches(r.run.Point[i], want)
		}
		if fits {
			all = append(all, r)
			e.handed[r] = true
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the sweep has no such grid point for %s", label)
	}
	return all, nil
}

func (e *evaluation) relation(metric string) string {
	for _, m := range e.scope.Metrics {
		if m.Name == metric && m.More {
			return ">="
		}
	}
	return "<="
}

// metric is metric(run, name, k): the value at the recorded iteration k.
func (e *evaluation) metric(r *Run, name string, k float64) float64 {
	run, err := r.run.Full()
	if err != nil {
		return e.missing("%v", err)
	}
	for i := range run.Samples {
		if s := &run.Samples[i]; float64(s.Iteration) == k {
			return e.value(r, s, name)
		}
	}
	return e.missing("%s has no recorded iteration %v; the last is %d", r.Label, k, r.run.Iterations)
}

func (e *evaluation) value(r *Run, s *result.Sample, name string) float64 {
	if i := slices.Index(r.run.Metrics, name); i >= 0 {
		return s.Values[i]
	}
	return e.missing("%s has no metric %s", r.Label, name)
}

// reach returns what of takes from the first recorded iteration, after the start, that
// reaches a value: +Inf where there is none.
func (e *evaluation) reach(r *Run, name string, value float64, of func(*metrics.Moment) float64) float64 {
	if !slices.Contains(r.run.Metrics, name) {
		return e.missing("%s has no metric %s", r.Label, name)
	}
	run, err := r.run.Full()
	if err != nil {
		return e.missing("%v", err)
	}
	t := run.Reach(result.Target{Conditions: []result.Condition{{Metric: name, Relation: e.relation(name), Value: value}}})
	if t.At == nil {
		return math.Inf(1)
	}
	return of(t.At)
}

func (e *evaluation) first(r *Run, name string, value float64) float64 {
	return e.reach(r, name, value, func(m *metrics.Moment) float64 { return float64(m.Iteration) })
}

func (e *evaluation) toBytes(r *Run, name string, value float64, kind ...string) float64 {
	return e.reach(r, name, value, func(m *metrics.Moment) float64 { return bytesOf(&m.Totals, kind) })
}

func (e *evaluation) toTime(r *Run, name string, value float64) float64 {
	return e.reach(r, name, value, func(m *metrics.Moment) float64 { return m.Totals.Time.Seconds() })
}

func (e *evaluation) toRounds(r *Run, name string, value float64) float64 {
	return e.reach(r, name, value, func(m *metrics.Moment) float64 { return float64(m.Totals.Rounds) })
}

func (e *evaluation) toCalls(r *Run, name string, value float64, kind ...string) float64 {
	return e.reach(r, name, value, func(m *metrics.Moment) float64 {
		n := 0.0
		for c := range metrics.NumCalls {
			if len(kind) == 0 || slices.Contains(kind, c.String()) {
				n += float64(m.Totals.Oracle.Of(c))
			}
		}
		return n
	})
}

// bytesOf returns the payload bytes of the given kinds; of all where none is given.
func bytesOf(t *metrics.Totals, kinds []string) float64 {
	n := 0.0
	for k := range metrics.NumKinds {
		if len(kinds) == 0 || slices.Contains(kinds, k.String()) {
			n += float64(t.Payload[k])
		}
	}
	return n
}

// metricAtBytes is the metric at the last sample that is within a budget of bytes.
func (e *evaluation) metricAtBytes(r *Run, name string, bytes float64) float64 {
	return e.within(r, name, bytes, "bytes", func(t *metrics.Totals) float64 { return float64(t.PayloadBytes()) })
}

// metricAtTime is the metric at the last sample that is within a budget of simulated seconds.
func (e *evaluation) metricAtTime(r *Run, name string, seconds float64) float64 {
	return e.within(r, name, seconds, "seconds", func(t *metrics.Totals) float64 { return t.Time.Seconds() })
}

func (e *evaluation) within(r *Run, name string, budget float64, unit string, of func(*metrics.Totals) float64) float64 {
	run, err := r.run.Full()
	if err != nil {
		return e.missing("%v", err)
	}
	var last *result.Sample
	for i := range run.Samples {
		if s := &run.Samples[i]; of(&s.Totals) <= budget {
			last = s
		}
	}
	if last == nil {
		return e.missing("%s has no sample within %v %s", r.Label, budget, unit)
	}
	return e.value(r, last, name)
}

// slope is the exponent b of y = a x^b, with its interval.
func (e *evaluation) slope(xs, ys any) (Interval, error) {
	return e.estimate("slope", xs, ys, stats.LogLogSlope)
}

// ratio is how many times ys the paired xs are, with its interval.
func (e *evaluation) ratio(xs, ys any) (Interval, error) {
	return e.estimate("ratio", xs, ys, stats.Ratio)
}

func (e *evaluation) estimate(helper string, xs, ys any, of func(x, y []float64) stats.Estimate) (Interval, error) {
	x, y, err := pairs(helper, xs, ys)
	if err != nil {
		return Interval{}, err
	}
	r := of(x, y)
	if !r.HasInterval() {
		v := e.missing("%s: %s", helper, r.Method)
		return Interval{v, v, v}, nil
	}
	return Interval{r.Value, r.Low, r.High}, nil
}

func pairs(helper string, xs, ys any) (x, y []float64, err error) {
	if x, err = numbers(helper, xs); err != nil {
		return nil, nil, err
	}
	if y, err = numbers(helper, ys); err != nil {
		return nil, nil, err
	}
	if len(x) != len(y) {
		return nil, nil, fmt.Errorf("%s takes two lists of one length; these have %d and %d numbers", helper, len(x), len(y))
	}
	return x, y, nil
}

// ordered reports whether the numbers never decrease.
func (e *evaluation) ordered(values ...any) (bool, error) {
	x, err := numbers("ordered", values)
	if err == nil && len(x) < 2 {
		err = fmt.Errorf("ordered takes at least two numbers")
	}
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(x, math.IsNaN) {
		e.missing("ordered: one of the values is no number")
	}
	return slices.IsSorted(x), nil
}

// near is within(a, b, tolerance): |a - b| <= tolerance |b|.
func (e *evaluation) near(a, b, tolerance float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		e.missing("within: one of the values is no number")
	}
	return a == b || math.Abs(a-b) <= tolerance*math.Abs(b) && !math.IsInf(b, 0)
}

// reducer is mean, min or max over numbers and lists of numbers.
func (e *evaluation) reducer(name string, reduce func([]float64) float64) func(...any) (float64, error) {
	return func(values ...any) (float64, error) {
		x, err := numbers(name, values)
		if err == nil && len(x) == 0 {
			err = fmt.Errorf("%s takes at least one number", name)
		}
		if err != nil {
			return 0, err
		}
		return reduce(x), nil
	}
}

// numbers flattens numbers and lists of numbers.
func numbers(helper string, value any) ([]float64, error) {
	switch v := value.(type) {
	case float64:
		return []float64{v}, nil
	case int:
		return []float64{float64(v)}, nil
	case []float64:
		return slices.Clone(v), nil
	case []int: // 1..9
		all := make([]float64, len(v))
		for i, x := range v {
			all[i] = float64(x)
		}
		return all, nil
	case []any:
		var all []float64
		for _, item := range v {
			x, err := numbers(helper, item)
			if err != nil {
				return nil, err
			}
			all = append(all, x...)
		}
		return all, nil
	case Interval:
		return nil, fmt.Errorf("%s takes numbers; an interval has .value, .low and .high", helper)
	case *Run, []*Run:
		return nil, fmt.Errorf("%s takes numbers, not runs: write map(runs(...), .totals.payload_bytes), or what of the runs is meant", helper)
	}
	return nil, fmt.Errorf("%s takes numbers, not %v", helper, value)
}

// Whole numbers that an expression makes, as the items of [10, 50], are int, and Expr
// does not turn them into float64 by itself.

func ofNumber(f func(*Run, string, float64) float64) func(*Run, string, any) (float64, error) {
	return func(r *Run, name string, x any) (float64, error) {
		v, err := scalar(x)
		if err != nil {
			return 0, err
		}
		return f(r, name, v), nil
	}
}

func ofNumberAndKinds(f func(*Run, string, float64, ...string) float64) func(*Run, string, any, ...string) (float64, error) {
	return func(r *Run, name string, x any, kinds ...string) (float64, error) {
		v, err := scalar(x)
		if err != nil {
			return 0, err
		}
		return f(r, name, v, kinds...), nil
	}
}

func (e *evaluation) nearNumbers(a, b, tolerance any) (bool, error) {
	var x [3]float64
	for i, v := range []any{a, b, tolerance} {
		var err error
		if x[i], err = scalar(v); err != nil {
			return false, err
		}
	}
	return e.near(x[0], x[1], x[2]), nil
}

func scalar(value any) (float64, error) {
	switch v := value.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	}
	return 0, fmt.Errorf("a number is asked, not %v", value)
}

// environment returns everything that a check can name.
func (e *evaluation) environment() map[string]any {
	env := map[string]any{}
	for name, label := range e.scope.identifiers() {
		for _, r := range e.runs {
			if r.Label == label {
				env[name] = r
			}
		}
	}
	for name, f := range map[string]any{
		"run": e.one, "runs": e.runsOf, "at": e.at, "metric": ofNumber(e.metric), "first": ofNumber(e.first),
		"to_bytes": ofNumberAndKinds(e.toBytes), "to_time": ofNumber(e.toTime), "to_rounds": ofNumber(e.toRounds), "to_calls": ofNumberAndKinds(e.toCalls),
		"metric_at_bytes": ofNumber(e.metricAtBytes), "metric_at_time": ofNumber(e.metricAtTime),
		"slope": e.slope, "ratio": e.ratio, "ordered": e.ordered, "within": e.nearNumbers,
		"mean": e.reducer("mean", func(x []float64) float64 { return stat.Mean(x, nil) }),
		"min":  e.reducer("min", slices.Min[[]float64]), "max": e.reducer("max", slices.Max[[]float64]),
	} {
		env[name] = f
	}
	return env
}
