package table

import (
	"fmt"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

// LaTeX returns the table as LaTeX floats with booktabs rules; the preamble needs \usepackage{booktabs} only.
// The table fits an article in 10 pt, of one column or two; if it is wider than a column, it spans the page. If it
// is too wide for the page, headers and texts wrap and letters shrink. If that is not enough, it becomes several
// tables with some of the columns each, which repeat the first columns.
func (t Table) LaTeX() string {
	t.check()
	var b strings.Builder
	b.WriteString("% \\usepackage{booktabs}\n")
	parts := t.latexParts()
	for i, p := range parts {
		p.write(&b, t, i, i == len(parts)-1)
	}
	return b.String()
}

// Lengths in points.
const (
	latexColumn = 229 // the width of a column of \documentclass[twocolumn]{article}
	latexPage   = 345 // the width of the text of \documentclass{article}
	latexSep    = 4   // \tabcolsep, on both sides of each column
	leastText   = 50  // the least width of a column of wrapped text
)

// maxLaTeXLines is the number of lines of rows on a page, below a caption and a header.
const maxLaTeXLines = 40

// latexPiece is the number of characters after which a long word of a wrapped text may break.
const latexPiece = 10

// maxLaTeXWord is the longest word of a header, in characters.
const maxLaTeXWord = 24

// latexSize is a size of letters.
type latexSize struct {
	command string
	em      float64 // the width of 1000 units of latexWidth
}

// Small letters of Computer Modern are wider than their size suggests.
var latexSizes = []latexSize{{"", 10}, {`\small`, 9.3}, {`\footnotesize`, 8.55}}

// latexPart is some of the columns and rows of a table with their layout.
type latexPart struct {
	columns  []latexColumnSpec
	from, to int // rows
	size     latexSize
	across   bool // the page
}

// latexColumnSpec is the layout of a column.
type latexColumnSpec struct {
	index  int // in the table
	header []string
	width  float64 // 0: the natural one
}

// latexParts chooses the layout.
func (t Table) latexParts() []latexPart {
	all := make([]int, len(t.Columns))
	for i := range all {
		all[i] = i
	}
	fitting := func(columns []int) (latexPart, bool) {
		p, ok := t.latexFit(columns, latexSizes[0], latexColumn, false)
		for i := 0; i < len(latexSizes) && !ok; i++ {
			p, ok = t.latexFit(columns, latexSizes[i], latexPage, false)
		}
		if !ok {
			p, ok = t.latexFit(columns, latexSizes[len(latexSizes)-1], latexPage, true)
		}
		return p, ok
	}
	var groups []latexPart
	if p, ok := fitting(all); ok || len(all) == 0 {
		groups = []latexPart{p}
	} else {
		lead := 0 // the columns that name a row
		for lead < len(t.Columns)-1 && lead < 2 && t.Columns[lead].Unit == "" {
			lead++
		}
		for next := lead; next < len(all); {
			columns := append(all[:lead:lead], next)
			p, _ := fitting(columns)
			for next++; next < len(all); next++ {
				columns = append(columns, next)
				wider, ok := fitting(columns)
				if !ok {
					break
				}
				p = wider
			}
			groups = append(groups, p)
		}
	}
	var parts []latexPart
	for _, p := range groups {
		for p.to = 0; p.to == 0 || p.to < len(t.Rows); {
			p.from, p.to = p.to, t.latexPageful(&p, p.to)
			parts = append(parts, p)
			if len(t.Rows) == 0 {
				break
			}
		}
	}
	return parts
}

// latexPageful returns the end of the rows that fit a page, beginning with row from: at least one row.
func (t Table) latexPageful(p *latexPart, from int) int {
	lines := 0
	for i := from; i < len(t.Rows); i++ {
		if lines += t.latexLines(p, i); i > from && lines > maxLaTeXLines {
			return i
		}
	}
	return len(t.Rows)
}

// latexLines returns the number of lines of a row: those of its longest wrapped text.
func (t Table) latexLines(p *latexPart, row int) int {
	most := 1
	for _, c := range p.columns {
		s := t.latexCell(c.index, row, ",")
		if c.width == 0 || s.number {
			continue
		}
		var pieces []string
		for _, word := range strings.Fields(s.text) {
			pieces = append(pieces, latexPieces(word)...)
		}
		most = max(most, len(latexWrap(strings.Join(pieces, " "), c.width, p.size)))
	}
	return most
}

// maxLaTeXUnknown is the number of characters of a cell that LaTeX shows as code points, each of which may take a
// line. A text with more loses its middle.
const maxLaTeXUnknown = 16

// latexCell returns a cell for LaTeX.
func (t Table) latexCell(column, row int, separator string) shown {
	s := t.Columns[column].show(t.Rows[row][column], separator)
	unknown := 0
	for _, r := range s.text {
		if latexUnknown(r) {
			unknown++
		}
	}
	if unknown > maxLaTeXUnknown {
		s.text = escape.Middle(s.text, maxLaTeXUnknown)
	}
	return s
}

// latexFit lays out some of the columns in letters of a size, and reports whether they fit the limit. It wraps
// headers if necessary and, if shrink is true, columns of text.
func (t Table) latexFit(columns []int, size latexSize, limit float64, shrink bool) (latexPart, bool) {
	p := latexPart{size: size, across: limit == latexPage}
	for _, j := range columns {
		words := list.Map(strings.Fields(escape.Words(t.Columns[j].Name)), func(word string) string {
			return escape.Middle(word, maxLaTeXWord)
		})
		p.columns = append(p.columns, latexColumnSpec{index: j, header: []string{strings.Join(words, " ")}})
	}
	if t.latexTotal(&p) <= limit {
		return p, true
	}
	for k := range p.columns {
		c := &p.columns[k]
		c.header = latexWrap(c.header[0], t.latexBody(c.index, size), size)
	}
	total := t.latexTotal(&p)
	if total <= limit || !shrink {
		return p, total <= limit
	}
	for total > limit { // narrow the widest text
		widest, most := -1, 0.0
		for k, c := range p.columns {
			now := t.latexWidth(&c, size)
			wordy := t.Columns[c.index].Unit == "" || now > 2*leastText // a reason instead of a number, say
			if wordy && now > max(most, leastText) {
				widest, most = k, now
			}
		}
		if widest < 0 {
			return p, false
		}
		p.columns[widest].width = max(most-max(total-limit, 1), leastText, 0.8*most)
		total = t.latexTotal(&p)
	}
	return p, true
}

func (t Table) latexTotal(p *latexPart) float64 {
	total := 0.0
	for _, c := range p.columns {
		total += t.latexWidth(&c, p.size) + 2*latexSep
	}
	return total
}

// latexWidth returns the width of a column.
func (t Table) latexWidth(c *latexColumnSpec, size latexSize) float64 {
	if c.width > 0 {
		return c.width
	}
	widest := t.latexBody(c.index, size)
	for _, line := range c.header {
		widest = max(widest, latexTextWidth(line, size))
	}
	return widest
}

// latexBody returns the width of the cells of a column.
func (t Table) latexBody(j int, size latexSize) float64 {
	widest := 0.0
	for row := range t.Rows {
		s := t.latexCell(j, row, ",")
		text := s.plain()
		if s.exponent != "" {
			text = s.text + "00000" + s.exponent // × 10
		}
		widest = max(widest, latexTextWidth(text, size))
	}
	return widest
}

// latexWrap breaks a header between words into lines of at most a width, if possible.
func latexWrap(header string, width float64, size latexSize) []string {
	for _, word := range strings.Fields(header) {
		width = max(width, latexTextWidth(word, size))
	}
	return Lines(header, func(line string) bool { return latexTextWidth(line, size) <= width })
}

// write writes the part as a float.
func (p *latexPart) write(b *strings.Builder, t Table, part int, last bool) {
	float := "table"
	if p.across {
		float = "table*"
	}
	if part > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "\\begin{%s}[t]\n\\centering\n", float)
	if p.size.command != "" {
		b.WriteString(p.size.command + "\n")
	}
	if t.Title != "" {
		title := breakable(escape.Words(t.Title))
		if part > 0 {
			title += " (continued)"
		}
		b.WriteString("\\caption{" + title + "}\n")
	}
	if t.Label != "" && part == 0 {
		b.WriteString("\\label{tab:" + escape.LaTeX(t.Label) + "}\n")
	}
	fmt.Fprintf(b, "\\setlength{\\tabcolsep}{%dpt}\n\\begin{tabular}{", latexSep)
	headers := make([]string, len(p.columns))
	for k, c := range p.columns {
		align := "r"
		if t.Columns[c.index].Unit == "" {
			align = "l"
		}
		headers[k] = latexHeader(c, align)
		if c.width > 0 {
			align = fmt.Sprintf("p{%.1fpt}", c.width)
		}
		b.WriteString(align)
	}
	if len(p.columns) == 0 {
		b.WriteString("l") // LaTeX has no table without columns
	}
	b.WriteString("}\n\\toprule\n" + strings.Join(headers, " & ") + " \\tabularnewline\n\\midrule\n")
	for row := p.from; row < p.to; row++ {
		cells := make([]string, len(p.columns))
		for k, c := range p.columns {
			s := t.latexCell(c.index, row, `\,`)
			cells[k] = s.latex()
			if c.width > 0 && !s.number {
				cells[k] = "\\raggedright " + breakable(s.text)
			}
		}
		b.WriteString(strings.Join(cells, " & ") + " \\tabularnewline\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	if last {
		for _, note := range t.Notes {
			b.WriteString("\n\\smallskip\n{\\footnotesize\\raggedright " + breakable(escape.Words(note)) + "\\par}\n")
		}
	}
	fmt.Fprintf(b, "\\end{%s}\n", float)
}

// latexHeader writes a header, on several lines if it has them.
func latexHeader(c latexColumnSpec, align string) string {
	if c.width > 0 {
		return "\\raggedright " + breakable(strings.Join(c.header, " "))
	}
	lines := list.Map(c.header, escape.LaTeX)
	if len(lines) <= 1 {
		return strings.Join(lines, "")
	}
	return `\begin{tabular}[b]{@{}` + align + `@{}}` + strings.Join(lines, `\\`) + `\end{tabular}`
}

// breakable allows long words to break.
func breakable(s string) string {
	words := list.Map(strings.Split(s, " "), func(word string) string {
		return strings.Join(list.Map(latexPieces(word), escape.LaTeX), `\hspace{0pt}`)
	})
	return strings.Join(words, " ")
}

// latexPieces cuts a long word into pieces. A character that LaTeX shows as a code point is a piece of its own.
func latexPieces(word string) []string {
	var pieces []string
	begin, n := 0, 0 // of a piece, and its characters
	runes := []rune(word)
	cut := func(end int) {
		if end > begin {
			pieces = append(pieces, string(runes[begin:end]))
		}
		begin, n = end, 0
	}
	for i, r := range runes {
		if n == latexPiece && len(runes)-i > 3 {
			cut(i)
		}
		if n++; latexUnknown(r) {
			cut(i)
			cut(i + 1)
		}
	}
	cut(len(runes))
	return pieces
}

// latexUnknown reports whether LaTeX shows a character as its code point.
func latexUnknown(r rune) bool {
	return r > 0x7e && strings.HasPrefix(escape.LaTeX(string(r)), "{[}U+")
}

// latex writes a number in math mode, followed by a thin space and an upright unit.
func (s shown) latex() string {
	if !s.number {
		if s.text == "-" {
			return "--"
		}
		return escape.LaTeX(s.text)
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

// latexTextWidth returns an upper bound of the width of text in Computer Modern, in points.
func latexTextWidth(s string, size latexSize) float64 {
	const widths = "  278! 500\" 833# 500$ 833% 778& 278' 389( 389) 500* 778+ 278, 333- 278. 500/ 278: 278; 778< 778= " +
		"778> 472? " +
		"778@ 750A 708B 722C 764D 681E 653F 785G 750H 361I 514J 778K 625L 917M 750N 778O 681P 778Q 736R 556S 722T 750U " +
		"750V 1028W 750X 750Y 611Z 278[ 500\\ 278] 500^ 350_ 278` 500a 556b 444c 556d 444e 306f 500g 556h 278i 306j " +
		"528k 278l 833m 556n 500o 556p 528q 392r 395s 389t 556u 528v 722w 528x 528y 444z 500{ 278| 500} 500~"
	units := 0
	for _, r := range s {
		switch {
		case r == ' ':
			units += 333
		case r >= '0' && r <= '9':
			units += 500
		case r < 0x7f:
			at := strings.Index(widths, string(r)+" ")
			if at < 0 {
				at = len(widths) - 1 // the last one
			}
			width := 0
			for _, digit := range widths[strings.LastIndexByte(widths[:at], ' ')+1 : at] {
				width = 10*width + int(digit-'0')
			}
			units += width
		case latexUnknown(r):
			units += 5000
		default:
			units += 1000
		}
	}
	return float64(units) / 1000 * size.em * 1.02
}
