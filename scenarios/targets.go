package scenarios

import (
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/measure"
)

// conditionOn is a value of a metric to be reached: from above, or from below where more
// is better.
func conditionOn(of []measure.Metric, name string, value float64) result.Condition {
	relation := "<="
	if slices.Contains(measure.MoreIsBetter(of), name) {
		relation = ">="
	}
	return result.Condition{Metric: name, Relation: relation, Value: value}
}

// measures reports whether a metric has the name.
func measures(name string) func(measure.Metric) bool {
	return func(m measure.Metric) bool { return m.Name == name }
}

// MoreIsBetter returns the metrics for which more is better.
func (s *Scenario) MoreIsBetter() []string { return measure.MoreIsBetter(s.cat.Metrics) }

// Headlines returns those of the recorded metrics that are shown without being asked for:
// those that the table of metrics says, and, where nodes can disagree on what their average
// has found, whether they do.
func (s *Scenario) Headlines(recorded []string) []string {
	all := measure.Headlines(s.cat.Metrics, recorded)
	if s.canDisagree() && slices.Contains(recorded, "consensus_error") {
		all = append([]string{"consensus_error"}, all...)
	}
	return all
}

// Titles returns the titles of metrics that have one, by name.
func (s *Scenario) Titles() map[string]string { return measure.Titles(s.cat.Metrics) }

// Targets returns what the scenario wants reached, each target once: by its stop rules,
// each of which ends a run, then by tuning.
func (s *Scenario) Targets() []result.Target {
	all := s.stopTargets()
	for _, a := range s.Algorithms {
		if a.Tune != nil && a.Tune.To != nil {
			if t := s.tuneTarget(a.Tune); !slices.ContainsFunc(all, t.Equal) {
				all = append(all, t)
			}
		}
	}
	return all
}

// target is what each trial of a tuning has to reach and to keep.
func (s *Scenario) tuneTarget(t *Tune) result.Target {
	return result.Target{Conditions: s.agreed(t.To), Kept: true}
}
