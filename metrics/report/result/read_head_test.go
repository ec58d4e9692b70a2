package result

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadHead: ReadHead reads what ReadReport reads except runs, with the same errors.
func TestReadHead(t *testing.T) {
	report := example(t)
	report.Written = []string{"iterations.csv"}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	want, err := ReadReport(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Runs) == 0 || len(want.Claims) == 0 {
		t.Fatal("the example has no runs or no claims")
	}
	want.Runs = nil
	got, err := ReadHead(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, equateNaNs); diff != "" {
		t.Error(diff)
	}
	text := b.String()
	for name, content := range map[string]string{"empty": "", "a list": "[]", "cut": text[:len(text)/2],
		"other runs": strings.Replace(text, `"runs": [`, `"runs": [1, `, 1), "runs of another kind": `{"runs": 3}`,
		"another schema": strings.Replace(text, Schema, "other", 1), "more": text + "x"} {
		_, want := ReadReport(strings.NewReader(content))
		_, got := ReadHead(strings.NewReader(content))
		if want == nil || got == nil || want.Error() != got.Error() {
			t.Errorf("%s: error %v, want %v", name, got, want)
		}
	}
}

// TestReadHeadHoldsNoRuns: ReadHead's memory does not grow with the number of runs.
func TestReadHeadHoldsNoRuns(t *testing.T) {
	run := `{"algorithm": "a", "label": "A", "seed": 1, "reason": "` + strings.Repeat("x", 1000) + `"}`
	text := func(runs int) []byte {
		return []byte(`{"schema": "` + Schema + `", "scenario": {"name": "n"}, "runs": [` +
			strings.Repeat(run+", ", runs-1) + run + `]}`)
	}
	few, many := text(100), text(10_000)
	bytesFor := func(content []byte) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := ReadHead(bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if a, b := bytesFor(few), bytesFor(many); b > a+9_900*200 {
		t.Errorf("100 runs allocate %d bytes, 10,000 runs %d: %d for each run of 1,000", a, b, (b-a)/9_900)
	}
}
