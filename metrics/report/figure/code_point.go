package figure

import (
	"fmt"
	"unicode"

	"gonum.org/v1/plot/vg"
)

// Of letters that the font lacks the code point is drawn, in two small lines of half of its hexadecimal digits each:
// a box for each of them would make all names of one length the same.
const (
	codeScale = 0.45
	codeRise  = 0.4  // of the size, of the upper line
	codeGap   = 0.08 // of the size, to the next letter
)

// roomless reports whether a letter only changes others: a joiner, or the choice of a variant.
func roomless(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Variation_Selector) }

// codePoint returns the glyph of a letter that the font lacks, at x = 0.
func (l lettering) codePoint(r rune) glyph {
	var g glyph
	if roomless(r) {
		return g
	}
	digits := fmt.Sprintf("%04X", r)
	half := (len(digits) + 1) / 2
	for line, text := range []string{digits[half:], digits[:half]} {
		glyphs, width := lettering{face: l.face, size: codeScale * l.size}.set(text)
		for _, d := range glyphs {
			d.scale, d.rise = codeScale, vg.Length(line)*codeRise*l.size
			g.digits = append(g.digits, d)
		}
		g.advance = max(g.advance, width+codeGap*l.size)
	}
	return g
}
