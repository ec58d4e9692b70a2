package papers

import (
	"io"

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
		{Name: f.Name + ".svg", Write: func(w io.Writer) error { _, err := f.WriteSVG(w); return err }},
		{Name: f.Name + ".png", Write: func(w io.Writer) error { _, err := f.WritePNG(w); return err }},
	}
}

// PrintFiles returns the files of the figure for papers.
func (f Drawn) PrintFiles() []result.File {
	return []result.File{
		{Name: f.Name + ".pdf", Write: func(w io.Writer) error { _, err := f.WritePDF(w); return err }},
		{Name: f.Name + ".tikz", Write: func(w io.Writer) error { _, err := f.WriteTikZ(w); return err }},
	}
}

// FigureForms returns the extensions of the files of a figure.
func FigureForms() []string { return []string{".svg", ".png", ".pdf", ".tikz", ".csv"} }
