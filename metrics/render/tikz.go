package render

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"

	"tallynet/metrics/escape"
)

// WriteTikZ writes the figure as a tikzpicture for \input, in the size of WriteSVG: its text is
// set in the document's font, condensed where that is wider than the figure has room for, and drawn
// as outlines where it has letters for which LaTeX has no command. The preamble needs
// \usepackage{tikz} alone. It returns the points that it omitted. A figure without panels is an error.
func (f Figure) WriteTikZ(w io.Writer) ([]Omission, error) {
	layout, err := f.layout()
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(w, layout.tikz())
	return layout.omissions, err
}

// fitting is a text that is at most as wide as its first argument; TikZ loads what it needs.
const fitting = `\def\fitting#1#2{\setbox0\hbox{#2}` +
	`\ifdim\wd0>#1\resizebox{#1}{\height}{\box0}\else\box0\fi}` + "%\n"

func (l *layout) tikz() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%% \\usepackage{tikz}\n\\begin{tikzpicture}[x=%sbp,y=%sbp,line join=round]\n", inPoints(l.scale),
		inPoints(l.scale))
	b.WriteString(fitting)
	for _, s := range l.shapesWithText() {
		ink := fmt.Sprintf("{rgb,255:red,%d;green,%d;blue,%d}", s.color.R, s.color.G, s.color.B)
		if s.label != nil && !escape.IsLaTeX(s.label.text) {
			s = s.outlined()
		}
		switch {
		case s.label != nil:
			s.label.tikz(&b, l.scale, ink)
		case s.width == 0:
			fmt.Fprintf(&b, "\\fill[color=%s,fill opacity=%.3g] %s;\n", ink, s.opacity(), s.tikzPath())
		default:
			dashes := ""
			if len(s.dashes) > 0 {
				dashes = ",dash pattern="
				for i, d := range s.dashes {
					dashes += []string{"on ", "off "}[i%2] + inPoints(d*l.scale) + "bp "
				}
			}
			fmt.Fprintf(&b, "\\draw[color=%s,line width=%sbp%s] %s;\n", ink, inPoints(s.width*l.scale),
				strings.TrimSpace(dashes), s.tikzPath())
		}
	}
	b.WriteString("\\end{tikzpicture}%\n")
	return b.String()
}

func (l *label) tikz(b *strings.Builder, scale vg.Length, ink string) {
	if l.text == "" {
		return
	}
	anchor := map[anchor]string{left: "base west", middle: "base", right: "base east"}[l.anchor]
	turn, weight := "", ""
	if l.upward {
		turn = ",rotate=90"
	}
	if l.bold {
		weight = `\bfseries`
	}
	size := l.size * scale
	fmt.Fprintf(b, "\\node[anchor=%s,inner sep=0pt,text=%s%s,font=\\fontsize{%s}{%s}\\selectfont%s] at (%s,%s) "+
		"{\\fitting{%sbp}{%s}};\n", anchor, ink, turn, inPoints(size), inPoints(1.2*size), weight, inPoints(l.at.X),
		inPoints(l.at.Y), inPoints(l.lettering().width(l.text)*scale), escape.LaTeX(l.text))
}

func (s shape) tikzPath() string {
	var b strings.Builder
	at := func(p vg.Point) string { return "(" + inPoints(p.X) + "," + inPoints(p.Y) + ")" }
	var now vg.Point
	for _, c := range s.path {
		switch c.Type {
		case vg.MoveComp:
			b.WriteString(at(c.Pos))
		case vg.LineComp:
			b.WriteString("--" + at(c.Pos))
		case vg.CurveComp:
			first, second := cubic(now, c)
			b.WriteString("..controls" + at(first) + "and" + at(second) + ".." + at(c.Pos))
		case vg.CloseComp:
			b.WriteString("--cycle")
		default:
			panic(fmt.Sprintf("render: no figure needs a path component of type %d", c.Type))
		}
		if c.Type != vg.CloseComp {
			now = c.Pos
		}
	}
	return b.String()
}
