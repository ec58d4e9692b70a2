package figure

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bandPoint is the range of a band at x. On log axes it has decimal logarithms.
type bandPoint struct{ x, low, high float64 }

// band splits the band of a series into stretches between points that cannot be drawn.
func (p Plot) band(s Series) [][]bandPoint {
	if s.Low == nil {
		return nil
	}
	if len(s.Low) != len(s.X) || len(s.High) != len(s.X) {
		panic(fmt.Sprintf("figure: series %q has %d values of X and %d, %d of its band", s.Label, len(s.X), len(s.Low),
			len(s.High)))
	}
	return stretches(len(s.X), func(i int) (bandPoint, bool) {
		x, okX := scaled(s.X[i], p.LogX)
		low, okLow := scaled(s.Low[i], p.LogY)
		high, okHigh := scaled(s.High[i], p.LogY)
		return bandPoint{x, low, high}, okX && okLow && okHigh
	})
}

// levels returns the levels that can be drawn, as decimal logarithms on a log axis.
func (p Plot) levels() []float64 {
	var all []float64
	for _, v := range p.Levels {
		if y, ok := scaled(v, p.LogY); ok {
			all = append(all, y)
		}
	}
	return all
}

// scaledMarks returns the marks that can be drawn, with decimal logarithms on log axes.
func (p Plot) scaledMarks() []Mark {
	var all []Mark
	for _, m := range p.Marks {
		x, across := scaled(m.X, p.LogX)
		y, up := scaled(m.Y, p.LogY)
		if across && up {
			all = append(all, Mark{m.Label, x, y})
		}
	}
	return all
}

// drawBands fills the bands, below all lines.
func (p *panel) drawBands(area draw.Canvas) {
	const faint = 0x38
	for _, c := range p.curves {
		fill := c.style.color
		fill.A = faint
		for _, stretch := range c.band {
			var lower, upper []vg.Point
			for _, at := range stretch {
				x := area.X(p.x.position(at.x))
				lower = append(lower, vg.Point{X: x, Y: area.Y(p.y.position(at.low))})
				upper = append(upper, vg.Point{X: x, Y: area.Y(p.y.position(at.high))})
			}
			outline := thin(lower)
			for _, at := range slices.Backward(thin(upper)) {
				outline = append(outline, at)
			}
			if len(stretch) > 1 {
				area.FillPolygon(fill, outline)
			}
		}
	}
}

// drawLevels draws the levels across the panel.
func (p *panel) drawLevels(area draw.Canvas) {
	line := draw.LineStyle{Color: faintInk, Width: 0.7, Dashes: []vg.Length{3, 2}}
	for _, level := range p.levels {
		y := area.Y(p.y.position(level))
		area.StrokeLine2(line, area.Min.X, y, area.Max.X, y)
	}
}
