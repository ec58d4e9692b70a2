package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

const registry = `version: 1
paper: {id: niu, cite: Niu et al.}
readings:
  - {name: base, open: base of the logarithm, main: "10", support: the counts, values: {e: {a.b: 2}, "10": {a.b: 10}}}
  - {name: start, open: the start, values: {near: {problem.x0: 1}, far: {problem.x0: 9}}}
tables:
  - id: t1
    place: Table I
    class: number
    unit: products
    open: [base]
    columns: {accuracy: [0.65, 0.7]}
    rows: {spdb: [320, 410], lpdbo: [330, "-"]}
facts:
  - {id: order, place: Table I, class: order, says: SPDB needs fewer, of: t1-spdb-065 / t1-lpdbo-065}
  - {id: rate, place: Theorem 1, class: bound, says: it falls, value: -1/2, typed_in: [algorithms.*.alpha]}
  - {id: count, place: Section 3, class: cost-formula, says: products, value: 2*K*N}
  - {id: s-nodes, place: Section 4, class: setting, says: 10 nodes}
  - {id: seen, place: Figure 1, class: shape, says: a curve, unjudged: the text lacks the figure}
`

func load(t *testing.T, text string) (*Registry, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "facts.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Load(file)
}

// TestLoad: cells of tables are facts, and classes give relations and margins.
func TestLoad(t *testing.T) {
	g, err := load(t, registry)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"t1-spdb-065", "t1-spdb-07", "t1-lpdbo-065", "order", "rate", "count", "s-nodes", "seen"}
	if !slices.Equal(g.IDs(), want) {
		t.Errorf("%v", g.IDs())
	}
	cell := g.Find("t1-spdb-07")
	if cell.Expected(0) != 410 || cell.Heads["accuracy"] != 0.7 || cell.Margin != 0.1 || cell.Item() != "Table I" {
		t.Errorf("%+v", cell)
	}
	if f := g.Find("rate"); f.Value[0] != -0.5 || f.Relation != result.AtMost {
		t.Errorf("%+v", f)
	}
	if f := g.Find("order"); f.Relation != result.Less || f.Value[0] != 1 || len(f.Of) != 1 {
		t.Errorf("%+v", f)
	}
	if f := g.Find("count"); f.Formula != "2*K*N" {
		t.Errorf("%+v", f)
	}
}

// TestVariants: the main reading first, then one reading at a time, or all combinations.
func TestVariants(t *testing.T) {
	g, err := load(t, registry)
	if err != nil {
		t.Fatal(err)
	}
	for list, want := range map[string][]string{
		"":           {""},
		"base":       {"base = 10", "base = e"},
		"base,start": {"base = 10, start = near", "base = e, start = near", "base = 10, start = far"},
		"base x start": {"base = 10, start = near", "base = 10, start = far", "base = e, start = near",
			"base = e, start = far"},
	} {
		var items []string
		if list != "" {
			items = strings.Split(list, ",")
		}
		all, err := g.Variants(items)
		var got []string
		for _, v := range all {
			got = append(got, v.String())
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", list, got, err, want)
		}
	}
	if _, err := g.Variants([]string{"basis"}); err == nil || !strings.Contains(err.Error(), "basis") {
		t.Errorf("an unknown reading: %v", err)
	}
}

// TestWrongRegistries: what is wrong is said with its place.
func TestWrongRegistries(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"id: order", "id: rate", "two facts are called rate"},
		{"[320, 410]", "[320]", "the row spdb has 1 values; want 2"},
		{"[320, 410]", "[320, many]", "want a number, got many"},
		{"[320, 410]", "[640, 410]", "which is not <"}, // printed values against a printed order
		{"t1-lpdbo-065}", "t1-lpdbo-095}", "t1-lpdbo-095 0, of those before"},
		{"support: the counts, ", "", "never by the outcome"},
		{`main: "10"`, "main: two", "the reading has no value two"},
		{"open: [base]", "open: [basis]", "there is no reading basis"},
		{"value: -1/2, ", "", "no value that a run could be compared with"},
		{"class: bound", "class: bound, margin: 0.2", "needs a reason"},
		{"class: bound", "class: bond", "bond"},
		{"unit: products", "units: products", "units"},
	} {
		_, err := load(t, strings.Replace(registry, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}
