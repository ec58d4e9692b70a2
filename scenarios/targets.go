package scenarios

import (
	"slices"

	"tallynet/metrics/result"
	"tallynet/scenarios/measure"
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

// MoreIsBetter returns the metrics of which more is better.
func MoreIsBetter() []string {
	var names []string
	for _, m := range measure.Metrics() {
		if m.MoreIsBetter {
			names = append(names, m.Name)
		}
	}
	return names
}

func moreIsBetter(metric string) bool { return slices.Contains(MoreIsBetter(), metric) }

// conditions returns the metrics that stop a run, by themselves or together.
func (s Stop) conditions() []result.Condition { return slices.Concat(s.Target, s.Metrics) }

// targets returns what stops a run: all of stop.target at once, or one metric by itself.
func (s Stop) targets() []result.Target {
	var all []result.Target
	if s.Target != nil {
		all = append(all, result.Target{Conditions: s.Target})
	}
	for _, c := range s.Metrics {
		all = append(all, result.Target{Conditions: []result.Condition{c}})
	}
	return all
}

// Targets returns what the scenario wants reached, each target once: by its stop rules,
// each of which ends a run, then by tuning.
func (s *Scenario) Targets() []result.Target {
	all := s.Stop.targets()
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
