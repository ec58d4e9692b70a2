package papers

import "tallynet/metrics/report/result"

// Tables makes the scenario's tables, in the order of the file.
func (r *Results) Tables() []result.PaperTable {
	var all []result.PaperTable
	for _, t := range r.Scenario.Tables {
		m := result.PaperTable{Name: t.Name, Title: t.Title,
			Source: t.Source, Corner: t.Corner, Columns: t.Columns, X: t.X, XLabel: t.XLabel, YLabel: t.YLabel, Log: t.Log}
		for _, row := range t.Rows {
			out := result.PaperRow{Name: row.Name, Reason: row.Unfit}
			if row.Compiled != nil {
				out.Cells, out.Reason = row.Compiled.Evaluate(r.Runs)
			}
			m.Rows = append(m.Rows, out)
		}
		all = append(all, m)
	}
	return all
}
