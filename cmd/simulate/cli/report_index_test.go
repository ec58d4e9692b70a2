package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fourResults runs scenarios into a folder of results, one of them in a subfolder. Their tables and pages are empty.
func fourResults(t *testing.T) {
	t.Helper()
	enter(t)
	mustSimulate(t, "run", "two.yaml", "--quiet")
	mustSimulate(t, "run", "two.yaml", "--quiet", "--out", "results/slow down #1",
		"--set", "network.latency=10ms")
	simulate("run", "claims.yaml", "--quiet") // some claims fail
	mustSimulate(t, "run", "study.yaml", "--quiet", "--out", "results/more/study")
}

// A folder of results gets an index and a list, and the files of each result are restored.
func TestReportOfManyResults(t *testing.T) {
	fourResults(t)
	if err := os.Remove("results/two/report.html"); err != nil {
		t.Fatal(err)
	}
	out, errs, code := simulateDrawn("report", "results")
	if code != codeDone || !strings.Contains(errs, filepath.Join("results", "index.html")+": an index of 4 results") {
		t.Errorf("code %d: %s", code, errs)
	}
	for _, want := range []string{"results/two\n  2 runs: 2 reached; 2 methods\n  DAGM, DGBO (b=3)\n" +
		"  DGBO (b=3) sends 485 kB to grad_norm2",
		"results/slow down #1: two\n", "results/more/study\n  8 runs", "3 claims: 2 hold, 1 differ"} {
		if !strings.Contains(out, want) {
			t.Errorf("the list lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "Cost to reach") {
		t.Errorf("the list has tables:\n%s", out)
	}
	page := readText(t, "results/index.html")
	for _, want := range []string{"./two/report.html", "./more/study/report.html", "./slow%20down%20%231/report.html",
		"Which of two methods sends less", "DGBO (b=3) sends 485 kB to grad_norm2", ";base64,"} {
		if !strings.Contains(page, want) {
			t.Errorf("the index lacks %q", want)
		}
	}
	if _, err := os.Stat("results/two/report.html"); err != nil {
		t.Error(err)
	}
	again, _, _ := simulateDrawn("report", "results") // over its own index
	if again != out || readText(t, "results/index.html") != page {
		t.Error("the second time is another index")
	}
	md := mustSimulate(t, "report", "results/two", "results/more", "--format", "md", "--index", "both.html")
	if !strings.Contains(md, "| results/more/study |") || strings.Count(md, "\n") > 8 {
		t.Errorf("as a table:\n%s", md)
	}
	if text, err := os.ReadFile("both.html"); err != nil || !strings.Contains(string(text), "./results/two/report.html") {
		t.Errorf("both.html: %v", err)
	}
	mustSimulate(t, "report", "results/two", "results/slow down #1")
	if text := readText(t, "results/index.html"); text == page || !strings.Contains(text, "./two/report.html") {
		t.Error("two results have no index in the folder that they are in")
	}
}

// The index lists unreadable results with the reason; foreign files stay.
func TestReportOfManyWithTrouble(t *testing.T) {
	fourResults(t)
	writeFile(t, "results/two/result.json", "{")
	out, errs, code := simulate("report", "results")
	if code != codeFailed || !strings.Contains(errs, "result.json") || !strings.Contains(out, "results/more/study\n") ||
		!strings.Contains(out, "results/two\n  report:") {
		t.Errorf("code %d: %s\n%s", code, errs, out)
	}
	if page := readText(t, "results/index.html"); !strings.Contains(page, "verdict bad") {
		t.Error("the index does not say what is wrong")
	}
	for _, file := range []string{"results/index.html", "mine.html"} {
		writeFile(t, file, "<p>mine</p>")
	}
	for _, args := range [][]string{{"report", "results"}, {"report", "results/more", "--index", "mine.html"},
		{"report", "results", "--index", "nowhere/x.html"}, {"report", "results", "--index", "results"}} {
		out, errs, code := simulate(args...)
		if code != codeUsage || out != "" || !strings.Contains(errs, "--index") {
			t.Errorf("%v: code %d: %s%s", args, code, errs, out)
		}
	}
	if text := readText(t, "results/index.html"); text != "<p>mine</p>" {
		t.Errorf("somebody's file is now %.100s", text)
	}
}

// The page of a comparison says what changes from A to B, and shows both.
func TestComparePage(t *testing.T) {
	fourResults(t)
	table := mustSimulate(t, "compare", "results/two", "results/slow down #1")
	if got := mustSimulate(t, "compare", "results/two", "results/slow down #1", "--page", "c.html"); got != table {
		t.Errorf("with a page the table is another: %s", goldenDiff(table, got))
	}
	text := readText(t, "c.html")
	for _, want := range []string{"<title>A = results/two, B = results/slow down #1 &#x2013; Tallynet comparison</title>",
		"With result B time to grad_norm2 &lt;= 0.01 is, as a multiple of that with result A, 10 for DAGM",
		"The scenarios differ in network.latency (1ms, then 10ms).",
		`"axes":[{"key":"result","name":"result","values":["A","B"],"settings":["result = A","result = B"]}]`,
		"Where the scenarios differ", "&#39;results/slow down #1&#39; --page c.html"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	mustSimulate(t, "compare", "results/two", "results/two", "--page", "c.html") // over its own page
	if !strings.Contains(readText(t, "c.html"), "A and B are equal: all 2 pairs of runs have equal hashes.") {
		t.Error("no word on equal results")
	}
	report := readText(t, "results/two/report.html")
	for _, file := range []string{"two.yaml", "results/two/report.html", "results", "nowhere/c.html"} {
		if _, errs, code := simulate("compare", "results/two", "results/two", "--page", file); code != codeUsage ||
			!strings.Contains(errs, "compare: --page "+file) {
			t.Errorf("%s: code %d: %s", file, code, errs)
		}
	}
	if readText(t, "results/two/report.html") != report {
		t.Error("a report was replaced by a comparison")
	}
}
