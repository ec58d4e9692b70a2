package result

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/table"
)

// place is a run with its index in the report.
type place struct {
	index int
	*Run
}

// runField is a field of runs.
func runField(name string, of table.Type, cell func(place) table.Cell) table.Field[place] {
	return table.Field[place]{Column: table.Column{ID: name, Type: of}, Cell: cell}
}

// RunSheet has one row per run: the run and its grid point; the parameters of its method; how it ended; its final
// metrics; its totals, the costs to each target, and the swept values with units as numbers. A swept key or a
// parameter that has values of several types has a column of texts.
func (r *Report) RunSheet() (table.Sheet, error) {
	fields := slices.Concat(identity(), r.settingFields("", pointOf, true),
		r.settingFields("parameters.", func(run *Run) Settings { return run.Parameters }, true), ending(), r.finalFields(),
		totalFields(), r.targetFields(), r.quantityFields())
	s := table.Sheet{Columns: fields.Columns()}
	s.Each = func(add func([]table.Cell) error) error {
		for i := range r.Runs {
			if err := add(fields.Row(place{i, &r.Runs[i]})); err != nil {
				return err
			}
		}
		return nil
	}
	return s, checkNames(s.Columns)
}

// WriteRuns writes RunSheet as CSV.
func (r *Report) WriteRuns(w io.Writer) error {
	s, err := r.RunSheet()
	if err != nil {
		return err
	}
	return s.WriteCSV(w)
}

// quantityFields returns the swept values with units as numbers.
func (r *Report) quantityFields() table.Fields[place] {
	return r.settingFields("", (*Run).Quantities, true)
}

// pointOf returns the swept values of a run.
func pointOf(r *Run) Settings { return r.Point }

// IterationSheet has the rows and columns of iterations.csv.
func (r *Report) IterationSheet() (table.Sheet, error) {
	return iterationFile.sheet(r, slices.Concat(identity(), r.settingFields("", pointOf, true)))
}

// identity returns the fields that say which run a row is of.
func identity() table.Fields[place] {
	return table.Fields[place]{
		runField("run", table.Integers, func(p place) table.Cell { return table.Integer(int64(p.index)) }),
		runField("algorithm", table.Words, func(p place) table.Cell { return table.Text(p.Algorithm) }),
		runField("label", table.Words, func(p place) table.Cell { return table.Text(p.Label) }),
		runField("seed", table.Naturals, func(p place) table.Cell { return table.Natural(p.Seed) }),
	}
}

// ending returns the fields that say how a run ended.
func ending() table.Fields[place] {
	return table.Fields[place]{
		runField("status", table.Words, func(p place) table.Cell { return table.Text(string(p.Status)) }),
		runField("reason", table.Words, func(p place) table.Cell { return table.Text(p.Reason) }),
		runField("iterations", table.Integers, func(p place) table.Cell { return table.Integer(int64(p.Iterations)) }),
		runField("hash", table.Words, func(p place) table.Cell { return table.Text(p.Hash) }),
	}
}

// settingFields returns a field for each key of some settings of the runs, in the order of first appearance: as text
// or, if typed is true, in the type that holds all values.
func (r *Report) settingFields(prefix string, of func(*Run) Settings, typed bool) table.Fields[place] {
	types := map[string]table.Type{}
	var keys []string
	for i := range r.Runs {
		for _, s := range of(&r.Runs[i]) {
			held, known := types[s.Key]
			if !known {
				keys = append(keys, s.Key)
			}
			types[s.Key] = common(held, s.cell().Type)
		}
	}
	var fields table.Fields[place]
	for _, key := range keys {
		held := types[key]
		if held == table.Nothing || !typed { // nothing: all are null
			held = table.Words
		}
		fields = append(fields, runField(prefix+key, held, func(p place) table.Cell {
			text, _ := of(p.Run).Get(key)
			switch c := of(p.Run).Cell(key); {
			case typed && (c.Type == table.Nothing || c.Type == held):
				return c
			case held == table.Reals:
				return table.Number(c.Float())
			}
			return table.Text(text)
		}))
	}
	return fields
}

