package papers

import (
	"encoding/json"
	"slices"
	"strings"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/spec"
)

// Tables makes the scenario's tables, in the order of the file.
func (r *Results) Tables() []result.PaperTable {
	if len(r.Scenario.Tables) == 0 {
		return nil
	}
	decided := r.outcomes()
	var all []result.PaperTable
	for _, t := range r.Scenario.Tables {
		m := result.PaperTable{Name: t.Name, Title: t.Title,
			Source: t.Source, Corner: t.Corner, Columns: t.Columns, X: t.X, XLabel: t.XLabel, YLabel: t.YLabel, Log: t.Log}
		for _, row := range t.Rows {
			out := result.PaperRow{Name: row.Name, Reason: row.Unfit, Outcome: outcomeOf(&row, decided)}
			if row.Compiled != nil {
				out.Cells, out.Reason = row.Compiled.Evaluate(r.Runs)
			}
			for _, p := range row.Printed {
				raw, err := json.Marshal(p)
				if err != nil {
					panic("papers: " + err.Error()) // a number or a text of the file
				}
				out.Printed = append(out.Printed, raw)
			}
			m.Rows = append(m.Rows, out)
		}
		all = append(all, m)
	}
	return all
}

// outcomes returns the outcomes of named claims.
func (r *Results) outcomes() map[string]string {
	of := map[string]string{}
	if !slices.ContainsFunc(r.Scenario.Claims, func(c spec.ClaimSpec) bool { return c.Name != "" }) {
		return of
	}
	for _, c := range r.Claims() {
		if c.Name != "" {
			of[c.Name] = c.Finding()
		}
	}
	return of
}

// outcomeOf describes a row: the distinct outcomes of its claims, and its note.
func outcomeOf(row *spec.RowSpec, of map[string]string) string {
	var words []string
	for _, name := range row.Claims {
		if out := of[name]; out != "" && !slices.Contains(words, out) {
			words = append(words, out)
		}
	}
	if row.Note != "" {
		words = append(words, row.Note)
	}
	return strings.Join(words, "; ")
}
