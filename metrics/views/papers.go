package views

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// PaperTable shows a table of a paper for people: what is printed and, below it, what was
// measured. Where nothing is printed, there is a row for each of what was measured.
func PaperTable(t *result.PaperTable) render.Table {
	printed := slices.ContainsFunc(t.Rows, func(r result.PaperRow) bool { return r.Printed != nil })
	outcome := slices.ContainsFunc(t.Rows, func(r result.PaperRow) bool { return r.Outcome != "" })
	table := render.Table{Title: t.Title + " (" + t.Source + ")", Label: t.Name,
		Columns: []render.Column{{Name: t.Corner}}}
	if printed {
		table.Columns = append(table.Columns, render.Column{})
	}
	for _, c := range t.Columns {
		table.Columns = append(table.Columns, render.Column{Name: c, Kind: render.FloatColumn})
	}
	if outcome {
		table.Columns = append(table.Columns, render.Column{Name: "outcome"})
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		name, say := r.Name, r.Outcome
		add := func(kind string, cell func(k int) render.Cell) {
			row := []render.Cell{render.Text(name)}
			if printed {
				row = append(row, render.Text(kind))
			}
			for k := range t.Columns {
				row = append(row, cell(k))
			}
			if outcome {
				row = append(row, render.Text(say))
			}
			table.Rows = append(table.Rows, row)
			name, say = "", "" // of the row below
		}
		if r.Printed != nil {
			add("printed", func(k int) render.Cell { return render.Text(result.Setting{Value: r.Printed[k]}.Text()) })
		}
		if r.Printed == nil || r.Cells != nil || r.Reason != "" {
			add("here", func(k int) render.Cell {
				if k < len(r.Cells) {
					return render.Text(cellText(r.Cells[k]))
				}
				return render.Missing()
			})
		}
		if r.Reason != "" {
			table.Notes = append(table.Notes, r.Name+": "+r.Reason)
		}
	}
	return table
}

func cellText(c result.PaperCell) string {
	number := func(x jsonio.Real) string {
		if x := float64(x); !math.IsNaN(x) && !math.IsInf(x, 0) && x != math.Trunc(x) {
			return render.Float(x, 4)
		}
		return render.Measured(float64(x))
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

// paperSheet is the same table for machines: a line for each cell.
func paperSheet(t *result.PaperTable) render.Table {
	sheet := render.Table{}
	for _, name := range []string{"row", "column", "x", "value", "low", "high", "printed", "text", "outcome"} {
		sheet.Columns = append(sheet.Columns, render.Column{Name: name})
	}
	text := func(x float64) render.Cell {
		if math.IsNaN(x) {
			return render.Missing()
		}
		return render.Text(strconv.FormatFloat(x, 'g', -1, 64))
	}
	for _, r := range t.Rows {
		for k, c := range t.Columns {
			x, cell, printed := math.NaN(), result.PaperCell{Value: jsonio.Real(math.NaN()), Low: jsonio.Real(math.NaN()),
				High: jsonio.Real(math.NaN())}, render.Missing()
			if k < len(t.X) {
				x = t.X[k]
			}
			if k < len(r.Cells) {
				cell = r.Cells[k]
			}
			if r.Printed != nil {
				printed = render.Text(result.Setting{Value: r.Printed[k]}.Text())
			}
			sheet.Rows = append(sheet.Rows, []render.Cell{render.Text(r.Name), render.Text(c), text(x),
				text(float64(cell.Value)), text(float64(cell.Low)), text(float64(cell.High)), printed,
				render.Text(cell.Text), render.Text(r.Outcome)})
		}
	}
	return sheet
}

// paperFigure draws the rows over X and then what is printed beside them: once where several rows
// are readings of one that is printed. It reports false if there is nothing to draw.
func paperFigure(t *result.PaperTable) (render.Figure, bool) {
	p := render.Plot{XLabel: t.XLabel, YLabel: t.YLabel, LogX: t.Log, LogY: t.Log}
	var printed []render.Series
	for i := range t.Rows {
		r := &t.Rows[i]
		if t.X != nil && len(r.Cells) == len(t.X) {
			s := render.Series{Label: r.Name, X: t.X}
			for _, c := range r.Cells {
				s.Y = append(s.Y, float64(c.Value))
			}
			p.Series = append(p.Series, s)
		}
		given := printedOver(t.X, r)
		n := len(given.X)
		same := slices.IndexFunc(printed, func(s render.Series) bool {
			return slices.Equal(s.X, given.X) && slices.Equal(s.Y, given.Y)
		})
		switch {
		case n == 0:
		case same < 0:
			printed = append(printed, given)
		default: // of another reading
			printed[same].Label = "printed, " + render.Measured(given.Y[0]) + " to " + render.Measured(given.Y[n-1])
		}
	}
	p.Series = append(p.Series, printed...)
	return render.Figure{Title: t.Title, Panels: []render.Plot{p}, Columns: 1}, len(p.Series) > 0
}

// printedOver returns the numbers that are printed in a row, over x.
func printedOver(x []float64, r *result.PaperRow) render.Series {
	s := render.Series{Label: r.Name + ", printed"}
	for k, v := range r.Printed {
		if y, err := strconv.ParseFloat(result.Setting{Value: v}.Text(), 64); err == nil && k < len(x) {
			s.X, s.Y = append(s.X, x[k]), append(s.Y, y)
		}
	}
	return s
}

// paperFiles are the files of the tables of papers.
func paperFiles(tables []result.PaperTable) []result.File {
	var files []result.File
	for i := range tables {
		t := &tables[i]
		shown := PaperTable(t)
		for _, f := range TableForms() {
			files = append(files, result.File{Name: t.Name + "." + f.Extension, Write: func(w io.Writer) error {
				if f.Format == "csv" {
					return paperSheet(t).WriteCSV(w)
				}
				return WriteTables(w, f.Format, []render.Table{shown})
			}})
		}
		if figure, ok := paperFigure(t); ok {
			files = append(files, pictureFiles(NamedFigure{t.Name, figure})...)
		}
	}
	return files
}

// PaperFileNames are all names that files of a table may have.
func PaperFileNames(table string) []string {
	var names []string
	for _, extension := range strings.Fields("txt md csv tex svg png") {
		names = append(names, table+"."+extension)
	}
	return names
}
