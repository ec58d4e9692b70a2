package table

import (
	"encoding/csv"
	"io"
	"strings"

	"tallynet/metrics/escape"
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
		b.WriteString("\n" + escape.Markdown(escape.Words(note)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCSV writes the table as RFC 4180 CSV, but with \n line ends: one header row with
// units, numbers at full precision, missing values empty. Non-finite numbers are NaN, Inf
// and -Inf. Texts that a spreadsheet would compute begin with an apostrophe; see escape.CSV.
func (t Table) WriteCSV(w io.Writer) error {
	t.check()
	out := csv.NewWriter(w)
	record := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		record[i] = escape.CSV(column.Name)
		switch column.Kind {
		case ByteColumn:
			record[i] += " (B)"
		case SecondColumn:
			record[i] += " (s)"
		case JouleColumn:
			record[i] += " (J)"
		}
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			record[i] = cell.machine()
			if cell.kind == text {
				record[i] = escape.CSV(cell.text)
			}
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
