package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// answerRow is a choice in a setting. In a table of the best it stands for those that tie with it, too.
type answerRow struct {
	*result.Choice
	cell *result.Cell
}

type answerFields = table.Fields[answerRow]

// AnswerTable returns the one table that goes with the answer. Its rows are the choices, the best first; or the
// settings, each with its best choice; or, of effects, the choices at the first values of the keys, with the factor of
// each other value. It has at most the given number of columns, of at least three.
func (s *StudyView) AnswerTable(columns int) table.Table {
	a := s.Answer()
	byLevel := a.Question.Given && slices.Contains(a.Question.Along, result.TheLevel)
	cells := slices.DeleteFunc(slices.Clone(a.Cells), func(c result.Cell) bool {
		return c.By != a.Question.By[0] || c.Level != nil && !byLevel && !c.Level.Equal(*a.Question.To)
	})
	several := slices.ContainsFunc(cells, func(c result.Cell) bool { return len(c.Choices) > 1 })
	ranked := several && (a.Question.To != nil || s.alike())
	effects := slices.DeleteFunc(slices.Clone(a.Effects), func(e result.Effect) bool {
		return !ranked || e.By != a.Question.By[0] || !slices.ContainsFunc(a.Question.Effect, func(name string) bool {
			return e.Key == name || strings.HasPrefix(e.Key, name+".") || strings.HasPrefix(e.Key, name+"[")
		})
	})
	cells = withoutLater(cells, effects)
	best := ranked && len(effects) == 0 && len(cells) > 1
	var rows []answerRow
	for i := range cells {
		for k := range cells[i].Choices {
			if k == 0 || !best {
				rows = append(rows, answerRow{&cells[i].Choices[k], &cells[i]})
			}
		}
	}
	var f, tail answerFields
	if len(cells) > 1 {
		header, _ := s.settingOf(&cells[0], byLevel)
		f.Add(text(header), func(r answerRow) table.Cell {
			_, name := s.settingOf(r.cell, byLevel)
			return table.Text(name)
		})
	}
	beside := s.factors(effects) // the first cost
	switch {
	case best:
		f.Add(text("best"), func(r answerRow) table.Cell { return table.Text(tiedNames(r.cell)) })
		beside.Add(table.Column{Name: "next", Unit: table.Ratio}, func(r answerRow) table.Cell {
			if n := r.cell.Best; n > 0 && n < len(r.cell.Choices) {
				return measured(r.cell.Choices[n].Ratio.Value)
			}
			return table.Missing()
		})
	case several || len(cells) == 1:
		who := "choice"
		if what := slices.Concat(a.Question.Choose, a.Question.Of); slices.Equal(what, []string{result.TheMethod}) {
			who = "method"
		}
		f.Add(text(who), func(r answerRow) table.Cell { return table.Text(cmp.Or(r.Name, escape.Name(r.Method))) })
	}
	if slices.ContainsFunc(rows, func(r answerRow) bool { return r.Arrived < r.Runs }) {
		tail.Add(text("reached"), func(r answerRow) table.Cell {
			return table.Text(fmt.Sprintf("%d/%d", r.Arrived, r.Runs))
		})
	}
	if n, room := len(beside), max(0, columns-1-len(f)-len(tail)); n > room {
		for i := range room { // evenly, with the last
			beside[i] = beside[(i+1)*n/room-1]
		}
		beside = beside[:room]
	}
	costs := s.costsOf(a, rows)
	f = slices.Concat(f, costs[:min(len(costs), 1)], beside, costs[min(len(costs), 1):])
	return append(f[:min(len(f), columns-len(tail))], tail...).Table("", rows)
}

// withoutLater returns the cells without those that differ from an earlier one in one key with an effect only.
func withoutLater(cells []result.Cell, effects []result.Effect) []result.Cell {
	var first []result.Cell
	for i, c := range cells {
		if !slices.ContainsFunc(effects, func(e result.Effect) bool {
			at := c.At.Without(e.Key)
			return slices.ContainsFunc(cells[:i], func(o result.Cell) bool { return o.At.Without(e.Key).Equal(at) })
		}) {
			first = append(first, c)
		}
	}
	return first
}

