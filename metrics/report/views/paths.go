package views

import (
	"fmt"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
)

// maxPathPanels limits the grid points in a picture of paths.
const maxPathPanels = 12

// trajectories draws the paths of runs of one node whose iterates were kept, in the plane of y if it has two
// elements, or of x, or of both if they have one each. It has a panel for each grid point and a line for each
// method, of the first seed. Without paths the figure has no panels; if that is unexpected, the note gives the
// reason.
func (s *StudyView) trajectories() (figure.Figure, string, error) {
	f := figure.Figure{Title: escape.Name(s.Name) + ": paths from the start (dot) to the end (marker)", Columns: 3}
	if !s.Paths {
		return f, "", nil
	}
	rows := s.pointRows()
	f.Columns = min(3, len(rows))
	for _, row := range rows {
		p := figure.Plot{Title: row.title, Paths: true}
		for _, g := range row.groups {
			run, err := g.runs[0].Full()
			if err != nil {
				return f, "", err
			}
			path := result.PathOf(run)
			if path.XLabel == "" {
				continue
			}
			p.Series = append(p.Series, figure.Series{Label: g.label, X: path.X, Y: path.Y})
			p.XLabel, p.YLabel = path.XLabel, path.YLabel
			if path.OfY && len(p.Marks) == 0 && s.Landmarks != nil {
				p.Marks = s.Landmarks(row.groups[0].point)
			}
		}
		if len(p.Series) > 0 {
			p.Window = figure.WindowOf(p)
			f.Panels = append(f.Panels, p)
		}
	}
	if len(f.Panels) > maxPathPanels {
		note := fmt.Sprintf("no paths are drawn: %d grid points are too many; result.json has them all", len(f.Panels))
		f.Panels = nil
		return f, note, nil
	}
	return f, "", nil
}
