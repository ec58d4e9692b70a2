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
	pngMaxDots     = 25e6 // take 100 MB of memory, and twice as much while vgimg copies the picture
)

// resolution returns the dots per inch of a picture of the given size: pngDotsPerInch, or less if it
// would have more than pngMaxDots dots.
func resolution(width, height vg.Length) int {
	most := vg.Inch.Points() * math.Sqrt(pngMaxDots/(width.Points()*height.Points()))
	return max(1, int(min(pngDotsPerInch, most)))
}

// WritePNG writes the figure as PNG in the size of WriteSVG, with an opaque white background.
func (f Figure) WritePNG(w io.Writer) error {
	l, err := f.layout()
	if err != nil {
		return err
	}
	width, height := l.width*l.scale, l.height*l.scale
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution(width, height)))
	replay(canvas, l.shapes(l.scale), func(t *label) {
		pieces, width := t.font.pieces(t.text)
		for _, p := range pieces {
			face := font.Face{Font: font.Font{Size: t.font.size}, Face: p.face.font}
			canvas.FillString(face, vg.Point{X: p.x - vg.Length(t.anchor)*width}, p.text)
		}
	})
	_, err = vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}
