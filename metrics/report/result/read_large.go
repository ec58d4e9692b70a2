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

var (
	errScattered = errors.New("the rows of a run are not next to each other")
	errPlatform  = errors.New("the runs have tables of a platform")
)

// openLarge reads result.json run by run, and finds the rows of each run in the tables.
func openLarge(folder string) (*Report, error) {
	report, err := readBrief(filepath.Join(folder, "result.json"))
	if err != nil {
		return nil, err
	}
	if report.overPlatform() {
		return nil, errPlatform
	}
	samples, err := iterationFile.find(report, folder)
	if err != nil {
		return nil, err
	}
	links, err := linkFile.find(report, folder)
	if err != nil {
		return nil, err
	}
	nodes, err := nodeFile.find(report, folder)
	if err != nil {
		return nil, err
	}
	phases, err := phaseFile.find(report, folder)
	if err != nil {
		return nil, err
	}
	timeline := &rowsOnDisk[Happening]{places: make([]rowsPlace, len(report.Runs))}
	if report.timed() {
		if timeline, err = timelineFile.find(report, folder); err != nil {
			return nil, err
		}
	}
	for i := range report.Runs {
		if err := report.complete(folder, i, samples.places[i].rows); err != nil {
			return nil, err
		}
		brief := report.Runs[i]
		report.Runs[i].Load = func() (*Run, error) {
			run := brief
			var wrong [5]error
			run.Samples, wrong[0] = samples.of(i)
			run.Links, wrong[1] = links.of(i)
			run.Nodes, wrong[2] = nodes.of(i)
			run.Phases, wrong[3] = phases.of(i)
			run.Happenings, wrong[4] = timeline.of(i)
			return &run, errors.Join(wrong[:]...)
		}
	}
	return report, nil
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
	path   string
	reader *rowReader[T]
	places []rowsPlace
}

// find checks the file in a folder, and records where the rows of each run are.
func (f rowFile[T]) find(r *Report, folder string) (*rowsOnDisk[T], error) {
	t := &rowsOnDisk[T]{path: filepath.Join(folder, f.name), places: make([]rowsPlace, len(r.Runs))}
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

// of reads the rows of a run.
func (t *rowsOnDisk[T]) of(run int) ([]T, error) {
	p := t.places[run]
	if p.rows == 0 {
		return nil, nil
	}
	in, err := os.Open(t.path)
	if err != nil {
		return nil, err
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
			return nil, fmt.Errorf("read %s: it has changed while it was read: %w", t.path, err)
		}
	}
	return rows, nil
}
