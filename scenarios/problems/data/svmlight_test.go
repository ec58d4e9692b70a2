package data_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/data"
)

func TestReadSVM(t *testing.T) {
	s, err := data.ReadSVM(strings.NewReader("# two classes\n+1 1:0.5 3:-2e1 # a comment\n\n-1\n1.0 2:0 7:1\r\n"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if s.Features != 7 || !slices.Equal(s.Labels, []int{-1, 1}) || len(s.Samples) != 3 {
		t.Fatalf("%d features, labels %v, %d samples", s.Features, s.Labels, len(s.Samples))
	}
	for k, want := range []data.SparseSample{
		{Features: []int32{0, 2}, Values: []float64{0.5, -20}, Class: 1}, {Class: 0},
		{Features: []int32{6}, Values: []float64{1}, Class: 1},
	} {
		got := s.Samples[k]
		if !slices.Equal(got.Features, want.Features) || !slices.Equal(got.Values, want.Values) ||
			got.Class != want.Class {
			t.Errorf("sample %d is %v, want %v", k, got, want)
		}
	}
	if s, err := data.ReadSVM(strings.NewReader("3 0:1"), 0); err != nil || s.Features != 1 {
		t.Errorf("from 0: %v, %v", s, err)
	}
}

func TestReadSVMErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "the file has no samples",
		"1 1:2\nx 1:2":     `line 2: the label is "x"`,
		"1.5 1:2":          `line 1: the label is "1.5"`,
		"nan 1:2":          `line 1: the label is "nan"`,
		"1 0:2":            `line 1: feature "0:2": the index is below 1`,
		"1 2:1 2:1":        `line 1: feature "2:1": the index is not above the one before`,
		"1 2:1 1:1":        `line 1: feature "1:1": the index is not above the one before`,
		"1 2":              `line 1: the feature is "2"; want index:value`,
		"1 2:inf":          `line 1: the feature is "2:inf"; want index:value`,
		"1 qid:3 2:1":      `line 1: the feature is "qid:3"; want index:value`,
		"1 99999999999:1":  `line 1: feature "99999999999:1": the index is too large`,
		"1 a:b":            `line 1: the feature is "a:b"; want index:value`,
		"1 1:1 # c\n2 1:x": `line 2: the feature is "1:x"; want index:value`,
	} {
		if _, err := data.ReadSVM(strings.NewReader(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	dir := t.TempDir()
	if _, err := data.ReadSVMFile(dir, 1, budget.Limit{}); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: error %v", err)
	}
	path := filepath.Join(dir, "bad.svm")
	if err := os.WriteFile(path, []byte("1 1:2\n?"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := data.ReadSVMFile(path, 1, budget.Limit{}); err == nil ||
		!strings.Contains(err.Error(), "bad.svm: line 2") {
		t.Errorf("a bad file: error %v", err)
	}
}

// TestReadSVMPacked: a file of any name may be compressed. A limit applies to the file and its samples.
func TestReadSVMPacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.svm")
	write := func(text string) {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("1 1:2\n-1 3:1\n")
	if s, err := data.ReadSVMFile(path, 1, budget.Limit{}); err != nil || s.Features != 3 || len(s.Samples) != 2 {
		t.Errorf("packed: %+v, %v", s, err)
	}
	write(strings.Repeat("1 1:2\n", 1000))
	_, err := data.ReadSVMFile(path, 1, budget.Limit{Bytes: 10_000})
	want := "texts.svm: line 60: the file up to here, 60 samples with 60 features that are not 0, needs 10.1 kB of " +
		"memory, and the limit is 10 kB; --max-memory raises the limit"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	write("1 1:2" + strings.Repeat(" ", 1<<24)) // a small file, but a long line
	if _, err := data.ReadSVMFile(path, 1, budget.Limit{}); err == nil ||
		!strings.Contains(err.Error(), "line 1 is longer than") {
		t.Errorf("a bomb: error %v", err)
	}
}
