package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/spec"
	"tallynet/sim/slow"
)

// TestReproductionPages compares docs/reproduction with the scenarios: every claim is on the
// page of its paper, with the expected outcome of its file, and no old claims remain. simulate
// verify scenarios/ --out results/papers --pages docs/reproduction writes the pages.
func TestReproductionPages(t *testing.T) {
	files, err := filesIn("../../../scenarios")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	var all []papers.Verified
	want, cat := 0, builtin()
	for _, file := range files {
		s, err := spec.Load(file, cat, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := papers.Verified{Scenario: s.Name}
		for _, c := range s.Claims {
			if c.Source == "this study" || strings.HasPrefix(c.Source, "this study:") {
				continue // not from a paper
			}
			want++
			v.Claims = append(v.Claims, expectedClaim(&c))
		}
		all = append(all, v)
	}
	got := 0
	for _, f := range papers.NewPages(all, "", false).Files() {
		if !strings.HasSuffix(f.Name, ".md") || f.Name == "README.md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../../../docs/reproduction", f.Name))
		if err != nil {
			t.Error(err)
			continue
		}
		page := margins.ReplaceAllString(string(text), "**$1**")
		got += strings.Count(page, "\n- **")
		for _, other := range []string{"small forms of the scenarios were run", notRun, olderResults} {
			if strings.Contains(page, other) {
				t.Errorf("%s says %q: run all scenarios in full", f.Name, other)
			}
		}
		var b strings.Builder
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			words, why, ok := claimLine(line)
			if !ok || strings.Contains(page, words) && strings.Contains(page, why) {
				continue
			}
			t.Errorf("%s does not say %q, %q", f.Name, words, why)
		}
	}
	if got != want {
		t.Errorf("the pages have %d claims, the scenarios %d", got, want)
	}
}

// margins matches the distance of a value below its bound, beside the outcome.
var margins = regexp.MustCompile(`\*\*([^*(]+) \([^*]*\)\*\*`)

// expectedClaim matches a claim with the outcome that its file expects.
func expectedClaim(c *spec.ClaimSpec) result.Claim {
	m := result.Claim{Text: c.Text, Source: c.Source, Class: c.Class, Verdict: result.Holds, Exact: c.Exact,
		Expected: c.Expected, Construction: c.Construction, Because: c.Reason}
	switch c.Expected {
	case result.Differs:
		m.Verdict = result.Fails
	case result.Open:
		m.Verdict = result.Undecided
	}
	return m
}

// claimLine returns the part of a claim's line that does not depend on measurements: its
// words, and why it differs.
func claimLine(line string) (words, why string, ok bool) {
	if !strings.HasPrefix(line, "- **") {
		return "", "", false
	}
	words, why, _ = strings.Cut(strings.TrimSpace(line), " Why: ")
	if _, rest, bound := strings.Cut(words, "consistent with the bound"); bound { // followed by the distance below it
		words = strings.TrimPrefix(rest, "**")
	}
	return words, strings.TrimSuffix(why, "."), true
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
