// Package report_test checks what all forms of a result have in common.
package report_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/sim/slow"
)

// TestNewCost builds the program with one more line in the table of costs. A new cost needs no more to reach the
// terminal, Markdown, CSV, LaTeX, the page, Parquet, the statistics, the axes of figures and comparisons.
func TestNewCost(t *testing.T) {
	slow.Skip(t, "the program is compiled with another table of costs")
	costs, err := filepath.Abs("../costs.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(costs)
	if err != nil {
		t.Fatal(err)
	}
	before, table, found := strings.Cut(string(source), "var costItems = slices.Concat(")
	items, after, closed := strings.Cut(table, "\n)\n")
	if !found || !closed {
		t.Fatal("costs.go has its table of costs in another form")
	}
	const more = `CostItem{ID: "footprint_g", Column: "footprint_g", Name: "footprint", About: "made up", Unit: Number,
		Rank: 8, Axis: 4, Of: func(m *Moment) int64 { return 4321 * int64(m.Iteration) }}`
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	changed := write("costs.go", before+"var costItems = append(slices.Concat("+items+"\n), "+more+")\n"+after)
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {costs: changed}})
	if err != nil {
		t.Fatal(err)
	}
	program, out := filepath.Join(dir, "simulate"), filepath.Join(dir, "out")
	var compared []byte
	for _, args := range [][]string{
		{"go", "build", "-overlay", write("overlay.json", string(replace)), "-o", program, "../../cmd/simulate"},
		{program, "run", "../../cmd/simulate/cli/testdata/two.yaml", "--out", out, "--parquet", "--quiet"},
		{program, "compare", out, out, "--format", "csv"},
	} {
		if compared, err = exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, compared)
		}
	}
	if want := ",footprint_g A,B,B/A,"; !strings.Contains(string(compared), want) {
		t.Errorf("the comparison lacks %s:\n%s", want, compared)
	}
	report, err := result.ReadFolder(out)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"table.txt": "footprint", "table.md": "footprint vs. best",
		"table.tex": "footprint", "table.csv": "footprint_g", "iterations.csv": "footprint_g",
		"convergence.csv": ",footprint,", "runs.parquet": "footprint_g", "iterations.parquet": "footprint_g",
		"report.html": `"id":"footprint_g","name":"footprint"`} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks the cost", name)
		}
		if strings.HasSuffix(name, ".parquet") {
			continue // the values are compressed
		}
		plain := strings.NewReplacer(",", "", `\`, "").Replace(string(text))
		for _, r := range report.Runs {
			if cost := fmt.Sprint(4321 * r.Iterations); !strings.Contains(plain, cost) {
				t.Errorf("%s: %s has no cost of %s", name, r.Label, cost)
			}
		}
	}
}
