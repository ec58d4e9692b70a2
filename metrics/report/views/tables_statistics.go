package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/table"
)

// named is a summary with names that are short enough for people.
type named struct{ *fold.Summary }

func namedOf(s *fold.Summary) named {
	short := *s
	short.Labels, short.Keys, short.Points = escape.Names(s.Labels), slices.Clone(s.Keys), slices.Clone(s.Points)
	for k := range short.Keys {
		short.Keys[k].Values = escape.Names(s.Keys[k].Values)
	}
	for p := range short.Points {
		short.Points[p].Name = short.PointName(p, -1)
	}
	return named{&short}
}

// StatisticsTables returns the tables of a summary: the overview; each main outcome with its intervals; and
// comparisons, fronts, ranges, slopes and importances, if there are any.
func StatisticsTables(sum *fold.Summary) []table.Table {
	s := namedOf(sum)
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

func text(name string) table.Column  { return table.Column{Name: name} }
func whole(name string) table.Column { return table.Column{Name: name, Unit: metrics.Count} }

func number(name string) table.Column { return table.Column{Name: name, Unit: metrics.Number} }

// measured returns a number of a summary.
func measured(x jsonio.Real) table.Cell { return table.Measured(float64(x)) }

// keyCell returns the value of a key at a point.
func (s named) keyCell(point, key int) table.Cell {
	v := s.Points[point].Values[key]
	if v < 0 {
		return table.Missing()
	}
	return table.Text(s.Keys[key].Label(v))
}

// keyFields returns a column for each of some keys, of rows that have a point.
func keyFields[R any](s named, keys []int, point func(R) int) table.Fields[R] {
	var f table.Fields[R]
	for _, k := range keys {
		f.Add(text(s.Keys[k].Title), func(r R) table.Cell { return s.keyCell(point(r), k) })
	}
	return f
}

// groupFields returns the columns that name a group: the keys that are not tied, and the method.
func groupFields[R any](s named, group func(R) *fold.Group) table.Fields[R] {
	f := keyFields(s, s.Axes(), func(r R) int { return group(r).Point })
	f.Add(text("method"), func(r R) table.Cell { return table.Text(s.Labels[group(r).Label]) })
	return f
}

// tiedTable has the values of the tied keys at each point.
func (s named) tiedTable() table.Table {
	var tied, points []int
	for k, key := range s.Keys {
		if key.Tied {
			tied = append(tied, k)
		}
	}
	for p := range s.Points {
		if len(tied) > 0 {
			points = append(points, p)
		}
	}
	f := keyFields(s, append(s.Axes(), tied...), func(p int) int { return p })
	return f.Table("What goes with each grid point", points)
}

// overviewTable has a row for each method at each point: how its runs ended, the costs to the first target or of
// whole runs, and the final metrics.
func (s named) overviewTable() table.Table {
	title := "All methods"
	if len(s.Targets) > 0 {
		title += ", to " + s.Targets[0].Name
	}
	shown := s.overviewOutcomes()
	medians, censored, badEndings := false, false, false
	f := groupFields(s, itself)
	f.Add(text("ended"), func(g *fold.Group) table.Cell {
		badEndings = badEndings || g.Ended < g.Runs
		if slices.ContainsFunc(shown, func(o int) bool { return g.Values[o].Statistic == fold.Median }) {
			medians = true
			return table.Text(g.Statuses.String() + " (medians)")
		}
		return table.Text(g.Statuses.String())
	})
	if len(s.Targets) > 0 {
		f.Add(text("reached"), func(g *fold.Group) table.Cell {
			m := g.Values[shown[0]]
			return table.Text(fmt.Sprintf("%d/%d", m.Reached, m.Reached+m.Censored))
		})
	}
	for _, o := range shown {
		f.Add(table.Column{Name: s.Noun(o), Unit: s.Outcomes[o].Unit}, func(g *fold.Group) table.Cell {
			censored = censored || g.Values[o].Censored > 0 && !g.Values[o].Value.Finite()
			return s.value(g.Values[o])
		})
	}
	t := f.Table(title, s.groups())
	t.Notes = append(t.Notes, fmt.Sprintf("Means over %s.", quantity.Plural(len(s.Seeds), "seed")))
	if badEndings {
		t.Notes = append(t.Notes, "Runs that diverged, stalled or failed count as infinite.")
	}
	if medians {
		t.Notes = append(t.Notes,
			"(medians): some runs did not get there, so the number is the Kaplan-Meier median, which counts them, instead "+
				"of a mean.")
	}
	if censored {
		t.Notes = append(t.Notes, "Not reached: fewer than half of the runs got there, so there is no number.")
	}
	return t
}

func itself(g *fold.Group) *fold.Group { return g }

// groups returns the groups in order.
func (s named) groups() []*fold.Group {
	var all []*fold.Group
	for i := range s.Groups {
		all = append(all, &s.Groups[i])
	}
	return all
}

// overviewOutcomes returns the main costs, to the first target or of whole runs, and the final metrics that are
// targets, objectives of a front, or headlines.
func (s named) overviewOutcomes() []int {
	var finals, costs []int
	for i, o := range s.Outcomes {
		metric, final := strings.CutPrefix(o.ID, "final.")
		switch {
		case !final:
			if o.Main && o.Target <= 0 {
				costs = append(costs, i)
			}
		case o.Headline, slices.ContainsFunc(s.Targets, func(t fold.NamedTarget) bool { return t.Names(metric) }),
			len(s.Fronts) > 0 && slices.Contains(s.Fronts[0].Objectives, i):
			finals = append(finals, i)
		}
	}
	return append(costs, finals...)
}

// value returns the value of an outcome, or says that the runs did not get there.
func (s named) value(m fold.Measured) table.Cell {
	if !m.Value.Finite() && m.Censored > 0 {
		return table.Text("not reached")
	}
	return measured(m.Value)
}

// outcomeTable has a row for each method at each point: an outcome with its interval.
func (s named) outcomeTable(outcome int) table.Table {
	o := s.Outcomes[outcome]
	f := groupFields(s, itself)
	add := func(c table.Column, cell func(m *fold.Measured) table.Cell) {
		f.Add(c, func(g *fold.Group) table.Cell { return cell(&g.Values[outcome]) })
	}
	number := func(name string) table.Column { return table.Column{Name: name, Unit: o.Unit} }
	f.Add(whole("runs"), func(g *fold.Group) table.Cell { return table.Integer(int64(g.Runs)) })
	if o.Target >= 0 {
		add(whole("reached"), func(m *fold.Measured) table.Cell { return table.Integer(int64(m.Reached)) })
	} else {
		f.Add(whole("ended well"), func(g *fold.Group) table.Cell { return table.Integer(int64(g.Ended)) })
	}
	add(text("statistic"), func(m *fold.Measured) table.Cell { return table.Text(string(m.Statistic)) })
	add(number("value"), func(m *fold.Measured) table.Cell { return s.value(*m) })
	add(number("low"), func(m *fold.Measured) table.Cell { return end(m.Low, m.High) })
	add(number("high"), func(m *fold.Measured) table.Cell { return end(m.High, m.Low) })
	extreme := func(m *fold.Measured, x jsonio.Real) table.Cell {
		if !m.Value.Finite() {
			return table.Missing()
		}
		return measured(x)
	}
	add(number("least"), func(m *fold.Measured) table.Cell { return extreme(m, m.Min) })
	add(number("most"), func(m *fold.Measured) table.Cell { return extreme(m, m.Max) })
	add(text("interval"), func(m *fold.Measured) table.Cell { return table.Text(m.Method) })
	t := f.Table(answer.SentenceCase(o.Name), s.groups())
	t.Notes = append(t.Notes,
		fmt.Sprintf("Low and high: the %.0f %% interval of the value. Least and most: of any run that ended well.",
			100*s.Level))
	return t
}

// end returns one end of an interval, which is infinite if only the other is finite.
func end(x, other jsonio.Real) table.Cell {
	switch {
	case x.Finite() || !other.Finite():
		return measured(x)
	case x < 0:
		return table.Text("-∞")
	}
	return table.Text("∞")
}

// comparisonTables have a row for each pair of methods at each point, and one for each pair of values of a key, in an
// outcome: ratio and difference with their intervals.
func (s named) comparisonTables(outcome int) []table.Table {
	var tables []table.Table
	for _, key := range append([]int{-1}, s.Axes()...) {
		var rows []*fold.Comparison
		var methods []string
		unpaired := 0
		for i := range s.Comparisons {
			c := &s.Comparisons[i]
			if c.Outcome != outcome || c.Key != key {
				continue
			}
			rows = append(rows, c)
			methods = list.Add(methods, c.Ratio.Method)
			unpaired += c.AOnly + c.BOnly + c.Neither
		}
		if rows == nil {
			continue
		}
		t := s.comparisonTable(outcome, key, rows)
		if unpaired > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("In %s a run did not get there. Pairs count the others. If one of two did, "+
				"A/B is the median, in which a run that diverged, stalled or failed is infinite; if neither did, the pair says "+
				"nothing. There is no number if A or B got there in fewer than half of the pairs.",
				quantity.Plural(unpaired, "pair")))
		}
		t.Notes = append(t.Notes, "Interval of A/B: "+strings.Join(methods, "; ")+".")
		tables = append(tables, t)
	}
	return tables
}

