package measure

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/scenarios/keys"
	"tallynet/sim/golden"
)

// TestTablesInDocs compares the tables of metrics and costs in docs/results.md, each
// after a line that says so, with the program's tables.
func TestTablesInDocs(t *testing.T) {
	const file = "../../docs/results.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := generated(t, string(text), "metrics", metricsTable())
	want = generated(t, want, "costs", costsTable())
	if golden.Updating() {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("%s is not what the tables say (-want +got); go test ./scenarios/measure -update writes it:\n%s", file,
			diff)
	}
}

// generated returns the text with the table between the marks of a name replaced.
func generated(t *testing.T, text, name, table string) string {
	t.Helper()
	begin, end := fmt.Sprintf("<!-- %s: generated -->\n", name), fmt.Sprintf("<!-- end of %s -->", name)
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("no %q ... %q", begin, end)
	}
	return before + begin + table + end + after
}

func metricsTable() string {
	var b strings.Builder
	b.WriteString("| name | meaning | better | recorded | in tables and figures |\n| --- | --- | --- | --- | --- |\n")
	for _, m := range Metrics() {
		better, recorded := "less", "always"
		if m.MoreIsBetter {
			better = "more"
		}
		switch {
		case m.Personal:
			recorded = "where `inner` is `personal`, or where it is named"
		case m.OnRequest:
			recorded = "where it is named"
		case m.Work != nil:
			recorded = fmt.Sprintf("up to %.0e multiplications a sample; else where it is named", Cheap)
		}
		shown := "where it is a target"
		switch {
		case m.Headline:
			shown = "where it is recorded"
		case m.InsteadOf != "":
			shown += fmt.Sprintf(", or where `%s` is not recorded", m.InsteadOf)
		}
		if m.Title != "" {
			shown += ": " + m.Title
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", m.Name, strings.ReplaceAll(m.About, "|", `\|`), better, recorded,
			shown)
	}
	return b.String()
}

func costsTable() string {
	var b strings.Builder
	b.WriteString("| `totals` in result.json | column of iterations.csv | unit | meaning |\n| --- | --- | --- | --- |\n")
	for _, c := range metrics.CostItems() {
		column, id := "-", "`"+c.ID+"`"
		if c.Column != "" {
			column = "`" + c.Column + "`"
		}
		if c.ID == "iterations" {
			id, column = "`iterations` of the run", "`iteration`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", id, column, c.Unit, c.About)
	}
	return b.String()
}

// TestRanges: squares, distances, deviations and ages are at least 0, and an accuracy is a share.
func TestRanges(t *testing.T) {
	for _, m := range Metrics() {
		want := m.Range
		switch {
		case strings.HasSuffix(m.Name, "_accuracy"):
			want = keys.Between(0, 1)
		case strings.Contains(m.Name, "norm2"), strings.Contains(m.Name, "_error"), strings.HasPrefix(m.Name, "staleness"),
			strings.HasSuffix(m.Name, "_spread"), m.Name == "stationarity":
			want = keys.AtLeast(0)
		case strings.HasSuffix(m.Name, "loss"), m.Name == "objective":
			want = keys.Range{}
		}
		if m.Range != want {
			t.Errorf("%s: the range is %+v, want %+v", m.Name, m.Range, want)
		}
	}
}
