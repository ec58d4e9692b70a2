package result

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// place matches the place in a text that a reader's error names.
var placePattern = regexp.MustCompile(`line (\d+)(?:, column (\d+):)?`)

// wantPlaceIn fails if an error names a line or a column beyond the text.
func wantPlaceIn(t *testing.T, text string, err error) {
	t.Helper()
	found := placePattern.FindStringSubmatch(err.Error())
	if found == nil {
		return
	}
	lines := strings.Split(text, "\n")
	line, _ := strconv.Atoi(found[1])
	if line < 1 || line > len(lines) {
		t.Fatalf("%v: the text has %d lines", err, len(lines))
	}
	if found[2] == "" {
		return
	}
	if column, _ := strconv.Atoi(found[2]); column < 1 || column > len(lines[line-1])+2 { // one beyond its end
		t.Errorf("%v: the line has %d bytes", err, len(lines[line-1]))
	}
}

// FuzzReadReport: a result.json that can be read is written as text that reads as the
// same report, and errors have a place in the file.
func FuzzReadReport(f *testing.F) {
	content, err := os.ReadFile("testdata/result.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(content))
	for _, text := range []string{
		"", "{\n", "{\n  \"schema\": oops}", `{"schema": "tallynet/result/v2"}`, "{}",
		`{"schema": "tallynet/result/v1", "runs": [{"point": 3}]}`, "{\"schema\": \"tallynet/result/v1\"}\n{}",
		`{"schema": "tallynet/result/v1", "runs": [{"final": {"time_s": 1, "a": null}, "x": [[1, null]]}]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		report, err := ReadReport(strings.NewReader(text))
		if err != nil {
			wantPlaceIn(t, text, err)
			return
		}
		var first, second bytes.Buffer
		if err := report.WriteJSON(&first); err != nil {
			return // such as a metric with the name of a key of final
		}
		again, err := ReadReport(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%v\nof\n%s", err, first.String())
		}
		if err := again.WriteJSON(&second); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), second.String()); diff != "" {
			t.Error(diff)
		}
	})
}

// FuzzReadRows: rows that can be read from a CSV file are written as rows that read
// the same, and errors have a line of the file.
func FuzzReadRows(f *testing.F) {
	names := []string{"iterations", "links", "nodes", "phases"}
	for k, name := range names {
		content, err := os.ReadFile(filepath.Join("testdata", name+".csv"))
		if err != nil {
			f.Fatal(err)
		}
		text := string(content)
		for _, s := range []string{text, strings.Replace(text, ",", ",x", 20), text[:len(text)-2], "run\n", "\"",
			strings.Replace(strings.Replace(text, ",lost_messages", ",x", 1), ",objective", ",lost_messages", 1),
			strings.ReplaceAll(text, "0", "1e3"), strings.ReplaceAll(text, "vector", "tensor")} {
			f.Add(uint8(k), s)
		}
	}
	f.Fuzz(func(t *testing.T, k uint8, text string) {
		report := &Report{Runs: []Run{{Label: "a"}, {Label: "b"}}}
		files := report.tables()
		file := files[int(k)%len(files)]
		if err := file.readRows(report, strings.NewReader(text)); err != nil {
			wantPlaceIn(t, text, err)
			return
		}
		var first, second bytes.Buffer
		if err := file.file(report).Write(&first); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if err := file.readRows(report, bytes.NewReader(first.Bytes())); err != nil {
			t.Fatalf("%v\nof\n%s", err, first.String())
		}
		if err := file.file(report).Write(&second); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.String(), second.String()); diff != "" {
			t.Error(diff)
		}
	})
}

// FuzzStoredRun: a stored run's file gives the run under that key, or an error. A file
// that is truncated or too long is never a run.
func FuzzStoredRun(f *testing.F) {
	for _, run := range []Run{{Label: "a", Seed: 1}, {Label: "b", Samples: []Sample{{Values: []float64{1, 2}}}}} {
		var b bytes.Buffer
		if err := newRunCodec().encode(&b, "key", &run); err != nil {
			f.Fatal(err)
		}
		z, err := gzip.NewReader(&b)
		if err != nil {
			f.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		f.Add(content[:len(content)/2])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		run, err := newRunCodec().decode(bytes.NewReader(b.Bytes()), "key")
		if (run == nil) != (err != nil) {
			t.Fatalf("%v with error %v", run, err)
		}
		if err != nil {
			return
		}
		if run, err := newRunCodec().decode(bytes.NewReader(b.Bytes()), "another"); err == nil {
			t.Errorf("the run of another key is believed: %v", run)
		}
		for _, n := range []int{1, 4, b.Len() / 2} {
			if run, err := newRunCodec().decode(bytes.NewReader(b.Bytes()[:b.Len()-n]), "key"); err == nil {
				t.Errorf("a file without its last %d bytes is believed: %v", n, run)
			}
		}
	})
}
