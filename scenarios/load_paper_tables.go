package scenarios

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tallynet/metrics/result"
	"tallynet/scenarios/claims"
)

// tableName is what the files of a table may be called; table.* are the program's own.
var tableName = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)

// ownFileNames are the names of a result's other files.
func ownFileNames() []string {
	return []string{"table", "result", "iterations", "links", "nodes", "phases", "convergence", "accuracy", "report", "summary", "trajectory", "trace", "runs"}
}

// tables reads the tables of a paper but for what their cells mean: see rows.
func (r *reader) tables(e *Field, a Args) []Table {
	if !a.Has("tables") {
		return nil // what is wrong with it was told
	}
	var all []Table
	for i, args := range Get[[]Args](a, "tables") {
		n := e.Value.Items[i]
		t := Table{path: fmt.Sprintf("tables[%d]", i), Name: args.String("name"), Title: args.String("title"), Source: args.String("source"),
			XLabel: args.String("xlabel"), YLabel: args.String("ylabel"), Log: args.String("scale") == "log"}
		if args.Has("columns") {
			t.Columns = args.Strings("columns")
		}
		if args.Has("x") {
			t.X = args.Floats("x")
		}
		if args.Has("rows") {
			rows := n.Child("rows").Value
			for k, row := range Get[[]Args](args, "rows") {
				t.Rows = append(t.Rows, r.tableRow(fmt.Sprintf("%s.rows[%d]", t.path, k), rows.Items[k], row, len(t.Columns)))
			}
		}
		r.checkTable(n, &t, all)
		all = append(all, t)
	}
	return all
}

func (r *reader) tableRow(at string, n *Value, args Args, columns int) TableRow {
	row := TableRow{Name: args.String("name"), Cells: args.String("cells"), at: n.Pos}
	if c := n.Child("cells"); c != nil {
		row.at = c.Value.Pos
	}
	p := n.Child("printed")
	if p == nil {
		return row
	}
	if p.Value.Shape != List {
		r.WrongKind(at+".printed", p.Value, p.KeyPos, "a list of numbers or words", "write printed: [0.1, 0.2]")
		return row
	}
	if len(p.Value.Items) != columns {
		r.Fail(p.KeyPos, at+".printed", "", "the number of values is %d, that of columns %d", len(p.Value.Items), columns)
	}
	for _, v := range p.Value.Items {
		if v.Shape != Scalar {
			r.WrongKind(at+".printed", v, p.KeyPos, "a number or a word", "")
			return row
		}
		row.Printed = append(row.Printed, Plain(v))
	}
	return row
}

func (r *reader) checkTable(n *Value, t *Table, earlier []Table) {
	fail := func(key, hint, format string, args ...any) {
		pos := n.Pos
		if c := n.Child(key); c != nil {
			pos = c.Value.Pos
		}
		r.Fail(pos, JoinKey(t.path, key), hint, format, args...)
	}
	switch {
	case t.Name == "":
	case !tableName.MatchString(t.Name):
		fail("name", "as in name: table-2", "%q is no name of a file: it has letters, digits and hyphens", t.Name)
	case slices.Contains(ownFileNames(), strings.ToLower(t.Name)): // some disks know no case
		fail("name", "as in name: table-2", "a result has a file called %s already", t.Name)
	case slices.ContainsFunc(earlier, func(o Table) bool { return strings.EqualFold(o.Name, t.Name) }):
		fail("name", "", "two tables are called %s", t.Name)
	}
	if n.Child("columns") != nil && len(t.Columns) == 0 {
		fail("columns", "write columns: [DAGM, DGBO]", "a table has at least one column")
	}
	if t.X != nil && len(t.X) != len(t.Columns) {
		fail("x", "", "the number of values is %d, that of columns %d", len(t.X), len(t.Columns))
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
	var all []result.PaperTable
	for _, t := range st.Scenario.Tables {
		m := result.PaperTable{Name: t.Name, Title: t.Title, Source: t.Source, Columns: t.Columns, X: t.X, XLabel: t.XLabel, YLabel: t.YLabel, Log: t.Log}
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
