package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgtex"

	"tallynet/metrics/escape"
)

const (
	// texPoints is the number of TeX's points, which vgtex writes, in one of PostScript's.
	texPoints = 72.27 / 72

	// fitting defines \fitting{width}{alignment}{text}, which condenses a text that is wider than the width.
	fitting = `\def\fitting#1#2#3{\setbox0\hbox{#3}\makebox[#1][#2]{%` + "\n" +
		`\ifdim\wd0>#1\resizebox{#1}{\height}{\box0}\else\box0\fi}}%` + "\n"
)

// WriteTikZ writes the figure as a pgfpicture for \input, in the size of WriteSVG. Its text is set in the
// font of the document, and condensed if that is too wide. Characters for which LaTeX has no command become
// code points. The preamble needs \usepackage{tikz} alone.
func (f Figure) WriteTikZ(w io.Writer) error {
	l, err := f.layout()
	if err != nil {
		return err
	}
	scale := l.scale * texPoints
	canvas := vgtex.New(l.width*scale, l.height*scale)
	shapes := l.shapes(scale)
	for i := range shapes {
		shapes[i].path = texPath(shapes[i].path)
		if t := shapes[i].label; t != nil {
			t.at = roundedPoint(t.at)
		}
	}
	replay(texCanvas{canvas}, shapes, func(t *label) {
		width := t.font.width(t.text)
		align := map[anchor]string{left: "l", middle: "c", right: "r"}[t.anchor]
		text := fmt.Sprintf(`\fitting{%spt}{%s}{%s}`, inPoints(width), align, escape.LaTeX(t.text))
		if t.font.face == bold() {
			text = `\bfseries` + text
		}
		face := font.Face{Font: font.Font{Size: rounded(t.font.size)}, Face: t.font.face.font}
		// vgtex centres the text, which it takes for as wide as its source.
		x := (0.5-vg.Length(t.anchor))*width - 0.5*face.Width(text)
		canvas.FillString(face, vg.Point{X: x}, text)
	})
	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return err
	}
	// vgtex indents, leaves blank lines, which end paragraphs, and does not set joins of lines.
	const begin = `\begin{pgfpicture}`
	_, content, _ := strings.Cut(picture.String(), begin)
	content = regexp.MustCompile(`\n\s*`).ReplaceAllString(content, "\n")
	content = strings.ReplaceAll(content, `\pgfpoint{`, `\pgfqpoint{`) // TeX need not evaluate expressions
	_, err = fmt.Fprintf(w, "%% \\usepackage{tikz}\n%s%s\\pgfsetroundjoin%s%%\n", fitting, begin,
		strings.TrimSpace(content))
	return err
}

// rounded avoids exponents, which TeX does not read.
func rounded(v vg.Length) vg.Length { return vg.Length(math.Round(1000*float64(v)) / 1000) }

func roundedPoint(p vg.Point) vg.Point { return vg.Point{X: rounded(p.X), Y: rounded(p.Y)} }

// texPath rounds the points of a path, and closes it by a line, since vgtex does not close paths.
func texPath(path vg.Path) vg.Path {
	out := mapped(path, roundedPoint)
	for i, c := range out {
		if c.Type == vg.CloseComp {
			out[i] = vg.PathComp{Type: vg.LineComp, Pos: out[0].Pos}
		}
	}
	return out
}

// texCanvas sets colours as vgtex expects them.
type texCanvas struct{ *vgtex.Canvas }

// SetColor sets a colour. vgtex writes its components and opacity, so they must not be premultiplied.
func (c texCanvas) SetColor(to color.Color) { c.Canvas.SetColor(straight(to.(color.NRGBA))) }

// straight is a colour whose RGBA are not multiplied by the opacity.
type straight color.NRGBA

func (c straight) RGBA() (r, g, b, a uint32) {
	const full = 0x101 // of a component of 8 bits in one of 16
	return full * uint32(c.R), full * uint32(c.G), full * uint32(c.B), full * uint32(c.A)
}
