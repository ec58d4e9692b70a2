package result

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/sim"
)

// The CSV files share their first columns, which tell the run: run (its index in
// runs[]), algorithm, label, seed, and one column per swept key, in the order of
// first appearance. Cells are empty if a run lacks a key or a metric. Times
// are in seconds to the nanosecond, and numbers have full precision; non-finite
// ones are NaN, Inf and -Inf. Texts (labels, settings, names of phases and columns) are
// written by [escape.CSV], so that a spreadsheet computes nothing of them, and
// [escape.FromCSV] gives them back as they were. Later versions add columns at the end only.

// column is a column of a file whose rows are of type T. What field returns is
// written, and read if it is a pointer; nil is an empty cell.
type column[T any] struct {
	name  string
	field func(*T) any
}

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

// laterColumns were added within v1: a file of an older version lacks them.
var laterColumns = []string{"wait_elsewhere_s", "wait_latency_s", "wait_link_s", "wait_timer_s", "energy_j", "money",
	"machine_energy_j", "link_energy_j", "machine_money", "link_money", "train_samples", "val_samples", "labels"}

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

// sampleColumns are the columns of iterations.csv before and after the metrics: the time,
// and every other cost.
func sampleColumns() (before, after []column[Sample]) {
	before = []column[Sample]{{"iteration", func(s *Sample) any { return &s.Iteration }}}
	for _, c := range metrics.CostItems() {
		if c.Column == "" {
			continue
		}
		cost := column[Sample]{c.Column, func(s *Sample) any {
			switch field := c.Field(&s.Totals); {
			case c.Real(&s.Totals) != nil:
				return c.Real(&s.Totals)
			case field == nil:
				return c.Of(&s.Moment)
			case c.Unit == metrics.Seconds:
				return (*sim.Time)(field)
			default:
				return field
			}
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

// writeIterations writes iterations.csv, one row per run and recorded iteration:
// the run; iteration, time_s; every metric, in the order of first appearance; and
// all totals up to that iteration, by kind: bytes, elements, oracle calls, times.
func (r *Report) writeIterations(w io.Writer) error {
	return writeRows(r, w, r.iterationColumns(), func(run *Run) []Sample { return run.Samples })
}

// iterationColumns returns the columns of a run's samples. All runs have the same columns; what
// a run lacks is nil.
func (r *Report) iterationColumns() func(*Run) []column[Sample] {
	names := r.allNames(func(run *Run) []string { return run.Metrics })
	before, after := sampleColumns()
	return func(run *Run) []column[Sample] {
		values := valueColumns("", names, run.Metrics, func(s *Sample) []float64 { return s.Values })
		return slices.Concat(before, values, after)
	}
}

// allNames returns the names that runs have, in the order of first appearance.
func (r *Report) allNames(of func(*Run) []string) []string {
	var names []string
	for i := range r.Runs {
		for _, name := range of(&r.Runs[i]) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// valueColumns returns a column for each metric of all runs; what a run, or a row of it, lacks is nil.
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

// finalPrefix begins the names of the columns of nodes.csv that have final metrics, as in runs.parquet.
const finalPrefix = "final."

// nodeColumnsOf returns the columns of a run's nodes, of which all runs have the same.
func (r *Report) nodeColumnsOf() func(*Run) []column[NodeRow] {
	names := r.allNames(func(run *Run) []string { return run.NodeMetrics })
	return func(run *Run) []column[NodeRow] {
		return slices.Concat(nodeColumns,
			valueColumns(finalPrefix, names, run.NodeMetrics, func(n *NodeRow) []float64 { return n.Final }))
	}
}

// writeLinks writes links.csv, one row per run and directed link: the run; from,
// to, messages, bytes by kind, what was lost, busy_s, and what the line cost by the tariffs.
func (r *Report) writeLinks(w io.Writer) error {
	return writeRows(r, w, fixed(linkColumns), func(run *Run) []LinkRow { return run.Links })
}

// writeNodes writes nodes.csv, one row per run and node: the run; node,
// compute_s, send_s, wait_s, rounds, what it sent, its oracle calls by kind, its waiting
// by cause, what its machine, and its messages on links, cost by the tariffs, the samples that it
// holds, and its final metrics.
func (r *Report) writeNodes(w io.Writer) error {
	return writeRows(r, w, r.nodeColumnsOf(), func(run *Run) []NodeRow { return run.Nodes })
}

// writePhases writes phases.csv, one row per run, phase and part: the run; phase,
// part, kind, rows, cols, messages, elements and bytes.
func (r *Report) writePhases(w io.Writer) error {
	return writeRows(r, w, fixed(phaseColumns), func(run *Run) []PhaseRow { return run.Phases })
}

func fixed[T any](columns []column[T]) func(*Run) []column[T] {
	return func(*Run) []column[T] { return columns }
}

// rowPrefix names the columns with which each row begins. The keys of the points follow.
var rowPrefix = []string{"run", "algorithm", "label", "seed"}

// writeRows streams the rows of all runs.
func writeRows[T any](r *Report, w io.Writer, columnsOf func(*Run) []column[T], rowsOf func(*Run) []T) error {
	header := slices.Clone(rowPrefix)
	before := len(header) // the keys of the points
	for _, run := range r.Runs {
		for _, s := range run.Point {
			if !slices.Contains(header[before:], s.Key) {
				header = append(header, s.Key)
			}
		}
	}
	keys := header[before:]
	prefix := len(header)
	for _, c := range columnsOf(new(Run)) {
		header = append(header, c.name)
	}
	for i, name := range header {
		if slices.Contains(header[:i], name) {
			return twice(name)
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(escaped(header)); err != nil {
		return err
	}
	for i := range r.Runs {
		run, err := r.Runs[i].Full()
		if err != nil {
			return err
		}
		record := []string{strconv.Itoa(i), run.Algorithm, run.Label, strconv.FormatUint(run.Seed, 10)}
		for _, key := range keys {
			text, _ := run.Point.Get(key)
			record = append(record, text)
		}
		record = escaped(record)
		columns, rows := columnsOf(run), rowsOf(run)
		for k := range rows {
			for _, c := range columns {
				record = append(record, cell(c.field(&rows[k])))
			}
			if err := out.Write(record); err != nil {
				return err
			}
			record = record[:prefix]
		}
	}
	out.Flush()
	return out.Error()
}

// twice is the error about two columns of one name.
func twice(name string) error {
	return fmt.Errorf("two columns are named %q: a metric or a swept key needs another name", name)
}

// escaped returns texts as they are written to a file.
func escaped(record []string) []string {
	out := make([]string, len(record))
	for i, text := range record {
		out[i] = escape.CSV(text)
	}
	return out
}

// cell writes what a column's field returns.
func cell(field any) string {
	switch v := field.(type) {
	case nil:
		return ""
	case *string:
		return escape.CSV(*v)
	case *int:
		return strconv.Itoa(*v)
	case int64:
		return strconv.FormatInt(v, 10)
	case *int64:
		return strconv.FormatInt(*v, 10)
	case *sim.Time:
		return seconds(*v)
	case *metrics.Kind:
		return v.String()
	case *float64:
		if math.IsInf(*v, 1) {
			return "Inf" // strconv's +Inf is not read everywhere
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	panic(fmt.Sprintf("result: a column of type %T", field))
}

// seconds writes a time exactly, without trailing zeros.
func seconds(t sim.Time) string {
	sign, ns := "", uint64(t)
	if t < 0 {
		sign, ns = "-", -ns
	}
	whole, fraction := strconv.FormatUint(ns/1e9, 10), ns%1e9
	if fraction == 0 {
		return sign + whole
	}
	digits := strconv.FormatUint(1e9+fraction, 10)[1:]
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return sign + whole + "." + digits
}
