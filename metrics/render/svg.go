package render

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"tallynet/metrics/escape"
)

// writeSVG writes the layout as SVG. Text is drawn as outlines, so that it looks the same
// everywhere; screen readers have the title as text.
func (l *layout) writeSVG(w io.Writer, title string) error {
	b := bufio.NewWriter(w)
	width, height := inPoints(l.width), inPoints(l.height)
	fmt.Fprintf(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%spt" height="%spt" viewBox="0 0 %s %s" `+
		`stroke-linejoin="round">`+"\n<title>%s</title>\n", width, height, width, height, escape.HTML(title))
	for _, s := range l.shapes() {
		fmt.Fprintf(b, `<path d="%s"%s/>`+"\n", s.pathData(l.height), s.paint())
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// paint returns the attributes of colour and line.
func (s shape) paint() string {
	ink := fmt.Sprintf("#%02x%02x%02x", s.color.R, s.color.G, s.color.B)
	if s.width == 0 {
		return fmt.Sprintf(` fill="%s"`, ink)
	}
	attributes := fmt.Sprintf(` fill="none" stroke="%s" stroke-width="%s"`, ink, inPoints(s.width))
	if len(s.dashes) > 0 {
		lengths := make([]string, len(s.dashes))
		for i, d := range s.dashes {
			lengths[i] = inPoints(d)
		}
		attributes += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(lengths, " "))
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
			panic(fmt.Sprintf("render: no figure needs a path component of type %d", c.Type))
		}
	}
	return b.String()
}

// inPoints writes a length in points, rounded to a thousandth.
func inPoints(v vg.Length) string {
	text := strings.TrimRight(strconv.FormatFloat(v.Points(), 'f', 3, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}
