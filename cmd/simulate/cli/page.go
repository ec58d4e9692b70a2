package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/page"
	"tallynet/metrics/render"
	"tallynet/scenarios"
)

// largestDrawn is how many nodes a graph may have to be laid out for the page.
const largestDrawn = 500

// pageFile is report.html.
func (s *overview) pageFile(report *metrics.Report, folder string) (metrics.File, error) {
	b := page.NewBuilder(page.Options{Positions: positions(s.scenario)})
	for i := range s.runs {
		full, err := s.runs[i].Full()
		if err != nil {
			return metrics.File{}, err
		}
		b.Add(full)
	}
	p := b.Page(s.statistics)
	p.Title, p.About, p.Facts = s.scenario.Name, strings.Join(strings.Fields(s.scenario.About), " "), s.facts
	p.Claims = s.claims
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
	p.Provenance, p.Command = provenanceFacts(&report.Provenance), "simulate report "+folder
	var scenario bytes.Buffer
	if err := json.Indent(&scenario, report.Scenario, "", "  "); err != nil {
		return metrics.File{}, err
	}
	p.Scenario = scenario.String()
	return metrics.File{Name: "report.html", Write: func(w io.Writer) error { return page.Write(w, p) }}, nil
}

func provenanceFacts(p *metrics.Provenance) []page.Fact {
	facts := []page.Fact{{Name: "command", Text: strings.Join(p.CommandLine, " ")}, {Name: "version", Text: p.Version}}
	if p.Commit != "" {
		commit := p.Commit
		if p.Modified {
			commit += ", with changes that are not committed"
		}
		facts = append(facts, page.Fact{Name: "commit", Text: commit})
	}
	return append(facts, page.Fact{Name: "Go", Text: p.GoVersion}, page.Fact{Name: "platform", Text: p.Platform})
}

// positions returns where the nodes of a run's graph lie, as the graph's own shape wants
// it; nothing for a graph that is too large, or cannot be made.
func positions(s *scenarios.Scenario) func(*metrics.Run) []page.Position {
	points, err := s.Points()
	if err != nil {
		return nil
	}
	byName := map[string]*scenarios.Scenario{}
	for _, p := range points {
		var at metrics.Point
		for _, v := range p.Values {
			set, err := metrics.NewSetting(v.Key, v.Value)
			if err != nil {
				return nil
			}
			at = append(at, set)
		}
		byName[pointText(at, "=")] = p.Scenario
	}
	return func(r *metrics.Run) []page.Position {
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
