package spec

import (
	"fmt"
	"slices"

	"tallynet/metrics/report/result"
)

// GridPoint is one point of a study's grid.
type GridPoint struct {
	Name     string // of a listed point; "" if the file gives none
	Values   []GridValue
	Scenario *Scenario
}

// Settings returns the grid values as a result stores them.
func (p GridPoint) Settings() result.Settings { return SettingsOf(p.Values) }

// Points returns the grid of the study. The first key of the sweep changes slowest. A scenario without a sweep is its
// own only point. Each point is checked as a scenario of its own; the error is a *keys.FileError or keys.FileErrors.
func (s *Scenario) Points() ([]GridPoint, error) {
	var points []GridPoint
	err := s.EachPoint(func(p GridPoint) error {
		points = append(points, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return points, nil
}

// EachPoint calls visit for the points of the grid in order, without storing them. It stops at the first error.
func (s *Scenario) EachPoint(visit func(GridPoint) error) error {
	r := newReader(s.src, s.Catalog)
	g := r.sweep(s.tree)
	if err := s.checkRuns(g.size()); err != nil {
		return err
	}
	if len(g) == 0 {
		return visit(GridPoint{Scenario: s})
	}
	for i := range g.size() {
		index := g.index(i)
		tree, err := g.point(s.src, s.tree, index)
		if err != nil {
			return err
		}
		p := r.at(g.name(index))
		sc := p.scenario(tree)
		if len(p.Errs) > 0 {
			return p.Err()
		}
		values := g.settings(index)
		sc.Limits, sc.OnAllocate = s.Limits, s.OnAllocate
		sc.Algorithms = slices.DeleteFunc(sc.Algorithms, func(a AlgorithmSpec) bool { return !a.runsAt(values) })
		sc.Claims, sc.Tables, sc.Figures = s.Claims, s.Tables, s.Figures // they are about the whole study
		if err := visit(GridPoint{g.pointName(index), values, sc}); err != nil {
			return err
		}
	}
	return nil
}

// checkRuns returns an error if a study with this many grid points has more runs than the limit.
func (s *Scenario) checkRuns(points int) error {
	seeds, algorithms := len(s.Seeds), len(s.Algorithms)
	runs := float64(points) * float64(seeds) * float64(algorithms)
	if runs <= float64(s.Limits.Runs) {
		return nil
	}
	e := s.Errorf("sweep", "%d grid points x %d seeds x %d algorithms are %.0f runs; the limit is %d", points, seeds,
		algorithms, runs, s.Limits.Runs)
	if points*algorithms > s.Limits.Runs {
		e.Hint = "make the grid smaller; --max-runs raises the limit"
		return e
	}
	e.Hint = fmt.Sprintf("with %d grid points and %d algorithms, at most %d seeds fit; --max-runs raises the limit",
		points, algorithms, s.Limits.Runs/(points*algorithms))
	return e
}
