package views

import (
	"fmt"
	"slices"

	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// physical is what the network that the links share was busy with, and what a faster part of it
// would gain. It has a row for each group whose first run went over a platform.
func (s *StudyView) physical(groups []*group) render.Table {
	columns, lead := s.lead()
	table := render.Table{Title: "The platform, to the end", Columns: append(columns,
		render.Column{Name: "busiest link"}, render.Column{Name: "busy", Kind: render.SecondColumn},
		render.Column{Name: "utilisation", Kind: render.FloatColumn, Digits: 2},
		render.Column{Name: "held up by"}, render.Column{Name: "10x link saves", Kind: render.SecondColumn},
		render.Column{Name: "machine"}, render.Column{Name: "10x machine saves", Kind: render.SecondColumn})}
	for _, g := range groups {
		p := g.runs[0].Physical
		if p == nil || len(p.Busiest) == 0 {
			continue
		}
		b := p.Busiest[0]
		row := append(lead(g), render.Text(b.Link), render.Number(b.Busy.Float()), render.Number(float64(b.Utilisation)))
		row = append(row, linkCells(p.Path.Links)...)
		table.Rows = append(table.Rows, append(row, nodeCells(p.Path.Nodes)...))
	}
	table.Notes = append(table.Notes, "The critical path is the chain of work and messages that the end waited for. "+
		"The link that held it up longest, and the machine that computed longest on it, would shorten it by at most so "+
		"much if they were ten times as fast: another chain may then be the longest.")
	if slices.ContainsFunc(groups, func(g *group) bool { return len(g.runs) > 1 }) {
		table.Notes = append(table.Notes, "Of several seeds it is the first.")
	}
	return table
}

func linkCells(links []result.PathLink) []render.Cell {
	if len(links) == 0 {
		return []render.Cell{render.Text("nothing"), render.Missing()}
	}
	return []render.Cell{render.Text(links[0].Link), render.Number(links[0].Gain.Float())}
}

func nodeCells(nodes []result.PathNode) []render.Cell {
	if len(nodes) == 0 {
		return []render.Cell{render.Text("none"), render.Missing()}
	}
	return []render.Cell{render.Text(fmt.Sprintf("node %d", nodes[0].Node)), render.Number(nodes[0].Gain.Float())}
}
