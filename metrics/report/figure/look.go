package figure

import (
	"gonum.org/v1/plot/vg"

	"tallynet/metrics/list"
)

// Look selects the colour, dashes and marker of a line by their indices in the palette. Indices wrap around.
type Look struct{ Color, Dashes, Marker int }

// LookOf returns the look of a method at a point of a grid if the given numbers of methods and points are drawn
// together. If there are several of both, colours distinguish methods, and dashes and markers distinguish points.
func LookOf(method, point, methods, points int) Look {
	switch {
	case points <= 1:
		return Look{method, method, method}
	case methods <= 1:
		return Look{point, point, point}
	}
	return Look{method, point, point}
}

func (k Look) style() lineStyle {
	return lineStyle{lineColors[k.Color%len(lineColors)], lineDashes[k.Dashes%len(lineDashes)],
		lineMarkers[k.Marker%len(lineMarkers)]}
}

// Palette lists the colours, dashes and markers that distinguish lines.
type Palette struct {
	Colors  []string    `json:"colors"`  // on white, such as #0072b2
	Dashes  [][]float64 `json:"dashes"`  // lengths of dashes and gaps in line widths; empty for a solid line
	Markers []string    `json:"markers"` // "circle", "hollow rect", "triangle down" ...
}

// LinePalette returns the palette of all figures.
func LinePalette() Palette {
	p := Palette{Colors: list.Map(lineColors, hex)}
	p.Markers = list.Map(lineMarkers, func(m marker) string { return m.name })
	for _, d := range lineDashes {
		widths := list.Map(d, func(length vg.Length) float64 { return float64(length / lineWidth) })
		p.Dashes = append(p.Dashes, append([]float64{}, widths...))
	}
	return p
}
