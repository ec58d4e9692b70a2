package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSaved checks that --saved runs nothing, evaluates a changed claim again, and reports runs that are missing or
// belong to a changed scenario.
func TestSaved(t *testing.T) {
	enter(t)
	fewRuns(t)
	_, errs, code := simulate("verify", "claims.yaml", "whatif.yaml", "--out", "all", "--quiet")
	if code != codeDone {
		t.Fatalf("code %d: %s", code, errs)
	}
	if err := os.RemoveAll("all/claims/runs"); err != nil { // runs of another program version would not count anyway
		t.Fatal(err)
	}
	again := func(want int) (out, errs string) {
		t.Helper()
		out, errs, code := simulate("verify", "claims.yaml", "--out", "all", "--saved", "--pages", "pages")
		if code != want {
			t.Errorf("code %d, want %d: %s%s", code, want, out, errs)
		}
		return out, errs
	}
	first, _ := again(codeDone)
	if strings.Contains(first, "undecided, ") || !strings.Contains(first,
		"2 hold, 0 fail, 1 differ as expected, 0 undecided") {
		t.Errorf("%s", first)
	}
	replaceIn(t, "claims.yaml", "measured: dagm.totals.matrix_bytes", "measured: dagm.totals.matrix_bytes + 1")
	if out, _ := again(codeFailed); !strings.Contains(out, "1 hold, 1 fail") {
		t.Errorf("the new check is not decided: %s", out)
	}
	replaceIn(t, "claims.yaml", "neumann: 15", "neumann: 14")
	if out, errs := again(codeFailed); !strings.Contains(errs, "claims: the saved runs are of an older scenario") ||
		!strings.Contains(out, "3 undecided") {
		t.Errorf("%s%s", out, errs)
	}
	if page := readText(t, "pages/nazari.md"); !strings.Contains(page, "the saved runs are of an older scenario") {
		t.Errorf("the page does not say so: %s", page)
	}
	if err := os.RemoveAll("all/claims"); err != nil {
		t.Fatal(err)
	}
	if _, errs := again(codeFailed); !strings.Contains(errs, "claims: not run") {
		t.Error(errs)
	}
	if _, err := os.Stat("all/claims"); err == nil {
		t.Error("a folder was made, or something ran")
	}
	if _, errs, code := simulate("verify", "claims.yaml", "--saved"); code != codeUsage ||
		!strings.Contains(errs, "--out") {
		t.Errorf("without --out: code %d: %s", code, errs)
	}
}

// TestSavedOfABrokenResult checks that a broken result is an error that names the file.
func TestSavedOfABrokenResult(t *testing.T) {
	enter(t)
	if err := os.MkdirAll("all/claims", 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "all/claims/result.json", "{")
	_, errs, code := simulate("verify", "claims.yaml", "--out", "all", "--saved")
	if code != codeFailed || !strings.Contains(errs, filepath.Join("all", "claims", "result.json")) {
		t.Errorf("code %d: %s", code, errs)
	}
}

// TestPagesOfSavedResults compares pages of saved runs with pages of the original runs. Earlier pages are
// removed, and other files stay.
func TestPagesOfSavedResults(t *testing.T) {
	enter(t)
	fewRuns(t)
	for _, args := range []string{"verify whatif.yaml claims.yaml --out all --pages first --quiet",
		"verify whatif.yaml claims.yaml --out all --pages second --saved --quiet"} {
		if _, errs, code := simulate(strings.Fields(args)...); code != codeDone {
			t.Fatalf("%s: code %d: %s", args, code, errs)
		}
	}
	for _, name := range []string{"README.md", "nazari.md", "reproduction.json", "pages.json"} {
		first, second := readText(t, filepath.Join("first", name)), readText(t, filepath.Join("second", name))
		second = strings.ReplaceAll(second, "--pages second --saved", "--pages first")
		if first != second {
			t.Errorf("%s: %s", name, goldenDiff(first, second))
		}
	}
	writeFile(t, "second/notes.md", "mine")
	if _, errs, code := simulate("verify", "whatif.yaml", "--out", "all", "--pages", "second",
		"--quiet"); code != codeDone {
		t.Fatal(errs)
	}
	if _, err := os.Stat("second/nazari.md"); err == nil {
		t.Error("a page of an earlier call is left")
	}
	if readText(t, "second/notes.md") != "mine" {
		t.Error("a file of somebody else is changed")
	}
	if err := os.Remove("second/pages.json"); err != nil {
		t.Fatal(err)
	}
	_, errs, code := simulate("verify", "whatif.yaml", "--pages", "second", "--quiet")
	if code != codeUsage || !strings.Contains(errs, "in the way") {
		t.Errorf("pages of somebody else: code %d: %s", code, errs)
	}
}

