package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim/slow"
)

func runFile(t *testing.T, path string, overrides ...string) []result.Run {
	t.Helper()
	s, err := spec.Load(path, scenariotest.Catalog(), overrides)
	if err != nil {
		t.Fatal(err)
	}
	_, runs := played(t, s)
	return runs
}

// TestQuickstart runs the README's main job and compares each method's messages
// with theory, with p = q = 49.
func TestQuickstart(t *testing.T) {
	t.Parallel()
	const d = 49
	matrices := map[string]int64{ // elements that a node broadcasts in an iteration
		"DAGM":          0,
		"DGBO (b = 1)":  d*d + 1*d*d,
		"DGBO (b = 10)": d*d + 10*d*d,
		"DGTBO":         2 * 2 * d * d, // 2 N p q
	}
	_, runs := playedSmall(t, "quickstart.yaml") // has no smaller form
	if len(runs) != len(matrices) {
		t.Fatalf("%d runs", len(runs))
	}
	for _, r := range runs {
		if r.Status != result.Reached || !strings.Contains(r.Reason, "grad_norm2 <= 5e-05 and test_accuracy >= 0.9") {
			t.Errorf("%s: %s: %s", r.Label, r.Status, r.Reason)
		}
		if got, want := r.Totals.Broadcast.Matrix, 20*int64(r.Iterations)*matrices[r.Label]; got != want {
			t.Errorf("%s: %d matrix elements, want %d", r.Label, got, want)
		}
		if err := r.Predicted.Check(&r.Totals); err != nil {
			t.Errorf("%s: %v", r.Label, err)
		}
		if a, _ := r.Final.Values.Get("test_accuracy"); a < 0.9 {
			t.Errorf("%s: test accuracy %g", r.Label, a)
		}
		if r.Totals.Path.Total() != r.Totals.Time {
			t.Errorf("%s: the critical path is %v of %v", r.Label, r.Totals.Path.Total(), r.Totals.Time)
		}
		if r.Label != "DAGM" && r.Totals.PayloadBytes() < 10*runs[0].Totals.PayloadBytes() {
			t.Errorf("%s: %d bytes, DAGM %d", r.Label, r.Totals.PayloadBytes(), runs[0].Totals.PayloadBytes())
		}
	}
}

// TestQuickstartWinners searches the grids within one step of one parameter around quickstart.yaml's
// values, which must win. simulate run quickstart-tuning.yaml searches the whole grids. It takes half
// a minute, so it runs only with TALLYNET_SLOW, as in CI.
func TestQuickstartWinners(t *testing.T) {
	quick, err := spec.Load(shippedPath("quickstart.yaml"), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tuning, err := spec.Load(shippedPath("quickstart-tuning.yaml"), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"topology", "network", "compute", "wire", "problem", "seed"} {
		if diff := cmp.Diff(section(quick, key), section(tuning, key)); diff != "" {
			t.Errorf("the two files differ in %s: %s", key, diff)
		}
	}
	slow.Skip(t, "the search takes half a minute")
	for i := range tuning.Algorithms {
		a := &tuning.Algorithms[i]
		all := len(a.Tune.Points)
		a.Tune.Points = slices.DeleteFunc(a.Tune.Points, func(p spec.TunePoint) bool {
			return !neighbor(t, a.Tune.Grid, p, quick.Algorithms[i].Args)
		})
		if n := len(a.Tune.Points); n < 4 || n > all/2 {
			t.Errorf("%s: %d of %d points are near what quickstart.yaml has", a.Label, n, all)
		}
	}
	_, chosen := playedSmall(t, "quickstart.yaml") // has no smaller form
	_, runs := played(t, tuning)
	for i, r := range runs {
		want := chosen[i].Parameters
		if diff := cmp.Diff(want, r.Parameters); diff != "" || r.Label != quick.Algorithms[i].Label {
			t.Errorf("%s: quickstart.yaml has another winner (-) than the search (+): %s", r.Label, diff)
		}
	}
}

// neighbor reports whether the values of a point equal args, except for at most one that is next
// to it on its axis.
func neighbor(t *testing.T, grid []spec.Axis, p spec.TunePoint, args keys.Args) bool {
	t.Helper()
	moved := 0
	for k, axis := range grid {
		index := func(v any) int { // 4000 may be an integer here, and a float there
			return slices.IndexFunc(axis.Values, func(other any) bool { return fmt.Sprint(other) == fmt.Sprint(v) })
		}
		at := index(args.Value(axis.Key))
		if at < 0 {
			t.Fatalf("quickstart.yaml has %s: %v, which is not in the grid %v", axis.Key, args.Value(axis.Key), axis.Values)
		}
		i := index(p.Values[k].Value)
		if i < at-1 || i > at+1 {
			return false
		}
		if i != at {
			moved++
		}
	}
	return moved <= 1
}

func section(s *spec.Scenario, key string) string {
	for _, p := range s.Resolved() {
		if p.Key == key {
			b, err := jsonio.Object{p}.MarshalJSON()
			if err != nil {
				return err.Error()
			}
			return string(b)
		}
	}
	return ""
}

// TestShippedScenarios runs every scenario of this folder: the small form of those with claims, whose outcomes must
// be as expected, and the others for a few iterations without a search. It makes all files of the papers' pages from
// those with claims, as simulate verify --small --pages does. The slowest ones run with slow tests, with pages of
// their own.
func TestShippedScenarios(t *testing.T) {
	var shown []papers.Verified
	for _, path := range shippedPaths() {
		f := filepath.Base(path)
		t.Run(f, func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(src), "# ") {
				t.Error("does not open with a comment that says what it is about")
			}
			s, err := spec.LoadSmall(path, scenariotest.Catalog())
			if err == nil && slices.Contains(longForms, strings.TrimSuffix(f, ".yaml")) {
				slow.Skip(t, "its small form takes more than a third of a second")
			}
			switch {
			case err != nil:
				t.Fatal(err)
			case len(s.Claims) > 0 && testing.Short() && f != "quickstart.yaml":
				// With -short the race detector needs no more of them.
			case len(s.Claims) > 0:
				st, runs := playedSmall(t, f)
				checkClaims(t, st, runs)
				shown = append(shown, shownOf(t, st, runs))
			case strings.Contains(string(src), "tune:"):
				if _, err := build.Build(s, s.Seeds[0], &scenariotest.Data); err != nil {
					t.Fatal(err)
				}
			default:
				shorter := strings.Contains(string(src), "\nsmall:") && !strings.Contains(string(src), "\nsmall: {seeds: 1}")
				checkStart(t, s, shorter)
			}
		})
	}
	if !testing.Short() && !t.Failed() {
		checkPages(t, shown)
	}
}

