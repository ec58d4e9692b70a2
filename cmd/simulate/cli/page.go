package cli

import (
	"io"
	"slices"

	"tallynet/metrics/page"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/scenarios"
)

// largestDrawn is how many nodes a graph may have to be laid out for the page.
const largestDrawn = 500

// pageFile is report.html.
func (s *overview) pageFile(report *result.Report) (result.File, error) {
	b := page.NewBuilder(page.Options{Positions: positions(s.scenario)})
	for i := range s.runs {
		full, err := s.runs[i].Full()
		if err != nil {
			return result.File{}, err
		}
		b.Add(full)
	}
	p := b.Page(s.statistics)
	if err := p.Describe(report); err != nil {
		return result.File{}, err
	}
	p.Facts = s.facts
	p.Tables, p.Folded = nil, nil
	for i := range s.papers {
		p.Tables = append(p.Tables, paperTable(&s.papers[i]))
	}
	if st := s.statistics; s.isStudy() {
		p.Tables = append(p.Tables, st.Overview(), st.ImportanceTable())
		for _, t := range st.Tables() {
			if !slices.ContainsFunc(p.Tables, func(o render.Table) bool { return o.Title == t.Title }) {
				p.Folded = append(p.Folded, t)
			}
		}
	} else { // one run of each method needs no intervals
		p.Tables = append(p.Tables, s.tables()...)
	}
	return result.File{Name: "report.html", Write: func(w io.Writer) error { return page.Write(w, p) }}, nil
}

// positions returns where the nodes of a run's graph lie, as the graph's own shape wants
// it; nothing for a graph that is too large, or cannot be made.
func positions(s *scenarios.Scenario) func(*result.Run) []page.Position {
	points, err := s.Points()
	if err != nil {
		return nil
	}
	byName := map[string]*scenarios.Scenario{}
	for _, p := range points {
		var at result.Settings
		for _, v := range p.Values {
			set, err := result.NewSetting(v.Key, v.Value)
			if err != nil {
				return nil
			}
			at = append(at, set)
		}
		byName[pointText(at, "=")] = p.Scenario
	}
	return func(r *result.Run) []page.Position {
		s := byName[pointText(r.Point, "=")]
		if s == nil || s.Topology.Nodes > largestDrawn {
			return nil
		}
		g, _, err := s.BuildGraph(r.Seed)
		if err != nil {
			return nil
		}
		var all []page.Position
		for _, p := range g.Layout() {
			all = append(all, page.Position{X: p.X, Y: p.Y})
		}
		return all
	}
}
