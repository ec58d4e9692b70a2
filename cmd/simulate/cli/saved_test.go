package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tallynet/metrics/result"
)

// replaceIn changes a text in a file.
func replaceIn(t *testing.T, file, old, now string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s does not have %q", file, old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, now, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSaved: nothing runs, a changed claim is decided anew, and runs of a scenario that has
// changed since, or that are not there, are not used.
func TestSaved(t *testing.T) {
	enter(t)
	if _, errs, code := simulate("verify", "claims.yaml", "whatif.yaml", "--out", "all", "--quiet"); code != codeDone {
		t.Fatalf("code %d: %s", code, errs)
	}
	if err := os.RemoveAll("all/claims/runs"); err != nil { // they would not be of this program anyway
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
	if strings.Contains(first, "undecided, ") || !strings.Contains(first, "2 hold, 0 fail, 1 differ as expected, 0 undecided") {
		t.Errorf("%s", first)
	}
	replaceIn(t, "claims.yaml", "dagm.totals.matrix_bytes == 0", "dagm.totals.matrix_bytes == 1")
	if out, _ := again(codeFailed); !strings.Contains(out, "1 hold, 1 fail") {
		t.Errorf("the new check is not decided: %s", out)
	}
	replaceIn(t, "claims.yaml", "neumann: 15", "neumann: 14")
	if out, errs := again(codeFailed); !strings.Contains(errs, "claims: the saved runs are of an older scenario") ||
		!strings.Contains(out, "3 undecided") {
		t.Errorf("%s%s", out, errs)
	}
	if page := readText(t, "pages/table.md"); !strings.Contains(page, "the saved runs are of an older scenario") {
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
	if _, errs, code := simulate("verify", "claims.yaml", "--saved"); code != codeUsage || !strings.Contains(errs, "--out") {
		t.Errorf("without --out: code %d: %s", code, errs)
	}
}

// TestSavedOfABrokenResult: it is an error that names the file, not a missing result.
func TestSavedOfABrokenResult(t *testing.T) {
	enter(t)
	if err := os.MkdirAll("all/claims", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("all/claims/result.json", []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, errs, code := simulate("verify", "claims.yaml", "--out", "all", "--saved")
	if code != codeFailed || !strings.Contains(errs, filepath.Join("all", "claims", "result.json")) {
		t.Errorf("code %d: %s", code, errs)
	}
}

// TestPagesOfSavedResults: they are the pages that the run itself writes; files of others are
// left alone, and those of earlier pages that are no longer there are removed.
func TestPagesOfSavedResults(t *testing.T) {
	enter(t)
	for _, args := range []string{"verify whatif.yaml claims.yaml --out all --pages first --quiet",
		"verify whatif.yaml claims.yaml --out all --pages second --saved --quiet"} {
		if _, errs, code := simulate(strings.Fields(args)...); code != codeDone {
			t.Fatalf("%s: code %d: %s", args, code, errs)
		}
	}
	for _, name := range []string{"README.md", "table.md", "s1.md", "pages.json"} {
		first, second := readText(t, filepath.Join("first", name)), readText(t, filepath.Join("second", name))
		second = strings.ReplaceAll(second, "--pages second --saved", "--pages first")
		if first != second {
			t.Errorf("%s: %s", name, goldenDiff(first, second))
		}
	}
	if err := os.WriteFile("second/notes.md", []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := simulate("verify", "whatif.yaml", "--out", "all", "--pages", "second", "--quiet"); code != codeDone {
		t.Fatal(errs)
	}
	if _, err := os.Stat("second/s1.md"); err == nil {
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

// TestElapsed: the time of several commands of one program adds up.
func TestElapsed(t *testing.T) {
	folder := t.TempDir()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	spend := func(program string, fresh bool, seconds time.Duration) result.Provenance {
		w := newStopwatch(func() time.Time { return now })
		now = now.Add(seconds * time.Second)
		var p result.Provenance
		if err := w.add(folder, program, fresh, &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := spend("a", false, 5); p.Seconds != 5 || p.Finished != "2026-01-02T03:04:10Z" {
		t.Errorf("%+v", p)
	}
	if p := spend("a", false, 2); p.Seconds != 7 {
		t.Errorf("the second command: %+v", p)
	}
	if p := spend("b", false, 1); p.Seconds != 1 {
		t.Errorf("another program: %+v", p)
	}
	spend("b", false, 4)
	if p := spend("b", true, 3); p.Seconds != 3 {
		t.Errorf("run afresh: %+v", p)
	}
	var p result.Provenance
	if err := newStopwatch(nil).add(folder, "b", false, &p); err != nil || p.Seconds != 0 || p.Finished != "" {
		t.Errorf("without a clock: %+v, %v", p, err)
	}
}
