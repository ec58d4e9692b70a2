package cli

import (
	"io"

	"tallynet/metrics/page"
	"tallynet/metrics/result"
	"tallynet/metrics/views"
	"tallynet/scenarios"
)

// largestDrawn is how many nodes a graph may have to be laid out for the page.
const largestDrawn = 500

// pageFile is report.html.
func pageFile(s *scenarios.Scenario, report *result.Report, shown *views.StudyView) (result.File, error) {
	b := page.NewBuilder(page.Options{Positions: positions(s)})
	for i := range report.Runs {
		full, err := report.Runs[i].Full()
		if err != nil {
			return result.File{}, err
		}
		b.Add(full)
	}
	p := b.Page(shown.Summary)
	if err := p.Describe(report); err != nil {
		return result.File{}, err
	}
	p.Facts = shown.Facts
	p.Answer(shown.Answer(), shown.Summary)
	p.Tables, p.Folded = shown.PageTables()
	return result.File{Name: "report.html", Write: func(w io.Writer) error { return page.Write(w, p) }}, nil
}

// positions returns where to draw the nodes of a run's graph, according to its own shape;
// nothing for a graph that is too large or cannot be made.
func positions(s *scenarios.Scenario) func(*result.Run) []page.Position {
	points, err := s.Points()
	if err != nil {
		return nil
	}
	byName := map[string]*scenarios.Scenario{}
	for _, p := range points {
		byName[p.Metrics().Text("=")] = p.Scenario
	}
	return func(r *result.Run) []page.Position {
		s := byName[r.Point.Text("=")]
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
