package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

// TestVerifyCodes checks that a broken file in a folder ends verify with 2, and an interrupt with 130. The
// transcript of verify has the other codes.
func TestVerifyCodes(t *testing.T) {
	t.Chdir(".")
	enter(t)
	writeFile(t, "broken.yaml", "version: 1\nclaims: 3\n")
	if _, errs, code := simulate("verify", "."); code != codeUsage || !strings.Contains(errs,
		"broken.yaml:2:9: claims:") {
		t.Errorf("a folder with a broken file: code %d\n%s", code, errs)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	var out, errs bytes.Buffer
	if code := runArgs(ctx, builtin(), []string{"verify", "claims.yaml"}, streams{Out: &out,
		Err: &errs}); code != codeInterrupted {
		t.Errorf("interrupted: code %d\n%s%s", code, out.String(), errs.String())
	}
}

// TestRunSavesClaims: result.json has the claims, and the tables beside it show them.
func TestRunSavesClaims(t *testing.T) {
	t.Chdir(".")
	enter(t)
	if _, errs, code := simulate("run", "wrong.yaml", "--quiet", "--out", "out"); code != codeFailed {
		t.Errorf("a claim fails: code %d\n%s", code, errs)
	}
	report, err := result.ReadFolder("out")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range report.Claims {
		got = append(got, report.Claims[i].Outcome())
	}
	if want := "fails, undecided, holds, not as expected, holds"; strings.Join(got, ", ") != want {
		t.Errorf("%v", got)
	}
	for _, f := range []string{"table.txt", "table.md", "table.tex"} {
		if !strings.Contains(readText(t, filepath.Join("out", f)), "Claims: 1 hold, 1 fail") {
			t.Errorf("%s does not show the claims", f)
		}
	}
}

// TestVerifyLooksAhead: output that cannot be written is reported before anything runs.
func TestVerifyLooksAhead(t *testing.T) {
	enter(t)
	text := readText(t, "whatif.yaml")
	writeFile(t, "twin.yaml", text)
	writeFile(t, "file", "")
	if err := os.MkdirAll("taken/README.md", 0o777); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"verify whatif.yaml --pages file":           "not a directory",
		"verify whatif.yaml --pages taken":          "README.md is in the way",
		"verify whatif.yaml twin.yaml --out all":    "would both go to",
		"verify whatif.yaml --out file":             "the results cannot go to",
		"verify whatif.yaml --out all --pages file": "not a directory",
	} {
		if out, errs, code := simulate(strings.Fields(args)...); code != codeUsage || !strings.Contains(errs, want) ||
			out != "" {
			t.Errorf("%s: code %d: %s", args, code, errs)
		}
	}
	if stored, err := filepath.Glob("all/*/runs/*"); err != nil || len(stored) > 0 {
		t.Errorf("something ran: %v, %v", stored, err)
	}
}
