package result

import (
	"encoding/json"
	"fmt"
	"slices"

	"tallynet/metrics"
	"tallynet/sim"
)

// TypedTable is a table for formats whose columns have types, so that a program that reads it need not guess them as
// with a CSV file. What a run lacks is null, and texts are as they are.
type TypedTable struct {
	Columns []TypedColumn // no two have the same name

	each func(add func(values []any) error) error
}

// Each calls add with each row in turn, and returns its first error. The values belong to the columns in their order,
// and are there until add returns: nil for null, else as the column's type says.
func (t *TypedTable) Each(add func(values []any) error) error { return t.each(add) }

// TypedColumn is a column of a TypedTable.
type TypedColumn struct {
	Name string
	Type ColumnType
}

// ColumnType is the type of a column's values.
type ColumnType int

// The types of columns, and their values in Go.
const (
	RealColumn     ColumnType = iota // float64, *float64, or *sim.Time, whose seconds are meant
	IntegerColumn                    // int, *int, int64 or *int64
	UnsignedColumn                   // uint64
	BoolColumn                       // bool
	TextColumn                       // string or *string, maybe of invalid UTF-8, or *metrics.Kind, whose name is meant
)

// typeOf is the type of a column with such a value; nil means a metric.
func typeOf(value any) ColumnType {
	switch value.(type) {
	case nil, float64, *float64, *sim.Time:
		return RealColumn
	case int, int64, *int, *int64:
		return IntegerColumn
	case uint64:
		return UnsignedColumn
	case bool:
		return BoolColumn
	case string, *string, *metrics.Kind:
		return TextColumn
	}
	panic(fmt.Sprintf("result: a column of type %T", value))
}

// newTyped returns a table, or an error if two of its columns have the same name.
func newTyped(columns []TypedColumn, each func(add func([]any) error) error) (*TypedTable, error) {
	seen := map[string]bool{}
	for _, c := range columns {
		if seen[c.Name] {
			return nil, twice(c.Name)
		}
		seen[c.Name] = true
	}
	return &TypedTable{columns, each}, nil
}

// runColumn is a column of the table of runs; example has the type of what of returns, unless that is nil.
type runColumn struct {
	name    string
	example any
	of      func(i int, r *Run) any
}

// RunTable has one row per run: the run and its grid point; the parameters of its method; how it ended; its final
// metrics; its totals, and those that each target took. A swept key or a parameter that has values of several types
// has a column of texts.
func (r *Report) RunTable() (*TypedTable, error) {
	columns := slices.Concat(identity(), r.settingColumns("", func(run *Run) Settings { return run.Point }),
		r.settingColumns("parameters.", func(run *Run) Settings { return run.Parameters }), ending(), r.finalColumns(),
		totalColumns(), r.targetColumns())
	var typed []TypedColumn
	for _, c := range columns {
		typed = append(typed, TypedColumn{c.name, typeOf(c.example)})
	}
	return newTyped(typed, func(add func([]any) error) error {
		values := make([]any, len(columns))
		for i := range r.Runs {
			for k, c := range columns {
				values[k] = c.of(i, &r.Runs[i])
			}
			if err := add(values); err != nil {
				return err
			}
		}
		return nil
	})
}