// TestElapsed adds up the time of several commands of one program.
func TestElapsed(t *testing.T) {
	folder := t.TempDir()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	spend := func(program string, fresh bool, seconds time.Duration) elapsed {
		since := stopwatch(func() time.Time { return now })
		now = now.Add(seconds * time.Second)
		took, err := addElapsed(since(), folder, program, fresh)
		if err != nil {
			t.Fatal(err)
		}
		return took
	}
	if e := spend("a", false, 5); e.Seconds != 5 || e.Finished != "2026-01-02T03:04:10Z" {
		t.Errorf("%+v", e)
	}
	if e := spend("a", false, 2); e.Seconds != 7 {
		t.Errorf("the second command: %+v", e)
	}
	if e := spend("b", false, 1); e.Seconds != 1 {
		t.Errorf("another program: %+v", e)
	}
	spend("b", false, 4)
	if e := spend("b", true, 3); e.Seconds != 3 {
		t.Errorf("run afresh: %+v", e)
	}
	if e, err := addElapsed(stopwatch(nil)(), folder, "b", false); err != nil || e != (elapsed{}) {
		t.Errorf("without a clock: %+v, %v", e, err)
	}
	if e, ok := readElapsed(folder); !ok || e.Seconds != 3 || e.Program != "b" {
		t.Errorf("read %+v, %v", e, ok)
	}
}

// TestElapsedOf finds the time beside the runs, and in the provenance of older results.
func TestElapsedOf(t *testing.T) {
	enter(t)
	if _, errs, code := simulate("verify", "claims.yaml", "--out", "all", "--quiet"); code != codeDone {
		t.Fatalf("code %d: %s", code, errs)
	}
	text := `{"program": "a", "seconds": 7, "finished": "2026-01-02T03:04:10Z"}`
	writeFile(t, "all/claims/runs/elapsed.json", text)
	page := func() string {
		t.Helper()
		_, errs, code := simulate("verify", "claims.yaml", "--out", "all", "--saved", "--pages", "p")
		if code != codeDone {
			t.Fatalf("code %d: %s", code, errs)
		}
		return readText(t, "p/nazari.md")
	}
	if got := page(); !strings.Contains(got, "on 2026-01-02 03:04:10 UTC") {
		t.Errorf("without the time beside the runs: %s", got)
	}
	replaceIn(t, "all/claims/result.json", `"command_line"`,
		`"seconds": 125, "finished": "2025-12-31T23:59:58Z", "command_line"`)
	if got := page(); !strings.Contains(got, "on 2025-12-31 23:59:58 UTC") {
		t.Errorf("without the time of the provenance: %s", got)
	}
}

// TestEqualRunsHaveEqualFiles checks that neither the time of day nor the duration of a run changes a byte.
func TestEqualRunsHaveEqualFiles(t *testing.T) {
	enter(t)
	run := func() map[string]string {
		t.Helper()
		if out, err := program("run", "two.yaml", "--fresh").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return contents(t, "results/two")
	}
	first := run()
	if strings.Contains(first["result.json"], `"finished"`) {
		t.Error("the time of day is in the result")
	}
	sameFiles(t, first, run())
}
