package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

func TestFolderIsNeverTakenFromAnother(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{ // want is part of the error; "" if the folder may be used
		{"", "", ""},
		{"notes.txt", "mine", ""},
		{"table.csv", "mine", "table.csv is in the way"},
		{"result.json", `{"schema":"tallynet/result/v1","scenario":{"name":"other"}}`, `another scenario, "other"`},
		{"result.json", "[", "cannot be read"},
	} {
		t.Run(c.file, func(t *testing.T) {
			enter(t)
			if err := os.Mkdir("out", 0o777); err != nil {
				t.Fatal(err)
			}
			if c.file != "" {
				writeFile(t, filepath.Join("out", c.file), c.text)
			}
			before := contents(t, "out")
			_, errs, code := simulate("run", "two.yaml", "--out", "out")
			after := contents(t, "out")
			if c.want == "" && code != codeDone || c.want != "" && (code != codeUsage || len(after) != len(before) ||
				!strings.Contains(errs, c.want) || !strings.Contains(errs, "--out")) {
				t.Errorf("code %d, %d files: %s", code, len(after), errs)
			}
			for name, text := range before {
				if after[name] != text {
					t.Errorf("%s was changed", name)
				}
			}
		})
	}
}

// contents returns the files of a folder by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == runsFolder {
			continue // depends on the program, and no reader of a result needs it
		}
		text := readText(t, filepath.Join(dir, e.Name()))
		files[e.Name()] = string(text)
	}
	return files
}

func TestOwnResultIsReplaced(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml", "--set", "seeds=2")
	first := contents(t, "results/two")
	if _, ok := first["summary.txt"]; !ok {
		t.Fatal("several seeds have no summary")
	}
	mustSimulate(t, "run", "two.yaml")
	second := contents(t, "results/two")
	if first["result.json"] == second["result.json"] {
		t.Error("the result is the old one")
	}
	if _, ok := second["summary.txt"]; ok {
		t.Error("a summary that is not of this result was left")
	}
	if len(second) != len(first)-3 {
		t.Errorf("files: %d, then %d", len(first), len(second))
	}
}

// TestFilesOfTheUserInAResult: files that the program did not write are neither
// replaced nor removed, whatever their names.
func TestFilesOfTheUserInAResult(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml")
	for _, name := range []string{"summary.md", "trajectory.svg", "accuracy.png"} {
		mine := filepath.Join("results/two", name)
		writeFile(t, mine, "mine")
		if _, errs, code := simulate("run", "two.yaml"); code != codeUsage || !strings.Contains(errs,
			mine+" is in the way") {
			t.Errorf("%s: code %d: %s", name, code, errs)
		}
		if text := readText(t, mine); text != "mine" {
			t.Errorf("%s is %q", name, text)
		}
		if err := os.Remove(mine); err != nil {
			t.Fatal(err)
		}
	}
	// A scenario's table that the result did not have.
	fewRuns(t)
	mustSimulate(t, "run", "whatif.yaml", "--set", "tables[0].name=other")
	writeFile(t, "results/whatif/rounds.txt", "mine")
	if _, errs, code := simulate("run", "whatif.yaml"); code != codeUsage || !strings.Contains(errs,
		"rounds.txt is in the way") {
		t.Errorf("code %d: %s", code, errs)
	}
	// report restores its own files and does not overwrite others.
	if err := os.Remove("results/whatif/rounds.txt"); err != nil {
		t.Fatal(err)
	}
	mustSimulate(t, "report", "results/whatif")
}

func TestEveryFileIsDeclared(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml")
	for name := range contents(t, "results/two") {
		if !slices.Contains(ownFiles(), name) {
			t.Errorf("run writes %s, which claimFolder does not protect", name)
		}
	}
}

func TestUnwritableFolder(t *testing.T) {
	enter(t)
	writeFile(t, "file", "")
	if err := os.Mkdir("locked", 0o555); err != nil {
		t.Fatal(err)
	}
	outs := []string{"file", "file/below"}
	if os.Getuid() != 0 { // root ignores permissions
		outs = append(outs, "locked", "locked/below")
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		outs = append(outs, "/proc/tallynet", "/proc/self")
	}
	for _, out := range outs {
		stdout, errs, code := simulate("run", "two.yaml", "--out", out)
		if code != codeUsage || !strings.Contains(errs, "the results cannot go to "+out) || stdout != "" {
			t.Errorf("--out %s: code %d: %s", out, code, errs)
		}
	}
}

func TestFolderName(t *testing.T) {
	for name, want := range map[string]string{
		"quickstart": "quickstart", "../../etc": "-..-etc", "a/b": "a-b", "..": "scenario", " x ": "x", "ü 1": "ü 1",
		"a\nb": "a-b",
	} {
		if got := folderName(name); got != want {
			t.Errorf("folderName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestResultRoundTrip(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "study.yaml")
	report, err := result.ReadFolder("results/study")
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Runs) != 8 || len(report.Runs[0].Samples) != 31 || len(report.Runs[0].Links) != 8 {
		t.Errorf("runs %d, samples %d, links %d", len(report.Runs), len(report.Runs[0].Samples), len(report.Runs[0].Links))
	}
	if p := report.Provenance; p.GoVersion == "" || p.Platform == "" || strings.Join(p.CommandLine,
		" ") != "simulate run study.yaml" || len(p.Seeds) != 2 {
		t.Errorf("provenance %+v", p)
	}
	var again bytes.Buffer
	if err := report.WriteJSON(&again); err != nil {
		t.Fatal(err)
	}
	if want := contents(t, "results/study")["result.json"]; again.String() != want {
		t.Error("reading and writing result.json changes it")
	}
	stdout := mustSimulate(t, "run", "study.yaml", "--format", "json")
	if report, err := result.ReadReport(strings.NewReader(stdout)); err != nil || len(report.Runs) != 8 {
		t.Errorf("--format json: %v", err)
	}
}
