package spec

import (
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/measure"
)

// agreement is the largest consensus_error at which nodes agree on an objective. On a gradient they agree if
// consensus_error is at most the target of grad_norm2.
const agreement = 1e-4

// WithAgreement returns the conditions of a target, extended by a condition that the nodes agree.
//
// In a single-level problem without a server, averaging preserves the mean of the iterates, which may be optimal long
// before any node is. A target on the objective or gradient at the average is therefore meaningful only together with
// a small consensus error. A target that already restricts consensus_error or stationarity is returned as it is.
func (s *Scenario) WithAgreement(of []result.Condition) []result.Condition {
	if !s.canDisagree() {
		return of
	}
	agreed, asked := conditionOn(s.Catalog.Metrics, "consensus_error", agreement), false
	for _, c := range of {
		switch c.Metric {
		case "consensus_error", "stationarity":
			return of
		case "objective":
			asked = true
		case "grad_norm2":
			agreed.Value, agreed.Floor, asked = c.Value, c.Floor, true
		}
	}
	if !asked || !slices.Contains(measure.Names(s.Catalog.Metrics), "consensus_error") {
		return of
	}
	return append(slices.Clone(of), agreed)
}

// canDisagree reports whether the problem is single-level and several nodes solve it without a server.
func (s *Scenario) canDisagree() bool {
	if s.Topology.Nodes < 2 || s.Topology.Server() {
		return false
	}
	size, known := s.ProblemSize(s.Problem.Args, s.Topology.DataNodes())
	return known && size.Q == 0
}

// StopTargets returns the targets that stop a run: all of stop.target together, and each metric of stop by itself.
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

// StopConditions returns the conditions of all stop targets.
func (s *Scenario) StopConditions() []result.Condition {
	var all []result.Condition
	for _, t := range s.StopTargets() {
		all = slices.Concat(all, t.Conditions)
	}
	return all
}

// Targets returns the distinct targets of the scenario: that of its question, those that stop a run, and those of
// tuning. A multiple of a floor is left out.
func (s *Scenario) Targets() []result.Target {
	all := s.ownTargets()
	if s.Ask != nil && s.Ask.To != nil && !s.Ask.To.Relative() {
		all = slices.Insert(slices.DeleteFunc(all, s.Ask.To.Equal), 0, *s.Ask.To)
	}
	return all
}

// ownTargets returns the distinct targets that the runs follow, those that stop a run before those of tuning.
func (s *Scenario) ownTargets() []result.Target {
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

// TuneTarget returns the target that a trial of a tuning has to reach and keep.
func (s *Scenario) TuneTarget(t *Tune) result.Target {
	return result.Target{Conditions: s.WithAgreement(t.To), Kept: true}
}
