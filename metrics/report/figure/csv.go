package figure

import (
	"io"
	"math"

	"tallynet/metrics/report/table"
)

// WriteCSV writes the data of the figure as CSV, with one row per point and its band, if there is one.
func (f Figure) WriteCSV(w io.Writer) error {
	t := table.Table{Title: f.Title,
		Columns: table.WordColumns("panel", "x_axis", "y_axis", "curve", "x", "y", "low", "high")}
	number := func(of []float64, i int) table.Cell {
		if i >= len(of) || math.IsNaN(of[i]) || math.IsInf(of[i], 0) {
			return table.Missing()
		}
		return table.Number(of[i])
	}
	for i, p := range f.Panels {
		for _, s := range p.Series {
			for k := range s.X {
				t.Rows = append(t.Rows, []table.Cell{table.Integer(int64(i + 1)), table.Text(p.XLabel), table.Text(p.YLabel),
					table.Text(s.Label), number(s.X, k), number(s.Y, k), number(s.Low, k), number(s.High, k)})
			}
		}
	}
	return t.WriteCSV(w)
}
