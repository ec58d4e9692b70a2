package figure

import (
	"math"
	"slices"
)

// farPaths is how many times farther than the median a path may lead and still be shown to its end.
const farPaths = 2

// WindowOf returns the part of the plane that a plot of paths shows: all marks, and of each path what is not much
// farther from its start than the median path leads. So one method that diverges does not shrink the others to points.
func WindowOf(p Plot) *Window {
	away := func(s Series, i int) float64 {
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
	w := Window{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1)}
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
