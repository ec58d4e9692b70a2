package cli

import (
	"os"
	"strings"
	"testing"
)

// TestReportMakesFilesAgain removes what report makes and compares what comes back.
func TestReportMakesFilesAgain(t *testing.T) {
	enter(t)
	for _, name := range []string{"two", "study", "whatif", "claims"} {
		out, _, _ := simulate("run", name+".yaml", "--quiet") // some of the claims fail
		want := contents(t, "results/"+name)
		for file := range want {
			if file != "result.json" && file != "iterations.csv" && file != "links.csv" && file != "nodes.csv" &&
				file != "phases.csv" {
				if err := os.Remove("results/" + name + "/" + file); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := mustSimulate(t, "report", "results/"+name); got != out {
			t.Errorf("%s: report prints other tables than run: %s", name, goldenDiff(out, got))
		}
		sameFiles(t, want, contents(t, "results/"+name))
	}
}

func TestReportOfNoResult(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml")
	curves, err := os.ReadFile("results/two/iterations.csv")
	if err != nil {
		t.Fatal(err)
	}
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
		"empty": "empty is not a complete result", "results/two": "links.csv"} {
		if _, errs, code := simulate("report", folder); code != codeUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d: %s", folder, code, errs)
		}
	}
}

// TestPageFromStoredResults: report makes the page of the papers that verify makes.
func TestPageFromStoredResults(t *testing.T) {
	enter(t)
	for _, args := range []string{"verify whatif.yaml claims.yaml --out all --page first.md --quiet",
		"report all/whatif all/claims --page second.md"} {
		if _, errs, code := simulate(strings.Fields(args)...); code != codeDone &&
			code != codeFailed { // some of the claims fail
			t.Fatalf("%s: code %d: %s", args, code, errs)
		}
	}
	pages := map[string]string{}
	for _, name := range []string{"first.md", "second.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(text)
	}
	_, first, ok := strings.Cut(pages["first.md"],
		"`simulate verify whatif.yaml claims.yaml --out all --page first.md --quiet`")
	_, second, ok2 := strings.Cut(pages["second.md"], "`simulate report all/whatif all/claims --page second.md`")
	if !ok || !ok2 || first != second {
		t.Errorf("the pages differ, or do not say what wrote them: %v, %v: %s", ok, ok2, goldenDiff(first, second))
	}
}
