package result

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// largeTables is the least size of iterations.csv for which OpenFolder leaves the rows on the disk.
const largeTables = 32 << 20

// OpenFolder reads what WriteFiles wrote, as ReadFolder does. The runs of a large result are brief: OpenFolder
// checks the CSV files, and Full reads the rows of a run from them again, so that memory holds neither samples nor
// ledgers.
func OpenFolder(folder string) (*Report, error) {
	if info, err := os.Stat(filepath.Join(folder, "iterations.csv")); err != nil || info.Size() < largeTables {
		return ReadFolder(folder)
	}
	report, err := openLarge(folder)
	if err != nil {
		return ReadFolder(folder) // it says what is wrong, or reads what openLarge cannot
	}
	return report, nil
}

var errScattered = errors.New("the rows of a run are not next to each other")

// openLarge reads result.json run by run, and finds the rows of each run in the tables.
func openLarge(folder string) (*Report, error) {
	report, err := readBrief(filepath.Join(folder, "result.json"))
	if err != nil {
		return nil, err
	}
	var found []foundRows
	for _, f := range report.tables() {
		rows, err := f.find(report, folder)
		if err != nil {
			return nil, err
		}
		found = append(found, rows)
	}
	for i := range report.Runs {
		if err := report.complete(folder, i, found[0].count(i)); err != nil { // iterations.csv is the first table
			return nil, err
		}
		brief := report.Runs[i]
		report.Runs[i].Load = func() (*Run, error) {
			run := brief
			var wrong []error
			for _, rows := range found {
				wrong = append(wrong, rows.fill(i, &run))
			}
			return &run, errors.Join(wrong...)
		}
	}
	return report, nil
}

// foundRows is a table on the disk with rows of any type.
type foundRows interface {
	count(run int) int
	fill(run int, into *Run) error
}

// readBrief reads a result.json run by run. It stores once what seeds have in common.
func readBrief(path string) (*Report, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var runs []Run
	rest, err := withoutRuns(json.NewDecoder(bufio.NewReaderSize(in, 1<<16)), func(d *json.Decoder) error {
		var run Run
		if err := d.Decode(&run); err != nil {
			return err
		}
		if n := len(runs); n > 0 {
			run.Share(&runs[n-1])
		}
		runs = append(runs, run)
		return nil
	})
	if err != nil {
		return nil, err
	}
	report, err := ReadReport(bytes.NewReader(rest))
	if err == nil {
		report.Runs = runs
	}
	return report, err
}

// rowsPlace is where the rows of a run are in a file.
type rowsPlace struct {
	from, to int64
	rows     int
}

// rowsOnDisk are the rows of a table, by run.
type rowsOnDisk[T any] struct {
	file   rowFile[T]
	path   string
	reader *rowReader[T]
	places []rowsPlace
}

// find checks the file in a folder, and records where the rows of each run are.
func (f rowFile[T]) find(r *Report, folder string) (foundRows, error) {
	t := &rowsOnDisk[T]{file: f, path: filepath.Join(folder, f.name), places: make([]rowsPlace, len(r.Runs))}
	err := readFile(t.path, func(in io.Reader) (err error) {
		t.reader, err = f.eachRow(r, in, func(run int, _ T, from, to int64) error {
			p := &t.places[run]
			if p.rows > 0 && p.to != from {
				return errScattered
			}
			if p.rows == 0 {
				p.from = from
			}
			p.to = to
			p.rows++
			return nil
		})
		return err
	})
	return t, err
}

func (t *rowsOnDisk[T]) count(run int) int { return t.places[run].rows }

// fill reads the rows of a run.
func (t *rowsOnDisk[T]) fill(run int, into *Run) error {
	p := t.places[run]
	if p.rows == 0 {
		return nil
	}
	in, err := os.Open(t.path)
	if err != nil {
		return err
	}
	defer in.Close()
	records := csv.NewReader(io.NewSectionReader(in, p.from, p.to-p.from))
	records.ReuseRecord = true
	rows := make([]T, p.rows)
	for i := range rows {
		record, err := records.Read()
		if err == nil {
			rows[i], err = t.reader.row(record, i)
		}
		if err != nil {
			return fmt.Errorf("read %s: it has changed while it was read: %w", t.path, err)
		}
	}
	*t.file.rows(into) = rows
	return nil
}