// comparisonTable has a row for each comparison of two values of a key, or of two methods if the key is -1.
func (s named) comparisonTable(outcome, key int, rows []*fold.Comparison) table.Table {
	o := s.Outcomes[outcome]
	title := answer.SentenceCase(o.Name) + ": A against B at the same seeds"
	var f table.Fields[*fold.Comparison]
	others := s.Axes()
	side := func(g int) table.Cell { return table.Text(s.Labels[s.Groups[g].Label]) }
	if key >= 0 {
		title = fmt.Sprintf("%s: %s = A against B at the same seeds", answer.SentenceCase(o.Name), s.Keys[key].Title)
		others = slices.DeleteFunc(others, func(k int) bool { return k == key })
		f.Add(text("method"), func(c *fold.Comparison) table.Cell { return table.Text(s.Labels[s.Groups[c.A].Label]) })
		side = func(g int) table.Cell { return s.keyCell(s.Groups[g].Point, key) }
	}
	f = append(f, keyFields(s, others, func(c *fold.Comparison) int { return s.Groups[c.A].Point })...)
	f.Add(text("A"), func(c *fold.Comparison) table.Cell { return side(c.A) })
	f.Add(text("B"), func(c *fold.Comparison) table.Cell { return side(c.B) })
	f.Add(whole("pairs"), func(c *fold.Comparison) table.Cell { return table.Integer(int64(c.Pairs)) })
	for _, e := range []struct {
		name string
		unit metrics.Unit
		of   func(*fold.Comparison) *fold.Estimate
	}{
		{"A/B", table.Ratio, func(c *fold.Comparison) *fold.Estimate { return &c.Ratio }},
		{"A - B", o.Unit, func(c *fold.Comparison) *fold.Estimate { return &c.Difference }},
	} {
		number := func(name string) table.Column { return table.Column{Name: name, Unit: e.unit} }
		f.Add(number(e.name), func(c *fold.Comparison) table.Cell { return measured(e.of(c).Value) })
		f.Add(number("low"), func(c *fold.Comparison) table.Cell { return end(e.of(c).Low, e.of(c).High) })
		f.Add(number("high"), func(c *fold.Comparison) table.Cell { return end(e.of(c).High, e.of(c).Low) })
	}
	return f.Table(title, rows)
}

