package render

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"
)

// WriteMarkdown writes the table in GitHub Flavored Markdown, padded so that the source
// reads well too. The title is above it in bold, the notes are below.
func (t Table) WriteMarkdown(w io.Writer) error {
	t.check()
	headers, rows := t.plainCells()
	grid := append([][]string{headers}, rows...)
	widths := make([]int, len(headers))
	for _, row := range grid {
		for j := range row {
			row[j] = escapeMarkdown(row[j])
			widths[j] = max(widths[j], width(row[j]), 3)
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + escapeMarkdown(oneLine(t.Title)) + "**\n\n")
	}
	for i, row := range grid {
		if len(row) == 0 {
			continue
		}
		for j, cell := range row {
			b.WriteString("| " + pad(cell, widths[j], t.Columns[j].Kind != TextColumn) + " ")
		}
		b.WriteString("|\n")
		if i > 0 {
			continue
		}
		for j, n := range widths {
			rule := strings.Repeat("-", n)
			if t.Columns[j].Kind != TextColumn {
				rule = rule[1:] + ":"
			}
			b.WriteString("| " + rule + " ")
		}
		b.WriteString("|\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + escapeMarkdown(oneLine(note)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escapeMarkdown makes Markdown show s literally. Hyphens and underscores within words
// need no escape, so names like grad_norm2 stay readable.
func escapeMarkdown(s string) string {
	var b strings.Builder
	runes := []rune(s)
	inWord := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	for i, r := range runes {
		special := strings.ContainsRune("\\`*[]<>|~$&#", r) || r == '_' && !(inWord(i-1) && inWord(i+1))
		if special {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// WriteCSV writes the table as RFC 4180 CSV, but with \n line ends: one header row with
// units, numbers at full precision, missing values empty. Non-finite numbers are NaN, Inf
// and -Inf.
func (t Table) WriteCSV(w io.Writer) error {
	t.check()
	out := csv.NewWriter(w)
	record := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		record[i] = column.Name
		switch column.Kind {
		case ByteColumn:
			record[i] += " (B)"
		case SecondColumn:
			record[i] += " (s)"
		}
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			record[i] = cell.machine()
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteLaTeX writes the table as a LaTeX table float with booktabs rules. It needs
// \usepackage{booktabs}, and a Unicode engine or UTF-8 input for labels that are not ASCII.
func (t Table) WriteLaTeX(w io.Writer) error {
	t.check()
	var b strings.Builder
	b.WriteString("% \\usepackage{booktabs}\n\\begin{table}[t]\n\\centering\n")
	if t.Title != "" {
		b.WriteString("\\caption{" + escapeLaTeX(oneLine(t.Title)) + "}\n")
	}
	b.WriteString("\\begin{tabular}{")
	headers := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		align := "r"
		if column.Kind == TextColumn {
			align = "l"
		}
		b.WriteString(align)
		headers[i] = escapeLaTeX(oneLine(column.Name))
	}
	b.WriteString("}\n\\toprule\n" + strings.Join(headers, " & ") + " \\\\\n\\midrule\n")
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = t.Columns[i].show(cell, `\,`).latex()
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range t.Notes {
		b.WriteString("\n\\smallskip\n{\\footnotesize " + escapeLaTeX(oneLine(note)) + "\\par}\n")
	}
	b.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latex writes a number in math mode, followed by a thin space and an upright unit.
func (s shown) latex() string {
	if !s.number {
		if s.text == "-" {
			return "--"
		}
		return escapeLaTeX(s.text)
	}
	number := s.text
	switch {
	case number == "NaN":
		number = `\mathrm{NaN}`
	case strings.HasSuffix(number, "∞"):
		number = strings.Replace(number, "∞", `\infty`, 1)
	}
	if s.exponent != "" {
		number += ` \times 10^{` + s.exponent + `}`
	}
	switch {
	case s.unit == "":
	case s.unit == "×":
		number += ` \times`
	case strings.HasPrefix(s.unit, "µ"):
		number += `\,\mu\mathrm{` + strings.TrimPrefix(s.unit, "µ") + `}`
	default:
		number += `\,\mathrm{` + s.unit + `}`
	}
	return "$" + number + "$"
}

var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`,
	`"`, `\textquotedbl{}`, "`", `\textasciigrave{}`,
	`[`, `{[}`, `]`, `{]}`, // a bracket after \\ would be its argument
	"×", `$\times$`, "µ", `$\mu$`, "∞", `$\infty$`, "≤", `$\le$`, "≥", `$\ge$`,
	"‖", `$\|$`, "∇", `$\nabla$`, "Φ", `$\Phi$`, "²", `$^2$`,
)

// escapeLaTeX makes LaTeX show s literally, including the few mathematical symbols that
// labels contain.
func escapeLaTeX(s string) string { return latexEscapes.Replace(s) }
