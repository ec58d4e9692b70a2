package study

import (
	"tallynet/scenarios/spec"
)

// FromRuns returns the study of a scenario whose runs are there already: it decides claims,
// fills tables and draws figures, but its instances are not built and it cannot run. A metric
// that no run has leaves a claim undecided.
func FromRuns(s *spec.Scenario) (*Study, error) {
	points, err := s.Points()
	if err != nil {
		return nil, err
	}
	return &Study{Scenario: s, points: points, own: depends(points), unfit: s.Unfit()}, nil
}
