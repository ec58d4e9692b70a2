package render

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
	"gonum.org/v1/plot/vg"
)

// pngDotsPerInch gives good print quality in a small file.
const pngDotsPerInch = 220

// writePNG writes the layout as PNG.
func (l *layout) writePNG(w io.Writer) error {
	perInch := pngDotsPerInch * float64(l.scale)
	dots := func(v vg.Length) int { return int(math.Round(v.Dots(perInch))) }
	picture := image.NewRGBA(image.Rect(0, 0, dots(l.width), dots(l.height)))
	for _, s := range l.shapes() {
		fill(picture, s, s.areas(l.height, perInch))
	}
	return png.Encode(w, picture)
}

// fill colours polygons, whose corners are in dots. A dot that they cover in part is coloured
// in part.
func fill(picture *image.RGBA, s shape, polygons [][]dot) {
	low, high := dot{math.Inf(1), math.Inf(1)}, dot{math.Inf(-1), math.Inf(-1)}
	for _, p := range polygons {
		for _, d := range p {
			low = dot{min(low.x, d.x), min(low.y, d.y)}
			high = dot{max(high.x, d.x), max(high.y, d.y)}
		}
	}
	if !(low.x <= high.x) {
		return
	}
	part := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)), int(math.Ceil(high.y)))
	part = part.Intersect(picture.Bounds())
	raster := vector.NewRasterizer(part.Dx(), part.Dy())
	for _, p := range polygons {
		for i, d := range p {
			x, y := float32(d.x-float64(part.Min.X)), float32(d.y-float64(part.Min.Y))
			if i == 0 {
				raster.MoveTo(x, y)
			} else {
				raster.LineTo(x, y)
			}
		}
		raster.ClosePath()
	}
	raster.Draw(picture, part, image.NewUniform(s.color), image.Point{})
}

// areas returns the polygons that the shape covers in a figure of the given height.
func (s shape) areas(height vg.Length, perInch float64) [][]dot {
	lines := s.lines(height, perInch)
	if s.width == 0 {
		return lines
	}
	var dashes []float64
	for _, d := range s.dashes {
		dashes = append(dashes, d.Dots(perInch))
	}
	var polygons [][]dot
	for _, line := range lines {
		for _, dash := range dashed(line, dashes) {
			polygons = append(polygons, stroked(dash, s.width.Dots(perInch)/2)...)
		}
	}
	return polygons
}

// lines returns the path as lines between dots. One that is closed ends where it began.
func (s shape) lines(height vg.Length, perInch float64) (lines [][]dot) {
	place := func(p vg.Point) dot { return dot{p.X.Dots(perInch), (height - p.Y).Dots(perInch)} }
	var line []dot
	for _, c := range s.path {
		switch c.Type {
		case vg.MoveComp:
			lines, line = append(lines, line), []dot{place(c.Pos)}
		case vg.LineComp:
			line = append(line, place(c.Pos))
		case vg.CurveComp:
			curve := []dot{line[len(line)-1]}
			for _, control := range c.Control {
				curve = append(curve, place(control))
			}
			line = append(line, flat(append(curve, place(c.Pos)))...)
		case vg.CloseComp:
			line = append(line, line[0])
		default:
			panic(fmt.Sprintf("render: no figure needs a path component of type %d", c.Type))
		}
	}
	return append(lines, line)[1:]
}
