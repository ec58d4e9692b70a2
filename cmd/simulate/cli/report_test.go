package cli

import (
	"os"
	"strings"
	"testing"
)

// TestReportMakesFilesAgain removes the files that report makes, runs report and compares.
func TestReportMakesFilesAgain(t *testing.T) {
	enter(t)
	fewerSeeds(t)
	for _, name := range []string{"two", "study", "whatif", "claims"} {
		out, _, _ := simulateDrawn("run", name+".yaml", "--quiet") // some of the claims fail
		want := contents(t, "results/"+name)
		for file := range want {
			if file != "result.json" && file != "iterations.csv" && file != "links.csv" && file != "nodes.csv" &&
				file != "phases.csv" && file != "timeline.csv" {
				if err := os.Remove("results/" + name + "/" + file); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := mustSimulateDrawn(t, "report", "results/"+name); got != out {
			t.Errorf("%s: report prints other tables than run: %s", name, goldenDiff(out, got))
		}
		sameFiles(t, want, contents(t, "results/"+name))
	}
}

func TestReportOfNoResult(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml")
	curves := readText(t, "results/two/iterations.csv")
	lines := strings.SplitAfter(string(curves), "\n")
	if err := os.WriteFile("results/two/iterations.csv", []byte(strings.Join(append(lines[:5:5], lines[8:]...), "")),
		0o666); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := simulate("report", "results/two"); code != codeUsage || !strings.Contains(errs,
		"lines were lost") {
		t.Errorf("lines that are missing: code %d: %s", code, errs)
	}
	if err := os.Remove("results/two/links.csv"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("empty", 0o777); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"none": "there is no folder none",
		"two.yaml": "two.yaml is not a folder; give the one that simulate run wrote",
		"empty":    "empty is not a complete result", "results/two": "links.csv"} {
		if _, errs, code := simulate("report", folder); code != codeUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d: %s", folder, code, errs)
		}
	}
}
