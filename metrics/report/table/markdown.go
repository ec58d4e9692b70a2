package table

import (
	"cmp"
	"strings"

	"tallynet/metrics/escape"
)

// Markdown returns the table in GitHub Flavored Markdown, padded so that the source is readable too, unless cells have
// markup. The title is above it in bold, the notes are below.
func (t Table) Markdown() string {
	t.check()
	headers, rows := t.plainCells()
	grid := append([][]string{headers}, rows...)
	widths := make([]int, len(headers))
	padded := true
	for i, row := range grid {
		for j := range row {
			switch {
			case i > 0 && t.Rows[i-1][j].Markup != "":
				row[j], padded = t.Rows[i-1][j].Markup, false
			case row[j] != "-": // within a row it begins no item
				row[j] = escape.Markdown(row[j])
			}
			widths[j] = max(widths[j], Width(row[j]), 3)
		}
	}
	if !padded {
		clear(widths)
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
			rule := strings.Repeat("-", cmp.Or(n, 3))
			if t.Columns[j].Unit != "" {
				rule = rule[min(n, 1):] + ":"
			}
			b.WriteString("| " + rule + " ")
		}
		b.WriteString("|\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + escape.Markdown(escape.Words(note)) + "\n")
	}
	return b.String()
}
