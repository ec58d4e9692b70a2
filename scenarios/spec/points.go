package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// GridPoint is one point of a study's grid.
type GridPoint struct {
	Name     string // of a listed point; "" if the file gives none
	Values   []GridValue
	Scenario *Scenario
}

// Settings returns the grid values as a result stores them.
func (p GridPoint) Settings() result.Settings { return SettingsOf(p.Values) }

// runsOnly returns the resolved scenario of a point as JSON, without what affects no run.
func (p *GridPoint) runsOnly() []byte {
	s := *p.Scenario
	s.Ask, s.Claims, s.Tables, s.Figures, s.Settings, s.Small = nil, nil, nil, nil, nil, nil
	o := jsonio.Of("point", resolvedValues(p.Values))
	for _, m := range s.Resolved() {
		switch m.Key {
		case "version", "name", "about", "settings", "paper", "readings", "why":
		case "record": // the set of recorded metrics affects no run
			record, ok := m.Value.(jsonio.Object)
			for _, r := range record {
				if ok && r.Key != "metrics" {
					o.Add("record."+r.Key, r.Value)
				}
			}
		default:
			o = append(o, m)
		}
	}
	text, err := json.Marshal(o)
	if err != nil {
		panic("spec: " + err.Error()) // a resolved scenario is valid JSON
	}
	return text
}

// Points returns the grid of the study. The first key of the sweep changes slowest. A scenario without a sweep is its
// own only point. Each point is checked as a scenario of its own; the error is a *keys.FileError or keys.FileErrors.
func (s *Scenario) Points() ([]GridPoint, error) {
	var points []GridPoint
	err := s.EachPoint(func(p GridPoint) error {
		points = append(points, p)
		return nil
	})
	return points, err
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
		sc, err := r.scenarioAt(s.tree, g, index)
		if err != nil {
			return err
		}
		values := g.settings(index)
		sc.Limits = s.Limits
		sc.Algorithms = slices.DeleteFunc(sc.Algorithms, func(a AlgorithmSpec) bool { return !a.runsAt(values) })
		sc.Ask, sc.Claims, sc.Tables, sc.Figures = s.Ask, s.Claims, s.Tables, s.Figures // they are about the whole study
		p := GridPoint{Values: values, Scenario: sc}
		if g[0].key == pointsKey {
			p.Name = g[0].labels[index[0]]
		}
		if err := visit(p); err != nil {
			return err
		}
	}
	return nil
}

// checkRuns returns an error if a study with this many grid points has more runs than the limit.
func (s *Scenario) checkRuns(points int) error {
	seeds, algorithms := max(len(s.Seeds), s.Most), len(s.Algorithms)
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

// WithNumber returns the first point of the scenario's grid with another value of a numeric key, in the unit that
// keys.Quantity returns. An error says that the key cannot have it.
func (s *Scenario) WithNumber(key string, x float64) (*Scenario, error) {
	section, inside, _ := strings.Cut(key, ".")
	p, _ := s.section(section).Find(inside)
	text, ok := "", false
	if p != nil {
		text, ok = p.Kind.Text(x)
	}
	if !ok {
		return nil, s.Errorf(key, "%s cannot be the number %g", key, x)
	}
	r := newReader(s.src, s.Catalog)
	value := &keys.Value{Shape: keys.Scalar, Text: text, Pos: s.at(key), Size: 1}
	g := append(r.sweep(s.tree), gridAxis{key: key, keyPos: value.Pos, values: []*keys.Value{value}})
	changed, err := r.scenarioAt(s.tree, g, g.index(0))
	if err != nil {
		return nil, err
	}
	changed.Limits, changed.Algorithms = s.Limits, s.Algorithms
	return changed, nil
}

// SameRuns reports whether two scenarios have the same runs: whether all that results depend on is equal at every grid
// point. Claims, tables, figures and the wording of the files do not matter. Files that the scenarios name are
// compared by name only.
func SameRuns(a, b *Scenario) bool {
	x, xerr := a.Points()
	y, yerr := b.Points()
	return xerr == nil && yerr == nil && slices.EqualFunc(x, y, func(p, q GridPoint) bool {
		return bytes.Equal(p.runsOnly(), q.runsOnly())
	})
}
