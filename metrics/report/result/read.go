package result

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/table"
	"tallynet/sim"
)

// ReadFolder reads what WriteFiles wrote.
func ReadFolder(folder string) (*Report, error) {
	var report *Report
	err := readFile(filepath.Join(folder, "result.json"), func(in io.Reader) (err error) {
		report, err = ReadReport(in)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, f := range report.tables() {
		path := filepath.Join(folder, f.file(report).Name)
		if err := readFile(path, func(in io.Reader) error { return f.readRows(report, in) }); err != nil {
			return nil, err
		}
	}
	for i := range report.Runs {
		if err := report.complete(folder, i, len(report.Runs[i].Samples)); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// complete returns an error if iterations.csv does not have as many rows of a run as result.json states.
func (r *Report) complete(folder string, i, rows int) error {
	if run := &r.Runs[i]; run.Recorded > 0 && rows != run.Recorded {
		return fmt.Errorf("%s has %d rows of run %d (%s), and result.json says %d: the files are not of one "+
			"result, or lines were lost", filepath.Join(folder, "iterations.csv"), rows, i, run.Label, run.Recorded)
	}
	return nil
}

func readFile(path string, read func(io.Reader) error) error {
	in, err := os.Open(path)
	if err != nil {
		return err // it names the path
	}
	err = read(bufio.NewReader(in))
	if err := errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// ReadReport reads a result.json of this version or a later v1, whose additional
// keys it ignores. What only the CSV files hold stays empty. Errors name line and column.
func ReadReport(r io.Reader) (*Report, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	report := new(Report)
	if err := json.Unmarshal(content, report); err != nil {
		return nil, atLine(content, err)
	}
	if report.Schema != Schema {
		return nil, fmt.Errorf("the schema is %q, this reads %q", report.Schema, Schema)
	}
	for _, t := range report.Tables {
		if t.Name == "" || strings.ContainsAny(t.Name, `/\.:`) || escape.Plain(t.Name) != t.Name {
			return nil, fmt.Errorf("the table name %q cannot be a file name", t.Name)
		}
	}
	report.Scenario = tidy(report.Scenario)
	for i := range report.Claims {
		report.Claims[i].Printed = tidy(report.Claims[i].Printed)
	}
	return report, nil
}

// atLine adds line and column to an error of encoding/json.
func atLine(content []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	if offset < 0 || offset > int64(len(content)) {
		return err
	}
	before := content[:offset]
	if kind != nil { // without the names of Go's types
		err = fmt.Errorf("%s cannot be a %s", cmp.Or(kind.Field, "the whole"), kind.Value)
	}
	return fmt.Errorf("line %d, column %d: %w", 1+bytes.Count(before, []byte("\n")),
		max(len(before)-1-bytes.LastIndexByte(before, '\n'), 1), err)
}

// tidy compacts a value that was read from an indented file; null is nil.
func tidy(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil || b.String() == "null" {
		return nil
	}
	return b.Bytes()
}

// readSampleColumns returns the columns of a header of iterations.csv. It sets the metrics of all runs.
func (r *Report) readSampleColumns(header []string) ([]column[Sample], error) {
	first := slices.Index(header, "time_s") + 1
	last := slices.Index(header, "rounds")
	if first == 0 || last < first {
		return nil, errors.New("iterations: no columns time_s and rounds, with the metrics between them")
	}
	before, after := costColumns()
	columns := slices.Concat(before, after)
	taken := append(list.Map(columns, func(c column[Sample]) string { return c.name }),
		list.Map(identity(), func(f table.Field[place]) string { return f.ID })...)
	for k, name := range header[first:last] {
		if slices.Contains(taken, name) {
			return nil, twice(name)
		}
		columns = append(columns, column[Sample]{name, func(s *Sample) any { return slot(&s.Values, k) }})
	}
	names := append([]string(nil), header[first:last]...)
	for i := range r.Runs {
		r.Runs[i].Metrics = names
	}
	return columns, nil
}

// slot returns a pointer to the k-th value. It fills up with NaN.
func slot(values *[]float64, k int) *float64 {
	for len(*values) <= k {
		*values = append(*values, math.NaN())
	}
	return &(*values)[k]
}

// readNodeColumns returns the columns of a header of nodes.csv. It sets the final metrics of all runs.
func (r *Report) readNodeColumns(header []string) ([]column[NodeRow], error) {
	columns := slices.Clone(nodeColumns)
	var names []string
	for _, title := range header {
		if name, ok := strings.CutPrefix(title, finalPrefix); ok {
			k := len(names)
			names = append(names, name)
			columns = append(columns, column[NodeRow]{title, func(n *NodeRow) any { return slot(&n.Final, k) }})
		}
	}
	for i := range r.Runs {
		r.Runs[i].NodeMetrics = names
	}
	return columns, nil
}

// rowReader reads the rows of a file.
type rowReader[T any] struct {
	columns []column[T]
	where   []int // the column of the file; -1: it has none
}

// reader returns the reader of a file with a header.
func (f rowFile[T]) reader(r *Report, header []string) (*rowReader[T], error) {
	for i := range header {
		header[i] = escape.FromCSV(header[i])
		if slices.Contains(header[:i], header[i]) {
			return nil, twice(header[i])
		}
	}
	columns, err := f.read(r, header)
	if err != nil {
		return nil, err
	}
	where := make([]int, len(columns))
	for i, c := range columns {
		where[i] = slices.Index(header, c.name)
		if _, derived := c.field(new(T)).(int64); derived {
			where[i] = -1 // a sum of other columns, which an older file may lack
		} else if where[i] < 0 && !slices.Contains(laterColumns, c.name) {
			return nil, fmt.Errorf("no column %q", c.name)
		}
	}
	if header[0] != "run" {
		return nil, fmt.Errorf("the first column is %q, not run", header[0])
	}
	return &rowReader[T]{columns, where}, nil
}

// row reads a record; an error names its line.
func (r *rowReader[T]) row(record []string, line int) (row T, err error) {
	for i, c := range r.columns {
		if r.where[i] < 0 {
			continue
		}
		if err := parse(record[r.where[i]], c.field(&row)); err != nil {
			return row, fmt.Errorf("line %d, column %q: %w", line, c.name, err)
		}
	}
	return row, nil
}

// readRows replaces the rows of all runs by those of the file. Errors name line and column.
func (f rowFile[T]) readRows(r *Report, in io.Reader) error {
	for i := range r.Runs {
		*f.rows(&r.Runs[i]) = nil
	}
	_, err := f.eachRow(r, in, func(run int, row T, _, _ int64) error {
		rows := f.rows(&r.Runs[run])
		*rows = append(*rows, row)
		return nil
	})
	return err
}

// eachRow reads the rows of the file, and passes each to visit with its run and the offsets of its ends.
func (f rowFile[T]) eachRow(r *Report, in io.Reader,
	visit func(run int, row T, from, to int64) error) (*rowReader[T], error) {
	records := csv.NewReader(in)
	header, err := records.Read()
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	rows, err := f.reader(r, header)
	if err != nil {
		return nil, err
	}
	records.ReuseRecord = true
	for {
		from := records.InputOffset()
		record, err := records.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err // it names the line
		}
		line, _ := records.FieldPos(0)
		index, err := strconv.Atoi(record[0])
		if err != nil || index < 0 || index >= len(r.Runs) {
			return nil, fmt.Errorf("line %d: run %q is not one of the %d runs of the result", line, record[0], len(r.Runs))
		}
		row, err := rows.row(record, line)
		if err == nil {
			err = visit(index, row, from, records.InputOffset())
		}
		if err != nil {
			return nil, err
		}
	}
}

// parse sets what a column's field points to.
func parse(text string, field any) (err error) {
	switch v := field.(type) {
	case *string:
		*v = escape.FromCSV(text)
	case *int:
		*v, err = strconv.Atoi(text)
	case *int64:
		*v, err = strconv.ParseInt(text, 10, 64)
	case *sim.Time:
		*v, err = parseSeconds(text)
	case *metrics.Kind:
		kind, ok := metrics.ParseKind(text)
		if !ok {
			return fmt.Errorf("unknown kind %q", text)
		}
		*v = kind
	case *float64:
		if text == "" { // the run lacks the metric
			*v = math.NaN()
			return nil
		}
		*v, err = strconv.ParseFloat(text, 64)
	default:
		panic(fmt.Sprintf("result: a column of type %T", field))
	}
	return err
}

// parseSeconds is the inverse of table.Seconds.
func parseSeconds(text string) (sim.Time, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 9 {
		return 0, fmt.Errorf("%q is finer than a nanosecond", text)
	}
	ns, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", 9-len(fraction)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("want a time in seconds, got %q", text)
	}
	return sim.Time(ns), nil
}
