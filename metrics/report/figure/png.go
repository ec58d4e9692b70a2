package figure

import (
	"io"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

const (
	pngDotsPerInch = 220  // good quality in print
	pngMaxDots     = 40e6 // takes 160 MB of memory, twice while drawing starts
)

// writePNG writes the layout as PNG with an opaque white background. Pictures that would have more than
// pngMaxDots dots get a lower resolution.
func (l *layout) writePNG(w io.Writer) error {
	width, height := l.width*l.scale, l.height*l.scale
	most := vg.Inch.Points() * math.Sqrt(pngMaxDots/(width.Points()*height.Points()))
	dpi := max(1, int(min(pngDotsPerInch, most)))
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	replay(canvas, l.shapes(l.scale), func(t *label) {
		pieces, width := t.font.pieces(t.text)
		for _, p := range pieces {
			face := font.Face{Font: font.Font{Size: t.font.size}, Face: p.face.font}
			canvas.FillString(face, vg.Point{X: p.x - vg.Length(t.anchor)*width}, p.text)
		}
	})
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}