// frontTables have a row for each group that was compared for a Pareto front: for each set of objectives one table for
// the fronts of the points, and one for that of the grid.
func (s named) frontTables() []table.Table {
	var tables []table.Table
	for i := range s.Fronts {
		f := &s.Fronts[i]
		t := s.frontTable(f)
		if i > 0 && slices.Equal(f.Objectives, s.Fronts[i-1].Objectives) && (f.Point < 0) == (s.Fronts[i-1].Point < 0) {
			last := &tables[len(tables)-1]
			last.Rows = append(last.Rows, t.Rows...)
			continue
		}
		tables = append(tables, t)
	}
	return tables
}

// frontTable has a row for each member of a front, and for each group that was not compared.
func (s named) frontTable(f *fold.Front) table.Table {
	type row struct {
		*fold.Group
		on string
	}
	rows := list.Map(f.Members, func(m fold.Ranked) row {
		return row{&s.Groups[m.Group], map[bool]string{true: "yes", false: "no"}[m.Best]}
	})
	rows = append(rows, list.Map(f.Without, func(g int) row { return row{&s.Groups[g], "not compared"} })...)
	fields := groupFields(s, func(r row) *fold.Group { return r.Group })
	for _, o := range f.Objectives {
		fields.Add(table.Column{Name: s.Outcomes[o].Name, Unit: s.Outcomes[o].Unit}, func(r row) table.Cell {
			return s.value(r.Values[o])
		})
	}
	fields.Add(text("on the front"), func(r row) table.Cell { return table.Text(r.on) })
	t := fields.Table("Pareto fronts, by point", rows)
	switch {
	case f.Point < 0:
		t.Title = "Pareto front of the whole grid"
		t.Notes = append(t.Notes, "It means something if the points of the grid pose one problem.")
	case len(s.Points) == 1:
		t.Title = "Pareto front"
	}
	return t
}

