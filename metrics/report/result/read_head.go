package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// ReadHead reads a result.json without its runs: the scenario, and the names of the other files. It skips the runs
// one by one, so that memory holds one at most. Errors are those of ReadReport.
func ReadHead(r io.ReadSeeker) (*Report, error) {
	rest, err := withoutRuns(json.NewDecoder(bufio.NewReaderSize(r, 1<<16)), func(d *json.Decoder) error {
		return d.Decode(new(struct{}))
	})
	if err == nil {
		var report *Report
		if report, err = ReadReport(bytes.NewReader(rest)); err == nil {
			return report, nil
		}
	}
	if _, again := r.Seek(0, io.SeekStart); again != nil {
		return nil, errors.Join(err, again)
	}
	return ReadReport(r)
}

var errNotResult = errors.New("want an object")

// withoutRuns returns an object without its list of runs. It calls visit to read each run.
func withoutRuns(d *json.Decoder, visit func(*json.Decoder) error) ([]byte, error) {
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(err, errNotResult)
	}
	rest := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		if key == "runs" {
			if err := passList(d, visit); err != nil {
				return nil, err
			}
			continue
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		rest[key.(string)] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.Join(err, errNotResult)
	}
	return json.Marshal(rest)
}

// passList reads a list, or null, item by item.
func passList(d *json.Decoder, visit func(*json.Decoder) error) error {
	open, err := d.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('[') {
		return errNotResult
	}
	for d.More() {
		if err := visit(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
