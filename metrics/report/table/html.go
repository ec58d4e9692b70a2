package table

import (
	"strings"

	"tallynet/metrics/escape"
)

// HTML returns the table as a table element with the title as its caption and the notes as paragraphs below it.
// Cells of numeric columns have class "n". Numbers have their value at full precision in data-value, for sorting.
func (t Table) HTML() string {
	t.check()
	var b strings.Builder
	b.WriteString("<table>\n")
	if t.Title != "" {
		b.WriteString("<caption>" + escape.HTML(escape.Words(t.Title)) + "</caption>\n")
	}
	b.WriteString("<thead><tr>")
	for _, c := range t.Columns {
		class := ""
		if c.Unit != "" {
			class = ` class="n"`
		}
		b.WriteString(`<th scope="col"` + class + ">" + escape.HTML(escape.Words(c.Name)) + "</th>")
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for j, cell := range row {
			attributes := ""
			if t.Columns[j].Unit != "" {
				attributes = ` class="n"`
			}
			if cell.Type == Integers || cell.Type == Reals {
				attributes += ` data-value="` + cell.machine(decimal) + `"`
			}
			b.WriteString("<td" + attributes + ">" + escape.HTML(t.Columns[j].show(cell, ",").plain()) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
	for _, note := range t.Notes {
		b.WriteString("<p class=\"note\">" + escape.HTML(escape.Words(note)) + "</p>\n")
	}
	return b.String()
}
