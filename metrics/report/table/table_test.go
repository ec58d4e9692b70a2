package table

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/sim/golden"
)

// costs is a table with every kind of column, value and difficulty.
func costs() Table {
	return Table{
		Title: "Cost to reach ||grad Phi||^2 <= 3e-4",
		Columns: []Column{
			{Name: "method"}, {Name: "iterations", Unit: metrics.Count},
			{Name: "gradient norm squared", Unit: metrics.Number, Digits: 2},
			{Name: "matrix bytes", Unit: metrics.Bytes}, {Name: "payload bytes", Unit: metrics.Bytes, Digits: 4},
			{Name: "simulated time", Unit: metrics.Seconds},
			{Name: "payload vs. best", Unit: Ratio, Digits: 2}, {Name: "status"},
		},
		Rows: [][]Cell{
			{Text("DAGM"), Integer(1234), Number(2.5e-4), Integer(0), Integer(1234567), Number(1.2345), Number(1),
				Text("reached")},
			{Text("DGBO (b=5)"), Integer(40), Number(2.9e-4), Integer(987654321012), Integer(1e12), Number(0.0045),
				Number(1234.5), Text("reached")},
			{Text(`odd_name & 100% {#1} ~^\ $x$ | "q", <b>`), Integer(12345678), Number(math.NaN()), Missing(),
				Number(1499.5), Number(64e-6), Missing(), Text("diverged\nat 7")},
			{Text("DGTBO"), Missing(), Number(math.Inf(1)), Text("n/a"), Integer(-5), Number(3e-12), Number(0.25),
				Text("")},
		},
		Notes: []string{"Payload counts every directed link once; headers are not in it.",
			"DGBO's own paper counts one broadcast per sender."},
	}
}