// IterationTable has the rows and columns of iterations.csv.
func (r *Report) IterationTable() (*TypedTable, error) {
	lead := slices.Concat(identity(), r.settingColumns("", func(run *Run) Settings { return run.Point }))
	columnsOf := r.iterationColumns()
	var typed []TypedColumn
	for _, c := range lead {
		typed = append(typed, TypedColumn{c.name, typeOf(c.example)})
	}
	for _, c := range columnsOf(new(Run)) {
		typed = append(typed, TypedColumn{c.name, typeOf(c.field(new(Sample)))})
	}
	return newTyped(typed, func(add func([]any) error) error {
		var values []any
		for i := range r.Runs {
			run, err := r.Runs[i].Full()
			if err != nil {
				return err
			}
			values = values[:0]
			for _, c := range lead {
				values = append(values, c.of(i, run))
			}
			columns := columnsOf(run)
			for k := range run.Samples {
				values = values[:len(lead)]
				for _, c := range columns {
					values = append(values, c.field(&run.Samples[k]))
				}
				if err := add(values); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// identity are the columns that say which run a row is of.
func identity() []runColumn {
	return []runColumn{
		{"run", 0, func(i int, _ *Run) any { return i }},
		{"algorithm", "", func(_ int, r *Run) any { return r.Algorithm }},
		{"label", "", func(_ int, r *Run) any { return r.Label }},
		{"seed", uint64(0), func(_ int, r *Run) any { return r.Seed }},
	}
}

// ending are the columns that say how a run ended.
func ending() []runColumn {
	return []runColumn{
		{"status", "", func(_ int, r *Run) any { return string(r.Status) }},
		{"reason", "", func(_ int, r *Run) any { return r.Reason }},
		{"iterations", 0, func(_ int, r *Run) any { return r.Iterations }},
		{"hash", "", func(_ int, r *Run) any { return r.Hash }},
	}
}

// settingColumns are a column for each key of some settings of the runs, in the order of first
// appearance.
func (r *Report) settingColumns(prefix string, of func(*Run) Settings) []runColumn {
	var keys []string
	example := map[string]any{}
	for i := range r.Runs {
		for _, s := range of(&r.Runs[i]) {
			had, known := example[s.Key]
			if !known {
				keys = append(keys, s.Key)
			}
			example[s.Key] = common(had, s.plain())
		}
	}
	var columns []runColumn
	for _, key := range keys {
		_, text := example[key].(string)
		_, real := example[key].(float64)
		if example[key] == nil { // all are null
			example[key], text = "", true
		}
		columns = append(columns, runColumn{prefix + key, example[key], func(_ int, run *Run) any {
			settings := of(run)
			k := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
			if k < 0 {
				return nil
			}
			v := settings[k].plain()
			whole, isWhole := v.(int64)
			switch {
			case v == nil:
				return nil
			case text:
				return settings[k].Text()
			case real && isWhole:
				return float64(whole)
			}
			return v
		}})
	}
	return columns
}

// plain is the value of a setting as int64, float64, bool, or nil for null; "" stands for any other.
func (s Setting) plain() any {
	switch text := string(s.Value); {
	case text == "null":
		return nil
	case text == "true" || text == "false":
		return text == "true"
	}
	var whole int64
	if json.Unmarshal(s.Value, &whole) == nil {
		return whole
	}
	var x float64
	if json.Unmarshal(s.Value, &x) == nil {
		return x
	}
	return ""
}

// common is an example of the type that holds both values; nil is in all types.
func common(a, b any) any {
	_, wholeA := a.(int64)
	_, wholeB := b.(int64)
	_, realA := a.(float64)
	_, realB := b.(float64)
	_, truthA := a.(bool)
	_, truthB := b.(bool)
	switch {
	case a == nil:
		return b
	case b == nil || wholeA && wholeB || truthA && truthB:
		return a
	case (wholeA || realA) && (wholeB || realB):
		return 0.0
	}
	return ""
}

// finalColumns are the last recorded values of all metrics.
func (r *Report) finalColumns() []runColumn {
	var names []string
	seen := map[string]bool{}
	for i := range r.Runs {
		for _, v := range r.Runs[i].Final.Values {
			if !seen[v.Name] {
				seen[v.Name] = true
				names = append(names, v.Name)
			}
		}
	}
	var columns []runColumn
	for _, name := range names {
		columns = append(columns, runColumn{"final." + name, 0.0, func(_ int, r *Run) any {
			if v, ok := r.Final.Values.Get(name); ok {
				return v
			}
			return nil
		}})
	}
	return columns
}

// totalColumns are the costs of the whole run, named as in result.json.
func totalColumns() []runColumn {
	var columns []runColumn
	for _, c := range metrics.CostItems() {
		if c.ID == "iterations" { // of the ending
			continue
		}
		columns = append(columns, runColumn{"totals." + c.ID, paid(&c, new(metrics.Moment)), func(_ int, r *Run) any {
			return paid(&c, &metrics.Moment{Iteration: r.Iterations, Totals: r.Totals})
		}})
	}
	return columns
}

// paid is a cost at a moment: what is counted as int64, the rest as float64.
func paid(c *metrics.CostItem, m *metrics.Moment) any {
	if c.Unit == metrics.Seconds || c.Real(&m.Totals) != nil {
		return c.Value(m)
	}
	return c.Of(m)
}

// targetColumns are, for each target in the order of first appearance, what it is, whether the
// run reached it, and at which costs. They are named as in summary.json.
func (r *Report) targetColumns() []runColumn {
	var targets []Target
	for i := range r.Runs {
		for _, a := range r.Runs[i].Targets {
			if !slices.ContainsFunc(targets, a.Equal) {
				targets = append(targets, a.Target)
			}
		}
	}
	var columns []runColumn
	for t, target := range targets {
		attempt := func(r *Run) *Attempt {
			k := slices.IndexFunc(r.Targets, func(a Attempt) bool { return a.Equal(target) })
			if k < 0 {
				return nil
			}
			return &r.Targets[k]
		}
		prefix := fmt.Sprintf("to[%d].", t)
		columns = append(columns, runColumn{prefix + "target", "", func(_ int, r *Run) any {
			if attempt(r) == nil {
				return nil
			}
			return target.String()
		}}, runColumn{prefix + "reached", false, func(_ int, r *Run) any {
			if a := attempt(r); a != nil {
				return a.At != nil
			}
			return nil
		}})
		for _, c := range metrics.RankedCosts() {
			if !c.Main() {
				continue
			}
			columns = append(columns, runColumn{prefix + c.ID, paid(&c, new(metrics.Moment)), func(_ int, r *Run) any {
				if a := attempt(r); a != nil && a.At != nil {
					return paid(&c, a.At)
				}
				return nil
			}})
		}
	}
	return columns
}
