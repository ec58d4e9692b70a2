package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/result"
	"tallynet/metrics/views"
	"tallynet/scenarios"
	"tallynet/scenarios/catalog"
)

// TestReproductionPage holds docs/reproduction.md against the scenarios: every claim is
// on it, with the outcome that its file expects, and nothing is left from earlier ones.
// simulate verify scenarios/ --page docs/reproduction.md writes it.
func TestReproductionPage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reproduction.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../../scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	page, want := string(text), 0
	for _, file := range files {
		s, err := scenarios.Load(file, catalog.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Claims {
			want++
			m := result.Claim{Text: c.Text, Source: c.Source, Verdict: result.Holds}
			if c.Differs {
				m.Verdict, m.Expected, m.Because = result.Fails, result.Differs, c.Reason
			}
			for _, part := range claimLine(t, m) {
				if !strings.Contains(page, part) {
					t.Errorf("%s: the page does not say %q", filepath.Base(file), part)
				}
			}
		}
	}
	if got := strings.Count(page, "\n- **"); got != want {
		t.Errorf("the page has %d claims, the scenarios %d", got, want)
	}
	if strings.Contains(page, "small forms of the scenarios were run") {
		t.Error("the page is of the small forms")
	}
}

// claimLine returns what a page says of a claim before anything is measured: its outcome
// with its words, and why it differs.
func claimLine(t *testing.T, c result.Claim) []string {
	t.Helper()
	var b strings.Builder
	if err := views.WriteReproduction(&b, []views.Verified{{Scenario: "x", Claims: []result.Claim{c}}}, false,
		""); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "- **") {
			words, why, differs := strings.Cut(strings.TrimSpace(line), " Why: ")
			words, _, _ = strings.Cut(words, " Printed: ")
			if differs {
				return []string{words, why}
			}
			return []string{words}
		}
	}
	t.Fatalf("no line of the claim in %s", b.String())
	return nil
}

// TestPaperTablesCompile runs LaTeX over the tables of all papers, at their small size.
func TestPaperTablesCompile(t *testing.T) {
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	scenarios, err := filepath.Abs("../../../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	enter(t)
	// Those that take a moment only; the layout of the others is the same.
	files := []string{"dagm-s1", "dagm-figure4", "loops-table3", "loops-floor-kappa", "lpdbo-table1", "bome-minimax"}
	var b bytes.Buffer
	b.WriteString("\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[a4paper,landscape,margin=1cm]{geometry}\n\\usepackage{booktabs}\n\\begin{document}\n")
	for _, f := range files {
		out := mustSimulate(t, "verify", filepath.Join(scenarios, f+".yaml"), "--small", "--format", "latex", "--quiet")
		if !strings.Contains(out, "\\toprule") {
			t.Errorf("%s has no table", f)
		}
		b.WriteString(out + "\\clearpage\n")
	}
	b.WriteString("\\end{document}\n")
	if err := os.WriteFile("t.tex", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "-interaction=nonstopmode", "-halt-on-error",
		"t.tex").CombinedOutput(); err != nil {
		t.Errorf("pdflatex: %v\n%s", err, out)
	}
}
