package figure

import (
	"slices"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"

	"tallynet/metrics/escape"
)

// lettering draws text as filled outlines of Liberation Sans.
type lettering struct {
	face *face
	size vg.Length
}

// anchor is the position within a text, from 0 (left) to 1 (right), that is placed at a point.
type anchor float64

const (
	left   anchor = 0
	middle anchor = 0.5
	right  anchor = 1
)

// capHeight is the height of capitals and digits.
func (l lettering) capHeight() vg.Length { return 0.73 * l.size }

const (
	superscripts     = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
	superscriptBases = "0123456789−+"
	superscriptScale = 0.68
	superscriptRise  = 0.36 // of the size
)

// glyph is one letter, placed and possibly scaled, raised or turned upside down.
type glyph struct {
	letter   *letter
	scale    vg.Length // of the size
	x, rise  vg.Length // in points
	advance  vg.Length // in points
	inverted bool
	digits   []glyph // instead: of the code point of a letter that the font lacks
}

// set places the letters of s, escaped, starting at x = 0. Superscripts are raised digits, since
// the font has only a few superscripts, and ∇ is an inverted Δ, since the font lacks it.
func (l lettering) set(s string) (glyphs []glyph, width vg.Length) {
	for _, r := range escape.Plain(s) {
		g := glyph{scale: 1}
		if i := runeIndex(superscripts, r); i >= 0 {
			r = []rune(superscriptBases)[i]
			g.scale, g.rise = superscriptScale, superscriptRise*l.size
		}
		if r == '∇' {
			r, g.inverted = 'Δ', true
		}
		if g.letter = l.face.letter(r); g.letter == nil || roomless(r) {
			g = l.codePoint(r)
			g.x = width
			width += g.advance
			glyphs = append(glyphs, g)
			continue
		}
		g.x = width
		g.advance = g.scale * l.size * vg.Length(g.letter.advance) / vg.Length(l.face.units)
		width += g.advance
		glyphs = append(glyphs, g)
	}
	return glyphs, width
}

func runeIndex(s string, r rune) int {
	if byteIndex := strings.IndexRune(s, r); byteIndex >= 0 {
		return len([]rune(s[:byteIndex]))
	}
	return -1
}

// width returns the width of s.
func (l lettering) width(s string) vg.Length {
	_, width := l.set(s)
	return width
}

// draw writes s with its baseline at the given point.
func (l lettering) draw(c vg.Canvas, s string, at vg.Point, a anchor) {
	if t := textualOf(c); t != nil {
		t.write(label{escape.Plain(s), l.size, l.face == bold(), at, a, false})
		return
	}
	if path := l.outlines(s, at, a); len(path) > 0 {
		c.Fill(path)
	}
}

// outlines returns the outlines of s with its baseline at the given point.
func (l lettering) outlines(s string, at vg.Point, a anchor) vg.Path {
	glyphs, width := l.set(s)
	var o outliner
	o.grow(glyphs)
	for _, g := range glyphs {
		o.add(l, g, vg.Point{X: at.X - vg.Length(a)*width, Y: at.Y})
	}
	return o.path
}

// drawUpward writes s rotated a quarter turn to the left and centred vertically at the
// given point, with its baseline on the right.
func (l lettering) drawUpward(c vg.Canvas, s string, at vg.Point) {
	if t := textualOf(c); t != nil {
		t.write(label{escape.Plain(s), l.size, l.face == bold(), at, middle, true})
		return
	}
	if path := l.upward(s, at); len(path) > 0 {
		c.Fill(path)
	}
}

// upward returns the outlines of s as drawUpward writes it.
func (l lettering) upward(s string, at vg.Point) vg.Path {
	path := l.outlines(s, vg.Point{}, middle)
	turn := func(p vg.Point) vg.Point { return vg.Point{X: at.X - p.Y, Y: at.Y + p.X} }
	for i := range path {
		path[i].Pos = turn(path[i].Pos)
		for j := range path[i].Control {
			path[i].Control[j] = turn(path[i].Control[j])
		}
	}
	return path
}

// outliner collects outlines.
type outliner struct {
	path   vg.Path
	points []vg.Point // those of the path's curves
}

// grow makes room for the outlines of glyphs, of which a long text has many.
func (o *outliner) grow(glyphs []glyph) {
	components, points := 0, 0
	for _, g := range glyphs {
		if g.letter != nil {
			components += len(g.letter.segments) + g.letter.closed
			points += g.letter.curves
		}
	}
	o.path, o.points = slices.Grow(o.path, components), slices.Grow(o.points, points)
}

// add adds the outline of a glyph in a text that starts at origin.
func (o *outliner) add(l lettering, g glyph, origin vg.Point) {
	if g.letter == nil {
		for _, d := range g.digits {
			o.add(l, d, vg.Point{X: origin.X + g.x, Y: origin.Y})
		}
		return
	}
	scale := g.scale * l.size / vg.Length(l.face.units)
	place := func(p fixed.Point26_6) vg.Point {
		x, y := vg.Length(p.X)*scale, -vg.Length(p.Y)*scale // fonts count y downwards
		if g.inverted {
			x, y = g.advance-x, l.capHeight()*g.scale-y
		}
		return vg.Point{X: origin.X + g.x + x, Y: origin.Y + g.rise + y}
	}
	began := len(o.path)
	for _, s := range g.letter.segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(o.path) > began {
				o.path.Close()
			}
			o.path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			o.path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			o.curve(place(s.Args[1]), place(s.Args[0]))
		case sfnt.SegmentOpCubeTo:
			o.curve(place(s.Args[2]), place(s.Args[0]), place(s.Args[1]))
		}
	}
	if len(o.path) > began {
		o.path.Close()
	}
}

// curve adds one with the given control points.
func (o *outliner) curve(to vg.Point, control ...vg.Point) {
	n := len(o.points)
	o.points = append(o.points, control...)
	o.path = append(o.path, vg.PathComp{Type: vg.CurveComp, Pos: to, Control: slices.Clip(o.points[n:])})
}

// shorten cuts the middle out of s so that it fits the given width, with an ellipsis in
// its place. The work is proportional to the length of s.
func (l lettering) shorten(s string, width vg.Length) string {
	s = escape.Plain(s)
	glyphs, whole := l.set(s)
	if whole <= width {
		return s
	}
	runes := []rune(s)
	room := width - l.width("…")
	from, to := 0, len(runes) // what is left out
	for from < to {
		next, head := from, 2*from <= 3*(len(runes)-to) // three letters of the head for two of the tail
		if !head {
			next = to - 1
		}
		if room -= glyphs[next].advance; room < 0 {
			break
		}
		if head {
			from++
		} else {
			to--
		}
	}
	return string(runes[:from]) + "…" + string(runes[to:])
}

// lines breaks s between words into lines of at most the given width.
func (l lettering) lines(s string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case l.width(line+" "+word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, l.shorten(line, width)), word
		}
	}
	if line != "" {
		lines = append(lines, l.shorten(line, width))
	}
	return lines
}
