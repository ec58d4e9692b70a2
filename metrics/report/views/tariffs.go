package views

import (
	"fmt"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/table"
)

// tariffs is what machines and links cost, to a target or to the end. It has columns where some
// group paid something.
func (s *StudyView) tariffs(t int, groups []*group) table.Table {
	var qs []observable
	for _, c := range metrics.CostItems() {
		q := cost(c.ID, "")
		if c.Tariff && slices.ContainsFunc(groups, func(g *group) bool { return s.measure(g, t, q).Value > 0 }) {
			qs = append(qs, q)
		}
	}
	if qs == nil {
		return table.Table{}
	}
	columns, lead := s.lead()
	out := table.Table{Title: fmt.Sprintf("Energy and money, to %s", s.targetName(t)), Columns: columns}
	for _, q := range qs {
		out.Columns = append(out.Columns, q.column)
	}
	for _, g := range s.ranked(t, groups) {
		row := lead(g)
		for _, q := range qs {
			row = append(row, s.cell(g, t, q))
		}
		out.Rows = append(out.Rows, row)
	}
	out.Notes = append(out.Notes,
		"Of all machines, from the beginning to that moment, and of all that was sent for it.")
	return out
}
