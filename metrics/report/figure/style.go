package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	black     = color.NRGBA{0x00, 0x00, 0x00, 0xff}
	ink       = color.NRGBA{0x33, 0x33, 0x33, 0xff} // frame and ticks
	faintInk  = color.NRGBA{0x66, 0x66, 0x66, 0xff} // remarks
	gridInk   = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
	paper     = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	lineWidth = vg.Length(1.25)
)

// lineColors are the colours of Okabe and Ito, "Color Universal Design" (2008), without
// yellow, which is too faint on white. People with any common colour blindness can
// distinguish them. Neighbours differ in lightness.
var lineColors = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0x00, 0x00, 0x00, 0xff}, // black
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
}

var lineDashes = [][]vg.Length{
	nil, {5, 1.6}, {1.3, 1.3}, {6, 1.6, 1.3, 1.6}, {2.8, 1.3}, {6, 1.3, 1.3, 1.3, 1.3, 1.3},
}

// marker is a circle or a regular polygon. Hollow ones are filled with the colour of paper.
type marker struct {
	name    string  // for ECharts
	corners int     // 0 for a circle
	turn    float64 // radians
	hollow  bool
}

var lineMarkers = []marker{
	{"circle", 0, 0, false}, {"hollow rect", 4, math.Pi / 4, true}, {"triangle", 3, math.Pi / 2, false},
	{"hollow diamond", 4, 0, true}, {"hollow circle", 0, 0, true}, {"rect", 4, math.Pi / 4, false},
	{"hollow triangle down", 3, -math.Pi / 2, true}, {"diamond", 4, 0, false},
}

// startStyle marks the start of a path.
var startStyle = lineStyle{color: ink, marker: lineMarkers[0]}

// lineStyle is the style of all series with one label.
type lineStyle struct {
	color  color.NRGBA
	dashes []vg.Length
	marker marker
}

func (s lineStyle) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: lineWidth, Dashes: s.dashes}
}

// drawMarker draws the marker at a point of the canvas.
func (s lineStyle) drawMarker(c draw.Canvas, at vg.Point) {
	path := s.marker.path(at)
	fill := s.color
	if s.marker.hollow {
		fill = paper
	}
	c.SetColor(fill)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: s.color, Width: 0.9})
	c.Stroke(path)
}

func (m marker) path(at vg.Point) vg.Path {
	var path vg.Path
	if m.corners == 0 {
		return circle(at, 1.9)
	}
	const radius = 2.5 // of the circle through the corners
	for k := range m.corners {
		sin, cos := math.Sincos(m.turn + 2*math.Pi*float64(k)/float64(m.corners))
		corner := vg.Point{X: at.X + vg.Length(radius*cos), Y: at.Y + vg.Length(radius*sin)}
		if k == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}

// circle approximates a circle by four cubic curves, with an error of at most 0.03 % of the radius.
func circle(at vg.Point, radius vg.Length) (path vg.Path) {
	const handle = 4 * (math.Sqrt2 - 1) / 3 // of the radius
	point := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + radius*x, Y: at.Y + radius*y} }
	path.Move(point(1, 0))
	x, y := vg.Length(1), vg.Length(0)
	for range 4 {
		path.CubeTo(point(x-handle*y, y+handle*x), point(handle*x-y, handle*y+x), point(-y, x))
		x, y = -y, x
	}
	path.Close()
	return path
}

// thin drops points that would not be visible, so a run of a million iterations gives a
// small file. Of consecutive points in one narrow column it keeps the first, the lowest, the
// highest and the last.
func thin(points []vg.Point) []vg.Point {
	const width = vg.Length(0.2)
	columnOf := func(p vg.Point) float64 { return math.Floor(float64(p.X / width)) }
	var kept []vg.Point
	for start := 0; start < len(points); {
		end, low, high := start, start, start
		for end < len(points) && columnOf(points[end]) == columnOf(points[start]) {
			if points[end].Y < points[low].Y {
				low = end
			}
			if points[end].Y > points[high].Y {
				high = end
			}
			end++
		}
		last := -1
		for _, i := range []int{start, min(low, high), max(low, high), end - 1} {
			if i != last {
				kept = append(kept, points[i])
			}
			last = i
		}
		start = end
	}
	return kept
}

// markerPoints chooses the points of a line that get a marker: all points if they are
// few, else about one per spacing along the line. The first marker comes after phase times
// the spacing, so that the markers of coinciding lines alternate.
func markerPoints(points []vg.Point, spacing vg.Length, phase float64) []vg.Point {
	const few, most = 12, 9
	if len(points) <= few {
		return points
	}
	for {
		var marked []vg.Point
		from, gap := points[0], vg.Length(phase)*spacing
		for _, p := range points[1:] {
			step := p.Sub(from)
			if math.Hypot(float64(step.X), float64(step.Y)) >= float64(gap) {
				marked = append(marked, p)
				from, gap = p, spacing
			}
		}
		switch {
		case len(marked) == 0: // too short for even one
			return points[len(points)/2:][:1]
		case len(marked) <= most:
			return marked
		}
		spacing *= 1.3 // a noisy line is longer than it is wide
	}
}
