package figure

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

// svgFonts are fonts with about the widths that the layout assumes.
const svgFonts = "Liberation Sans, Arial, Helvetica, sans-serif"

// WriteSVG writes the figure as SVG, 300 pt wide for one column of panels and 516 pt (the
// text width of a two-column page) for three. A figure without panels is an error.
func (f Figure) WriteSVG(w io.Writer) error {
	l, err := f.layout()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	width, height := inPoints(l.width), inPoints(l.height)
	fmt.Fprintf(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%spt" height="%spt" viewBox="0 0 %s %s" `+
		`stroke-linejoin="round" font-family="%s">`+"\n<title>%s</title>\n", inPoints(l.width*l.scale),
		inPoints(l.height*l.scale), width, height, svgFonts, escape.HTML(f.name()))
	for _, s := range l.shapes(1) {
		if s.label != nil {
			s.label.writeSVG(b, l.height, hex(s.color))
			continue
		}
		fmt.Fprintf(b, `<path d="%s"%s/>`+"\n", s.pathData(l.height), s.paint())
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// writeSVG writes a text in a figure of the given height.
func (l *label) writeSVG(w io.Writer, height vg.Length, ink string) {
	if l.text == "" {
		return
	}
	x, y := inPoints(l.at.X), inPoints(height-l.at.Y)
	attributes := map[anchor]string{left: "", middle: ` text-anchor="middle"`, right: ` text-anchor="end"`}[l.anchor]
	if l.font.face == bold() {
		attributes += ` font-weight="bold"`
	}
	if l.upward {
		attributes += fmt.Sprintf(` transform="rotate(-90 %s %s)"`, x, y)
	}
	fmt.Fprintf(w, `<text x="%s" y="%s" font-size="%s" fill="%s"%s>%s</text>`+"\n", x, y, inPoints(l.font.size), ink,
		attributes,
		escape.HTML(l.text))
}

// hex returns a colour without its opacity.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// paint returns the attributes of colour and line.
func (s shape) paint() string {
	ink := hex(s.color)
	if s.width == 0 {
		if o := s.opacity(); o < 1 {
			return fmt.Sprintf(` fill="%s" fill-opacity="%.3g"`, ink, o)
		}
		return fmt.Sprintf(` fill="%s"`, ink)
	}
	attributes := fmt.Sprintf(` fill="none" stroke="%s" stroke-width="%s"`, ink, inPoints(s.width))
	if len(s.dashes) > 0 {
		attributes += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(list.Map(s.dashes, inPoints), " "))
	}
	return attributes
}

// pathData returns the path in a figure of the given height. SVG counts y downwards.
func (s shape) pathData(height vg.Length) string {
	var b strings.Builder
	to := func(letter string, points ...vg.Point) {
		b.WriteString(letter)
		for i, p := range points {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(inPoints(p.X) + "," + inPoints(height-p.Y))
		}
	}
	for _, c := range s.path {
		switch c.Type {
		case vg.MoveComp:
			to("M", c.Pos)
		case vg.LineComp:
			to("L", c.Pos)
		case vg.CurveComp: // quadratic or cubic
			to([]string{"Q", "C"}[len(c.Control)-1], append(c.Control[:len(c.Control):len(c.Control)], c.Pos)...)
		case vg.CloseComp:
			to("Z")
		default:
			panic(fmt.Sprintf("figure: no figure needs a path component of type %d", c.Type))
		}
	}
	return b.String()
}

// inPoints formats a length in points, rounded to a thousandth.
func inPoints(v vg.Length) string {
	text := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v.Points(), 'f', 3, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
