package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
)

// relation returns "<=" or, where more of the metric is better, ">=".
func (t Threshold) relation() string {
	for _, m := range Metrics() {
		if m.Name == t.Metric && m.More {
			return ">="
		}
	}
	return "<="
}

// String returns "grad_norm2 <= 0.0001".
func (t Threshold) String() string { return fmt.Sprintf("%s %s %g", t.Metric, t.relation(), t.Value) }

func (t Threshold) met(v float64) bool {
	if t.relation() == ">=" {
		return v >= t.Value
	}
	return v <= t.Value
}

// allOf joins thresholds by "and".
func allOf(ts []Threshold) string {
	var words []string
	for _, t := range ts {
		words = append(words, t.String())
	}
	return strings.Join(words, " and ")
}

// thresholds returns the metrics that stop a run, by themselves or together.
func (s Stop) thresholds() []Threshold { return slices.Concat(s.Target, s.Metrics) }

// reached tells whether all targets hold at a sample.
func reached(to []Threshold, names []string, s *metrics.Sample) bool {
	for _, t := range to {
		if i := slices.Index(names, t.Metric); i < 0 || !t.met(s.Values[i]) {
			return false
		}
	}
	return true
}
