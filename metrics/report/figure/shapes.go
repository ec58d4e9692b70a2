package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tallynet/metrics/list"
)

// shape is a path in one colour, stroked, or filled if the width is 0; or a text. Positions
// are in points from the lower left corner of the figure.
type shape struct {
	path   vg.Path
	color  color.NRGBA
	width  vg.Length   // of the line
	dashes []vg.Length // alternating lengths of dashes and gaps; empty for a solid line
	label  *label      // the text; nil for a path
}

// label is a text with its place.
type label struct {
	text   string
	font   lettering
	at     vg.Point // on the baseline
	anchor anchor
	upward bool // rotated by 90° to the left
}

// opacity returns the opacity of the colour, from 0 to 1.
func (s *shape) opacity() float64 { return float64(s.color.A) / 0xff }

// shapes returns the shapes of the figure from the bottom up, with all lengths multiplied by scale.
func (l *layout) shapes(scale vg.Length) []shape {
	d := drawing{scale: scale}
	l.draw(draw.NewCanvas(&d, l.width, l.height))
	return d.shapes
}

// drawing is a canvas that collects shapes. It has those methods of vg.Canvas that figures use.
type drawing struct {
	vg.Canvas // nil
	scale     vg.Length
	pen       shape // has the current colour, width and dashes
	shapes    []shape
}

func (d *drawing) SetColor(c color.Color) { d.pen.color = c.(color.NRGBA) }

func (d *drawing) SetLineWidth(width vg.Length) { d.pen.width = width * d.scale }

func (d *drawing) SetLineDash(dashes []vg.Length, _ vg.Length) {
	d.pen.dashes = list.Map(dashes, func(length vg.Length) vg.Length { return length * d.scale })
}

func (d *drawing) Stroke(path vg.Path) {
	s := d.pen
	s.path = d.scaled(path)
	d.shapes = append(d.shapes, s)
}

func (d *drawing) Fill(path vg.Path) {
	d.shapes = append(d.shapes, shape{path: d.scaled(path), color: d.pen.color})
}

func (d *drawing) write(l label) {
	l.font.size *= d.scale
	l.at = l.at.Scale(d.scale)
	d.shapes = append(d.shapes, shape{label: &l, color: d.pen.color})
}

func (d *drawing) scaled(path vg.Path) vg.Path {
	return mapped(path, func(p vg.Point) vg.Point { return p.Scale(d.scale) })
}

// mapped returns the path with f applied to all its points.
func mapped(path vg.Path, f func(vg.Point) vg.Point) vg.Path {
	return list.Map(path, func(c vg.PathComp) vg.PathComp {
		c.Pos, c.Control = f(c.Pos), list.Map(c.Control, f)
		return c
	})
}

// replay draws shapes on a canvas. It calls write for texts, with the baseline of the text starting at the
// origin of the canvas.
func replay(c vg.Canvas, shapes []shape, write func(*label)) {
	for _, s := range shapes {
		c.SetColor(s.color)
		switch {
		case s.label != nil:
			c.Push()
			c.Translate(s.label.at)
			if s.label.upward {
				c.Rotate(math.Pi / 2)
			}
			write(s.label)
			c.Pop()
		case s.width == 0:
			c.Fill(s.path)
		default:
			c.SetLineWidth(s.width)
			c.SetLineDash(s.dashes, 0)
			c.Stroke(s.path)
		}
	}
}
