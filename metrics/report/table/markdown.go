package table

import (
	"io"
	"strings"

	"tallynet/metrics/escape"
)

// WriteMarkdown writes the table in GitHub Flavored Markdown, padded so that the source is readable too. The title
// is above it in bold, the notes are below.
func (t Table) WriteMarkdown(w io.Writer) error {
	t.check()
	headers, rows := t.plainCells()
	grid := append([][]string{headers}, rows...)
	widths := make([]int, len(headers))
	for _, row := range grid {
		for j := range row {
			if row[j] != "-" { // within a row it begins no item
				row[j] = escape.Markdown(row[j])
			}
			widths[j] = max(widths[j], width(row[j]), 3)
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + escape.Markdown(escape.Words(t.Title)) + "**\n\n")
	}
	for i, row := range grid {
		if len(row) == 0 {
			continue
		}
		for j, cell := range row {
			b.WriteString("| " + pad(cell, widths[j], t.Columns[j].Unit != "") + " ")
		}
		b.WriteString("|\n")
		if i > 0 {
			continue
		}
		for j, n := range widths {
			rule := strings.Repeat("-", n)
			if t.Columns[j].Unit != "" {
				rule = rule[1:] + ":"
			}
			b.WriteString("| " + rule + " ")
		}
		b.WriteString("|\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + escape.Markdown(escape.Words(note)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
