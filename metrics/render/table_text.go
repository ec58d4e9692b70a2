package render

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	pretty "github.com/jedib0t/go-pretty/v6/text"
)

// maxTextWidth is the widest table, in characters, that is still readable on
// the terminals people have.
const maxTextWidth = 110

const columnGap = 2

// WriteText writes the table for a terminal or a log: aligned, numbers to the
// right, without colour. Headers are broken over lines, and then words in text
// columns, as far as it takes to keep a row within 110 characters.
func (t Table) WriteText(w io.Writer) error {
	t.check()
	headers, rows := t.plainCells()
	fit(headers, rows, t.Columns)

	out := table.NewWriter()
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader = true
	style.Format.Header = pretty.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", strings.Repeat(" ", columnGap)
	out.SetStyle(style)
	out.SuppressTrailingSpaces()
	configs := make([]table.ColumnConfig, len(t.Columns))
	for i, column := range t.Columns {
		align := pretty.AlignRight
		if column.Kind == TextColumn {
			align = pretty.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, VAlignHeader: pretty.VAlignBottom}
	}
	out.SetColumnConfigs(configs)
	out.AppendHeader(toRow(headers))
	for _, row := range rows {
		out.AppendRow(toRow(row))
	}

	var b strings.Builder
	if t.Title != "" {
		b.WriteString(oneLine(t.Title) + "\n\n")
	}
	if len(t.Columns) > 0 {
		b.WriteString(out.Render() + "\n")
	}
	for i, note := range t.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(wrap(oneLine(note), maxTextWidth) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plainCells returns the header names and the cells as people read them.
func (t Table) plainCells() (headers []string, rows [][]string) {
	headers = make([]string, len(t.Columns))
	for i, column := range t.Columns {
		headers[i] = oneLine(column.Name)
	}
	rows = make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = make([]string, len(row))
		for j, cell := range row {
			rows[i][j] = t.Columns[j].show(cell, ",").plain()
		}
	}
	return headers, rows
}

// fit breaks headers, and then the cells of text columns, until a row is no
// wider than maxTextWidth or nothing more can be broken.
func fit(headers []string, rows [][]string, columns []Column) {
	body := make([]int, len(headers)) // the width that the cells need
	for _, row := range rows {
		for j, cell := range row {
			body[j] = max(body[j], pretty.StringWidth(cell))
		}
	}
	total := func() int {
		sum := 0
		for j, header := range headers {
			sum += max(body[j], pretty.LongestLineLen(header)) + columnGap
		}
		return sum
	}
	for total() > maxTextWidth {
		// Break the header that sticks out the most.
		widest, gain := -1, 0
		for j, header := range headers {
			width := pretty.LongestLineLen(header)
			if narrow := max(body[j], longestWord(header)); width-narrow > gain {
				widest, gain = j, width-narrow
			}
		}
		if widest < 0 {
			break
		}
		headers[widest] = wrap(headers[widest], max(body[widest], longestWord(headers[widest])))
	}
	for total() > maxTextWidth {
		// Narrow the widest text column.
		widest := -1
		for j, column := range columns {
			if column.Kind == TextColumn && body[j] > narrowest(headers, rows, j) && (widest < 0 || body[j] > body[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		body[widest] = max(body[widest]-(total()-maxTextWidth), narrowest(headers, rows, widest))
		for _, row := range rows {
			row[widest] = wrap(row[widest], body[widest])
		}
	}
}

// narrowest returns the width below which column j would break words.
func narrowest(headers []string, rows [][]string, j int) int {
	width := longestWord(headers[j])
	for _, row := range rows {
		width = max(width, longestWord(row[j]))
	}
	return width
}

// wrap breaks s between words into lines of at most width characters.
func wrap(s string, width int) string {
	lines := strings.Split(pretty.WrapSoft(s, width), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ") // which would shift what is set to the right
	}
	return strings.Join(lines, "\n")
}

func longestWord(s string) int {
	longest := 0
	for _, word := range strings.Fields(s) {
		longest = max(longest, pretty.StringWidth(word))
	}
	return longest
}

func toRow(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, cell := range cells {
		row[i] = cell
	}
	return row
}
