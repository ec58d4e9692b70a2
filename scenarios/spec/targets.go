package spec

import (
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/measure"
)

// In a single-level problem without a server the average of the nodes may be right long
// before any node is: averaging keeps it from the start. There a target on the average's
// objective or gradient holds only where the nodes agree too.

// agreement is the largest consensus_error at which nodes agree on an objective. On a
// gradient they agree where consensus_error is at most what grad_norm2 is to be.
const agreement = 1e-4

// WithAgreement adds to the conditions of a target that the nodes agree, if it says nothing of
// that itself.
func (s *Scenario) WithAgreement(of []result.Condition) []result.Condition {
	if !s.canDisagree() {
		return of
	}
	value, asked := agreement, false
	for _, c := range of {
		switch c.Metric {
		case "consensus_error", "stationarity":
			return of
		case "objective":
			asked = true
		case "grad_norm2":
			value, asked = c.Value, true
		}
	}
	if !asked || !slices.ContainsFunc(s.Catalog.Metrics, measures("consensus_error")) {
		return of
	}
	return append(slices.Clone(of), conditionOn(s.Catalog.Metrics, "consensus_error", value))
}

// canDisagree reports whether the problem is single-level and several nodes solve it
// without a server.
func (s *Scenario) canDisagree() bool {
	if s.Topology.Nodes < 2 || s.Topology.Server() {
		return false
	}
	size, known := s.ProblemSize(s.Problem.Args, s.Topology.DataNodes())
	return known && size.Q == 0
}

// StopTargets returns what stops a run: all of stop.target at once, or one metric by itself.
func (s *Scenario) StopTargets() []result.Target {
	var all []result.Target
	if s.Stop.Has("target") {
		all = append(all, result.Target{Conditions: s.WithAgreement(s.conditions(s.Stop.Section("target")))})
	}
	for _, c := range s.conditions(s.Stop) {
		all = append(all, result.Target{Conditions: s.WithAgreement([]result.Condition{c})})
	}
	return all
}

// StopConditions returns the metrics that stop a run, by themselves or together.
func (s *Scenario) StopConditions() []result.Condition {
	var all []result.Condition
	for _, t := range s.StopTargets() {
		all = slices.Concat(all, t.Conditions)
	}
	return all
}

// MoreIsBetter returns the metrics for which more is better.
func (s *Scenario) MoreIsBetter() []string { return measure.MoreIsBetter(s.Catalog.Metrics) }

// Headlines returns those of the recorded metrics that are shown without being asked for:
// those that the table of metrics says, and, where nodes can disagree on what their average
// has found, whether they do.
func (s *Scenario) Headlines(recorded []string) []string {
	all := measure.Headlines(s.Catalog.Metrics, recorded)
	if s.canDisagree() && slices.Contains(recorded, "consensus_error") {
		all = append([]string{"consensus_error"}, all...)
	}
	return all
}

// Titles returns the titles of metrics that have one, by name.
func (s *Scenario) Titles() map[string]string { return measure.Titles(s.Catalog.Metrics) }

// Targets returns what the scenario wants reached, each target once: by its stop rules,
// each of which ends a run, then by tuning.
func (s *Scenario) Targets() []result.Target {
	all := s.StopTargets()
	for _, a := range s.Algorithms {
		if a.Tune != nil && a.Tune.To != nil {
			if t := s.TuneTarget(a.Tune); !slices.ContainsFunc(all, t.Equal) {
				all = append(all, t)
			}
		}
	}
	return all
}

// target is what each trial of a tuning has to reach and to keep.
func (s *Scenario) TuneTarget(t *Tune) result.Target {
	return result.Target{Conditions: s.WithAgreement(t.To), Kept: true}
}
