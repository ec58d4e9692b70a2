package spec

import (
	"regexp"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
)

// tablesKey declares the tables of a paper.
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
					{Name: "cells", Kind: keys.String, Required: true, Example: `'[dagm.totals.payload_bytes]'`,
						About: "an expression over the runs, as in a check, that gives a number, an interval or a text " +
							"for each column"},
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

// TableSpec is a table of a paper, rebuilt from the runs of the study.
type TableSpec struct {
	Name    string // of its files
	Title   string
	Source  string // where it is printed
	Corner  string // the head of the first column
	Columns []string
	Rows    []RowSpec
	X       []float64 // the columns as numbers; the table is plotted too. nil: it is not
	XLabel  string
	YLabel  string
	Log     bool // both axes are logarithmic
	Full    bool // the small form cannot make it

	args keys.Args
}

// resolved returns the table as a file gives it, or nil if the overrides make all rows invalid.
func (t *TableSpec) resolved() jsonio.Object {
	rows := resolvedList(t.Rows, (*RowSpec).resolved)
	if rows == nil {
		return nil
	}
	var except []string
	if t.X == nil {
		except = append(except, "xlabel", "ylabel", "scale")
	}
	if !t.Full {
		except = append(except, "small")
	}
	return t.args.With("rows", rows).Resolved(keys.Which{Except: except})
}

// RowSpec is a row of a table.
type RowSpec struct {
	Name  string
	Cells string // an expression whose value is the list of cells; see package claims

	args     keys.Args
	Compiled *claims.List
	Unfit    string // why the overrides make the expression invalid
}

func (r *RowSpec) resolved() jsonio.Object {
	if r.Unfit != "" {
		return nil
	}
	return r.args.Resolved(keys.Which{})
}

// tables reads the tables of a paper. compileExpressions compiles their cells.
func (r *reader) tables(list []keys.Args) []TableSpec {
	var all []TableSpec
	var names []string
	for _, a := range list {
		t := TableSpec{Log: a.String("scale") == "log", Full: !a.Bool("small"), args: a}
		a.Fill(&t)
		for _, row := range a.Sections("rows") {
			of := RowSpec{args: row}
			row.Fill(&of)
			t.Rows = append(t.Rows, of)
		}
		r.checkFileName(a, t.Name, names)
		names = append(names, t.Name)
		r.checkTable(a, &t)
		all = append(all, t)
	}
	return all
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

// tableName matches the permitted names of a table's files. The names table.* are reserved for the program.
var tableName = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)

// ownFileNames returns the names of the other files of a result.
func ownFileNames() []string {
	return []string{"table", "result", "iterations", "links", "nodes", "phases", "convergence", "accuracy", "decision",
		"report", "summary", "trajectory", "trace", "runs"}
}

// checkFileName checks the name of a table's or a figure's files. Earlier names may not be reused.
func (r *reader) checkFileName(a keys.Args, name string, earlier []string) {
	fail := func(hint, format string, args ...any) {
		r.Fail(a.PosOf("name"), a.Path("name"), hint, format, args...)
	}
	switch {
	case name == "":
	case !tableName.MatchString(name):
		fail("as in name: table-2", "want letters, digits and hyphens, got %q: files are named after it", name)
	case slices.Contains(ownFileNames(), strings.ToLower(name)): // some file systems ignore case
		fail("as in name: table-2", "every result already has a file called %s", name)
	case slices.ContainsFunc(earlier, func(o string) bool { return strings.EqualFold(o, name) }):
		fail("", "two tables or figures are called %s", name)
	}
}

// compileTables compiles the cells of the tables. See compileExpressions.
func (r *reader) compileTables(s *Scenario, scope claims.Scope) {
	for i := range s.Tables {
		t := &s.Tables[i]
		for k := range t.Rows {
			row := &t.Rows[k]
			var err error
			if row.Compiled, err = claims.CompileList(row.Cells, len(t.Columns), scope); err != nil {
				row.Unfit = r.invalid(s, row.args.PosOf("cells"), row.Cells, row.args.Path("cells"), err)
			}
		}
	}
}
