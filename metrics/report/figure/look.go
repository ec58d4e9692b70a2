package figure

import "fmt"

// Look says which colour, dashes and marker of the palette a line has; each list begins again at its end.
type Look struct{ Color, Dashes, Marker int }

// LookOf is the look of a method at a point of a grid, among so many methods and points that are drawn
// together: colours tell methods apart and dashes points, where there are several of both.
func LookOf(method, point, methods, points int) Look {
	switch {
	case points <= 1:
		return Look{method, method, method}
	case methods <= 1:
		return Look{point, point, point}
	}
	return Look{method, point, method + point}
}

func (k Look) style() lineStyle {
	return lineStyle{lineColors[k.Color%len(lineColors)], lineDashes[k.Dashes%len(lineDashes)],
		lineMarkers[k.Marker%len(lineMarkers)]}
}

// Palette is what lines are told apart by.
type Palette struct {
	Colors  []string    `json:"colors"`  // on white, as #0072b2
	Dashes  [][]float64 `json:"dashes"`  // lengths of dashes and gaps in widths of the line; empty: solid
	Markers []string    `json:"markers"` // "circle", "hollow rect", "triangle down" ...
}

// LinePalette is the palette of all figures.
func LinePalette() Palette {
	var p Palette
	for _, c := range lineColors {
		p.Colors = append(p.Colors, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	}
	for _, d := range lineDashes {
		widths := make([]float64, len(d))
		for i, length := range d {
			widths[i] = float64(length / lineWidth)
		}
		p.Dashes = append(p.Dashes, widths)
	}
	for _, m := range lineMarkers {
		p.Markers = append(p.Markers, m.name())
	}
	return p
}

func (m marker) name() string {
	name := map[int]string{0: "circle", 3: "triangle", 4: "diamond"}[m.corners]
	switch {
	case m.corners == 4 && m.turn != 0:
		name = "rect"
	case m.corners == 3 && m.turn < 0:
		name = "triangle down"
	}
	if m.hollow {
		return "hollow " + name
	}
	return name
}
