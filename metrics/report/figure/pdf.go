package figure

import (
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"

	"tallynet/metrics/list"
)

// WritePDF writes the figure as PDF with one page of the size of WriteSVG. It embeds the fonts, so text can be
// selected and searched.
func (f Figure) WritePDF(w io.Writer) error {
	l, err := f.layout()
	if err != nil {
		return err
	}
	p := page{height: l.height * l.scale}
	p.Fpdf = fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "pt", Size: fpdf.SizeType{Wd: (l.width * l.scale).Points(), Ht: p.height.Points()}})
	p.SetCreationDate(time.Unix(0, 0).UTC()) // the same figure gives the same bytes
	p.SetModificationDate(time.Unix(0, 0).UTC())
	p.SetCatalogSort(true)
	p.SetAutoPageBreak(false, 0)
	p.AddPage()
	p.SetLineJoinStyle("round")
	for _, s := range l.shapes(l.scale) {
		red, green, blue := int(s.color.R), int(s.color.G), int(s.color.B)
		p.SetAlpha(s.opacity(), "Normal")
		switch {
		case s.label != nil:
			p.SetTextColor(red, green, blue)
			p.text(s.label)
		case s.width == 0:
			p.SetFillColor(red, green, blue)
			p.path(s.path)
			p.DrawPath("F")
		default:
			p.SetDrawColor(red, green, blue)
			p.SetLineWidth(s.width.Points())
			p.SetDashPattern(list.Map(s.dashes, vg.Length.Points), 0)
			p.path(s.path)
			p.DrawPath("D")
		}
	}
	return p.Output(w)
}

// page is a PDF of one page. Its coordinates count y downwards, those of the methods below upwards.
type page struct {
	*fpdf.Fpdf
	height vg.Length
}

func (p *page) place(at vg.Point) (x, y float64) { return at.X.Points(), (p.height - at.Y).Points() }

func (p *page) text(l *label) {
	x, y := p.place(l.at)
	if l.upward {
		p.TransformBegin()
		defer p.TransformEnd()
		p.TransformRotate(90, x, y)
	}
	pieces, width := l.font.pieces(l.text)
	for _, piece := range pieces {
		p.AddUTF8FontFromBytes(piece.face.name, "", piece.face.ttf)
		p.SetFont(piece.face.name, "", l.font.size.Points())
		p.Text(x+(piece.x-vg.Length(l.anchor)*width).Points(), y, piece.text)
	}
}

func (p *page) path(path vg.Path) {
	for _, c := range path {
		x, y := p.place(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.MoveTo(x, y)
		case vg.LineComp:
			p.LineTo(x, y)
		case vg.CurveComp:
			x1, y1 := p.place(c.Control[0])
			x2, y2 := p.place(c.Control[1])
			p.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
		case vg.CloseComp:
			p.ClosePath()
		}
	}
}
