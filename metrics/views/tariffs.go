package views

import (
	"fmt"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/render"
)

// tariffs is what machines and links cost, to a target or to the end. It has columns where some
// group paid something.
func (s *StudyView) tariffs(t int, groups []*group) render.Table {
	var qs []quantity
	for _, c := range metrics.CostItems() {
		q := cost(c.ID, "")
		if c.Tariff && slices.ContainsFunc(groups, func(g *group) bool { return s.measure(g, t, q).Value > 0 }) {
			qs = append(qs, q)
		}
	}
	if qs == nil {
		return render.Table{}
	}
	columns, lead := s.lead()
	table := render.Table{Title: fmt.Sprintf("Energy and money, to %s", s.targetName(t)), Columns: columns}
	for _, q := range qs {
		table.Columns = append(table.Columns, q.column)
	}
	for _, g := range s.ranked(t, groups) {
		row := lead(g)
		for _, q := range qs {
			row = append(row, s.cell(g, t, q))
		}
		table.Rows = append(table.Rows, row)
	}
	table.Notes = append(table.Notes,
		"Of all machines, from the beginning to that moment, and of all that was sent for it.")
	return table
}
