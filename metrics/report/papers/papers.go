package papers

import (
	"io"
	"math"
	"slices"
	"strconv"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// PaperTable shows a table of a paper for people: the printed rows and, below each, the measured one. A row that is
// not printed is measured only.
func PaperTable(t *result.PaperTable) table.Table {
	printed := slices.ContainsFunc(t.Rows, func(r result.PaperRow) bool { return r.Printed != nil })
	outcome := slices.ContainsFunc(t.Rows, func(r result.PaperRow) bool { return r.Outcome != "" })
	out := table.Table{Title: t.Title + " (" + t.Source + ")", Label: t.Name,
		Columns: []table.Column{{Name: t.Corner}}}
	if printed {
		out.Columns = append(out.Columns, table.Column{})
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, table.Column{Name: c, Unit: metrics.Number})
	}
	if outcome {
		out.Columns = append(out.Columns, table.Column{Name: "outcome"})
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		name, say := r.Name, r.Outcome
		add := func(kind string, cell func(k int) table.Cell) {
			row := []table.Cell{table.Text(name)}
			if printed {
				row = append(row, table.Text(kind))
			}
			for k := range t.Columns {
				row = append(row, cell(k))
			}
			if outcome {
				row = append(row, table.Text(say))
			}
			out.Rows = append(out.Rows, row)
			name, say = "", "" // of the row below
		}
		if r.Printed != nil {
			add("printed", func(k int) table.Cell { return table.Text(result.Setting{Value: r.Printed[k]}.Text()) })
		}
		if r.Printed == nil || r.Cells != nil || r.Reason != "" {
			add("here", func(k int) table.Cell {
				if k < len(r.Cells) {
					return table.Text(cellText(r.Cells[k]))
				}
				return table.Missing()
			})
		}
		if r.Reason != "" {
			out.Notes = append(out.Notes, r.Name+": "+r.Reason)
		}
	}
	return out
}

func cellText(c result.PaperCell) string {
	number := func(x jsonio.Real) string {
		if x := float64(x); !math.IsNaN(x) && !math.IsInf(x, 0) && x != math.Trunc(x) {
			return quantity.Float(x, 4)
		}
		return quantity.Measured(float64(x))
	}
	if c.Text != "" {
		return c.Text
	}
	text := number(c.Value)
	if !math.IsNaN(float64(c.Low)) && c.Low != c.High {
		text += " [" + number(c.Low) + ", " + number(c.High) + "]"
	}
	return text
}

// paperSheet is the same table for programs, with one line per cell.
func paperSheet(t *result.PaperTable) table.Table {
	sheet := table.Table{Columns: table.WordColumns("row", "column", "x", "value", "low", "high", "printed", "text",
		"outcome")}
	for _, r := range t.Rows {
		for k, c := range t.Columns {
			x, cell, printed := math.NaN(), result.PaperCell{Value: jsonio.Real(math.NaN()), Low: jsonio.Real(math.NaN()),
				High: jsonio.Real(math.NaN())}, table.Missing()
			if k < len(t.X) {
				x = t.X[k]
			}
			if k < len(r.Cells) {
				cell = r.Cells[k]
			}
			if r.Printed != nil {
				printed = table.Text(result.Setting{Value: r.Printed[k]}.Text())
			}
			sheet.Rows = append(sheet.Rows, []table.Cell{table.Text(r.Name), table.Text(c), fullCell(x),
				fullCell(float64(cell.Value)), fullCell(float64(cell.Low)), fullCell(float64(cell.High)), printed,
				table.Text(cell.Text), table.Text(r.Outcome)})
		}
	}
	return sheet
}

// paperFigure draws the rows over X, and then the printed values: once if several rows are readings of one printed
// row. It reports false if there is nothing to draw.
func paperFigure(t *result.PaperTable) (figure.Figure, bool) {
	p := figure.Plot{XLabel: t.XLabel, YLabel: t.YLabel, LogX: t.Log, LogY: t.Log}
	var printed []figure.Series
	for i := range t.Rows {
		r := &t.Rows[i]
		if t.X != nil && len(r.Cells) == len(t.X) {
			s := figure.Series{Label: r.Name, X: t.X}
			for _, c := range r.Cells {
				s.Y = append(s.Y, float64(c.Value))
			}
			p.Series = append(p.Series, s)
		}
		given := printedOver(t.X, r)
		n := len(given.X)
		same := slices.IndexFunc(printed, func(s figure.Series) bool {
			return slices.Equal(s.X, given.X) && slices.Equal(s.Y, given.Y)
		})
		switch {
		case n == 0:
		case same < 0:
			printed = append(printed, given)
		default: // of another reading
			printed[same].Label = "printed, " + quantity.Measured(given.Y[0]) + " to " + quantity.Measured(given.Y[n-1])
		}
	}
	p.Series = append(p.Series, printed...)
	return figure.Figure{Title: t.Title, Panels: []figure.Plot{p}, Columns: 1}, len(p.Series) > 0
}

// printedOver returns the printed numbers of a row over x.
func printedOver(x []float64, r *result.PaperRow) figure.Series {
	s := figure.Series{Label: r.Name + ", printed"}
	for k, v := range r.Printed {
		if y, err := strconv.ParseFloat(result.Setting{Value: v}.Text(), 64); err == nil && k < len(x) {
			s.X, s.Y = append(s.X, x[k]), append(s.Y, y)
		}
	}
	return s
}

// PaperFiles returns the files of the tables of papers.
func PaperFiles(tables []result.PaperTable) []result.File {
	var files []result.File
	for i := range tables {
		t := &tables[i]
		shown := PaperTable(t)
		for _, f := range table.Forms() {
			files = append(files, result.File{Name: t.Name + "." + f.Extension, Write: func(w io.Writer) error {
				if f.Format == "csv" {
					return paperSheet(t).WriteCSV(w)
				}
				return table.Document{Tables: []table.Table{shown}}.Write(w, f.Format)
			}})
		}
		if figure, ok := paperFigure(t); ok {
			files = append(files, Drawn{t.Name, figure}.PictureFiles()...)
		}
	}
	return files
}

// PaperFileNames returns all names that files of a table may have.
func PaperFileNames(out string) []string {
	return []string{out + ".txt", out + ".md", out + ".csv", out + ".tex", out + ".svg", out + ".png"}
}
