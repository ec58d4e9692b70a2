package figure

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
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
	width, height := dots(l.width), dots(l.height)
	var areas []area
	for _, s := range l.shapes() {
		if len(areas) == 0 && s.color == paper {
			continue // it is white already
		}
		areas = append(areas, newArea(s.color, s.areas(l.height, perInch)))
	}
	rows, err := newPNGRows(w, width, height)
	if err != nil {
		return err
	}
	if err := paint(areas, width, height, rows.write); err != nil {
		return err
	}
	return rows.close()
}

// paint colours areas on white, the later ones on top. It hands over some rows of dots after others, as
// parts of one picture; what is handed over is good until the next.
func paint(areas []area, width, height int, write func(rows *image.RGBA) error) error {
	white := image.NewUniform(paper)
	p := painter{picture: image.NewRGBA(image.Rect(0, 0, width, bandRows))}
	for top := 0; top < height; top += bandRows {
		p.picture.Rect = image.Rect(0, top, width, min(top+bandRows, height))
		draw.Draw(p.picture, p.picture.Rect, white, image.Point{}, draw.Src)
		for _, a := range areas {
			p.fill(a)
		}
		if err := write(p.picture); err != nil {
			return err
		}
	}
	return nil
}

// area is what a shape covers: polygons, whose corners are in dots, with rows of dots from top
// to before bottom.
type area struct {
	color       image.Image
	polygons    [][]dot
	top, bottom int
}

// newArea returns the area of some polygons; without any, its bottom is not below its top.
func newArea(c color.Color, polygons [][]dot) area {
	low, high := math.Inf(1), math.Inf(-1)
	for _, polygon := range polygons {
		for _, d := range polygon {
			low, high = min(low, d.y), max(high, d.y)
		}
	}
	if !(low <= high) {
		return area{}
	}
	return area{image.NewUniform(c), polygons, int(math.Floor(low)), int(math.Ceil(high))}
}

// painter colours areas of some rows of a picture: those rows are all of it that is in memory.
type painter struct {
	picture *image.RGBA
	raster  vector.Rasterizer
	parts   []part // of the area that is coloured
	cut     []dot  // of polygons of which a part is in the rows
}

// bandRows are the rows of dots that are coloured at once: a curve covers little of the box
// around all of it, and more of the boxes around what lies in some rows.
const bandRows = 16

// fill colours what an area covers of the rows. A dot that it covers in part is coloured in part.
func (p *painter) fill(a area) {
	rows := p.picture.Bounds()
	top, bottom := max(a.top, rows.Min.Y), min(a.bottom, rows.Max.Y)
	if top >= bottom {
		return
	}
	parts := p.parts[:0]
	p.cut = p.cut[:0]
	for _, polygon := range a.polygons {
		clipped := p.below(p.below(polygon, float64(top), 1), float64(bottom), -1)
		if len(clipped) == 0 {
			continue
		}
		left, right := math.Inf(1), math.Inf(-1)
		for _, d := range clipped {
			left, right = min(left, d.x), max(right, d.x)
		}
		parts = append(parts, part{int(math.Floor(left)), int(math.Ceil(right)), clipped})
	}
	p.parts = parts
	// Most of what is between the sides of a frame, or between two letters, is not touched.
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.left, b.left) })
	for len(parts) > 0 {
		right, n := parts[0].right, 1
		for n < len(parts) && parts[n].left < right {
			right, n = max(right, parts[n].right), n+1
		}
		p.fillBox(a.color, parts[:n], image.Rect(parts[0].left, top, right, bottom).Intersect(rows))
		parts = parts[n:]
	}
}

// part is a polygon in some rows, with its columns of dots from left to before right.
type part struct {
	left, right int
	polygon     []dot
}

// fillBox colours what polygons cover of a box.
func (p *painter) fillBox(c image.Image, parts []part, box image.Rectangle) {
	if box.Empty() {
		return
	}
	p.raster.Reset(box.Dx(), box.Dy())
	for _, part := range parts {
		for i, d := range part.polygon {
			x, y := float32(d.x-float64(box.Min.X)), float32(d.y-float64(box.Min.Y))
			if i == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	p.raster.Draw(p.picture, box, c, image.Point{})
}

// below returns the part of a polygon below a height, or above it if side is -1; none may be left.
func (p *painter) below(polygon []dot, height, side float64) []dot {
	inside := func(d dot) bool { return side*(d.y-height) >= 0 }
	if !slices.ContainsFunc(polygon, func(d dot) bool { return !inside(d) }) {
		return polygon
	}
	began, from := len(p.cut), polygon[len(polygon)-1]
	for _, to := range polygon {
		if inside(from) != inside(to) {
			crossing := from.towards(to, (height-from.y)/(to.y-from.y))
			p.cut = append(p.cut, dot{crossing.x, height})
		}
		if inside(to) {
			p.cut = append(p.cut, to)
		}
		from = to
	}
	return p.cut[began:]
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
			var curve [4]dot // its ends and, between them, one or two more
			curve[0] = line[len(line)-1]
			for i, control := range c.Control {
				curve[1+i] = place(control)
			}
			curve[1+len(c.Control)] = place(c.Pos)
			line = appendFlat(line, curve[:2+len(c.Control)])
		case vg.CloseComp:
			line = append(line, line[0])
		default:
			panic(fmt.Sprintf("render: no figure needs a path component of type %d", c.Type))
		}
	}
	return append(lines, line)[1:]
}
