package figure

import (
	"fmt"
	"io"
	"slices"
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

// commands are what the picture is drawn with, in points: TikZ's own paths, whose syntax is richer, take LaTeX four
// to eight times as long. \fitting is a text that is at most as wide as its first argument; TikZ loads what it needs.
const commands = `\def\moveto#1 #2 {\pgfpathmoveto{\pgfqpoint{#1bp}{#2bp}}}` + "%\n" +
	`\def\lineto#1 #2 {\pgfpathlineto{\pgfqpoint{#1bp}{#2bp}}}` + "%\n" +
	`\def\curveto#1 #2 #3 #4 #5 #6 {\pgfpathcurveto{\pgfqpoint{#1bp}{#2bp}}{\pgfqpoint{#3bp}{#4bp}}` + "%\n" +
	`{\pgfqpoint{#5bp}{#6bp}}}` + "%\n" +
	`\def\fitting#1#2{\setbox0\hbox{#2}\ifdim\wd0>#1\resizebox{#1}{\height}{\box0}\else\box0\fi}` + "%\n"

func (l *layout) tikz() string {
	p := tikzPen{scale: l.scale}
	p.b.WriteString("% \\usepackage{tikz}\n\\begin{tikzpicture}[line join=round]\n" + commands)
	shapes := l.shapesWithText()
	for i := 0; i < len(shapes); i++ {
		s := shapes[i]
		if s.label != nil && s.label.text == "" {
			continue
		}
		if s.label != nil && !escape.IsLaTeX(s.label.text) {
			s = s.outlined()
		}
		p.set(&p.color, fmt.Sprintf("\\color[RGB]{%d,%d,%d}", s.color.R, s.color.G, s.color.B))
		use := "stroke"
		if s.width == 0 { // text, too, is filled
			p.set(&p.opacity, fmt.Sprintf("\\pgfsetfillopacity{%.3g}", s.opacity()))
			use = "fill"
			if next := i + 1; next < len(shapes) && s.isFilledBy(shapes[next]) { // a mark with its outline
				use, s, i = "fill,stroke", shapes[next], next
			}
		}
		if s.width > 0 {
			p.set(&p.width, fmt.Sprintf("\\pgfsetlinewidth{%sbp}", p.points(s.width)))
			dashes := ""
			for _, d := range s.dashes {
				dashes += fmt.Sprintf("{%sbp}", p.points(d))
			}
			p.set(&p.dashes, fmt.Sprintf("\\pgfsetdash{%s}{0bp}", dashes))
		}
		if s.label != nil {
			p.text(s.label)
		} else {
			p.path(s.path)
			p.write("\\pgfusepath{" + use + "}")
		}
		p.b.WriteString("\n")
		p.column = 0
	}
	p.b.WriteString("\\end{tikzpicture}%\n")
	return p.b.String()
}

// isFilledBy reports whether the shape is the inside of a line that follows it, in the same colour.
func (s *shape) isFilledBy(line shape) bool {
	same := func(a, b vg.PathComp) bool {
		return a.Type == b.Type && a.Pos == b.Pos && slices.Equal(a.Control, b.Control)
	}
	return line.width > 0 && line.color == s.color && s.opacity() == 1 && slices.EqualFunc(s.path, line.path, same)
}

// tikzPen writes what a tikzpicture consists of, in lines that TeX and people can read.
type tikzPen struct {
	b      strings.Builder
	column int       // how long the line is
	scale  vg.Length // points of paper in one of the layout

	color, opacity, width, dashes string // the commands that are in effect; empty: none yet
}

// points is a length on paper.
func (p *tikzPen) points(v vg.Length) string { return inPoints(v * p.scale) }

// at is a place on paper, as \moveto, \lineto and \curveto take it.
func (p *tikzPen) at(v vg.Point) string { return p.points(v.X) + " " + p.points(v.Y) }

// write adds a command, on a line of its own where this one becomes long.
func (p *tikzPen) write(command string) {
	switch {
	case p.column > 0 && p.column+len(command) > 110:
		p.b.WriteString("\n")
		p.column = 0
	case p.column > 0:
		p.b.WriteString(" ")
		p.column++
	}
	p.b.WriteString(command)
	p.column += len(command)
}

// set adds a command that changes one of the properties of what is drawn, unless it is in effect.
func (p *tikzPen) set(now *string, command string) {
	if *now != command {
		p.write(command)
		*now = command
	}
}

func (p *tikzPen) text(l *label) {
	anchor := map[anchor]string{left: "left,base", middle: "base", right: "right,base"}[l.anchor]
	turn, weight := "", ""
	if l.upward {
		turn = ",rotate=90"
	}
	if l.bold {
		weight = `\bfseries`
	}
	place := fmt.Sprintf("%s,at={\\pgfqpoint{%sbp}{%sbp}}%s", anchor, p.points(l.at.X), p.points(l.at.Y), turn)
	font := fmt.Sprintf("\\fontsize{%s}{%s}\\selectfont%s", p.points(l.size), p.points(1.2*l.size), weight)
	p.write(fmt.Sprintf("\\pgftext[%s]{%s\\fitting{%sbp}{%s}}", place, font, p.points(l.lettering().width(l.text)),
		escape.LaTeX(l.text)))
}

func (p *tikzPen) path(path vg.Path) {
	var now vg.Point
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			p.write("\\moveto" + p.at(c.Pos))
		case vg.LineComp:
			p.write("\\lineto" + p.at(c.Pos))
		case vg.CurveComp:
			first, second := cubic(now, c)
			p.write("\\curveto" + p.at(first) + " " + p.at(second) + " " + p.at(c.Pos))
		case vg.CloseComp:
			p.write("\\pgfpathclose")
		default:
			panic(fmt.Sprintf("render: no figure needs a path component of type %d", c.Type))
		}
		if c.Type != vg.CloseComp {
			now = c.Pos
		}
	}
}
