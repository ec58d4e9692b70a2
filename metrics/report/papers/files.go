package papers

import (
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
)

// Drawn is a figure with the name of its files.
type Drawn struct {
	Name string
	figure.Figure
}

// PictureFiles returns the files of the figure for screens.
func (f Drawn) PictureFiles() []result.File {
	return []result.File{
		{Name: f.Name + ".svg", Write: f.WriteSVG},
		{Name: f.Name + ".png", Write: f.WritePNG},
	}
}

// PrintFiles returns the files of the figure for papers.
func (f Drawn) PrintFiles() []result.File {
	return []result.File{
		{Name: f.Name + ".pdf", Write: f.WritePDF},
		{Name: f.Name + ".tikz", Write: f.WriteTikZ},
	}
}
