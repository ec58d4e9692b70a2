package result

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCodecAfterFaults: a codec reads the output of another one, in any order, and continues after files
// that are not runs.
func TestCodecAfterFaults(t *testing.T) {
	report := example(t)
	writer, reader := newRunCodec(), newRunCodec()
	files := make([][]byte, len(report.Runs))
	for i := range report.Runs {
		var b bytes.Buffer
		if err := writer.encode(&b, "key", &report.Runs[i]); err != nil {
			t.Fatal(err)
		}
		files[i] = b.Bytes()
	}
	packed := func(parts ...[]byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for _, p := range parts {
			if _, err := z.Write(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var value bytes.Buffer
	if _, err := value.Write(writer.encoded.Bytes()); err != nil {
		t.Fatal(err)
	}
	other := bytes.Repeat([]byte{1}, len(writer.digest))
	broken := map[string][]byte{
		"no file":          nil,
		"not compressed":   []byte("run"),
		"of other types":   packed(other, []byte("key\n"), value.Bytes()),
		"without a run":    packed(writer.digest[:], []byte("key\n")),
		"half a run":       packed(writer.digest[:], []byte("key\n"), value.Bytes()[:value.Len()/2]),
		"two runs":         packed(writer.digest[:], []byte("key\n"), value.Bytes(), value.Bytes()),
		"types once more":  packed(writer.digest[:], []byte("key\n"), writer.types),
		"of another key":   packed(writer.digest[:], []byte("key2\n"), value.Bytes()),
		"cut short":        files[0][:len(files[0])-3],
		"of an older form": packed([]byte{4, 12, 0, 1, 'k'}, value.Bytes()),
	}
	for round := range 2 {
		for name, content := range broken {
			if run, err := reader.decode(bytes.NewReader(content), "key"); err == nil {
				t.Errorf("a file %s is believed: %v", name, run.Label)
			}
			for i := range files {
				run, err := reader.decode(bytes.NewReader(files[i]), "key")
				if err != nil {
					t.Fatalf("round %d, run %d after a file %s: %v", round, i, name, err)
				}
				diff := cmp.Diff(report.Runs[i].Label, run.Label)
				if diff != "" || len(run.Samples) != len(report.Runs[i].Samples) {
					t.Fatalf("run %d after a file %s is another one: %s", i, name, diff)
				}
			}
		}
	}
}

// TestCodecKeepsNoRun: values of one run do not appear in the next run, which lacks them.
func TestCodecKeepsNoRun(t *testing.T) {
	full := &example(t).Runs[0]
	c := newRunCodec()
	for _, run := range []*Run{full, {Label: "empty"}, full} {
		var b bytes.Buffer
		if err := c.encode(&b, "k", run); err != nil {
			t.Fatal(err)
		}
		got, err := c.decode(&b, "k")
		if err != nil {
			t.Fatal(err)
		}
		if got.Label != run.Label || len(got.Samples) != len(run.Samples) || got.Hash != run.Hash ||
			(got.Predicted == nil) != (run.Predicted == nil) {
			t.Errorf("%+v, want %+v", got, run)
		}
	}
}

// TestCodecAllocatesLittle: reading a short run takes some 20 allocations; describing the types alone would
// take hundreds.
func TestCodecAllocatesLittle(t *testing.T) {
	c := newRunCodec()
	var file bytes.Buffer
	if err := c.encode(&file, "k", &Run{Label: "a", Samples: make([]Sample, 6)}); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := c.decode(bytes.NewReader(file.Bytes()), "k"); err != nil {
			t.Fatal(err)
		}
	}); n > 40 {
		t.Errorf("%g allocations to read a run", n)
	}
}

// BenchmarkStoredRun reads a short run.
func BenchmarkStoredRun(b *testing.B) {
	c := newRunCodec()
	var file bytes.Buffer
	if err := c.encode(&file, "k", &Run{Label: "a", Samples: make([]Sample, 6)}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.decode(bytes.NewReader(file.Bytes()), "k"); err != nil {
			b.Fatal(err)
		}
	}
}
