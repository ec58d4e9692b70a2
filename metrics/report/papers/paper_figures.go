package papers

import (
	"fmt"
	"io"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// AsDrawn draws a figure of a paper from the runs.
func AsDrawn(f *result.PaperFigure) Drawn {
	out := figure.Figure{Title: f.Title, Columns: columnsOf(len(f.Panels))}
	runs, note := 0, func(text string) {
		if !slices.Contains(out.Notes, text) {
			out.Notes = append(out.Notes, text)
		}
	}
	for i := range f.Panels {
		p := &f.Panels[i]
		plot := panelOf(p)
		for k := range p.Curves {
			c := &p.Curves[k]
			runs = max(runs, c.Runs)
			if c.Reason != "" {
				note(escape.Name(c.Label) + ": " + c.Reason + ".")
			}
			x, y, low, high := c.X, c.Mid, c.Low, c.High
			if p.LogX && len(x) > 1 && x[0] == 0 { // the start costs nothing
				x, y = x[1:], y[1:]
				if low != nil {
					low, high = low[1:], high[1:]
				}
			}
			plot.Series = append(plot.Series, figure.Series{Label: c.Label, X: x, Y: y, Low: low, High: high})
		}
		if p.Paths {
			plot.Window = figure.WindowOf(plot)
		}
		out.Panels = append(out.Panels, plot)
	}
	if runs > 1 {
		note(fmt.Sprintf("Medians of %d runs, and bands between the quartiles; runs that ended earlier are carried on "+
			"with their last value.", runs))
	}
	return Drawn{f.Name, out}
}

// columnsOf returns how many panels stand side by side: up to three, but two of four.
func columnsOf(panels int) int {
	if panels == 4 {
		return 2
	}
	return min(panels, 3)
}

func panelOf(p *result.PaperPanel) figure.Plot {
	var marks []figure.Mark
	for _, m := range p.Marks {
		marks = append(marks, figure.Mark{Label: m.Name, X: m.X, Y: m.Y})
	}
	if p.Paths {
		return figure.Plot{Title: p.Title, XLabel: p.X, YLabel: p.Y, Paths: true, Marks: marks}
	}
	cost := metrics.FindCost(p.X)
	plot := figure.Plot{Title: p.Title, XLabel: cost.Name, XUnit: quantity.UnitOf(cost.Unit),
		YLabel: fold.MetricWords(p.Y, ""), LogX: p.LogX, LogY: p.LogY, Marks: marks}
	if p.PerNode {
		plot.XLabel += " of a node"
	}
	if p.Target != nil {
		plot.Levels = []float64{*p.Target}
	}
	return plot
}

// figureSheet lists the points of a figure's curves for programs, one per line.
func figureSheet(f *result.PaperFigure) table.Table {
	sheet := table.Table{Columns: table.WordColumns("panel", "x", "y", "curve", "runs", "cost", "median", "low", "high")}
	number := func(of []float64, i int) table.Cell {
		if i >= len(of) {
			return table.Missing()
		}
		return fullCell(of[i])
	}
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, c := range p.Curves {
			for k := range c.X {
				sheet.Rows = append(sheet.Rows, []table.Cell{table.Integer(int64(i + 1)), table.Text(p.X),
					table.Text(p.Y), table.Text(c.Label), table.Integer(int64(c.Runs)), number(c.X, k),
					number(c.Mid, k), number(c.Low, k), number(c.High, k)})
			}
		}
	}
	return sheet
}

// DrawnFiles returns the files of the figures of papers.
func DrawnFiles(figures []result.PaperFigure) []result.File {
	var files []result.File
	for i := range figures {
		f := &figures[i]
		files = append(files, result.File{Name: f.Name + ".csv", Write: func(w io.Writer) error {
			return figureSheet(f).WriteCSV(w)
		}})
		files = append(append(files, AsDrawn(f).PictureFiles()...), AsDrawn(f).PrintFiles()...)
	}
	return files
}

// DrawnFileNames returns all names that files of a figure may have.
func DrawnFileNames(figure string) []string {
	return []string{figure + ".svg", figure + ".png", figure + ".pdf", figure + ".tikz", figure + ".csv"}
}
