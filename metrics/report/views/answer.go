package views

import (
	"fmt"
	"math"
	"slices"
	"strconv"

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

// commonLevel returns, as a target, the accuracy that the worst of the runs that ended well reached, agreement
// included, but none that is as small as rounding. It is nil if the points of the grid pose different problems, if all
// groups end alike, or if the nodes do not agree.
func (s *StudyView) commonLevel(agree func([]result.Condition) []result.Condition) *result.Target {
	if len(s.Summary.Targets) > 0 || len(s.groups) < 2 || !answer.SameProblem(s.Summary) || s.alike() {
		return nil
	}
	level := result.Condition{Metric: s.mainMetrics()[0], Relation: "<="}
	if s.moreIsBetter(level.Metric) {
		level.Relation = ">="
	}
	level.Value = s.worst(level)
	all := []result.Condition{level}
	if agree != nil {
		all = agree(all)
		if last := all[len(all)-1]; last.Value == level.Value { // a bound that follows the level
			level.Value = max(level.Value, s.worst(last))
			all = agree([]result.Condition{level})
		}
	}
	if slices.ContainsFunc(all, func(c result.Condition) bool { return !c.Met(s.worst(c)) }) {
		return nil
	}
	return &result.Target{Conditions: all}
}

// worst returns the worst final value of a condition's metric among the runs that ended well, but none that is as
// small as rounding; NaN if there is none.
func (s *StudyView) worst(c result.Condition) float64 {
	const rounding = 1e-12 // of the largest value at a start
	worst, more := math.NaN(), c.Relation == ">="
	for _, g := range s.groups {
		m := s.measure(g, fold.TheEnd, metric(c.Metric))
		v := float64(m.Max)
		if more {
			v = float64(m.Min)
		}
		if g.Ended > 0 && !math.IsNaN(v) && !math.IsInf(v, 0) && !(v < worst == !more) {
			worst = v
		}
	}
	if !more {
		worst = max(worst, rounding*s.starts[c.Metric])
	}
	return rounded(worst, more)
}

// rounded rounds a level to three digits, so that it is easier to reach.
func rounded(x float64, down bool) float64 {
	if x == 0 {
		return 0
	}
	power := math.Floor(math.Log10(math.Abs(x))) - 2
	whole := math.Ceil(x / math.Pow(10, power))
	if down {
		whole = math.Floor(x / math.Pow(10, power))
	}
	level, err := strconv.ParseFloat(fmt.Sprintf("%.0fe%.0f", whole, power), 64) // a product could have more digits
	if err != nil {                                                              // x is at an end of the range
		return x
	}
	return level
}
