package views

import (
	"math"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// Answer returns the answer of the study.
func (s *StudyView) Answer() answer.Answer {
	o := answer.Options{About: s.About}
	switch {
	case s.level != nil:
		o.Why = "No target was set: costs are compared at " + s.common.Targets[0].Name +
			", which all runs that ended well reached."
		a := answer.Of(s.common, o)
		a.Picture.Outcome = -1 // its outcomes are those of another summary
		return a
	case len(s.Summary.Targets) == 0 && len(s.Summary.Groups) > 1 && !s.alike():
		o.Unranked = true
		o.Why = "No target was set, and the runs end at different accuracies: their costs are not ranked."
	}
	return answer.Of(s.Summary, o)
}

// alike reports whether all groups end at the same accuracy, as if only the network differs.
func (s *StudyView) alike() bool {
	q := metric(s.mainMetrics()[0])
	low, high := math.Inf(1), math.Inf(-1)
	for _, g := range s.groups {
		if m := s.measure(g, fold.TheEnd, q); g.Ended > 0 && m.Value.Finite() {
			low, high = min(low, float64(m.Value)), max(high, float64(m.Value))
		}
	}
	return low > high || high-low <= 1e-9*math.Abs(high)
}

// commonLevel returns, as a target, the accuracy that the worst of the runs that ended well reached. It is nil if
// the points of the grid pose different problems, or if all groups end alike.
func (s *StudyView) commonLevel() *result.Target {
	if len(s.Summary.Targets) > 0 || len(s.groups) < 2 || !answer.SameProblem(s.Summary) || s.alike() {
		return nil
	}
	name := s.mainMetrics()[0]
	more, worst := s.moreIsBetter(name), math.NaN()
	for _, g := range s.groups {
		m := s.measure(g, fold.TheEnd, metric(name))
		v := float64(m.Max)
		if more {
			v = float64(m.Min)
		}
		if g.Ended > 0 && !math.IsNaN(v) && !math.IsInf(v, 0) && !(v < worst == !more) {
			worst = v
		}
	}
	if math.IsNaN(worst) {
		return nil
	}
	relation := "<="
	if more {
		relation = ">="
	}
	return &result.Target{Conditions: []result.Condition{{Metric: name, Relation: relation, Value: rounded(worst, more)}}}
}

// rounded rounds a level to three digits, so that it is easier to reach.
func rounded(x float64, down bool) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	if down {
		return math.Floor(x/unit) * unit
	}
	return math.Ceil(x/unit) * unit
}
