package figure

import (
	"fmt"
	"math"
	"strings"

	"tallynet/metrics/report/quantity"
)

// Plot is a line plot.
type Plot struct {
	Title          string
	XLabel, YLabel string         // without the unit
	XUnit, YUnit   *quantity.Unit // nil for none; linear axes choose a prefix, such as MB
	LogX, LogY     bool
	Series         []Series

	// Paths means that each series is a path in a plane with linear axes: a dot marks its
	// first point, the marker of its label marks its last point, and no other has a marker.
	Paths bool
	// Window is the visible part of the plane; nil means all of it. Lines are clipped to it.
	// Points outside are not reported as left out.
	Window *Window
	Marks  []Mark
	Levels []float64 // values of y at which a line crosses the panel
	Tiles  *Tiles    // drawn in place of the series, which then are in the legend only; nil for none
}

// Window is a rectangle in the plane of a plot with linear axes.
type Window struct{ MinX, MinY, MaxX, MaxY float64 }

// Mark is a point, drawn as a cross with its label, or as a ring without one. Axes include it unless the plot has
// a Window.
type Mark struct {
	Label string
	X, Y  float64
}

// Series is a line through the points (X[i], Y[i]) in order, with gaps at points that
// cannot be drawn. Series with the same label look the same, also in different panels, and
// share one entry in the legend. The writers panic if X and Y differ in length.
type Series struct {
	Label string
	Look  *Look // nil to choose by the order of the labels
	X, Y  []float64
	// Low and High bound a band around the line. They have the length of X, or are nil.
	Low, High []float64
}

// Figure consists of one or more panels with one legend.
type Figure struct {
	Title   string
	Panels  []Plot
	Columns int      // number of panels side by side; 0 means up to three
	ShareY  bool     // the panels of a row share a vertical range, labelled on the left
	Notes   []string // below the panels
	// Width is the width of the figure in points; 0 means 300 for one column of panels, 430 for
	// two, and 516 for three. FontSize is the size of its labels in points; 0 means 8. All other
	// text, and lines and gaps, scale with it.
	Width, FontSize float64
}

// omission counts the points of one series that are not drawn.
type omission struct {
	panel       int // index in Figure.Panels
	label       string
	nonFinite   int // NaN, infinite, or too large to draw
	nonPositive int // on a log axis
}

func (o omission) counts() string {
	var parts []string
	if o.nonFinite > 0 {
		parts = append(parts, fmt.Sprintf("%d not finite", o.nonFinite))
	}
	if o.nonPositive > 0 {
		parts = append(parts, fmt.Sprintf("%d not positive on a log axis", o.nonPositive))
	}
	return strings.Join(parts, ", ")
}

// name returns the title of the figure; without one, it joins the titles of the panels.
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

// drawable splits a series into stretches between points that cannot be drawn.
func (p Plot) drawable(s Series) ([][]point, omission) {
	if len(s.X) != len(s.Y) {
		panic(fmt.Sprintf("figure: series %q has %d values of X and %d of Y", s.Label, len(s.X), len(s.Y)))
	}
	omitted := omission{label: s.Label}
	drawn := stretches(len(s.X), func(i int) (point, bool) {
		x, okX := scaled(s.X[i], p.LogX)
		y, okY := scaled(s.Y[i], p.LogY)
		switch {
		case !finite(s.X[i]) || !finite(s.Y[i]):
			omitted.nonFinite++
		case !okX || !okY:
			omitted.nonPositive++
		}
		return point{x, y}, okX && okY
	})
	return drawn, omitted
}

// stretches returns the values of the points 0 to n-1, with a new stretch after each point that cannot be drawn.
func stretches[T any](n int, value func(i int) (v T, drawn bool)) (all [][]T) {
	inside := false
	for i := range n {
		v, drawn := value(i)
		if drawn && !inside {
			all = append(all, nil)
		}
		if drawn {
			all[len(all)-1] = append(all[len(all)-1], v)
		}
		inside = drawn
	}
	return all
}

// scaled returns v, or its decimal logarithm on a log axis, and whether it can be drawn.
func scaled(v float64, log bool) (float64, bool) {
	if !finite(v) || log && v <= 0 {
		return 0, false
	}
	if log {
		return math.Log10(v), true
	}
	return v, true
}

// finite reports whether v is a number, and small enough that ranges and margins do not overflow.
func finite(v float64) bool { return math.Abs(v) <= 1e300 }
