package views

import (
	"fmt"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// physical is what the network that the links share was busy with, and what a faster part of it
// would gain. It has a row for each group whose first run went over a platform.
func (s *StudyView) physical(groups []*group) table.Table {
	columns, lead := s.lead()
	out := table.Table{Title: "The platform, to the end", Columns: append(columns,
		table.Column{Name: "busiest link"}, table.Column{Name: "busy", Unit: metrics.Seconds},
		table.Column{Name: "utilisation", Unit: metrics.Number, Digits: 2},
		table.Column{Name: "held up by"}, table.Column{Name: "10x link saves", Unit: metrics.Seconds},
		table.Column{Name: "machine"}, table.Column{Name: "10x machine saves", Unit: metrics.Seconds})}
	for _, g := range groups {
		p := g.runs[0].Physical
		if p == nil || len(p.Busiest) == 0 {
			continue
		}
		b := p.Busiest[0]
		row := append(lead(g), table.Text(b.Link), table.Number(b.Busy.Float()), table.Number(float64(b.Utilisation)))
		row = append(row, linkCells(p.Path.Links)...)
		out.Rows = append(out.Rows, append(row, nodeCells(p.Path.Nodes)...))
	}
	out.Notes = append(out.Notes, "The critical path is the chain of work and messages that the end waited for. "+
		"The link that held it up longest, and the machine that computed longest on it, would shorten it by at most so "+
		"much if they were ten times as fast: another chain may then be the longest.")
	if slices.ContainsFunc(groups, func(g *group) bool { return len(g.runs) > 1 }) {
		out.Notes = append(out.Notes, "Of several seeds it is the first.")
	}
	return out
}

func linkCells(links []result.PathLink) []table.Cell {
	if len(links) == 0 {
		return []table.Cell{table.Text("nothing"), table.Missing()}
	}
	return []table.Cell{table.Text(links[0].Link), table.Number(links[0].Gain.Float())}
}

func nodeCells(nodes []result.PathNode) []table.Cell {
	if len(nodes) == 0 {
		return []table.Cell{table.Text("none"), table.Missing()}
	}
	return []table.Cell{table.Text(fmt.Sprintf("node %d", nodes[0].Node)), table.Number(nodes[0].Gain.Float())}
}
