package result

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
)

// Condition is a bound for a metric.
type Condition struct {
	Metric   string  `json:"metric"`
	Relation string  `json:"relation"` // "<=", or ">=" where more is better
	Value    float64 `json:"value"`
	// Floor makes Value a multiple of the floor: of the least value at which a run of the same seed and problem ends.
	Floor bool `json:"floor,omitempty"`
}

// String returns "grad_norm2 <= 0.0001", or "grad_norm2 <= 1.1 x floor".
func (c Condition) String() string {
	text := fmt.Sprintf("%s %s %g", c.Metric, c.Relation, c.Value)
	if c.Floor {
		text += " x floor"
	}
	return text
}

// Met reports whether a value meets the condition. NaN meets none, and nothing meets a multiple of a floor, which is
// no level yet.
func (c Condition) Met(v float64) bool {
	if c.Floor {
		return false
	}
	if c.Relation == ">=" {
		return v >= c.Value
	}
	return v <= c.Value
}

// Target is an accuracy: all of its conditions hold at one recorded iteration after the start. There is no other
// notion of a target: stop rules, tuning, tables, statistics, comparisons and claims share it, and [Run.Reach] alone
// decides when a run reaches one.
type Target struct {
	Conditions []Condition `json:"conditions"`
	// Kept requires the conditions to hold from then on to the end of the run. A method with too long a step may pass
	// through a target and leave it again.
	Kept bool `json:"kept,omitempty"`
}

// String returns "grad_norm2 <= 0.0001 and test_accuracy >= 0.9", and appends "kept" if the target is to be kept.
func (t Target) String() string {
	text := strings.Join(list.Map(t.Conditions, Condition.String), " and ")
	if t.Kept {
		text += ", kept"
	}
	return text
}

// Names reports whether a condition is about a metric.
func (t Target) Names(metric string) bool {
	return slices.ContainsFunc(t.Conditions, func(c Condition) bool { return c.Metric == metric })
}

// Relative reports whether a condition is a multiple of a floor.
func (t Target) Relative() bool {
	return slices.ContainsFunc(t.Conditions, func(c Condition) bool { return c.Floor })
}

// Equal reports whether two targets are the same.
func (t Target) Equal(o Target) bool {
	return t.Kept == o.Kept && slices.Equal(t.Conditions, o.Conditions)
}

// Check returns an error for a target without conditions or with an unknown relation.
func (t Target) Check() error {
	if len(t.Conditions) == 0 {
		return fmt.Errorf("a target without conditions")
	}
	for _, c := range t.Conditions {
		if c.Relation != "<=" && c.Relation != ">=" {
			return fmt.Errorf("the relation %q of %s is neither <= nor >=", c.Relation, c.Metric)
		}
	}
	return nil
}

// Met reports whether all conditions hold at a sample of the named metrics. The start meets no target: there, nodes
// agree without having done anything.
func (t Target) Met(names []string, s *Sample) bool {
	if s.Iteration == 0 {
		return false
	}
	for _, c := range t.Conditions {
		i := slices.Index(names, c.Metric)
		if i < 0 || !c.Met(s.Values[i]) {
			return false
		}
	}
	return true
}

// Ended reports whether a run completed its task, so that its final numbers count.
func (s Status) Ended() bool { return s == Completed || s == Reached }

// Attempt is the cost of a run to reach a target.
type Attempt struct {
	Target
	At *metrics.Moment // nil: the run did not reach it
	// Values are the metrics of the run at that moment; nil if only result.json was read.
	Values []float64
}

// Reach returns the cost to reach a target: at the first sample that meets it or, if it is to be kept, at the first
// sample from which all meet it. The samples must be there. A run that diverged, stalled, failed or was interrupted
// reaches nothing, and neither does one that lacks a metric of the target.
func (r *Run) Reach(t Target) Attempt {
	if err := t.Check(); err != nil {
		panic("result: " + err.Error())
	}
	a := Attempt{Target: t}
	if !r.Status.Ended() {
		return a
	}
	i := slices.IndexFunc(r.Samples, func(s Sample) bool { return t.Met(r.Metrics, &s) })
	if t.Kept {
		for i = len(r.Samples); i > 0 && t.Met(r.Metrics, &r.Samples[i-1]); {
			i--
		}
	}
	if i >= 0 && i < len(r.Samples) {
		moment := r.Samples[i].Moment
		a.At, a.Values = &moment, r.Samples[i].Values
	}
	return a
}

// Attempt returns the cost to reach a target from the samples or, if the run has none, from its own targets. Known
// is false if neither has it.
func (r *Run) Attempt(t Target) (a Attempt, known bool) {
	if len(r.Samples) > 0 {
		return r.Reach(t), true
	}
	i := slices.IndexFunc(r.Targets, func(a Attempt) bool { return a.Equal(t) })
	if i >= 0 {
		return r.Targets[i], true
	}
	return Attempt{Target: t}, !r.Status.Ended() // a run that never got anywhere reached nothing
}

// Measures reports whether the run has all metrics of a target.
func (r *Run) Measures(t Target) bool {
	return !slices.ContainsFunc(t.Conditions, func(c Condition) bool { return !slices.Contains(r.Metrics, c.Metric) })
}

// attemptJSON is an Attempt in result.json. The first three keys are for a target of one condition that is not to be
// kept; they are empty for any other.
type attemptJSON struct {
	Metric     string          `json:"metric"`
	Relation   string          `json:"relation"`
	Value      jsonio.Real     `json:"value"`
	Conditions []Condition     `json:"conditions,omitempty"`
	Kept       bool            `json:"kept,omitempty"`
	At         *metrics.Moment `json:"at"` // null: the run ended before
}

// MarshalJSON writes metric, relation and value if they describe the whole target.
func (a Attempt) MarshalJSON() ([]byte, error) {
	j := attemptJSON{Value: jsonio.Real(math.NaN()), Conditions: a.Conditions, Kept: a.Kept, At: a.At}
	if len(a.Conditions) == 1 && !a.Kept {
		c := a.Conditions[0]
		j.Metric, j.Relation, j.Value, j.Conditions = c.Metric, c.Relation, jsonio.Real(c.Value), nil
	}
	return jsonio.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Attempt) UnmarshalJSON(data []byte) error {
	var j attemptJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if j.Conditions == nil {
		j.Conditions = []Condition{{Metric: j.Metric, Relation: j.Relation, Value: float64(j.Value)}}
	}
	*a = Attempt{Target: Target{j.Conditions, j.Kept}, At: j.At}
	return nil
}
