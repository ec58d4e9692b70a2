package spec

import (
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// MoreIsBetter returns the metrics to maximize.
func (s *Scenario) MoreIsBetter() []string { return measure.MoreIsBetter(s.Catalog.Metrics) }

// Titles returns the titles of the metrics that have one, by name.
func (s *Scenario) Titles() map[string]string { return measure.Titles(s.Catalog.Metrics) }

// Headlines returns the recorded metrics that are shown by default. If the nodes can disagree, consensus_error is the
// first of them.
func (s *Scenario) Headlines(recorded []string) []string {
	all := measure.Headlines(s.Catalog.Metrics, recorded)
	if s.canDisagree() && slices.Contains(recorded, "consensus_error") {
		all = append([]string{"consensus_error"}, all...)
	}
	return all
}

// AskedMetrics returns the metrics that the question of the study names.
func (s *Scenario) AskedMetrics() (names []string) {
	for _, name := range measure.Names(s.Catalog.Metrics) {
		if q := s.Ask; q != nil && (slices.Contains(q.By, name) || q.To != nil && q.To.Names(name)) {
			names = append(names, name)
		}
	}
	return names
}

// MeasuredMetrics returns the metrics that a run of an algorithm records. These are the requested ones, and those that
// the problem has and that stop rules, tuning, claims, tables, figures or the question need.
func (s *Scenario) MeasuredMetrics(of []measure.Metric, a AlgorithmSpec) []string {
	has, names := measure.Names(of), slices.Clone(s.Record.Strings("metrics"))
	if names == nil {
		names = measure.Default(of, keys.Optional[string](s.Problem.Args, "inner") == "personal")
	}
	need := func(needed ...string) {
		for _, name := range needed {
			if !slices.Contains(names, name) && slices.Contains(has, name) {
				names = append(names, name)
			}
		}
	}
	for _, t := range s.StopConditions() {
		need(t.Metric)
	}
	for _, c := range s.Claims {
		for _, of := range c.compiled() {
			if slices.Contains(of.Labels(), a.Label) {
				need(of.Metrics()...)
			}
		}
	}
	for _, of := range s.inserts {
		if slices.Contains(of.Labels(), a.Label) {
			need(of.Metrics()...)
		}
	}
	for _, t := range s.Tables {
		for _, row := range t.Rows {
			if row.Compiled != nil && slices.Contains(row.Compiled.Labels(), a.Label) {
				need(row.Compiled.Metrics()...)
			}
		}
	}
	for i := range s.Figures {
		need(s.Figures[i].metricsOf(a.Label)...)
	}
	if a.Tune != nil {
		need(a.Tune.By)
		for _, t := range s.WithAgreement(a.Tune.To) {
			need(t.Metric)
		}
	}
	need(s.AskedMetrics()...)
	return names
}
