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
	var f, beside, tail answerFields // beside the first cost
	if ranked {
		beside = s.factors(a)
		cells = slices.DeleteFunc(cells, func(c result.Cell) bool {
			return slices.ContainsFunc(a.Effects, func(e result.Effect) bool { return isAsked(a, e) && s.isOf(e, c.At) })
		})
	}
	best := ranked && len(beside) == 0 && len(cells) > 1
	var rows []answerRow
	for i := range cells {
		for k := range cells[i].Choices {
			if k == 0 || !best {
				rows = append(rows, answerRow{&cells[i].Choices[k], &cells[i]})
			}
		}
	}
	if len(cells) > 1 {
		header, _ := s.settingOf(&cells[0], byLevel)
		f.Add(text(header), func(r answerRow) table.Cell {
			_, values := s.settingOf(r.cell, byLevel)
			return table.Text(values)
		})
	}
	switch {
	case best:
		f.Add(text("best"), func(r answerRow) table.Cell {
			switch c := r.cell.Choices; r.cell.Best {
			case 0:
				return table.Text("none")
			case 1:
				return table.Text(c[0].Name)
			case 2:
				return table.Text(c[0].Name + " = " + c[1].Name)
			}
			return table.Text(fmt.Sprintf("%s = %s = %d more", r.Name, r.cell.Choices[1].Name, r.cell.Best-2))
		})
		beside.Add(table.Column{Name: "next", Unit: table.Ratio}, func(r answerRow) table.Cell {
			if n := r.cell.Best; n > 0 && n < len(r.cell.Choices) {
				return measured(r.cell.Choices[n].Ratio.Value)
			}
			return table.Missing()
		})
	case several || len(cells) == 1:
		who := map[bool]string{true: "method", false: "choice"}[slices.Equal(a.Question.Choose, []string{result.TheMethod})]
		f.Add(text(who), func(r answerRow) table.Cell { return table.Text(cmp.Or(r.Name, escape.Name(r.Method))) })
	}
	if slices.ContainsFunc(rows, func(r answerRow) bool { return r.Arrived < r.Runs }) {
		tail.Add(text("reached"), func(r answerRow) table.Cell { return table.Text(fmt.Sprintf("%d/%d", r.Arrived, r.Runs)) })
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

// factors returns a column for each value but the first of the keys whose effect is asked: the factor of a row's cost.
func (s *StudyView) factors(a *result.Answer) answerFields {
	var f answerFields
	for i, e := range a.Effects {
		same := func(o result.Effect) bool { return o.By == e.By && o.Key == e.Key && o.Value == e.Value }
		if !isAsked(a, e) || slices.ContainsFunc(a.Effects[:i], same) {
			continue
		}
		k := s.key(e.Key)
		name := k.Setting(slices.Index(k.Labels, e.Value), " ")
		f.Add(table.Column{Name: name, Unit: table.Ratio}, func(r answerRow) table.Cell {
			others := slices.DeleteFunc(slices.Clone(r.cell.At), func(set result.Setting) bool { return set.Key == e.Key })
			for _, o := range a.Effects[i:] {
				if same(o) && o.At.Equal(others) && o.Of == r.Name {
					return measured(o.Factor.Value)
				}
			}
			return table.Missing()
		})
	}
	return f
}

// isAsked reports whether an effect is that of a key, or of a key in a section, that the question names, on its cost.
func isAsked(a *result.Answer, e result.Effect) bool {
	return e.By == a.Question.By[0] && slices.ContainsFunc(a.Question.Effect, func(name string) bool {
		return e.Key == name || strings.HasPrefix(e.Key, name+".") || strings.HasPrefix(e.Key, name+"[")
	})
}

// isOf reports whether a setting is that of an effect.
func (s *StudyView) isOf(e result.Effect, at result.Settings) bool {
	others := slices.DeleteFunc(slices.Clone(at), func(set result.Setting) bool {
		return set.Key == e.Key && s.label(set) == e.Value
	})
	return len(others) < len(at) && others.Equal(e.At)
}

// key returns a swept key, and label a value of one, for people.
func (s *StudyView) key(name string) *fold.Key {
	return &s.Summary.Keys[slices.Index(s.Summary.KeyNames(), name)]
}

func (s *StudyView) label(set result.Setting) string {
	k := s.key(set.Key)
	return k.Labels[slices.Index(k.Values, set.Text())]
}

// costsOf returns the columns of what the rows cost, those that decide first, and of what takes most of their time.
func (s *StudyView) costsOf(a *result.Answer, rows []answerRow) answerFields {
	ids := append(slices.Clone(a.Question.By), "time_s", "payload_bytes")
	if a.Question.To == nil {
		ids = append(ids, s.mainMetrics()[0])
	}
	var f answerFields
	for i, id := range append(ids, "iterations") {
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
			if to != nil {
				to = cmp.Or(r.cell.Level, to)
			}
			return measured(cmp.Or(s.atLevels, s.fold).MeasureAt(r.Method, r.Point, to, o.Quantity).Value)
		}
		paid := func(r answerRow) bool { return value(r).Float() != 0 }
		if !slices.Contains(ids[:min(i, len(ids))], id) && (i < len(a.Question.By) || slices.ContainsFunc(rows, paid)) {
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

// settingOf returns the keys of a cell's setting and their values; or its name if it says something else.
func (s *StudyView) settingOf(c *result.Cell, byLevel bool) (keys, values string) {
	var ks, vs []string
	for _, set := range c.At {
		ks, vs = append(ks, s.key(set.Key).Title), append(vs, s.label(set))
	}
	name := c.Name
	if c.Level != nil {
		name = strings.TrimSuffix(strings.TrimSuffix(name, c.Level.String()), ", ")
	}
	if parts := strings.Split(name, ", "); name != "" && (len(parts) != len(vs) || !strings.Contains(parts[0], vs[0])) {
		ks, vs = []string{"setting"}, []string{name}
	}
	if byLevel && c.Level != nil {
		first := c.Level.Conditions[0]
		ks, vs = append(ks, first.Metric+" "+string(first.Relation)), append(vs, fmt.Sprintf("%.3g", first.Value))
	}
	return strings.Join(ks, ", "), strings.Join(vs, ", ")
}
