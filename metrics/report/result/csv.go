package result

import (
	"fmt"
	"io"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/table"
	"tallynet/sim"
)

// The CSV files share their first columns, which tell the run: run (its index in runs[]), algorithm, label, seed,
// and one column for each swept key, in the order of first appearance. The last columns are the swept values with
// units, as numbers. Cells are empty if a run lacks a key or a metric. Times are in seconds to the nanosecond, and
// numbers have full precision; non-finite ones are NaN, Inf and -Inf. Texts (labels, settings, names of phases and
// columns) are written by [escape.CSV], so that a spreadsheet computes nothing of them, and [escape.FromCSV] restores
// them. Later versions add columns at the end only.

// rowFile is a CSV file that has some rows of type T for each run.
type rowFile[T any] struct {
	name string
	// write returns the columns of a run's rows. They have the same names for all runs of the report.
	write func(*Report) func(*Run) []column[T]
	// read returns the columns that a header has.
	read func(r *Report, header []string) ([]column[T], error)
	rows func(*Run) *[]T
}

// fixedFile returns a file whose columns are the same in all reports.
func fixedFile[T any](name string, columns []column[T], rows func(*Run) *[]T) rowFile[T] {
	return rowFile[T]{name,
		func(*Report) func(*Run) []column[T] { return func(*Run) []column[T] { return columns } },
		func(*Report, []string) ([]column[T], error) { return columns, nil }, rows}
}

