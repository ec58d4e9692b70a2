package present

import (
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/build"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// largestDrawn is the largest number of nodes of a graph that the page draws.
const largestDrawn = 500

// Page returns the page of a result.
func Page(st *study.Study, report *result.Report, shown *views.StudyView) (page.Page, error) {
	b := page.NewBuilder(page.Options{Positions: positions(st), Wiring: wiring(st)})
	for i := range report.Runs {
		full, err := report.Runs[i].Full()
		if err != nil {
			return page.Page{}, err
		}
		b.Add(full)
	}
	p := b.Page(shown.Summary)
	if err := p.Describe(report); err != nil {
		return page.Page{}, err
	}
	p.Title, p.About, p.Facts = shown.Name, shown.About, shown.Facts
	p.Answer(shown.Answer(), shown.Summary)
	tables, folded := shown.PageTables()
	p.Tables, p.Folded = tables, append(folded, p.Folded...)
	return p, nil
}

// UnderWay returns the page of a study that is still running: the curves so far.
func UnderWay(s *spec.Scenario, runs []*result.Run) (page.Page, error) {
	b, f := page.NewBuilder(page.Options{Brief: true}), fold.New(options(s))
	for _, r := range runs {
		b.Add(r)
		if err := f.Add(r); err != nil {
			return page.Page{}, err
		}
	}
	return b.UnderWay(f.Summary()), nil
}

// positions returns a function that lays out the nodes of a run's graph. It returns nil for a graph
// that is too large or cannot be built.
func positions(st *study.Study) func(*result.Run) []page.Position {
	return func(r *result.Run) []page.Position {
		s := st.At(r.Point)
		if s == nil || s.Topology.Nodes > largestDrawn {
			return nil
		}
		g, _, err := build.Graph(s, r.Seed)
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

// wiring returns a function that lays out the physical links of a run. It returns nil for a network
// that is too large, has no known places, or cannot be built.
func wiring(st *study.Study) func(*result.Run) *page.Wiring {
	return func(r *result.Run) *page.Wiring {
		s := st.At(r.Point)
		if s == nil {
			return nil
		}
		w, err := build.Draw(s, r.Seed, largestDrawn)
		if w == nil || err != nil {
			return nil
		}
		var out page.Wiring
		for _, p := range w.Places {
			out.Places = append(out.Places, page.Place{Name: p.Name, Host: p.Host, Nodes: p.Nodes,
				At: page.Position{X: p.At.X, Y: p.At.Y}})
		}
		for _, l := range w.Lines {
			out.Lines = append(out.Lines, page.Line{A: l.A, B: l.B, There: l.There, Back: l.Back})
		}
		return &out
	}
}
