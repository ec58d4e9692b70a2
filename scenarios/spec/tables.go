package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
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
		About: "tables of a paper, rebuilt from the runs", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Required: true, Example: "table-2",
				About: "the name of its files: letters, digits and hyphens"},
			{Name: "title", Kind: keys.String, Required: true, Example: "Bytes to accuracy",
				About: "what the cells are, with their unit"},
			{Name: "source", Kind: keys.String, Required: true, Example: `"Nazari et al., Table 2"`,
				About: "where it is printed"},
			{Name: "corner", Kind: keys.String, Example: "method", About: "the head of the first column"},
			{Name: "columns", Kind: keys.Strings, Required: true, Example: "[d2 = 10, d2 = 20]",
				About: "the heads of the columns"},
			{Name: "rows", Kind: keys.Sections, Required: true,
				Example: `[{name: DAGM, cells: '[dagm.totals.payload_bytes]'}]`,
				About:   "the rows", Params: []keys.Param{
					{Name: "name", Kind: keys.String, Required: true, Example: "DAGM", About: "the head of the row"},
					{Name: "cells", Kind: keys.String, Example: `'[dagm.totals.payload_bytes]'`,
						About: "an expression over the runs, as in a check, that gives a number, an interval or a text " +
							"for each column; left out if only printed values are shown"},
					{Name: "printed", Kind: keys.Any, Custom: true, Takes: "a list of numbers or words",
						Schema: jsonio.Of("type", "array", "items", jsonio.Of("type", []string{"number", "string"})),
						About:  "the printed values, one for each column"},
					{Name: "claims", Kind: keys.Strings, Example: "[dagm-rate]",
						About: "names of claims, whose outcomes the row shows"},
					{Name: "note", Kind: keys.String, Example: "not run, its matrices do not fit",
						About: "a remark on the outcome of the row"},
				}},
			{Name: "x", Kind: keys.Floats, Example: "[10, 20]",
				About: "the columns as numbers: the table is drawn too, a line for each row"},
			{Name: "xlabel", Kind: keys.String, About: "the name of the horizontal axis"},
			{Name: "ylabel", Kind: keys.String, About: "the name of the vertical axis"},
			{Name: "scale", Kind: keys.Enum, Default: "linear", Enum: []string{"linear", "log"}, About: "of both axes"},
			{Name: "small", Kind: keys.Bool, Default: true,
				About: "false: the small form of the scenario cannot make it"},
		}}
}

// tables reads the tables of a paper, except for what their cells mean: see rows.
func (r *reader) tables(list []keys.Args) []TableSpec {
	var all []TableSpec
	var names []string
	for _, a := range list {
		t := TableSpec{path: a.Path(""), Name: a.String("name"), Title: a.String("title"),
			Source: a.String("source"), Corner: a.String("corner"), Columns: a.Strings("columns"),
			X: a.Floats("x"), XLabel: a.String("xlabel"), YLabel: a.String("ylabel"), Log: a.String("scale") == "log",
			Full: !a.Bool("small")}
		for _, row := range a.Sections("rows") {
			t.Rows = append(t.Rows, r.tableRow(row, len(t.Columns)))
		}
		r.fileNames(a, t.Name, names)
		names = append(names, t.Name)
		r.checkTable(a, &t)
		all = append(all, t)
	}
	return all
}

func (r *reader) tableRow(a keys.Args, columns int) RowSpec {
	row := RowSpec{Name: a.String("name"), Cells: a.String("cells"), at: a.PosOf("cells"),
		Claims: a.Strings("claims"), Note: a.String("note"), path: a.Path(""), claimsAt: a.PosOf("claims")}
	p := a.Field("printed")
	if p == nil && !a.Given("cells") {
		r.Fail(a.Pos(), a.Path(""), `write cells: '[dagm.totals.payload_bytes]'`, "a row needs cells or printed values")
	}
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

// fileNames checks the name that the files of a table or a figure have.
func (r *reader) fileNames(a keys.Args, name string, earlier []string) {
	fail := func(hint, format string, args ...any) {
		r.Fail(a.PosOf("name"), a.Path("name"), hint, format, args...)
	}
	switch {
	case name == "":
	case !tableName.MatchString(name):
		fail("as in name: table-2", "want letters, digits and hyphens, got %q: files are named after it", name)
	case slices.Contains(ownFileNames(), strings.ToLower(name)): // some disks know no case
		fail("as in name: table-2", "every result already has a file called %s", name)
	case slices.ContainsFunc(earlier, func(o string) bool { return strings.EqualFold(o, name) }):
		fail("", "two tables or figures are called %s", name)
	}
}

func (r *reader) checkTable(a keys.Args, t *TableSpec) {
	fail := func(key, hint, format string, args ...any) {
		r.Fail(a.PosOf(key), a.Path(key), hint, format, args...)
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
			r.rowClaims(s, row)
			if row.Cells == "" {
				continue
			}
			var err error
			if row.Compiled, err = claims.CompileList(row.Cells, len(t.Columns), scope); err != nil {
				row.Unfit = r.misfit(s, row.at, row.Cells, fmt.Sprintf("%s.rows[%d].cells", t.path, k), err)
			}
		}
	}
}

// rowClaims checks the names of the claims whose outcomes a row shows.
func (r *reader) rowClaims(s *Scenario, row *RowSpec) {
	var names []string
	for _, c := range s.Claims {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	for _, name := range row.Claims {
		if r.as == wholeFile && !slices.Contains(names, name) { // the small form may leave claims out
			r.Fail(row.claimsAt, row.path+".claims", keys.DidYouMean(name, names), "there is no claim called %s", name)
		}
	}
}
