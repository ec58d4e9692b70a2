package cli

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/facts"
	"tallynet/sim/slow"
)

// reproduction reads docs/reproduction/reproduction.json: the judged facts by paper.
func reproduction(t *testing.T) map[string][]papers.Judged {
	t.Helper()
	var list papers.Reproduction
	if err := json.Unmarshal([]byte(readText(t, "../../../docs/reproduction/reproduction.json")), &list); err != nil {
		t.Fatal(err)
	}
	if list.Small {
		t.Error("the pages are of the small forms: run all scenarios in full")
	}
	all := map[string][]papers.Judged{}
	for _, p := range list.Papers {
		all[p.ID] = p.Facts
	}
	return all
}

// TestReproductionPages compares docs/reproduction with the registries: each printed fact is there once, as it is now,
// and its verdict is that of its class and margin for what was measured. simulate verify scenarios/papers --out
// results/papers --pages docs/reproduction writes the pages.
func TestReproductionPages(t *testing.T) {
	files, err := filepath.Glob("../../../scenarios/papers/*/facts.yaml")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d registries: %v", len(files), err)
	}
	judged := reproduction(t)
	for _, file := range files {
		g, err := facts.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		all := judged[g.ID]
		if len(all) != len(g.Facts) {
			t.Errorf("%s: %d facts on the pages, %d in the registry", g.ID, len(all), len(g.Facts))
			continue
		}
		for i := range all {
			j := &all[i]
			if diff := cmp.Diff(g.Facts[i].Fact, j.Fact); diff != "" {
				t.Errorf("%s: run it again (-registry +pages):\n%s", j.ID, diff)
			}
			if j.Verdict == "not covered" {
				t.Errorf("%s of %s: %s", j.ID, g.ID, j.Verdict)
			}
			if j.Measured == nil {
				continue
			}
			verdict := result.Claim{Class: j.Class, Verdict: withLimits(j).Judge(j.Measured)}
			if want := verdict.Outcome(); j.Verdict != want && j.Verdict != "by construction" &&
				j.Verdict != "depends on the reading" && j.Verdict != "undecided" {
				t.Errorf("%s of %s: %s on the page, and %s by its margin", j.ID, g.ID, j.Verdict, want)
			}
			reacts := false
			for _, m := range withLimits(j).Mutations() {
				reacts = reacts || m.Judge(j.Measured) != verdict.Verdict
			}
			if !reacts && !slices.Contains(unmoved, g.ID+"."+j.ID) {
				t.Errorf("%s of %s: no change of what is printed changes its verdict", j.ID, g.ID)
			}
		}
	}
}

// unmoved are the facts that are so far off that neither half nor twice their value is met, nor the opposite.
var unmoved = []string{}

// withLimits returns the fact with the numbers of its formula.
func withLimits(j *papers.Judged) *result.Fact {
	f := j.Fact
	for _, c := range j.Limits {
		f.Value = append(f.Value, float64(c.Value))
	}
	return &f
}

// TestReproductionLength: all pages together are read in an hour.
func TestReproductionLength(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/reproduction/*.md")
	if err != nil || len(pages) < 6 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	words := 0
	for _, file := range pages {
		words += len(strings.Fields(readText(t, file)))
	}
	if words > 19_000 {
		t.Errorf("%d words", words)
	}
}

// TestPicturesHaveWholeTitles: no title on a picture of the pages had to be cut.
func TestPicturesHaveWholeTitles(t *testing.T) {
	files, err := filepath.Glob("../../../docs/reproduction/*.svg")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	cut := regexp.MustCompile(`>[^<]*…[^<]*<`)
	for _, f := range files {
		text := readText(t, f)
		for _, m := range cut.FindAllString(string(text), -1) {
			t.Errorf("%s: %s", filepath.Base(f), m)
		}
	}
}

// TestPaperTablesCompile runs LaTeX over the tables of all papers: the full-size tables of the
// pages, and small ones that are made here.
func TestPaperTablesCompile(t *testing.T) {
	slow.Skip(t, "LaTeX sets the tables of all papers; TestHostileLabels has some set each time")
	if _, err := exec.LookPath("pdflatex"); err != nil {
		t.Skip("pdflatex is not installed; on Debian: apt-get install texlive-latex-recommended")
	}
	folder, err := filepath.Abs("../../../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := filesIn(folder)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../../docs/reproduction/*.tex")
	if err != nil || len(files) == 0 {
		t.Fatalf("the pages have no tables: %v", err)
	}
	var tables latexTables
	for _, f := range files {
		text := readText(t, f)
		tables.add(filepath.Base(f), []byte(text))
	}
	enter(t)
	// Only those that take a moment; the layout of the others is the same.
	for _, f := range []string{"dagm-s1-size", "loops-floor", "loops-figure4", "loops-tables-1-2", "bome-theorem1",
		"bome-minimax-bvfsm", "bome-degenerate-printed", "dbo-example", "dbo-dsbo", "stragglers-async", "lossy"} {
		at := slices.IndexFunc(shipped, func(path string) bool { return filepath.Base(path) == f+".yaml" })
		out := mustSimulate(t, "verify", shipped[at], "--small", "--format", "latex", "--quiet")
		if !strings.Contains(out, "\\toprule") {
			t.Errorf("%s has no table", f)
		}
		const preamble = "% \\usepackage{booktabs}\n"
		for i, table := range strings.Split(strings.TrimPrefix(out, preamble), preamble) { // claims, then the paper's
			name := f
			if i == 0 {
				name = claimsTable
			}
			tables.add(name, []byte(table))
		}
	}
	tables.check(t)
}
