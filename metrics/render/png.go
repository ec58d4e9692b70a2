package render

import (
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"

	"golang.org/x/image/vector"
	"gonum.org/v1/plot/vg"
)

// pngDotsPerInch gives good print quality in a small file.
const pngDotsPerInch = 220

// writePNG writes the layout as PNG. Its paper is white to the edge, and no dot is transparent.
func (l *layout) writePNG(w io.Writer) error {
	perInch := pngDotsPerInch * float64(l.scale)
	dots := func(v vg.Length) int { return int(math.Round(v.Dots(perInch))) }
	p := painter{picture: image.NewRGBA(image.Rect(0, 0, dots(l.width), dots(l.height)))}
	draw.Draw(p.picture, p.picture.Bounds(), image.White, image.Point{}, draw.Src)
	for _, s := range l.shapes() {
		p.fill(s, s.areas(l.height, perInch))
	}
	// The best compression takes twice as long and saves a fiftieth.
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, p.picture)
}

// painter colours areas of a picture.
type painter struct {
	picture *image.RGBA
	raster  vector.Rasterizer
}

// bandRows are the rows of dots that are coloured at once: a curve covers little of the box
// around all of it, and more of the boxes around what lies in some rows.
const bandRows = 16

// fill colours polygons, whose corners are in dots. A dot that they cover in part is coloured
// in part.
func (p *painter) fill(s shape, polygons [][]dot) {
	bounds := p.picture.Bounds()
	low, high := math.Inf(1), math.Inf(-1)
	for _, polygon := range polygons {
		for _, d := range polygon {
			low, high = min(low, d.y), max(high, d.y)
		}
	}
	if !(low <= high) {
		return
	}
	color := image.NewUniform(s.color)
	bottom := min(int(math.Ceil(high)), bounds.Max.Y)
	for y := max(int(math.Floor(low)), bounds.Min.Y); y < bottom; y += bandRows {
		p.fillBand(color, polygons, y, min(y+bandRows, bottom))
	}
}

// fillBand colours what polygons cover of the rows from top to before bottom.
func (p *painter) fillBand(color image.Image, polygons [][]dot, top, bottom int) {
	var here [][]dot
	left, right := math.Inf(1), math.Inf(-1)
	for _, polygon := range polygons {
		part := below(below(polygon, float64(top), 1), float64(bottom), -1)
		for _, d := range part {
			left, right = min(left, d.x), max(right, d.x)
		}
		if len(part) > 0 {
			here = append(here, part)
		}
	}
	if !(left <= right) {
		return
	}
	box := image.Rect(int(math.Floor(left)), top, int(math.Ceil(right)), bottom).Intersect(p.picture.Bounds())
	p.raster.Reset(box.Dx(), box.Dy())
	for _, polygon := range here {
		for i, d := range polygon {
			x, y := float32(d.x-float64(box.Min.X)), float32(d.y-float64(box.Min.Y))
			if i == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	p.raster.Draw(p.picture, box, color, image.Point{})
}

// below returns the part of a polygon below a height, or above it if side is -1; none may be left.
func below(polygon []dot, height, side float64) []dot {
	inside := func(d dot) bool { return side*(d.y-height) >= 0 }
	if !slices.ContainsFunc(polygon, func(d dot) bool { return !inside(d) }) {
		return polygon
	}
	var part []dot
	for i, to := range polygon {
		from := polygon[(i+len(polygon)-1)%len(polygon)]
		if inside(from) != inside(to) {
			crossing := from.towards(to, (height-from.y)/(to.y-from.y))
			part = append(part, dot{crossing.x, height})
		}
		if inside(to) {
			part = append(part, to)
		}
	}
	return part
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
