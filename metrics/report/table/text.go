package table

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

// TextWidth is the largest width of a table, in characters, that is readable on common terminals.
const TextWidth = 110

const columnGap = "  "

// Text returns the table for a terminal or a log: aligned, with numbers on the right, without colour. To keep rows
// within the given number of terminal columns, it wraps headers, and if necessary also the cells of text columns.
func (t Table) Text(to int) string {
	t.check()
	headers, rows := t.plainCells()
	fit(headers, rows, t.Columns, to)
	widths := make([]int, len(headers))
	for _, row := range append([][]string{headers}, rows...) {
		for j, cell := range row {
			widths[j] = max(widths[j], longestLine(cell))
		}
	}

	var b strings.Builder
	if t.Title != "" {
		b.WriteString(escape.Words(t.Title) + "\n\n")
	}
	if len(widths) > 0 {
		t.writeRow(&b, headers, widths, true)
		rule := len(columnGap) * (len(widths) - 1)
		for _, width := range widths {
			rule += width
		}
		b.WriteString(strings.Repeat("─", rule) + "\n")
	}
	for _, row := range rows {
		t.writeRow(&b, row, widths, false)
	}
	for i, note := range t.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(wrap(escape.Words(note), to) + "\n")
	}
	return b.String()
}

// writeRow writes one row, on several lines if a cell has several. Short cells are aligned
// with the bottom of a header and with the top of other rows.
func (t Table) writeRow(b *strings.Builder, cells []string, widths []int, header bool) {
	lines := make([][]string, len(cells))
	height := 1
	for j, cell := range cells {
		lines[j] = strings.Split(cell, "\n")
		height = max(height, len(lines[j]))
	}
	for i := range height {
		var line strings.Builder
		for j := range cells {
			if j > 0 {
				line.WriteString(columnGap)
			}
			k := i
			if header {
				k -= height - len(lines[j])
			}
			text := ""
			if k >= 0 && k < len(lines[j]) {
				text = lines[j][k]
			}
			line.WriteString(pad(text, widths[j], t.Columns[j].Unit != ""))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// plainCells returns headers and cells for people.
func (t Table) plainCells() (headers []string, rows [][]string) {
	headers = list.Map(t.Columns, func(c Column) string { return escape.Words(c.Name) })
	rows = make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = make([]string, len(row))
		for j, cell := range row {
			rows[i][j] = t.Columns[j].show(cell, ",").plain()
		}
	}
	return headers, rows
}

// fit wraps headers, and then the cells of text columns, until a row is no wider than asked or nothing more can be
// wrapped. It wraps cells only if that suffices.
func fit(headers []string, rows [][]string, columns []Column, to int) {
	body := make([]int, len(headers)) // the width that the cells need
	for _, row := range rows {
		for j, cell := range row {
			body[j] = max(body[j], Width(cell))
		}
	}
	total := func() int {
		sum := len(columnGap) * (len(headers) - 1)
		for j, header := range headers {
			sum += max(body[j], longestLine(header))
		}
		return sum
	}
	for total() > to {
		// Wrap the header that exceeds its cells the most.
		widest, gain := -1, 0
		for j, header := range headers {
			now := longestLine(header)
			if narrow := max(body[j], longestWord(header)); now-narrow > gain {
				widest, gain = j, now-narrow
			}
		}
		if widest < 0 {
			break
		}
		headers[widest] = wrap(headers[widest], max(body[widest], longestWord(headers[widest])))
	}
	gain := 0 // of narrowing all text columns, which is left out if it is not enough
	for j, column := range columns {
		if column.Unit == "" {
			gain += max(0, body[j]-narrowest(headers, rows, j))
		}
	}
	if total()-gain > to {
		return
	}
	for total() > to {
		// Narrow the widest text column.
		widest := -1
		for j, column := range columns {
			narrowable := column.Unit == "" && body[j] > narrowest(headers, rows, j)
			if narrowable && (widest < 0 || body[j] > body[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		body[widest] = max(body[widest]-(total()-to), narrowest(headers, rows, widest))
		for _, row := range rows {
			row[widest] = wrap(row[widest], body[widest])
		}
	}
}

// narrowest returns the width below which column j would break words.
func narrowest(headers []string, rows [][]string, j int) int {
	most := longestWord(headers[j])
	for _, row := range rows {
		most = max(most, longestWord(row[j]))
	}
	return most
}

// Width returns the number of terminal columns of s. It ignores what the environment says about the width of × and µ,
// so that a table is the same text everywhere.
func Width(s string) int {
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(s)
}

func longestLine(s string) int { return longest(strings.Split(s, "\n")) }
func longestWord(s string) int { return longest(strings.Fields(s)) }

func longest(pieces []string) int {
	most := 0
	for _, piece := range pieces {
		most = max(most, Width(piece))
	}
	return most
}

// pad adds spaces to s up to a width, before or after it.
func pad(s string, to int, before bool) string {
	spaces := strings.Repeat(" ", max(to-Width(s), 0))
	if before {
		return spaces + s
	}
	return s + spaces
}

// wrap breaks s between words into lines of at most the given width. It does not break longer words.
func wrap(s string, to int) string {
	return strings.Join(Lines(s, func(line string) bool { return Width(line) <= to }), "\n")
}

// Lines breaks text between words into lines that fit. A word that does not fit has a line of its own.
func Lines(text string, fits func(line string) bool) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if n := len(lines) - 1; n >= 0 && fits(lines[n]+" "+word) {
			lines[n] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
