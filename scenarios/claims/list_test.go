package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
)

// TestLists: the cells of a row by hand, for two runs that end at 0.5 and 4.
func TestLists(t *testing.T) {
	scope, runs := single()
	nan := jsonio.Real(math.NaN())
	number := func(x float64) result.PaperCell { return result.PaperCell{Value: jsonio.Real(x), Low: nan, High: nan} }
	text := func(s string) result.PaperCell { return result.PaperCell{Value: nan, Low: nan, High: nan, Text: s} }
	for _, c := range []struct {
		text   string
		cells  []result.PaperCell
		reason string // why there are no cells
	}{
		{`dagm.final.grad_norm2`, []result.PaperCell{number(0.5)}, ""},
		{`[dagm.final.grad_norm2, [dagm.label, run("DGBO (b = 1)").final.grad_norm2]]`,
			[]result.PaperCell{number(0.5), text("DAGM"), number(4)}, ""},
		{`map([2, 4], metric(dagm, "grad_norm2", #))`, []result.PaperCell{number(4), number(2)}, ""},
		{`[dagm.final.grad_norm2 > 1]`, nil, "a row wants numbers, intervals or texts, not "},
		{`[dagm, 1]`, nil, "a row wants numbers, intervals or texts, not "},
	} {
		l, err := CompileList(c.text, max(1, len(c.cells)), scope)
		if err != nil {
			if c.reason == "" || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		cells, reason := l.Evaluate(runs)
		if got, want := fmt.Sprint(cells), fmt.Sprint(c.cells); got != want || reason != c.reason {
			t.Errorf("%s: %s, reason %q; want %s, %q", c.text, got, reason, want, c.reason)
		}
		if _, err := CompileList(c.text, len(c.cells)+1, scope); err == nil {
			t.Errorf("%s fills %d columns", c.text, len(c.cells)+1)
		}
		if !slices.Contains(l.Labels(), "DAGM") || !slices.Contains(l.Metrics(), "grad_norm2") {
			t.Errorf("%s: labels %q, metrics %q", c.text, l.Labels(), l.Metrics())
		}
		// A missing or interrupted run gives no cells.
		for _, some := range [][]result.Run{runs[1:], {interrupted(runs[0]), runs[1]}} {
			if cells, reason := l.Evaluate(some); cells != nil || reason == "" {
				t.Errorf("%s: cells %v, reason %q", c.text, cells, reason)
			}
		}
	}
}

// TestListsWithoutCells: reasons that depend on the runs; an interval is a cell.
func TestListsWithoutCells(t *testing.T) {
	scope, runs := single()
	for text, want := range map[string]string{
		`[dagm.label, 1][dagm.iterations]`:                 "[dagm.label, 1][dagm.iterations]: the list has 2 items",
		`[dagm.label, dagm][dagm.iterations - 7]`:          "a row wants numbers, intervals or texts, not a run",
		`dagm.iterations > 1 ? dagm.seed : [dagm.seed, 2]`: "",
	} {
		l, err := CompileList(text, 1, scope)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if cells, reason := l.Evaluate(runs); reason != want || (cells == nil) != (want != "") {
			t.Errorf("%s: cells %v, reason %q, want %q", text, cells, reason, want)
		}
	}
	l, err := CompileList(`[interval([7, dagm.iterations, 9])]`, 1, scope)
	if err != nil {
		t.Fatal(err)
	}
	// 8, with half a width of t(2) / sqrt(3) = 4.302653 / 1.732051
	cells, reason := l.Evaluate(runs)
	if len(cells) != 1 || cells[0].Value != 8 || math.Abs(float64(cells[0].Low)-5.515863) > 1e-6 ||
		math.Abs(float64(cells[0].High)-10.484137) > 1e-6 || reason != "" {
		t.Errorf("cells %v, reason %q", cells, reason)
	}
}

// TestSelectionsWithoutRuns: reasons that depend on the runs.
func TestSelectionsWithoutRuns(t *testing.T) {
	scope, runs := grid(t)
	runs[0].Iterations = 9
	for text, want := range map[string]string{
		`runs("DAGM")[runs("DAGM")[0].iterations]`:                "the list has 6 items",
		`[runs("DAGM"), 1][(runs("DAGM")[0].iterations - 2) / 7]`: "want a list of runs, got a number",
	} {
		g, err := CompileSelection(text, scope)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if chosen, reason := g.Evaluate(runs); chosen != nil || !strings.HasSuffix(reason, want) {
			t.Errorf("%s: %d runs, %q, want %q", text, len(chosen), reason, want)
		}
	}
}

func interrupted(r result.Run) result.Run {
	r.Status = result.Interrupted
	return r
}

// TestSelections: a list of runs, one run, and values that are neither.
func TestSelections(t *testing.T) {
	scope, runs := grid(t)
	for text, want := range map[string][]uint64{
		`runs("DAGM")`:                            {1, 2, 1, 2, 1, 2},
		`filter(runs("DAGM"), .seed == 2)`:        {2, 2, 2},
		`runs("DAGM")[3]`:                         {2},
		`filter(runs("DAGM"), .seed > 5)`:         {},
		`runs("DAGM")[0:2]`:                       {1, 2},
		`[runs("DAGM")[1], runs("DAGM")[0]]`:      {2, 1},
		`reverse(runs("DAGM"))[:1]`:               {2},
		`at("DAGM", {"topology.nodes": 20})`:      {1, 2},
		`at("DAGM", {"topology.nodes": 20})[-1:]`: {2},
	} {
		g, err := CompileSelection(text, scope)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		chosen, reason := g.Evaluate(runs)
		seeds := []uint64{}
		for _, r := range chosen {
			seeds = append(seeds, r.Seed)
		}
		if !slices.Equal(seeds, want) || reason != "" || !slices.Equal(g.Labels(), []string{"DAGM"}) {
			t.Errorf("%s: seeds %v, want %v; reason %q, labels %q", text, seeds, want, reason, g.Labels())
		}
	}
	for _, text := range []string{`runs("DAGM")[0].seed`, `map(runs("DAGM"), .seed)`, `[runs("DAGM")[0], 1]`} {
		_, err := CompileSelection(text, scope)
		if err == nil || !strings.Contains(err.Error(), "want a list of runs, got ") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// TestOrders compares numbers and texts with smaller, equal and greater ones.
func TestOrders(t *testing.T) {
	scope, runs := single()
	for _, of := range []struct {
		value   string
		against [3]string
	}{{"dagm.iterations", [3]string{"7", "8", "9"}}, {"dagm.label", [3]string{`"DAGL"`, `"DAGM"`, `"DAGN"`}}} {
		for op, want := range map[string][3]bool{
			"<": {false, false, true}, "<=": {false, true, true}, ">": {true, false, false}, ">=": {true, true, false},
			"==": {false, true, false}, "!=": {true, false, true},
		} {
			for i, other := range of.against {
				text := of.value + " " + op + " " + other
				o := mustCompile(t, text, scope).Evaluate(runs)
				if got := o.Verdict == result.Holds; got != want[i] || !got && o.Verdict != result.Fails {
					t.Errorf("%s: %s %s", text, o.Verdict, o.Reason)
				}
			}
		}
	}
}

// TestIdentifiers: a name has ASCII letters, underscores and, after the first character, digits.
func TestIdentifiers(t *testing.T) {
	for label, want := range map[string]string{
		"DAGM": "dagm", "azAZ_09": "azaz_09", "_": "_", "z9": "z9", "": "", "9z": "", "0": "", "a`": "", "a{": "", "a@": "",
		"a[": "", "a/": "", "a:": "", "a b": "", "é": "",
	} {
		if got := identifier(label); got != want {
			t.Errorf("%q is written %q, want %q", label, got, want)
		}
	}
}
