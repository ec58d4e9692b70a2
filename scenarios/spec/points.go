package spec

import (
	"fmt"
)

// Points returns the grid of the study, the first key of the sweep changing slowest.
// A scenario without a sweep is its own only point. Each point is checked as a
// scenario of its own; the error is a *FileError or FileErrors.
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

// EachPoint is Points for one point after the other, without keeping any. It ends at the
// first error.
func (s *Scenario) EachPoint(visit func(GridPoint) error) error {
	if err := s.checkRuns(); err != nil {
		return err
	}
	if len(s.Sweep)+len(s.List) == 0 {
		return visit(GridPoint{Scenario: s})
	}
	r := newReader(s.src, s.Catalog, "")
	g := r.sweep(s.tree)
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
		sc.Limits, sc.Ahead = s.Limits, s.Ahead
		sc.placed(g.settings(index))
		sc.Claims, sc.Tables, sc.Figures = s.Claims, s.Tables, s.Figures // they are over the whole study
		if err := visit(GridPoint{g.named(index), g.settings(index), sc}); err != nil {
			return err
		}
	}
	return nil
}

// checkRuns returns an error if the study has more runs than the limit.
func (s *Scenario) checkRuns() error {
	points := 1
	if len(s.Sweep)+len(s.List) > 0 {
		points = newReader(s.src, s.Catalog, "").sweep(s.tree).size()
	}
	seeds, algs := len(s.Seeds), len(s.Algorithms)
	runs := float64(points) * float64(seeds) * float64(algs)
	if runs <= float64(s.Limits.Runs) {
		return nil
	}
	e := s.Errorf("sweep", "%d grid points x %d seeds x %d algorithms are %.0f runs; the limit is %d", points, seeds,
		algs,
		runs, s.Limits.Runs)
	if points*algs > s.Limits.Runs {
		e.Hint = "make the grid smaller; --max-runs raises the limit"
		return e
	}
	e.Hint = fmt.Sprintf("with %d grid points and %d algorithms, at most %d seeds fit; --max-runs raises the limit",
		points, algs, s.Limits.Runs/(points*algs))
	return e
}
