package cli

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// claimsTable is a table of claims. A single row with all its measured values can be longer than a
// page.
const claimsTable = "claims"

// latexTables are tables from many files. They are compiled together, since LaTeX
// takes longer to start than to set a table.
type latexTables struct {
	names, texts []string
}

func (l *latexTables) add(name string, content []byte) {
	l.names, l.texts = append(l.names, name), append(l.texts, string(content))
}

// check compiles all tables in each class of article: without errors, nothing wider than a column and,
// except for claims, nothing longer than a page. The log names each table before LaTeX's messages on it.
func (l *latexTables) check(t *testing.T) {
	t.Helper()
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		return // without LaTeX, metrics/report/table tests the tables
	}
	t.Chdir(t.TempDir())
	for _, class := range []string{"", "[twocolumn]"} {
		var b strings.Builder
		fmt.Fprintf(&b, "\\documentclass%s{article}\n\\usepackage{booktabs}\n\\begin{document}\n", class)
		for i, text := range l.texts {
			fmt.Fprintf(&b, "\\typeout{table %d}\n%s\n\\clearpage\n", i, text)
		}
		b.WriteString("\\end{document}\n")
		writeFile(t, "t.tex", b.String())
		out, err := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "t.tex").CombinedOutput()
		for part := range strings.SplitSeq(string(out), "\ntable ") {
			number, said, _ := strings.Cut(part, "\n")
			i, _ := strconv.Atoi(number) // there is no table before the first
			for _, wrong := range []string{"Overfull \\hbox", "Float too large", "\n! "} {
				if strings.Contains(said, wrong) && !(wrong == "Float too large" && l.names[i] == claimsTable) {
					t.Errorf("%s in article%s: %.3000s", l.names[i], class, said)
				}
			}
		}
		if last := fmt.Sprintf("\ntable %d\n", len(l.texts)-1); err != nil || !strings.Contains(string(out), last) {
			t.Errorf("article%s: %v: not all tables are compiled", class, err)
		}
	}
}