// sheet returns the rows of all runs, after some fields that say which run it is, and before its quantities.
func (f rowFile[T]) sheet(r *Report, lead table.Fields[place]) (table.Sheet, error) {
	columnsOf := f.write(r)
	quantities := r.quantityFields()
	own := list.Map(columnsOf(new(Run)), column[T].described)
	s := table.Sheet{Columns: slices.Concat(lead.Columns(), own, quantities.Columns())}
	s.Each = func(add func([]table.Cell) error) error {
		for i := range r.Runs {
			run, err := r.Runs[i].Full()
			if err != nil {
				return err
			}
			cells, last := lead.Row(place{i, run}), quantities.Row(place{i, &r.Runs[i]})
			columns, rows := columnsOf(run), *f.rows(run)
			for k := range rows {
				cells = cells[:len(lead)]
				for _, c := range columns {
					cells = append(cells, cellOf(c.field(&rows[k])))
				}
				if err := add(append(cells, last...)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return s, checkNames(s.Columns)
}

// file returns the file of a report.
func (f rowFile[T]) file(r *Report) File {
	return File{f.name, func(w io.Writer) error {
		s, err := f.sheet(r, slices.Concat(identity(), r.settingFields("", pointOf, false)))
		if err != nil {
			return err
		}
		return s.WriteCSV(w)
	}}
}

// checkNames returns an error if two columns have the same name.
func checkNames(columns []table.Column) error {
	seen := map[string]bool{}
	for _, c := range columns {
		if seen[c.ID] {
			return twice(c.ID)
		}
		seen[c.ID] = true
	}
	return nil
}

// twice is the error about two columns of one name.
func twice(name string) error {
	return fmt.Errorf("two columns are named %q: a metric or a swept key needs another name", name)
}

// column is a column of a file with rows of type T. Readers set what field points to; a field that returns no pointer
// is written only, and nil is an empty cell.
type column[T any] struct {
	name  string
	field func(*T) any
}

// described returns the column's name and type. A field that an empty row lacks is a metric.
func (c column[T]) described() table.Column {
	cell := cellOf(c.field(new(T)))
	if cell.Type == table.Nothing {
		cell.Type = table.Reals
	}
	return table.Column{ID: c.name, Type: cell.Type}
}

// cellOf returns a cell with what a column's field returned.
func cellOf(field any) table.Cell {
	switch v := field.(type) {
	case nil:
		return table.Missing()
	case *string:
		return table.Text(*v)
	case *metrics.Kind:
		return table.Text(v.String())
	case *int:
		return table.Integer(int64(*v))
	case int64:
		return table.Integer(v)
	case *int64:
		return table.Integer(*v)
	case *float64:
		return table.Number(*v)
	case *sim.Time:
		return table.Time(*v)
	}
	panic(fmt.Sprintf("result: a column of type %T", field))
}

// linkFile has one row for each run and directed link: the run; from, to, messages, bytes by kind, what was lost,
// busy_s, and what the line cost by the tariffs.
var linkFile = fixedFile("links.csv", linkColumns, func(run *Run) *[]LinkRow { return &run.Links })

var linkColumns = slices.Concat(
	[]column[LinkRow]{
		{"from", func(l *LinkRow) any { return &l.From }},
		{"to", func(l *LinkRow) any { return &l.To }},
		{"messages", func(l *LinkRow) any { return &l.Messages }},
	},
	bytesColumns(func(l *LinkRow) *metrics.KindBytes { return &l.Payload }),
	[]column[LinkRow]{
		{"overhead_bytes", func(l *LinkRow) any { return &l.Overhead }},
		{"retransmitted_bytes", func(l *LinkRow) any { return &l.Retransmitted }},
		{"lost_messages", func(l *LinkRow) any { return &l.LostMessages }},
		{"lost_bytes", func(l *LinkRow) any { return &l.LostBytes }},
		{"busy_s", func(l *LinkRow) any { return &l.Busy }},
		{"energy_j", func(l *LinkRow) any { return &l.Charge.Joules }},
		{"money", func(l *LinkRow) any { return &l.Charge.Money }},
	},
)

var nodeColumns = slices.Concat(
	[]column[NodeRow]{
		{"node", func(n *NodeRow) any { return &n.Node }},
		{"compute_s", func(n *NodeRow) any { return &n.Compute }},
		{"send_s", func(n *NodeRow) any { return &n.Send }},
		{"wait_s", func(n *NodeRow) any { return &n.Wait }},
		{"rounds", func(n *NodeRow) any { return &n.Rounds }},
		{"messages", func(n *NodeRow) any { return &n.Messages }},
		{"payload_bytes", func(n *NodeRow) any { return &n.Payload }},
		{"overhead_bytes", func(n *NodeRow) any { return &n.Overhead }},
	},
	oracleColumns(func(n *NodeRow) *metrics.OracleCounts { return &n.Oracle }),
	[]column[NodeRow]{
		{"wait_elsewhere_s", func(n *NodeRow) any { return &n.Waits.Elsewhere }},
		{"wait_latency_s", func(n *NodeRow) any { return &n.Waits.Latency }},
		{"wait_link_s", func(n *NodeRow) any { return &n.Waits.Link }},
		{"wait_timer_s", func(n *NodeRow) any { return &n.Waits.Timer }},
		{"machine_energy_j", func(n *NodeRow) any { return &n.Machine.Joules }},
		{"link_energy_j", func(n *NodeRow) any { return &n.Sent.Joules }},
		{"machine_money", func(n *NodeRow) any { return &n.Machine.Money }},
		{"link_money", func(n *NodeRow) any { return &n.Sent.Money }},
		{"train_samples", func(n *NodeRow) any { return &n.Train }},
		{"val_samples", func(n *NodeRow) any { return &n.Val }},
		{"labels", func(n *NodeRow) any { return &n.Labels }},
	},
)

// laterColumns were added within v1. Files of older versions lack them.
var laterColumns = []string{"wait_elsewhere_s", "wait_latency_s", "wait_link_s", "wait_timer_s", "energy_j", "money",
	"machine_energy_j", "link_energy_j", "machine_money", "link_money", "train_samples", "val_samples", "labels"}

// phaseFile has one row for each run, phase and part: the run; phase, part, kind, rows, cols, messages, elements
// and bytes.
var phaseFile = fixedFile("phases.csv", phaseColumns, func(run *Run) *[]PhaseRow { return &run.Phases })

var phaseColumns = []column[PhaseRow]{
	{"phase", func(p *PhaseRow) any { return &p.Phase }},
	{"part", func(p *PhaseRow) any { return &p.Part }},
	{"kind", func(p *PhaseRow) any { return &p.Kind }},
	{"rows", func(p *PhaseRow) any { return &p.Rows }},
	{"cols", func(p *PhaseRow) any { return &p.Cols }},
	{"messages", func(p *PhaseRow) any { return &p.Messages }},
	{"broadcast_elements", func(p *PhaseRow) any { return &p.Broadcast }},
	{"wire_elements", func(p *PhaseRow) any { return &p.Wire }},
	{"bytes", func(p *PhaseRow) any { return &p.Bytes }},
}

// costColumns returns the columns of iterations.csv before and after the metrics: the time, and every other cost.
func costColumns() (before, after []column[Sample]) {
	before = []column[Sample]{{"iteration", func(s *Sample) any { return &s.Iteration }}}
	for _, c := range metrics.CostItems() {
		if c.Column == "" {
			continue
		}
		cost := column[Sample]{c.Column, func(s *Sample) any {
			switch {
			case c.Real != nil:
				return c.Real(&s.Totals)
			case c.Field == nil:
				return c.Of(&s.Moment)
			case c.Unit == metrics.Seconds:
				return (*sim.Time)(c.Field(&s.Totals))
			}
			return c.Field(&s.Totals)
		}}
		if c.ID == "time_s" {
			before = append(before, cost)
		} else {
			after = append(after, cost)
		}
	}
	return before, after
}

func bytesColumns[T any](of func(*T) *metrics.KindBytes) []column[T] {
	columns := []column[T]{{"payload_bytes", func(t *T) any { return of(t).Total() }}}
	for k := range metrics.NumKinds {
		columns = append(columns, column[T]{k.String() + "_bytes", func(t *T) any { return &of(t)[k] }})
	}
	return columns
}

func oracleColumns[T any](of func(*T) *metrics.OracleCounts) []column[T] {
	var columns []column[T]
	for c := range metrics.NumCalls {
		columns = append(columns, column[T]{"oracle_" + c.String(), func(t *T) any { return of(t).At(c) }})
	}
	return append(columns, column[T]{"oracle_samples", func(t *T) any { return &of(t).Samples }})
}

// iterationFile has one row for each run and recorded iteration: the run; iteration, time_s; every metric, in the
// order of first appearance; and all totals up to that iteration, by kind: bytes, elements, oracle calls, times.
var iterationFile = rowFile[Sample]{"iterations.csv", (*Report).sampleColumns, (*Report).readSampleColumns,
	func(run *Run) *[]Sample { return &run.Samples }}

func (r *Report) sampleColumns() func(*Run) []column[Sample] {
	names := r.allNames(func(run *Run) []string { return run.Metrics })
	before, after := costColumns()
	return func(run *Run) []column[Sample] {
		values := valueColumns("", names, run.Metrics, func(s *Sample) []float64 { return s.Values })
		return slices.Concat(before, values, after)
	}
}

// allNames returns the names that runs have, in the order of first appearance.
func (r *Report) allNames(of func(*Run) []string) []string {
	var names []string
	for i := range r.Runs {
		names = list.Add(names, of(&r.Runs[i])...)
	}
	return names
}

// valueColumns returns a column for each metric of all runs. It is nil where a run, or one of its rows, lacks it.
func valueColumns[T any](prefix string, all, has []string, of func(*T) []float64) []column[T] {
	var columns []column[T]
	for _, name := range all {
		k := slices.Index(has, name)
		columns = append(columns, column[T]{prefix + name, func(t *T) any {
			if values := of(t); k >= 0 && k < len(values) {
				return &values[k]
			}
			return nil
		}})
	}
	return columns
}

// finalPrefix precedes the names of final metrics in nodes.csv and runs.parquet.
const finalPrefix = "final."

// nodeFile has one row for each run and node: the run; node, compute_s, send_s, wait_s, rounds, what it sent, its
// oracle calls by kind, its waiting by cause, what its machine and its messages on links cost by the tariffs, the
// samples that it holds, and its final metrics.
var nodeFile = rowFile[NodeRow]{"nodes.csv", (*Report).nodeColumns, (*Report).readNodeColumns,
	func(run *Run) *[]NodeRow { return &run.Nodes }}

func (r *Report) nodeColumns() func(*Run) []column[NodeRow] {
	names := r.allNames(func(run *Run) []string { return run.NodeMetrics })
	return func(run *Run) []column[NodeRow] {
		return slices.Concat(nodeColumns,
			valueColumns(finalPrefix, names, run.NodeMetrics, func(n *NodeRow) []float64 { return n.Final }))
	}
}
