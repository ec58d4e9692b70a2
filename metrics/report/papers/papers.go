package papers

import (
	"io"
	"math"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// PaperTable shows a table of the runs for people.
func PaperTable(t *result.PaperTable) table.Table {
	out := table.Table{Title: t.Title + " (" + t.Source + ")", Label: t.Name,
		Columns: []table.Column{{Name: t.Corner}}}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, table.Column{Name: c, Unit: metrics.Number})
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		row := []table.Cell{table.Text(r.Name)}
		for k := range t.Columns {
			if k < len(r.Cells) {
				row = append(row, table.Text(cellText(r.Cells[k])))
			} else {
				row = append(row, table.Missing())
			}
		}
		out.Rows = append(out.Rows, row)
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
	sheet := table.Table{Columns: table.WordColumns("row", "column", "x", "value", "low", "high", "text")}
	for _, r := range t.Rows {
		for k, c := range t.Columns {
			x, cell := math.NaN(), result.Cells(math.NaN())[0]
			if k < len(t.X) {
				x = t.X[k]
			}
			if k < len(r.Cells) {
				cell = r.Cells[k]
			}
			sheet.Rows = append(sheet.Rows, []table.Cell{table.Text(r.Name), table.Text(c), fullCell(x),
				fullCell(float64(cell.Value)), fullCell(float64(cell.Low)), fullCell(float64(cell.High)),
				table.Text(cell.Text)})
		}
	}
	return sheet
}

// paperFigure draws the rows over X. It reports false if there is nothing to draw.
func paperFigure(t *result.PaperTable) (figure.Figure, bool) {
	p := figure.Plot{XLabel: t.XLabel, YLabel: t.YLabel, LogX: t.Log, LogY: t.Log}
	for i := range t.Rows {
		r := &t.Rows[i]
		if t.X != nil && len(r.Cells) == len(t.X) {
			s := figure.Series{Label: r.Name, X: t.X}
			for _, c := range r.Cells {
				s.Y = append(s.Y, float64(c.Value))
			}
			p.Series = append(p.Series, s)
		}
	}
	return figure.Figure{Title: t.Title, Panels: []figure.Plot{p}, Columns: 1}, len(p.Series) > 0
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
