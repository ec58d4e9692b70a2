package figure

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Plot is a line plot.
type Plot struct {
	Title          string
	XLabel, YLabel string // without the unit
	XUnit, YUnit   Unit
	LogX, LogY     bool
	Series         []Series

	// Paths means that each series is a path in a plane with linear axes: a dot marks its
	// first point, the marker of its label marks its last point, and no other has a marker.
	Paths bool
	// Window is the visible part of the plane; nil means all of it. Lines are cut at its
	// border, and points outside count as drawn.
	Window *Window
	Marks  []Mark
	// Levels are values of y that are marked by a line across.
	Levels []float64
}

// Window is a rectangle in the plane of a plot with linear axes.
type Window struct{ MinX, MinY, MaxX, MaxY float64 }

// Mark is a point, drawn as a cross with its name, or as a ring if it has none. Axes include it unless there is a
// Window.
type Mark struct {
	Label string
	X, Y  float64
}

// Series is a line through the points (X[i], Y[i]) in order, with gaps at points that
// cannot be drawn. Series with equal labels, also in different panels, look the same and
// share one entry in the legend. The writers panic if X and Y differ in length.
type Series struct {
	Label string
	// Look is that of the line; nil: by the order of the labels.
	Look *Look
	X, Y []float64
	// Low and High, of the length of X or nil, bound a band around the line.
	Low, High []float64
}

// Unit is the unit of an axis. Linear axes choose a suitable prefix: MB, ms.
type Unit uint8

// The units of an axis.
const (
	NoUnit Unit = iota
	ByteUnit
	SecondUnit
	JouleUnit
)

// Figure consists of one or more panels with one legend.
type Figure struct {
	Title   string
	Panels  []Plot
	Columns int      // number of panels side by side; 0 means up to three
	ShareY  bool     // the panels of a row share a vertical range, labelled on the left
	Notes   []string // below the panels
	// Width is that of the figure in points; 0: 300 for one column of panels, 430 for two, 516
	// for three. FontSize is that of its labels in points; 0: 8. All else goes with it.
	Width, FontSize float64
}

// Omission counts the points of one series that were not drawn.
type Omission struct {
	Panel       int // index in Figure.Panels
	Label       string
	NonFinite   int // NaN, infinite, or too large to draw (beyond 1e300)
	NonPositive int // on a log axis
}

func (o Omission) counts() string {
	var parts []string
	if o.NonFinite > 0 {
		parts = append(parts, fmt.Sprintf("%d not finite", o.NonFinite))
	}
	if o.NonPositive > 0 {
		parts = append(parts, fmt.Sprintf("%d not positive on a log axis", o.NonPositive))
	}
	return strings.Join(parts, ", ")
}

// WriteSVG writes the figure as SVG, 300 pt wide for one column of panels and 516 pt (the
// text width of a two-column page) for three. It returns the points that it omitted. A
// figure without panels is an error.
func (f Figure) WriteSVG(w io.Writer) ([]Omission, error) {
	layout, err := f.layout()
	if err != nil {
		return nil, err
	}
	return layout.omissions, layout.writeSVG(w, f.name())
}

// WritePNG writes the figure as PNG in the size of WriteSVG at 220 dots per inch. It
// returns the points that it omitted. A figure without panels is an error.
func (f Figure) WritePNG(w io.Writer) ([]Omission, error) {
	layout, err := f.layout()
	if err != nil {
		return nil, err
	}
	return layout.omissions, layout.writePNG(w)
}

func (f Figure) name() string {
	if f.Title != "" {
		return f.Title
	}
	names := make([]string, len(f.Panels))
	for i, p := range f.Panels {
		names[i] = p.Title
		if p.Title == "" {
			names[i] = p.YLabel + " against " + p.XLabel
		}
	}
	return strings.Join(names, "; ")
}

// point is a pair of values or, on log axes, of their decimal logarithms.
type point struct{ x, y float64 }

// drawable splits a series into the stretches that can be drawn.
func (p Plot) drawable(s Series) (stretches [][]point, omitted Omission) {
	if len(s.X) != len(s.Y) {
		panic(fmt.Sprintf("render: series %q has %d values of X and %d of Y", s.Label, len(s.X), len(s.Y)))
	}
	const largest = 1e300 // beyond it, ranges and margins would overflow
	omitted.Label = s.Label
	var stretch []point
	for i, x := range s.X {
		y := s.Y[i]
		switch {
		case !(math.Abs(x) <= largest && math.Abs(y) <= largest):
			omitted.NonFinite++
		case p.LogX && x <= 0 || p.LogY && y <= 0:
			omitted.NonPositive++
		default:
			if p.LogX {
				x = math.Log10(x)
			}
			if p.LogY {
				y = math.Log10(y)
			}
			stretch = append(stretch, point{x, y})
			continue
		}
		if stretch != nil {
			stretches, stretch = append(stretches, stretch), nil
		}
	}
	if stretch != nil {
		stretches = append(stretches, stretch)
	}
	return stretches, omitted
}