// commas returns a table as CSV.
func commas(t *testing.T, of Table) string {
	t.Helper()
	var b strings.Builder
	if err := of.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableGoldens(t *testing.T) {
	table := costs()
	for name, text := range map[string]string{
		"table.txt": table.Text(TextWidth), "table.md": table.Markdown(), "table.csv": commas(t, table),
		"table.tex": table.LaTeX(), "table.html": table.HTML(),
	} {
		golden.Check(t, filepath.Join("testdata", name), text)
	}
}

func TestTextFitsATerminal(t *testing.T) {
	var b strings.Builder
	table := costs()
	table.Rows[0][7] = Text(strings.Repeat("a long reason in many words ", 10))
	b.WriteString(table.Text(TextWidth))
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > TextWidth {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("terminal escapes in text that may go to a file")
	}
}

// GitHub splits a table row at each pipe that is not escaped.
func TestMarkdownKeepsItsColumns(t *testing.T) {
	for _, label := range []string{"a|b", `a\|b`, `\`, "||", "x\ny|"} {
		var b strings.Builder
		table := Table{Columns: []Column{{Name: "name"}, {Name: "n", Unit: metrics.Count}},
			Rows: [][]Cell{{Text(label), Integer(1)}}}
		b.WriteString(table.Markdown())
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		pipes, escaped := 0, false
		for _, r := range lines[len(lines)-1] {
			if r == '|' && !escaped {
				pipes++
			}
			escaped = r == '\\' && !escaped
		}
		if len(lines) != 3 || pipes != 3 {
			t.Errorf("label %q gives %d lines and %d pipes, want 3 and 3:\n%s", label, len(lines), pipes, b.String())
		}
	}
}

// Only Markdown has the markup of a cell, and such a table is not padded.
func TestMarkup(t *testing.T) {
	table := Table{Columns: []Column{{Name: "item"}, {Name: "time", Unit: metrics.Seconds}},
		Rows: [][]Cell{{Marked("Table 1", "[Table 1](a.md)"), Integer(2)}, {Text("a|b"), Missing()}}}
	for want, text := range map[string]string{
		"| item | time |\n| --- | ---: |\n| [Table 1](a.md) | 2.00 s |\n| a\\|b | - |\n": table.Markdown(),
		"item,time (s)\nTable 1,2\na|b,\n":                                               commas(t, table),
		"<td>Table 1</td>":                                                               table.HTML(),
		"Table 1  2.00 s\n":                                                              table.Text(TextWidth),
		"Table 1 & $2.00":                                                                table.LaTeX(),
	} {
		if !strings.Contains(text, want) || strings.Contains(want, "|\n") != strings.Contains(text, "a.md") {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

func TestTableWithoutRowsOrColumns(t *testing.T) {
	for _, table := range []Table{{}, {Title: "none"}, {Columns: []Column{{Name: "a"}, {Name: "b"}}}} {
		for format, text := range map[string]string{
			"text": table.Text(TextWidth), "Markdown": table.Markdown(), "CSV": commas(t, table), "LaTeX": table.LaTeX(),
		} {
			headed := len(table.Columns) == 0 || strings.Contains(text, "a")
			if !headed || format != "CSV" && !strings.Contains(text, table.Title) {
				t.Errorf("%s lacks the title or the columns: %s", format, text)
			}
		}
	}
}

func TestTableOfWrongShapePanics(t *testing.T) {
	defer func() {
		if message, _ := recover().(string); !strings.HasPrefix(message, "table: row 0") {
			t.Errorf("panic %q", message)
		}
	}()
	text := Table{Columns: []Column{{Name: "a"}, {Name: "b"}}, Rows: [][]Cell{{Integer(1)}}}.Text(TextWidth)
	t.Errorf("returned %s", text)
}

// TestLongLaTeXTable cuts a table of wrapped texts where a page ends, and loses no row.
func TestLongLaTeXTable(t *testing.T) {
	const rows = 30
	table := Table{Title: "claims", Columns: []Column{{Name: "claim"}, {Name: "reason"}}}
	for i := range rows {
		table.Rows = append(table.Rows, []Cell{Text(fmt.Sprintf("row%d", i)), Text(strings.Repeat("some words ", 60))})
	}
	var b strings.Builder
	b.WriteString(table.LaTeX())
	parts := strings.Split(b.String(), `\begin{table`)[1:]
	if len(parts) < 3 {
		t.Errorf("%d parts", len(parts))
	}
	for i, part := range parts {
		if n := strings.Count(part, "some words"); n/60 > 7 { // about 10 lines each
			t.Errorf("part %d has %d rows of ten lines", i, n/60)
		}
	}
	for i := range rows {
		if n := strings.Count(b.String(), fmt.Sprintf("\nrow%d &", i)); n != 1 {
			t.Errorf("row %d is there %d times", i, n)
		}
	}
}

// codePoints is a table of characters that LaTeX shows as code points, each on its own line in a narrow column.
func codePoints() Table {
	table := Table{Columns: []Column{{Name: "method"}}}
	for range 9 {
		table.Columns = append(table.Columns, Column{Name: "bytes", Unit: metrics.Bytes})
	}
	for i := range 12 {
		row := []Cell{Text(fmt.Sprintf("m%d ", i) + strings.Repeat("中", 6*(1+i)))}
		for range 9 {
			row = append(row, Integer(123_456_789))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// TestLaTeXCodePoints: the count of rows follows the typeset lines, and a long name does not
// fill a page; TestLaTeXCompilesAndFits checks that rows fit the page.
func TestLaTeXCodePoints(t *testing.T) {
	table := codePoints()
	var b strings.Builder
	b.WriteString(table.LaTeX())
	for i := range table.Rows {
		if !strings.Contains(b.String(), fmt.Sprintf("m%d ", i)) {
			t.Errorf("row %d is missing", i)
		}
	}
}

// TestLaTeXCompilesAndFits checks tables against the promised preamble: only booktabs, in
// an article of one column and of two.
func TestLaTeXCompilesAndFits(t *testing.T) {
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed, so LaTeX tables are only compared with their golden file")
	}
	hostile := costs()
	hostile.Title = strings.Repeat("grad_norm2 <= 1e-4, ", 12) + strings.Repeat("y", 300)
	hostile.Notes = append(hostile.Notes, strings.Repeat("x", 10_000), strings.Repeat("long words ", 60))
	for _, label := range []string{
		"DAGM_α=1e-3, 50% & #1 $x$ ~a^2 \\ {b} | <i>é</i> ½ ✓ 中", "\x1b[31mred\x1b[2J\x07 \u202ertl \x00",
		`[x](javascript:alert(1)) | a "b" ![](http://evil/x.png)`, strings.Repeat("a", 10_000),
		strings.Repeat("word ", 300), "]", "[1pt]", "åß œ Ω ∇Φ ‖x‖² °", "`", "“quoted” — …", "日本語のラベルです",
		strings.Repeat("язык", 9),
	} {
		row := slices.Clone(hostile.Rows[0])
		row[0], row[7] = Text(label), Text(label)
		hostile.Rows = append(hostile.Rows, row)
	}
	wide := Table{Columns: []Column{{Name: "method"}}, Rows: make([][]Cell, 90)}
	for range 25 {
		wide.Columns = append(wide.Columns, Column{Name: "a cost with a name of some words", Unit: metrics.Bytes})
	}
	for i := range wide.Rows {
		wide.Rows[i] = append(make([]Cell, 0, 26), Text("DAGM"))
		for range 25 {
			wide.Rows[i] = append(wide.Rows[i], Integer(123_456_789))
		}
	}
	texts := Table{Title: "claims", Columns: []Column{
		{Name: "claim"}, {Name: "printed"}, {Name: "measured"}, {Name: "verdict"}},
		Rows: [][]Cell{{Text(strings.Repeat("the words of a claim ", 9)), Text("0.93"),
			Text(`all(runs("B"), .totals.matrix_bytes == 1) = 1; min(map(runs("B"), .final.grad_norm2)) = 0.25`),
			Text("differs as expected: " + strings.Repeat("for a reason ", 7))}}}
	for _, class := range []string{"article", "[twocolumn]article", "[11pt]article"} {
		options, name, found := strings.Cut(class, "]")
		if !found {
			options, name = "", class
		} else {
			options += "]"
		}
		var b bytes.Buffer
		b.WriteString("\\documentclass" + options + "{" + name + "}\n\\usepackage{booktabs}\n\\begin{document}\n")
		if class == "article" {
			b.WriteString(codePoints().LaTeX())
			b.WriteString("\\clearpage\\typeout{Code points are set.}\n")
		}
		for _, table := range []Table{costs(), hostile, wide, texts, {}, {Columns: []Column{{Name: "a"}}}} {
			b.WriteString(table.LaTeX())
			b.WriteString("\\clearpage\n")
		}
		b.WriteString("\\end{document}\n")
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "t.tex"), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(program, "-interaction=nonstopmode", "-halt-on-error", "t.tex")
		command.Dir = folder
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: pdflatex: %v\n%s", class, err, out)
		}
		if class == "[11pt]article" {
			continue // tables are promised to fit at 10 pt
		}
		if first, _, found := strings.Cut(string(out), "Code points are set."); class == "article" &&
			(!found || strings.Contains(first, "too large") || strings.Contains(first, "Overfull")) {
			t.Errorf("code points: %s", first)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "Overfull \\hbox") {
				t.Errorf("%s: %s", class, line)
			}
		}
	}
}

// TestWidths checks widths in terminal columns.
func TestWidths(t *testing.T) {
	for s, want := range map[string]int{"": 0, "‖∇Φ‖² ≤ 10⁻³": 12, "中": 2, "e\u0301": 1, "a\tb": 2, "\xff": 1, "👩‍🔬": 2} {
		if got := Width(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}