// tiedNames names the choices that are best in a cell.
func tiedNames(c *result.Cell) string {
	names := c.BestNames()
	if n := len(names); n > 2 {
		names = append(names[:2], fmt.Sprintf("%d more", n-2))
	}
	return cmp.Or(strings.Join(names, " = "), "none")
}

// factors returns a column for each value of a key with effects: by what factor it changes the cost of a row.
func (s *StudyView) factors(effects []result.Effect) answerFields {
	var f answerFields
	for i, e := range effects {
		same := func(o result.Effect) bool { return o.Key == e.Key && o.Value == e.Value }
		if slices.ContainsFunc(effects[:i], same) {
			continue
		}
		k := &s.Summary.Keys[slices.Index(s.Summary.KeyNames(), e.Key)]
		name := k.Setting(slices.Index(k.Labels, e.Value), " ")
		f.Add(table.Column{Name: name, Unit: table.Ratio}, func(r answerRow) table.Cell {
			for _, o := range effects[i:] {
				if same(o) && o.Of == r.Name && o.At.Equal(r.cell.At.Without(e.Key)) {
					return measured(o.Factor.Value)
				}
			}
			return table.Missing()
		})
	}
	return f
}

// costsOf returns the columns of what the rows cost, those that decide first, and of what takes most of their time.
func (s *StudyView) costsOf(a *result.Answer, rows []answerRow) answerFields {
	ids := append(slices.Clone(a.Question.By), "time_s", "payload_bytes")
	if a.Question.To == nil {
		ids = append(ids, s.mainMetrics()[0])
	}
	ids = append(ids, "iterations")
	var f answerFields
	for i, id := range ids {
		to, o := a.Question.To, metric(id)
		switch c := metrics.FindCost(id); {
		case c != nil:
			o.column, o.Quantity = table.Column{Name: c.Name, Unit: c.Unit, Digits: 2}, fold.Quantity{Costs: []string{id}}
		case id == "gradients":
			o.column.Unit, o.Quantity = metrics.Count, fold.Quantity{Costs: []string{"oracle.grad_f", "oracle.grad_g"}}
		default:
			to = nil // at the end
		}
		value := func(r answerRow) table.Cell {
			at := to
			if at != nil {
				at = cmp.Or(r.cell.Level, at)
			}
			return measured(cmp.Or(s.atLevels, s.fold).MeasureAt(r.Method, r.Point, at, o.Quantity).Value)
		}
		paid := func(r answerRow) bool { return value(r).Float() != 0 }
		if !slices.Contains(ids[:i], id) && (i < len(a.Question.By) || slices.ContainsFunc(rows, paid)) {
			f.Add(o.column, value)
		}
	}
	if slices.ContainsFunc(rows, func(r answerRow) bool { return r.Mostly != "" }) {
		f.Add(text("mostly"), func(r answerRow) table.Cell {
			if r.Mostly == "" {
				return table.Missing()
			}
			return table.Text(fmt.Sprintf("%s, %.0f %%", r.Mostly, 100*r.Share))
		})
	}
	return f
}

// settingOf returns the names of the keys of a cell's setting, and the setting without them.
func (s *StudyView) settingOf(c *result.Cell, byLevel bool) (keys, name string) {
	var titles []string
	name = ", " + c.Name
	for _, set := range c.At {
		title := s.Summary.Keys[slices.Index(s.Summary.KeyNames(), set.Key)].Title
		titles, name = append(titles, title), strings.Replace(name, ", "+title+" ", ", ", 1)
	}
	if c.Level != nil {
		if name = strings.TrimSuffix(name, ", "+c.Level.String()); byLevel {
			first := c.Level.Conditions[0]
			titles = append(titles, first.Metric+" "+string(first.Relation))
			name += fmt.Sprintf(", %.3g", first.Value)
		}
	}
	return cmp.Or(strings.Join(titles, ", "), "setting"), strings.TrimPrefix(name, ", ")
}