// Cell returns the value of a key as a number or a truth value if it is one, else as text; null is missing, and so is
// a key that the settings lack.
func (p Settings) Cell(key string) table.Cell {
	for _, s := range p {
		if s.Key == key {
			return s.cell()
		}
	}
	return table.Missing()
}

// cell returns the value as a number or a truth value if it is one, else as text; null is missing.
func (s Setting) cell() table.Cell {
	switch text := string(s.Value); text {
	case "null":
		return table.Missing()
	case "true", "false":
		return table.Truth(text == "true")
	}
	var whole int64
	if json.Unmarshal(s.Value, &whole) == nil {
		return table.Integer(whole)
	}
	var x float64
	if json.Unmarshal(s.Value, &x) == nil {
		return table.Number(x)
	}
	return table.Text(s.Text())
}

// common returns the type that holds the values of two types.
func common(a, b table.Type) table.Type {
	switch {
	case a == b || b == table.Nothing:
		return a
	case a == table.Nothing:
		return b
	case min(a, b) == table.Integers && max(a, b) == table.Reals:
		return table.Reals
	}
	return table.Words
}

// finalFields returns the last recorded values of all metrics.
func (r *Report) finalFields() table.Fields[place] {
	var fields table.Fields[place]
	for _, name := range r.allNames(func(run *Run) []string { return run.Final.Values.names() }) {
		fields = append(fields, runField(finalPrefix+name, table.Reals, func(p place) table.Cell {
			if v, ok := p.Final.Values.Get(name); ok {
				return table.Number(v)
			}
			return table.Missing()
		}))
	}
	return fields
}

// totalFields returns the costs of the whole run, named as in result.json.
func totalFields() table.Fields[place] {
	var fields table.Fields[place]
	for _, c := range metrics.CostItems() {
		if c.ID == "iterations" { // of the ending
			continue
		}
		fields = append(fields, costField("totals.", &c, func(p place) *metrics.Moment {
			return &metrics.Moment{Iteration: p.Iterations, Totals: p.Totals}
		}))
	}
	return fields
}

// costField returns a cost at a moment of each run. Times are in seconds; nil is missing.
func costField(prefix string, c *metrics.CostItem, at func(place) *metrics.Moment) table.Field[place] {
	of := table.Integers
	if c.Unit == metrics.Seconds || c.Real != nil {
		of = table.Reals
	}
	return runField(prefix+c.ID, of, func(p place) table.Cell {
		m := at(p)
		switch {
		case m == nil:
			return table.Missing()
		case of == table.Integers:
			return table.Integer(c.Of(m))
		}
		return table.Number(c.Value(m))
	})
}

// targetFields returns, for each target in the order of first appearance, what it is, whether the run reached it, and
// at which costs. They are named as in summary.json.
func (r *Report) targetFields() table.Fields[place] {
	var targets []Target
	for i := range r.Runs {
		for _, a := range r.Runs[i].Targets {
			if !slices.ContainsFunc(targets, a.Equal) {
				targets = append(targets, a.Target)
			}
		}
	}
	var fields table.Fields[place]
	for t, target := range targets {
		attempt := func(p place) *Attempt {
			k := slices.IndexFunc(p.Targets, func(a Attempt) bool { return a.Equal(target) })
			if k < 0 {
				return nil
			}
			return &p.Targets[k]
		}
		prefix := fmt.Sprintf("to[%d].", t)
		fields = append(fields, runField(prefix+"target", table.Words, func(p place) table.Cell {
			if attempt(p) == nil {
				return table.Missing()
			}
			return table.Text(target.String())
		}), runField(prefix+"reached", table.Truths, func(p place) table.Cell {
			if a := attempt(p); a != nil {
				return table.Truth(a.At != nil)
			}
			return table.Missing()
		}))
		for _, c := range metrics.RankedCosts() {
			if c.Main() {
				fields = append(fields, costField(prefix, &c, func(p place) *metrics.Moment {
					if a := attempt(p); a != nil {
						return a.At
					}
					return nil
				}))
			}
		}
	}
	return fields
}
