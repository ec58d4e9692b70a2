package papers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
)

// Scenarios that reproduce a whole table come before those with partial readings.
func TestWholeTablesFirst(t *testing.T) {
	table := func(scenario, source string) Verified {
		return Verified{Scenario: scenario, Tables: []result.PaperTable{{Name: "t", Source: source}}}
	}
	items := itemsOf([]Verified{table("a", "X, Table 1: readings"), table("b", "X, Table 1"),
		table("c", "X, Table 1: more")})
	var got []string
	for _, t := range items[0].tables {
		got = append(got, t.file)
	}
	if diff := cmp.Diff([]string{"b-t", "a-t", "c-t"}, got); diff != "" || len(items) != 1 {
		t.Errorf("%d items (-want +got):\n%s", len(items), diff)
	}
}

// If a picture of two panels has no claims of its own, the page links to its panels' claims.
func TestPageLinksClaimsOfPanels(t *testing.T) {
	v := Verified{Scenario: "a", Figures: []result.PaperFigure{{Name: "f", Source: "X, Figure 1a, b",
		Panels: []result.PaperPanel{{X: "iterations", Y: "loss"}}}},
		Claims: []result.Claim{{Text: "falls", Source: "X, Figure 1a: loss", Class: result.OfPaper, Verdict: result.Holds}}}
	page := written(t, NewPages([]Verified{v}, "simulate verify x", false))["x.md"]
	if want := "### Figure 1a, b\n\nFor its claims, see [Figure 1a](#figure-1a).\n"; !strings.Contains(page, want) {
		t.Errorf("the page lacks %q:\n%s", want, page)
	}
}

// A printed value is drawn once, even with several readings.
func TestPrintedDrawnOnce(t *testing.T) {
	row := func(name string, printed ...string) result.PaperRow {
		r := result.PaperRow{Name: name, Cells: []result.PaperCell{{Value: 1}, {Value: 2}}}
		for _, p := range printed {
			r.Printed = append(r.Printed, json.RawMessage(p))
		}
		return r
	}
	f, ok := paperFigure(&result.PaperTable{X: []float64{1, 2}, Rows: []result.PaperRow{
		row("first", "1", "2"), row("second", "1", "2"), row("third", "7", "9"), row("fourth")}})
	var got []string
	for _, s := range f.Panels[0].Series {
		got = append(got, s.Label)
	}
	want := []string{"first", "second", "third", "fourth", "printed, 1 to 2", "third, printed"}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("drawn: %t (-want +got):\n%s", ok, diff)
	}
}

// Four panels make a square.
func TestPanelsSideBySide(t *testing.T) {
	for panels, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3} {
		if got := columnsOf(panels); got != want {
			t.Errorf("%d panels: %d side by side, want %d", panels, got, want)
		}
	}
}
