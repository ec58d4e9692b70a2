package scenarios

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/result"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
)

// tableName is what the files of a table may be called; table.* are the program's own.
var tableName = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)

// ownFileNames are the names of a result's other files.
func ownFileNames() []string {
	return []string{"table", "result", "iterations", "links", "nodes", "phases", "convergence", "accuracy", "report",
		"summary", "trajectory", "trace", "runs"}
}

func tablesKey() keys.Param {
	return keys.Param{Name: "tables", Kind: keys.Sections,
		About: "tables of a paper that are made again from the runs", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Required: true, Example: "table-2",
				About: "the name of its files: letters, digits and hyphens"},
			{Name: "title", Kind: keys.String, Required: true, Example: "Bytes to accuracy",
				About: "what the cells are, with their unit"},
			{Name: "source", Kind: keys.String, Required: true, Example: `"Nazari et al., Table 2"`,
				About: "where it is printed"},
			{Name: "columns", Kind: keys.Strings, Required: true, Example: "[d2 = 10, d2 = 20]",
				About: "the heads of the columns"},
			{Name: "rows", Kind: keys.Sections, Required: true,
				Example: `[{name: DAGM, cells: '[dagm.totals.payload_bytes]'}]`,
				About:   "the rows", Params: []keys.Param{
					{Name: "name", Kind: keys.String, Required: true, Example: "DAGM", About: "the head of the row"},
					{Name: "cells", Kind: keys.String, Required: true, Example: `'[dagm.totals.payload_bytes]'`,
						About: "an expression over the runs, as of a check, that gives one number for each column"},
					{Name: "printed", Kind: keys.Any, Custom: true, Takes: "a list of numbers or words",
						Schema: jsonio.Of("type", "array", "items", jsonio.Of("type", []string{"number", "string"})),
						About:  "what is printed there, one value for each column"},
				}},
			{Name: "x", Kind: keys.Floats, Example: "[10, 20]",
				About: "the columns as numbers: the table is drawn too, a line for each row"},
			{Name: "xlabel", Kind: keys.String, About: "the name of the horizontal axis"},
			{Name: "ylabel", Kind: keys.String, About: "the name of the vertical axis"},
			{Name: "scale", Kind: keys.Enum, Default: "linear", Enum: []string{"linear", "log"}, About: "of both axes"},
		}}
}

// tables reads the tables of a paper but for what their cells mean: see rows.
func (r *reader) tables(list []keys.Args) []TableSpec {
	var all []TableSpec
	for _, a := range list {
		t := TableSpec{path: a.Path(""), Name: a.String("name"), Title: a.String("title"),
			Source: a.String("source"), Columns: a.Strings("columns"),
			X: a.Floats("x"), XLabel: a.String("xlabel"), YLabel: a.String("ylabel"), Log: a.String("scale") == "log"}
		for _, row := range a.Sections("rows") {
			t.Rows = append(t.Rows, r.tableRow(row, len(t.Columns)))
		}
		r.checkTable(a, &t, all)
		all = append(all, t)
	}
	return all
}

func (r *reader) tableRow(a keys.Args, columns int) RowSpec {
	row := RowSpec{Name: a.String("name"), Cells: a.String("cells"), at: a.PosOf("cells")}
	p := a.Field("printed")
	at := a.Path("printed")
	switch {
	case p == nil:
		return row
	case p.Value.Shape != keys.List:
		r.WrongKind(at, p.Value, p.KeyPos, "a list of numbers or words", "write printed: [0.1, 0.2]")
		return row
	case len(p.Value.Items) != columns:
		r.Fail(p.KeyPos, at, "", "want as many values as there are columns (%d), got %d", columns, len(p.Value.Items))
	}
	for _, v := range p.Value.Items {
		if v.Shape != keys.Scalar {
			r.WrongKind(at, v, p.KeyPos, "a number or a word", "")
			return row
		}
		row.Printed = append(row.Printed, keys.Plain(v))
	}
	return row
}

func (r *reader) checkTable(a keys.Args, t *TableSpec, earlier []TableSpec) {
	fail := func(key, hint, format string, args ...any) {
		r.Fail(a.PosOf(key), a.Path(key), hint, format, args...)
	}
	switch {
	case t.Name == "":
	case !tableName.MatchString(t.Name):
		fail("name", "as in name: table-2",
			"want letters, digits and hyphens, got %q: the name is that of the table's files", t.Name)
	case slices.Contains(ownFileNames(), strings.ToLower(t.Name)): // some disks know no case
		fail("name", "as in name: table-2", "a result has a file called %s already", t.Name)
	case slices.ContainsFunc(earlier, func(o TableSpec) bool { return strings.EqualFold(o.Name, t.Name) }):
		fail("name", "", "two tables are called %s", t.Name)
	}
	if a.Given("columns") && len(t.Columns) == 0 {
		fail("columns", "write columns: [DAGM, DGBO]", "a table has at least one column")
	}
	if t.X != nil && len(t.X) != len(t.Columns) {
		fail("x", "", "want as many values as there are columns (%d), got %d", len(t.Columns), len(t.X))
	}
	if t.Log && slices.ContainsFunc(t.X, func(x float64) bool { return x <= 0 }) {
		fail("x", "", "a logarithmic scale takes positive numbers")
	}
}

// rows compiles the cells of the tables against the labels, the grid and the seeds of
// the study. See checks.
func (r *reader) rows(s *Scenario, scope claims.Scope) {
	for i := range s.Tables {
		t := &s.Tables[i]
		for k := range t.Rows {
			row := &t.Rows[k]
			var err error
			if row.cells, err = claims.CompileList(row.Cells, len(t.Columns), scope); err != nil {
				row.unfit = r.misfit(s, row.at, row.Cells, fmt.Sprintf("%s.rows[%d].cells", t.path, k), err)
			}
		}
	}
}

// Tables makes the scenario's tables from the runs of the study, in the order of the file.
func (st *Study) Tables(runs []result.Run) []result.PaperTable {
	runs = st.everywhere(runs)
	var all []result.PaperTable
	for _, t := range st.Scenario.Tables {
		m := result.PaperTable{Name: t.Name, Title: t.Title,
			Source: t.Source, Columns: t.Columns, X: t.X, XLabel: t.XLabel, YLabel: t.YLabel, Log: t.Log}
		for _, row := range t.Rows {
			out := result.PaperRow{Name: row.Name, Reason: row.unfit}
			if row.cells != nil {
				out.Cells, out.Reason = row.cells.Evaluate(runs)
			}
			for _, p := range row.Printed {
				raw, err := json.Marshal(p)
				if err != nil {
					panic("scenarios: " + err.Error()) // a number or a text of the file
				}
				out.Printed = append(out.Printed, raw)
			}
			m.Rows = append(m.Rows, out)
		}
		all = append(all, m)
	}
	return all
}
