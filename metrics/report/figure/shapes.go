package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// shape is a path in one colour, stroked, or filled where the width is 0; or a text. Positions
// are in points from the lower left corner of the figure.
type shape struct {
	path   vg.Path
	color  color.NRGBA
	width  vg.Length   // of the line
	dashes []vg.Length // lengths of dashes and gaps in turn; none: a solid line
	label  *label      // the text, where the shape is one
}

// label is a text with its place.
type label struct {
	text   string
	size   vg.Length
	bold   bool
	at     vg.Point // on the baseline
	anchor anchor
	upward bool // turned by a quarter to the left
}

// opacity is that of the colour, from 0 to 1.
func (s *shape) opacity() float64 { return float64(s.color.A) / 0xff }

// lettering is what the text is drawn with as outlines.
func (l *label) lettering() lettering {
	if l.bold {
		return lettering{bold(), l.size}
	}
	return lettering{regular(), l.size}
}

// outlined is a text as its outlines.
func (s shape) outlined() shape {
	l, out := s.label, shape{color: s.color}
	if l.upward {
		out.path = l.lettering().upward(l.text, l.at)
	} else {
		out.path = l.lettering().outlines(l.text, l.at, l.anchor)
	}
	return out
}

// textual is a canvas that keeps texts as they are, each with the number of actions before it.
type textual struct {
	recorder.Canvas
	labels []label
	after  []int
}

func (t *textual) write(l label) {
	t.labels, t.after = append(t.labels, l), append(t.after, len(t.Actions))
}

// textualOf is the canvas below c that keeps texts; nil if it draws their outlines.
func textualOf(c vg.Canvas) *textual {
	switch c := c.(type) {
	case draw.Canvas:
		return textualOf(c.Canvas)
	case *textual:
		return c
	}
	return nil
}

// shapes returns what the figure consists of, from the bottom up; texts are outlines.
func (l *layout) shapes() []shape {
	var canvas recorder.Canvas
	l.draw(draw.NewCanvas(&canvas, l.width, l.height))
	return played(canvas.Actions, nil, nil)
}

// shapesWithText is shapes, but texts are texts.
func (l *layout) shapesWithText() []shape {
	var canvas textual
	l.draw(draw.NewCanvas(&canvas, l.width, l.height))
	return played(canvas.Actions, canvas.labels, canvas.after)
}

func played(actions []recorder.Action, labels []label, after []int) []shape {
	var out []shape
	var pen shape
	write := func(done int) {
		for ; len(labels) > 0 && after[0] <= done; labels, after = labels[1:], after[1:] {
			out = append(out, shape{color: pen.color, label: &labels[0]})
		}
	}
	for i, action := range actions {
		write(i)
		switch a := action.(type) {
		case *recorder.SetColor:
			pen.color = color.NRGBAModel.Convert(a.Color).(color.NRGBA)
		case *recorder.SetLineWidth:
			pen.width = a.Width
		case *recorder.SetLineDash:
			pen.dashes = a.Dashes
		case *recorder.Stroke:
			out = append(out, shape{path: a.Path, color: pen.color, width: pen.width, dashes: pen.dashes})
		case *recorder.Fill:
			out = append(out, shape{path: a.Path, color: pen.color})
		default:
			panic("render: no figure needs " + action.Call())
		}
	}
	write(len(actions))
	return out
}
