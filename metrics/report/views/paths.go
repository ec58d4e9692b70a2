package views

import (
	"fmt"
	"math"
	"slices"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
)

// maxPathPanels is how many grid points a picture of paths can have.
const maxPathPanels = 12

// farPaths is how many times farther than the others a path may lead and still be
// shown to its end.
const farPaths = 2

// trajectories draws the paths of runs of one node whose iterates are all kept, in the
// plane of y if it has two numbers, or of x, or of both if they have one each: a panel
// for each grid point, a line for each method, of the first seed. A figure without
// panels says that there is nothing to draw; the note says why, where that is no matter
// of course.
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
			p.Window = window(p)
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

// window returns what of the plane is shown: all marks, and what of each path is not
// much farther from its start than half of the paths go. So a method that leaves for
// good does not make a point of all others.
func window(p figure.Plot) *figure.Window {
	away := func(s figure.Series, i int) float64 {
		return max(math.Abs(s.X[i]-s.X[0]), math.Abs(s.Y[i]-s.Y[0]))
	}
	var reaches []float64
	for _, s := range p.Series {
		reach := 0.0
		for i := range s.X {
			if d := away(s, i); !math.IsNaN(d) {
				reach = max(reach, d)
			}
		}
		reaches = append(reaches, reach)
	}
	slices.Sort(reaches)
	limit := farPaths * reaches[(len(reaches)-1)/2]
	if limit == 0 { // most do not move
		limit = math.Inf(1)
	}
	w := figure.Window{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1)}
	add := func(x, y float64) {
		w.MinX, w.MaxX, w.MinY, w.MaxY = min(w.MinX, x), max(w.MaxX, x), min(w.MinY, y), max(w.MaxY, y)
	}
	for _, s := range p.Series {
		for i := range s.X {
			if d := away(s, i); d <= limit && !math.IsInf(d, 0) {
				add(s.X[i], s.Y[i])
			}
		}
	}
	for _, m := range p.Marks {
		add(m.X, m.Y)
	}
	if math.IsInf(w.MinX, 0) {
		return nil
	}
	return &w
}
