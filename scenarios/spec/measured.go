package spec

import (
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// MeasuredMetrics returns the metrics that a run of an algorithm records: those that are
// asked for, and those that its stop rules, its tuning and the claims need, of those
// that the problem has.
func (s *Scenario) MeasuredMetrics(of []measure.Metric, a AlgorithmSpec) []string {
	has, names := measure.Names(of), slices.Clone(s.Record.Strings("metrics"))
	if names == nil {
		names = measure.Default(of, keys.Optional[string](s.Problem.Args, "inner") == "personal")
	}
	need := func(name string) {
		if !slices.Contains(names, name) && slices.Contains(has, name) {
			names = append(names, name)
		}
	}
	for _, t := range s.StopConditions() {
		need(t.Metric)
	}
	for _, c := range s.Claims {
		if c.Compiled != nil && slices.Contains(c.Compiled.Labels(), a.Label) {
			for _, name := range c.Compiled.Metrics() {
				need(name)
			}
		}
	}
	for _, t := range s.Tables {
		for _, row := range t.Rows {
			if row.Compiled != nil && slices.Contains(row.Compiled.Labels(), a.Label) {
				for _, name := range row.Compiled.Metrics() {
					need(name)
				}
			}
		}
	}
	for i := range s.Figures {
		for _, name := range s.Figures[i].drawn(a.Label) {
			need(name)
		}
	}
	if a.Tune != nil {
		need(a.Tune.By)
		for _, t := range s.WithAgreement(a.Tune.To) {
			need(t.Metric)
		}
	}
	return names
}
