package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/result"
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
			head, _, _ := strings.Cut(claimItem(&m), "**: ")
			if line := head + "**: " + markdownWords(strings.TrimSuffix(c.Text, ".")); !strings.Contains(page, line) {
				t.Errorf("%s: the page does not say %q", filepath.Base(file), line)
			}
			if c.Differs && !strings.Contains(page, markdownWords(strings.TrimSuffix(c.Reason, "."))) {
				t.Errorf("%s: the page does not give the reason of %q", filepath.Base(file), c.Text)
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

func TestItemOf(t *testing.T) {
	for source, want := range map[string][2]string{
		"Ji et al., Table 3: loss at k = 10, 50": {"Ji et al.", "Table 3"},
		"Nazari et al., Section S1":              {"Nazari et al.", "Section S1"},
		"somewhere":                              {"somewhere", ""},
	} {
		if paper, name := itemOf(source); paper != want[0] || name != want[1] {
			t.Errorf("%q: %q, %q", source, paper, name)
		}
	}
}

// TestOutcomesOfItems counts claims by hand.
func TestOutcomesOfItems(t *testing.T) {
	holds := result.Claim{Source: "A, Table 1: x", Verdict: result.Holds}
	exact, differs, fails := holds, holds, holds
	exact.Exact = true
	differs.Verdict, differs.Expected = result.Fails, result.Differs
	fails.Verdict = result.Fails
	for want, claims := range map[string][]result.Claim{
		"reproduced exactly":       {exact, exact},
		"reproduced in its claim":  {exact, holds},
		"differs":                  {differs, differs},
		"differs in 1 of 3 claims": {exact, differs, holds},
		"not as stated here: 1 hold, 1 fail, 0 differ as expected, 0 undecided": {holds, fails},
	} {
		items := itemsOf([]verified{{claims: claims, scenario: new(scenarios.Scenario)}})
		if len(items) != 1 || items[0].outcome() != want {
			t.Errorf("%d items, outcome %q, want %q", len(items), items[0].outcome(), want)
		}
	}
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
	if out, err := exec.Command(program, "-interaction=nonstopmode", "-halt-on-error", "t.tex").CombinedOutput(); err != nil {
		t.Errorf("pdflatex: %v\n%s", err, out)
	}
}
