package render

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// shape is a path in one colour: stroked, or filled where the width is 0. Positions are in
// points from the lower left corner of the figure.
type shape struct {
	path   vg.Path
	color  color.NRGBA
	width  vg.Length   // of the line
	dashes []vg.Length // lengths of dashes and gaps in turn; none: a solid line
}

// shapes returns what the figure consists of, from the bottom up.
func (l *layout) shapes() []shape {
	var canvas recorder.Canvas
	l.draw(draw.NewCanvas(&canvas, l.width, l.height))
	var out []shape
	var pen shape
	for _, action := range canvas.Actions {
		switch a := action.(type) {
		case *recorder.SetColor:
			pen.color = color.NRGBAModel.Convert(a.Color).(color.NRGBA)
		case *recorder.SetLineWidth:
			pen.width = a.Width
		case *recorder.SetLineDash:
			pen.dashes = a.Dashes
		case *recorder.Stroke:
			out = append(out, shape{a.Path, pen.color, pen.width, pen.dashes})
		case *recorder.Fill:
			out = append(out, shape{path: a.Path, color: pen.color})
		default:
			panic("render: no figure needs " + action.Call())
		}
	}
	return out
}
