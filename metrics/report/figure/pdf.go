package figure

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zlib"
	"gonum.org/v1/plot/vg"
)

// WritePDF writes the figure as PDF of one page in the size of WriteSVG. Its text is drawn as
// outlines, so that the file needs no fonts and looks the same everywhere. It returns the points
// that it omitted. A figure without panels is an error.
func (f Figure) WritePDF(w io.Writer) ([]Omission, error) {
	layout, err := f.layout()
	if err != nil {
		return nil, err
	}
	return layout.omissions, layout.writePDF(w)
}

// writePDF writes a PDF 1.4 of five kinds of objects: catalog, pages, page, content and, for
// areas that let others shine through, graphics states.
func (l *layout) writePDF(w io.Writer) error {
	content, alphas := l.pdfContent()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	var states strings.Builder
	for i, a := range alphas {
		fmt.Fprintf(&states, "/A%d << /ca %.3g >> ", i, float64(a)/0xff)
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /ExtGState << %s>> "+
			">> >>",
			inPoints(l.width*l.scale), inPoints(l.height*l.scale), states.String()),
		fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.String()),
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	_, err := b.WriteTo(w)
	return err
}

// pdfContent returns the drawing operators, and the opacities that they refer to by number.
func (l *layout) pdfContent() (content []byte, alphas []uint8) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s 0 0 %s 0 0 cm 1 j\n", inPoints(l.scale), inPoints(l.scale))
	for _, s := range l.shapes() {
		alpha := slices.Index(alphas, s.color.A)
		if alpha < 0 {
			alpha, alphas = len(alphas), append(alphas, s.color.A)
		}
		rgb := fmt.Sprintf("%.3f %.3f %.3f", float64(s.color.R)/0xff, float64(s.color.G)/0xff, float64(s.color.B)/0xff)
		fmt.Fprintf(&b, "/A%d gs ", alpha)
		if s.width == 0 {
			fmt.Fprintf(&b, "%s rg ", rgb)
		} else {
			fmt.Fprintf(&b, "%s RG %s w [%s] 0 d ", rgb, inPoints(s.width), dashText(s.dashes))
		}
		s.pdfPath(&b)
		b.WriteString(map[bool]string{true: "f\n", false: "S\n"}[s.width == 0])
	}
	return b.Bytes(), alphas
}

func dashText(dashes []vg.Length) string {
	words := make([]string, len(dashes))
	for i, d := range dashes {
		words[i] = inPoints(d)
	}
	return strings.Join(words, " ")
}

// pdfPath writes the path; a quadratic curve becomes a cubic one.
func (s shape) pdfPath(b *bytes.Buffer) {
	var now vg.Point
	write := func(operator string, points ...vg.Point) {
		text := b.AvailableBuffer()
		for _, p := range points {
			text = append(appendPoints(text, p.X), ' ')
			text = append(appendPoints(text, p.Y), ' ')
		}
		b.Write(append(text, operator...))
	}
	for _, c := range s.path {
		switch c.Type {
		case vg.MoveComp:
			write("m ", c.Pos)
		case vg.LineComp:
			write("l ", c.Pos)
		case vg.CurveComp:
			first, second := cubic(now, c)
			write("c ", first, second, c.Pos)
		case vg.CloseComp:
			write("h ")
		default:
			panic(fmt.Sprintf("render: no figure needs a path component of type %d", c.Type))
		}
		if c.Type != vg.CloseComp {
			now = c.Pos
		}
	}
}

// cubic returns the control points of a curve that begins at from.
func cubic(from vg.Point, c vg.PathComp) (first, second vg.Point) {
	if len(c.Control) == 2 {
		return c.Control[0], c.Control[1]
	}
	towards := func(p vg.Point) vg.Point {
		return vg.Point{X: p.X + 2*(c.Control[0].X-p.X)/3, Y: p.Y + 2*(c.Control[0].Y-p.Y)/3}
	}
	return towards(from), towards(c.Pos)
}
