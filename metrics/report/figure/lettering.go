package figure

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/table"
)

// lettering is a font at a size.
type lettering struct {
	face *typeface
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
	superscriptScale = 0.68
)

// piece is a stretch of a text in one font.
type piece struct {
	face *typeface
	text string
	x    vg.Length // relative to the start of the text
}

// pieces splits s, escaped, by the font of its characters. It returns their width in these fonts.
func (l lettering) pieces(s string) (pieces []piece, width vg.Length) {
	for _, r := range escape.Plain(s) {
		face, shown := l.glyph(r)
		if n := len(pieces); n == 0 || pieces[n-1].face != face {
			pieces = append(pieces, piece{face: face, x: width})
		}
		pieces[len(pieces)-1].text += string(shown)
		width += l.size * face.advance(shown)
	}
	return pieces, width
}

// glyph returns the font that shows r, and the character that it shows, which is U+FFFD if no font has r.
// All superscripts are of one font. PDF fonts have no characters beyond U+FFFF.
func (l lettering) glyph(r rune) (*typeface, rune) {
	if l.face.glyph(r) != 0 && !strings.ContainsRune(superscripts, r) {
		return l.face, r
	}
	symbols := l.face.symbols()
	if r > 0xffff || symbols.glyph(r) == 0 {
		r = unicode.ReplacementChar
	}
	return symbols, r
}

// advance returns the width that r takes in the layout. Superscripts are as wide as small digits, and ∇ as Δ,
// whichever font shows them.
func (l lettering) advance(r rune) vg.Length {
	if strings.ContainsRune(superscripts, r) {
		base := []rune(norm.NFKD.String(string(r)))
		return superscriptScale * l.size * l.face.advance(base[0])
	}
	if r == '∇' {
		r = 'Δ'
	}
	face, shown := l.glyph(r)
	return l.size * face.advance(shown)
}

// width returns the width that s takes in the layout.
func (l lettering) width(s string) (width vg.Length) {
	for _, r := range escape.Plain(s) {
		width += l.advance(r)
	}
	return width
}

// draw writes s with its baseline at the given point. The canvas must be that of a drawing.
func (l lettering) draw(c draw.Canvas, s string, at vg.Point, a anchor) {
	c.Canvas.(*drawing).write(label{escape.Plain(s), l, at, a, false})
}

// drawUpward writes s rotated by 90° to the left and centred vertically at the given point, with its baseline
// on the right.
func (l lettering) drawUpward(c draw.Canvas, s string, at vg.Point) {
	c.Canvas.(*drawing).write(label{escape.Plain(s), l, at, middle, true})
}

// shorten cuts the middle out of s so that it fits the given width, with an ellipsis in
// its place. The work is proportional to the length of s.
func (l lettering) shorten(s string, width vg.Length) string {
	s = escape.Plain(s)
	if l.width(s) <= width {
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
		if room -= l.advance(runes[next]); room < 0 {
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
	lines := table.Lines(s, func(line string) bool { return l.width(line) <= width })
	return list.Map(lines, func(line string) string { return l.shorten(line, width) })
}