// longForms are the scenarios whose small forms take more than a third of a second of CPU time, except for two
// of Nazari et al. Each paper has shorter ones.
var longForms = []string{"bome-minimax", "compression", "dagm-figure3a", "dagm-figure3b", "dagm-figure4",
	"dagm-figure5-methods", "dagm-figure5a", "dagm-figure5b", "dagm-s1", "dagm-table2", "dagm-table2-eps",
	"dagm-table2-gap", "dbo-figure1-sums", "dbo-figure2", "dbo-figure4", "dbo-figure4-seeds", "dbo-rates", "dbo-theory",
	"loops-floor-kappa", "lpdbo-table1", "mnist-196", "topology-size"}

// shownOf returns what the papers' pages show of a scenario's small form.
func shownOf(t *testing.T, st *Study, runs []result.Run) papers.Verified {
	t.Helper()
	s := st.Scenario
	figures, err := st.Figures(runs)
	if err != nil {
		t.Errorf("%s: %v", s.Name, err)
	}
	p := &papers.Paper{ID: s.PaperID}
	if s.Facts != nil {
		for _, f := range s.Facts.Facts {
			p.Facts = append(p.Facts, f.Fact)
		}
	}
	return papers.Verified{Scenario: s.Name, File: s.File(), Paper: p, Claims: st.Claims(runs), Tables: st.Tables(runs),
		Figures: figures, Settings: s.Compared(), Small: s.SmallText()}
}

// checkPages requires files with all figures, tables and facts.
func checkPages(t *testing.T, shown []papers.Verified) {
	t.Helper()
	all, err := papers.NewPages(shown, "", true)
	if err != nil {
		t.Fatal(err)
	}
	var pages strings.Builder
	pictures, sheets := 0, 0
	for _, f := range all.Files() {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil || b.Len() < 50 {
			t.Errorf("%s: %d bytes: %v", f.Name, b.Len(), err)
		}
		switch filepath.Ext(f.Name) {
		case ".md":
			b.WriteTo(&pages)
		case ".svg":
			pictures++
		case ".csv":
			sheets++
		}
	}
	said := strings.ReplaceAll(pages.String(), `\`, "") // Markdown's escapes
	figures, tables := 0, 0
	for _, v := range shown {
		for _, c := range v.Claims {
			if c.Fact != "" && !strings.Contains(c.Text, " at ") && !strings.Contains(said, c.Text) {
				t.Errorf("%s: no page has the fact %q", v.Scenario, c.Text)
			}
		}
		figures, tables = figures+len(v.Figures), tables+len(v.Tables)
	}
	if figures == 0 || pictures < figures || sheets < tables {
		t.Errorf("%d pictures of %d figures and %d sheets of %d tables", pictures, figures, sheets, tables)
	}
}

// checkClaims requires every claim of a scenario to be decided as expected, and every
// cell of a table to have a value.
func checkClaims(t *testing.T, st *Study, runs []result.Run) {
	t.Helper()
	for _, c := range st.Claims(runs) {
		if _, err := json.Marshal(c); err != nil {
			t.Error(err)
		}
		if c.Wrong() || c.Verdict == result.Undecided && c.Expected != result.Open {
			t.Errorf("%s (%s): %s %s: %v %v", c.Text, c.Source, c.Outcome(), c.Reason, c.Measured, c.Observed)
		}
	}
	for _, table := range st.Tables(runs) {
		for _, row := range table.Rows {
			if row.Reason != "" {
				t.Errorf("table %s, row %s: %s", table.Name, row.Name, row.Reason)
			}
		}
	}
}

// checkStart runs the small form of a scenario if its runs are shorter. Otherwise it runs a few iterations with one
// seed, with a small problem if any will do.
func checkStart(t *testing.T, s *spec.Scenario, shorter bool) {
	t.Helper()
	few := []string{"stop.iterations=3", fmt.Sprintf("seeds=[%d]", s.Seeds[0])}
	var runs []result.Run
	switch {
	case shorter:
		_, runs = playedSmall(t, filepath.Base(s.File()))
	case s.Problem.Kind == "quadratic":
		runs = runFile(t, s.File(), append(few, "problem.p=8", "problem.q=8")...)
	default:
		runs = runFile(t, s.File(), few...)
	}
	for _, r := range runs {
		if r.Status != result.Completed && r.Status != result.Reached {
			t.Errorf("%s: %s: %s", r.Label, r.Status, r.Reason)
		}
		for _, n := range r.Notes {
			if !strings.HasPrefix(n, "the method assumes that all nodes") &&
				!strings.HasPrefix(n, "in this method each node") {
				t.Errorf("%s: %s", r.Label, n)
			}
		}
	}
}
