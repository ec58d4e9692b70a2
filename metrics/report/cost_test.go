// Package report_test checks what all forms of a result have in common.
package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	format "github.com/parquet-go/parquet-go"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
)

// TestNewCost: a line in the table of costs is all that a new cost needs to reach the terminal, Markdown, CSV, LaTeX,
// the page, Parquet and the statistics.
func TestNewCost(t *testing.T) {
	remove := metrics.AddCost(metrics.CostItem{ID: "footprint_g", Column: "footprint_g", Name: "footprint",
		About: "made up", Unit: metrics.Number}, func(m *metrics.Moment) int64 { return 4321 * int64(m.Iteration) })
	defer remove()
	report, err := result.ReadFolder("result/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Runs {
		report.Runs[i].Point = nil // one study without a grid
	}
	shown, err := views.New(report.Runs, fold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"text": "footprint", "md": "footprint", "latex": "footprint",
		"csv": "footprint_g"} {
		var b bytes.Buffer
		if err := shown.Write(&b, name); err != nil {
			t.Fatal(err)
		}
		wantCost(t, name, b.String(), want, report.Runs)
	}
	builder := page.NewBuilder(page.Options{})
	for i := range report.Runs {
		builder.Add(&report.Runs[i])
	}
	p := builder.Page(shown.Summary)
	p.Tables, p.Folded = shown.PageTables()
	var b bytes.Buffer
	if err := page.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	wantCost(t, "page", b.String(), `{"id":"footprint_g","name":"footprint","unit":"number"}`, report.Runs)
	for _, f := range append(parquet.Files(report), report.Files()[0]) {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		names, _, _ := strings.Cut(b.String(), "\n")
		if strings.HasSuffix(f.Name, ".parquet") {
			file, err := format.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			names = fmt.Sprint(file.Schema())
		}
		if !strings.Contains(names, "footprint_g") {
			t.Errorf("%s lacks the cost: %s", f.Name, names)
		}
	}
}

// wantCost wants a name, and the cost of the last run in some way of writing.
func wantCost(t *testing.T, form, text, name string, runs []result.Run) {
	t.Helper()
	cost := 4321 * runs[len(runs)-1].Iterations
	plain := strings.NewReplacer(",", "", `\`, "").Replace(text)
	if !strings.Contains(text, name) || !strings.Contains(plain, fmt.Sprint(cost)) {
		t.Errorf("%s lacks %s, or its value %d:\n%.3000s", form, name, cost, text)
	}
}