// rangeTable has a row for each method and main outcome: its minimum and maximum on the grid, and where they are.
// The numbers are text, since their units differ from row to row.
func (s named) rangeTable() table.Table {
	t := table.Table{Title: "Ranges over the grid", Columns: []table.Column{
		text("outcome"), text("method"), text("least"), text("at"), text("most"), text("at"), whole("points"),
		whole("without"),
	}}
	for _, r := range s.Ranges {
		u := s.Outcomes[r.Outcome].Unit
		t.Rows = append(t.Rows, []table.Cell{
			table.Text(s.Outcomes[r.Outcome].Name), table.Text(s.Labels[r.Label]),
			table.Text(quantity.Amount(u, float64(r.Min))), table.Text(s.Points[s.Groups[r.MinAt].Point].Name),
			table.Text(quantity.Amount(u, float64(r.Max))), table.Text(s.Points[s.Groups[r.MaxAt].Point].Name),
			table.Integer(int64(r.Groups)), table.Integer(int64(r.Without)),
		})
	}
	return t
}

// slopeTable has a row for each slope.
func (s named) slopeTable() table.Table {
	t := table.Table{Title: "Powers: outcome ~ key^slope", Columns: []table.Column{text("key"), text("method"),
		text("outcome"), text("other keys"), whole("values"), number("slope"), number("low"), number("high")}}
	for _, sl := range s.Slopes {
		t.Rows = append(t.Rows, []table.Cell{
			table.Text(s.Keys[sl.Key].Title), table.Text(s.Labels[sl.Label]), table.Text(s.Outcomes[sl.Outcome].Name),
			table.Text(sl.Fixed), table.Integer(int64(sl.Slope.N)), measured(sl.Slope.Value), measured(sl.Slope.Low),
			measured(sl.Slope.High),
		})
	}
	return t
}

// hundredths returns a share in percent, with two decimals.
func hundredths(share jsonio.Real) table.Cell {
	return table.Measured(math.Round(1e4*float64(share)) / 100)
}

// importanceTable has a row for each key and outcome, in percent of the variance.
func (s named) importanceTable() table.Table {
	t := table.Table{Title: "Which key matters most: % of the variance explained", Columns: []table.Column{
		text("outcome"), text("key"), number("by itself, %"), number("with its interactions, %"), whole("runs"),
		whole("left out"),
	}}
	logs, unbalanced := true, false
	for _, im := range s.Importances {
		logs, unbalanced = logs && im.Log, unbalanced || !im.Balanced
		shares := append(slices.Clone(im.Shares), fold.VarianceShare{Key: -1, Name: "(seeds)", First: im.Within,
			Total: jsonio.Real(math.NaN())})
		for _, x := range shares {
			if x.Key >= 0 {
				x.Name = s.Keys[x.Key].Title
			}
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
