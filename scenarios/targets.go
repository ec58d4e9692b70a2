package scenarios

import (
	"slices"

	"tallynet/metrics/result"
)

// condition is a value of a metric to be reached: from above, or from below where more
// is better.
func condition(metric string, value float64) result.Condition {
	relation := "<="
	if moreIsBetter(metric) {
		relation = ">="
	}
	return result.Condition{Metric: metric, Relation: relation, Value: value}
}

func moreIsBetter(metric string) bool {
	return slices.ContainsFunc(Metrics(), func(m Metric) bool { return m.Name == metric && m.More })
}

// Targets returns what the scenario wants reached, each target once: by its stop rules,
// each of which ends a run, then by tuning.
func (s *Scenario) Targets() []result.Target {
	all := s.stopTargets()
	for _, a := range s.Algorithms {
		if a.Tune != nil && a.Tune.To != nil {
			if t := a.Tune.target(); !slices.ContainsFunc(all, t.Equal) {
				all = append(all, t)
			}
		}
	}
	return all
}

// target is what each trial of a tuning has to reach and to keep.
func (t *Tune) target() result.Target { return result.Target{Conditions: t.To, Kept: true} }
