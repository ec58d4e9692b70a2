package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// answer is a summary as it is put into words and tables.
type answer struct{ *fold.Summary }

// answerOf is a summary whose names are short enough for people.
func answerOf(s *fold.Summary) *answer {
	short := *s
	short.Labels, short.Keys, short.Points = escape.Names(s.Labels), slices.Clone(s.Keys), slices.Clone(s.Points)
	for k := range short.Keys {
		short.Keys[k].Values = escape.Names(s.Keys[k].Values)
	}
	for p := range short.Points {
		short.Points[p].Name = short.PointName(p, -1)
	}
	return &answer{&short}
}

// StatisticsTables returns the tables of a summary: the overview, then each main outcome
// with its intervals, comparisons, fronts, ranges, slopes and importances, each if there
// is any.
func StatisticsTables(sum *fold.Summary) []table.Table {
	s := answerOf(sum)
	tables := []table.Table{s.overviewTable()}
	for i, o := range s.Outcomes {
		if o.Main {
			tables = append(tables, s.outcomeTable(i))
		}
	}
	for i := range s.Outcomes {
		tables = append(tables, s.comparisonTables(i)...)
	}
	tables = append(tables, s.frontTables()...)
	for _, t := range []table.Table{s.rangeTable(), s.slopeTable(), s.importanceTable(), s.tiedTable()} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// number is a cell; what is not finite is shown as missing.
func number(x jsonio.Real) table.Cell {
	switch {
	case !x.Finite():
		return table.Missing()
	case x == jsonio.Real(math.Trunc(float64(x))) && math.Abs(float64(x)) < 1<<53:
		return table.Integer(int64(x))
	}
	return table.Number(float64(x))
}

func text(name string) table.Column  { return table.Column{Name: name} }
func whole(name string) table.Column { return table.Column{Name: name, Unit: metrics.Count} }

// keyColumns are a column for each swept key.
func (s *answer) keyColumns() []table.Column {
	var columns []table.Column
	for _, k := range s.Axes() {
		columns = append(columns, text(s.Keys[k].Name))
	}
	return columns
}

// keyCells are the values of the keys at a point.
func (s *answer) keyCells(point int) []table.Cell {
	var cells []table.Cell
	for _, k := range s.Axes() {
		v := s.Points[point].Values[k]
		if v < 0 {
			cells = append(cells, table.Missing())
		} else {
			cells = append(cells, table.Text(s.Keys[k].Values[v]))
		}
	}
	return cells
}

// tiedTable has what goes with each point: the values of the keys that are tied, once.
func (s *answer) tiedTable() table.Table {
	t := table.Table{Title: "What goes with each grid point", Columns: s.keyColumns()}
	var tied []int
	for k, key := range s.Keys {
		if key.Tied {
			tied = append(tied, k)
			t.Columns = append(t.Columns, text(key.Name))
		}
	}
	if len(tied) == 0 {
		return t
	}
	for p := range s.Points {
		row := s.keyCells(p)
		for _, k := range tied {
			if v := s.Points[p].Values[k]; v < 0 {
				row = append(row, table.Missing())
			} else {
				row = append(row, table.Text(s.Keys[k].Values[v]))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// groupCells are keys and method.
func (s *answer) groupCells(g fold.Group) []table.Cell {
	return append(s.keyCells(g.Point), table.Text(s.Labels[g.Label]))
}

// overviewTable has a row for each method at each point: how its runs ended, what they cost
// to the first target, or in all, and where they ended.
func (s *answer) overviewTable() table.Table {
	t := table.Table{Title: "All methods", Columns: append(s.keyColumns(), text("method"), text("ended"))}
	if len(s.Targets) > 0 {
		t.Title += ", to " + s.Targets[0].Name
	}
	shown := s.overviewOutcomes()
	for _, o := range shown {
		t.Columns = append(t.Columns, table.Column{Name: s.noun(o), Unit: s.Outcomes[o].Unit})
	}
	medians, censored, badEndings := false, false, false
	for _, g := range s.Groups {
		ended := g.Statuses.String()
		if slices.ContainsFunc(shown, func(o int) bool { return g.Values[o].Statistic == fold.Median }) {
			ended, medians = ended+" (medians)", true
		}
		row := append(s.groupCells(g), table.Text(ended))
		badEndings = badEndings || g.Ended < g.Runs
		for _, o := range shown {
			row = append(row, s.value(g.Values[o]))
			censored = censored || g.Values[o].Censored > 0 && !g.Values[o].Value.Finite()
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Means over %s.", plural(len(s.Seeds), "seed")))
	if badEndings {
		t.Notes = append(t.Notes,
			"Runs that diverged, stalled, failed or were interrupted are counted as runs, but enter none of the numbers.")
	}
	if medians {
		t.Notes = append(t.Notes,
			"(medians): some runs ended before the target, so the cost to it is the Kaplan-Meier median, which counts "+
				"them, instead of a mean.")
	}
	if censored {
		t.Notes = append(t.Notes,
			"Not reached: half of the runs or more ended before the target, so there is no median either.")
	}
	return t
}

// overviewOutcomes are the main costs, to the first target or in all, and the final
// metrics that are targets, on a front, or shown without being asked for.
func (s *answer) overviewOutcomes() []int {
	var finals, costs []int
	for i, o := range s.Outcomes {
		metric, final := strings.CutPrefix(o.ID, "final.")
		switch {
		case !final:
			if o.Main && o.Target <= 0 {
				costs = append(costs, i)
			}
		case o.Headline, slices.ContainsFunc(s.Targets, func(t fold.NamedTarget) bool {
			return slices.ContainsFunc(t.Conditions, func(c result.Condition) bool { return c.Metric == metric })
		}), len(s.Fronts) > 0 && slices.Contains(s.Fronts[0].Objectives, i):
			finals = append(finals, i)
		}
	}
	return append(costs, finals...)
}

// noun is an outcome's name without its target.
func (s *answer) noun(outcome int) string {
	o := s.Outcomes[outcome]
	if o.Target < 0 {
		return o.Name
	}
	return strings.TrimSuffix(o.Name, " to "+s.Targets[o.Target].Name)
}

// value is what a group has of an outcome, or that it did not get there.
func (s *answer) value(m fold.Measured) table.Cell {
	if !m.Value.Finite() && m.Censored > 0 {
		return table.Text("not reached")
	}
	return number(m.Value)
}

// outcomeTable has a row for each method at each point: an outcome with its interval.
func (s *answer) outcomeTable(outcome int) table.Table {
	o := s.Outcomes[outcome]
	t := table.Table{Title: sentenceCase(o.Name), Columns: append(s.keyColumns(), text("method"), whole("runs"))}
	if o.Target >= 0 {
		t.Columns = append(t.Columns, whole("reached"), text("statistic"))
	}
	for _, name := range []string{"value", "low", "high", "least", "most"} {
		t.Columns = append(t.Columns, table.Column{Name: name, Unit: o.Unit})
	}
	t.Columns = append(t.Columns, text("interval"))
	for _, g := range s.Groups {
		m := g.Values[outcome]
		row := append(s.groupCells(g), table.Integer(int64(g.Runs)))
		if o.Target >= 0 {
			row = append(row, table.Integer(int64(m.Reached)), table.Text(string(m.Statistic)))
		}
		row = append(row, s.value(m), number(m.Low), s.high(m.Estimate), number(m.Min), number(m.Max), table.Text(m.Method))
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes,
		fmt.Sprintf("Low and high: the %.0f %% interval of the value. Least and most: of any run that ended well.",
			100*s.Level))
	return t
}

// high is the upper end of an interval, which may have none.
func (s *answer) high(e fold.Estimate) table.Cell {
	if e.Low.Finite() && !e.High.Finite() {
		return table.Text("∞")
	}
	return number(e.High)
}

func sentenceCase(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// comparisonTables have a row for each pair of methods at each point, and one for each
// pair of values of a key, in an outcome: ratio and difference with their intervals.
func (s *answer) comparisonTables(outcome int) []table.Table {
	o := s.Outcomes[outcome]
	var tables []table.Table
	for _, key := range append([]int{-1}, s.Axes()...) {
		t := table.Table{Title: sentenceCase(o.Name) + ": A against B at the same seeds"}
		if key >= 0 {
			t.Title = fmt.Sprintf("%s: %s = A against B at the same seeds", sentenceCase(o.Name), s.Keys[key].Name)
			t.Columns = append(t.Columns, text("method"))
		}
		for _, k := range s.Axes() {
			if k != key {
				t.Columns = append(t.Columns, text(s.Keys[k].Name))
			}
		}
		t.Columns = append(t.Columns, text("A"), text("B"), whole("pairs"))
		for _, name := range []string{"A/B", "low", "high"} {
			t.Columns = append(t.Columns, table.Column{Name: name, Unit: table.Ratio})
		}
		for _, name := range []string{"A - B", "low", "high"} {
			t.Columns = append(t.Columns, table.Column{Name: name, Unit: o.Unit})
		}
		unpaired := 0
		var methods []string
		for i := range s.Comparisons {
			c := &s.Comparisons[i]
			if c.Outcome != outcome || c.Key != key {
				continue
			}
			t.Rows = append(t.Rows, s.comparisonRow(c))
			if !slices.Contains(methods, c.Ratio.Method) {
				methods = append(methods, c.Ratio.Method)
			}
			unpaired += c.AOnly + c.BOnly + c.Neither
		}
		if unpaired > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("Left out: %s of runs of which at least one lacks the number.",
				plural(unpaired, "pair")))
		}
		if len(t.Rows) > 0 {
			t.Notes = append(t.Notes, "Interval of A/B: "+strings.Join(methods, "; ")+".")
			tables = append(tables, t)
		}
	}
	return tables
}

func (s *answer) comparisonRow(c *fold.Comparison) []table.Cell {
	a, b := s.Groups[c.A], s.Groups[c.B]
	cells := s.keyCells(a.Point)
	nameA, nameB := s.Labels[a.Label], s.Labels[b.Label]
	var row []table.Cell
	if k := c.Key; k >= 0 {
		row = append(row, table.Text(nameA))
		at := slices.Index(s.Axes(), k)
		cells = slices.Delete(cells, at, at+1)
		nameA, nameB = s.Keys[k].Values[s.Points[a.Point].Values[k]], s.Keys[k].Values[s.Points[b.Point].Values[k]]
	}
	row = append(append(row, cells...), table.Text(nameA), table.Text(nameB), table.Integer(int64(c.Pairs)))
	return append(row, number(c.Ratio.Value), number(c.Ratio.Low), number(c.Ratio.High),
		number(c.Difference.Value), number(c.Difference.Low), number(c.Difference.High))
}

// frontTables have a row for each group that was compared for a Pareto front: one table
// for the fronts of the points, and one for that of the grid, for each set of objectives.
func (s *answer) frontTables() []table.Table {
	var tables []table.Table
	for i := range s.Fronts {
		f := &s.Fronts[i]
		if i > 0 && slices.Equal(f.Objectives, s.Fronts[i-1].Objectives) && (f.Point < 0) == (s.Fronts[i-1].Point < 0) {
			t := &tables[len(tables)-1]
			t.Rows = append(t.Rows, s.frontRows(f)...)
			continue
		}
		t := table.Table{Title: "Pareto fronts, by point", Columns: append(s.keyColumns(), text("method"))}
		switch {
		case f.Point < 0:
			t.Title = "Pareto front of the whole grid"
			t.Notes = append(t.Notes, "It means something if the points of the grid pose one problem.")
		case len(s.Points) == 1:
			t.Title = "Pareto front"
		}
		for _, o := range f.Objectives {
			t.Columns = append(t.Columns, table.Column{Name: s.Outcomes[o].Name, Unit: s.Outcomes[o].Unit})
		}
		t.Columns = append(t.Columns, text("on the front"))
		t.Rows = s.frontRows(f)
		tables = append(tables, t)
	}
	return tables
}

func (s *answer) frontRows(f *fold.Front) [][]table.Cell {
	var rows [][]table.Cell
	for _, m := range f.Members {
		row := s.groupCells(s.Groups[m.Group])
		for _, v := range m.Values {
			row = append(row, number(v))
		}
		on := "no"
		if m.Best {
			on = "yes"
		}
		rows = append(rows, append(row, table.Text(on)))
	}
	for _, g := range f.Without {
		row := s.groupCells(s.Groups[g])
		for _, o := range f.Objectives {
			row = append(row, s.value(s.Groups[g].Values[o]))
		}
		rows = append(rows, append(row, table.Text("not compared")))
	}
	return rows
}

// rangeTable has a row for each method and main outcome: where on the grid it is least
// and most. The numbers are text, since their units differ from row to row.
func (s *answer) rangeTable() table.Table {
	t := table.Table{Title: "Ranges over the grid", Columns: []table.Column{
		text("outcome"), text("method"), text("least"), text("at"), text("most"), text("at"), whole("points"),
		whole("without"),
	}}
	for _, r := range s.Ranges {
		u := s.Outcomes[r.Outcome].Unit
		t.Rows = append(t.Rows, []table.Cell{
			table.Text(s.Outcomes[r.Outcome].Name), table.Text(s.Labels[r.Label]),
			table.Text(amount(u, r.Min)), table.Text(s.Points[s.Groups[r.MinAt].Point].Name),
			table.Text(amount(u, r.Max)), table.Text(s.Points[s.Groups[r.MaxAt].Point].Name),
			table.Integer(int64(r.Groups)), table.Integer(int64(r.Without)),
		})
	}
	return t
}

// slopeTable has a row for each slope.
func (s *answer) slopeTable() table.Table {
	t := table.Table{Title: "Powers: outcome ~ key^slope", Columns: []table.Column{text("key"), text("method"),
		text("outcome"), text("other keys"), whole("values")}}
	for _, name := range []string{"slope", "low", "high"} {
		t.Columns = append(t.Columns, table.Column{Name: name, Unit: metrics.Number})
	}
	for _, sl := range s.Slopes {
		t.Rows = append(t.Rows, []table.Cell{
			table.Text(s.Keys[sl.Key].Name), table.Text(s.Labels[sl.Label]), table.Text(s.Outcomes[sl.Outcome].Name),
			table.Text(sl.Fixed),
			table.Integer(int64(sl.Slope.N)), number(sl.Slope.Value), number(sl.Slope.Low), number(sl.Slope.High),
		})
	}
	return t
}

// hundredths is a share in percent, to a hundredth of one.
func hundredths(share jsonio.Real) table.Cell {
	return number(jsonio.Real(math.Round(1e4*float64(share)) / 100))
}

// importanceTable has a row for each key and outcome, in percent of the variance.
func (s *answer) importanceTable() table.Table {
	t := table.Table{Title: "Which key matters most: % of the variance explained", Columns: []table.Column{
		text("outcome"), text("key"), {Name: "by itself, %", Unit: metrics.Number}, {Name: "with its interactions, %",
			Unit: metrics.Number}, whole("runs"), whole("left out"),
	}}
	logs, unbalanced := true, false
	for _, im := range s.Importances {
		logs, unbalanced = logs && im.Log, unbalanced || !im.Balanced
		shares := append(slices.Clone(im.Shares), fold.VarianceShare{Name: "(seeds)", First: im.Within,
			Total: jsonio.Real(math.NaN())})
		for _, x := range shares {
			t.Rows = append(t.Rows, []table.Cell{
				table.Text(s.Outcomes[im.Outcome].Name), table.Text(x.Name), hundredths(x.First), hundredths(x.Total),
				table.Integer(int64(im.Runs)), table.Integer(int64(im.Left)),
			})
		}
	}
	if logs {
		t.Notes = append(t.Notes, "Of the logarithm of the outcome.")
	} else {
		t.Notes = append(t.Notes, "Of the logarithm of the outcome, where it is always positive.")
	}
	if unbalanced {
		t.Notes = append(t.Notes,
			"Where not every combination has equally many runs, shares overlap, and may sum to more than 100 %.")
	}
	return t
}
