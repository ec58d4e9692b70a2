package result

import (
	"bufio"
	"bytes"
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
	"tallynet/sim"
)

// ReadFolder reads what WriteFiles wrote.
func ReadFolder(folder string) (*Report, error) {
	type part struct {
		name string
		read func(io.Reader) error
	}
	var report *Report
	read := func(parts ...part) error {
		for _, p := range parts {
			if err := readFile(filepath.Join(folder, p.name), p.read); err != nil {
				return err
			}
		}
		return nil
	}
	err := read(part{"result.json", func(in io.Reader) (err error) { report, err = ReadReport(in); return err }})
	if err == nil {
		err = read(part{"iterations.csv", report.readIterations}, part{"links.csv", report.readLinks},
			part{"nodes.csv", report.readNodes}, part{"phases.csv", report.readPhases})
	}
	if err == nil && report.overPlatform() {
		err = read(part{"platform_links.csv", report.readPlatformLinks}, part{"platform_flows.csv", report.readCrossings})
	}
	if err != nil {
		return nil, err
	}
	for i := range report.Runs {
		if r := &report.Runs[i]; r.Recorded > 0 && len(r.Samples) != r.Recorded {
			return nil, fmt.Errorf("%s has %d rows of run %d (%s), and result.json says %d: the files are not of one "+
				"result, or lines were lost",
				filepath.Join(folder, "iterations.csv"), len(r.Samples), i, r.Label, r.Recorded)
		}
	}
	return report, nil
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

// readIterations fills Metrics and Samples of the runs from an iterations.csv of
// the same result. Errors name line and column.
func (r *Report) readIterations(in io.Reader) error {
	columnsOf := func(header []string) ([]column[Sample], error) {
		first := slices.Index(header, "time_s") + 1
		last := slices.Index(header, "rounds")
		if first == 0 || last < first {
			return nil, errors.New("iterations: no columns time_s and rounds, with the metrics between them")
		}
		before, after := sampleColumns()
		columns := slices.Concat(before, after)
		for k, name := range header[first:last] {
			columns = append(columns, column[Sample]{name, func(s *Sample) any {
				for len(s.Values) <= k {
					s.Values = append(s.Values, math.NaN())
				}
				return &s.Values[k]
			}})
			for i := range r.Runs {
				r.Runs[i].Metrics = append(r.Runs[i].Metrics, name)
			}
		}
		return columns, nil
	}
	for i := range r.Runs {
		r.Runs[i].Metrics, r.Runs[i].Samples = nil, nil
	}
	return readRows(r, in, columnsOf, func(run *Run) *[]Sample { return &run.Samples })
}

// readLinks fills the links of the runs from a links.csv of the same result.
func (r *Report) readLinks(in io.Reader) error {
	return readRows(r, in, known(linkColumns), func(run *Run) *[]LinkRow { return &run.Links })
}

// readNodes fills the nodes of the runs from a nodes.csv of the same result.
func (r *Report) readNodes(in io.Reader) error {
	return readRows(r, in, known(nodeColumns), func(run *Run) *[]NodeRow { return &run.Nodes })
}

// readPhases fills the phases of the runs from a phases.csv of the same result.
func (r *Report) readPhases(in io.Reader) error {
	return readRows(r, in, known(phaseColumns), func(run *Run) *[]PhaseRow { return &run.Phases })
}

func known[T any](columns []column[T]) func([]string) ([]column[T], error) {
	return func([]string) ([]column[T], error) { return columns, nil }
}

// readRows replaces the rows of all runs by those in a file.
func readRows[T any](r *Report, in io.Reader, columnsOf func(header []string) ([]column[T], error),
	rowsOf func(*Run) *[]T) error {
	reader := csv.NewReader(in)
	header, err := reader.Read()
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	for i := range header {
		header[i] = escape.FromCSV(header[i])
	}
	columns, err := columnsOf(header)
	if err != nil {
		return err
	}
	where := make([]int, len(columns))
	for i, c := range columns {
		where[i] = slices.Index(header, c.name)
		if _, derived := c.field(new(T)).(int64); derived {
			where[i] = -1 // a sum of other columns, which an older file may lack
		} else if where[i] < 0 && !slices.Contains(laterColumns, c.name) {
			return fmt.Errorf("no column %q", c.name)
		}
	}
	if header[0] != "run" {
		return fmt.Errorf("the first column is %q, not run", header[0])
	}
	for i := range r.Runs {
		*rowsOf(&r.Runs[i]) = nil
	}
	reader.ReuseRecord = true
	for {
		record, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err // it names the line
		}
		line, _ := reader.FieldPos(0)
		index, err := strconv.Atoi(record[0])
		if err != nil || index < 0 || index >= len(r.Runs) {
			return fmt.Errorf("line %d: run %q is not one of the %d runs of the result", line, record[0], len(r.Runs))
		}
		var row T
		for i, c := range columns {
			if where[i] < 0 {
				continue
			}
			if err := parse(record[where[i]], c.field(&row)); err != nil {
				return fmt.Errorf("line %d, column %s: %w", line, c.name, err)
			}
		}
		rows := rowsOf(&r.Runs[index])
		*rows = append(*rows, row)
	}
}

// parse reads what cell wrote into a column's field.
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

// parseSeconds reads what seconds wrote, exactly.
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
