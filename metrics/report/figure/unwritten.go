package figure

import (
	"slices"

	"golang.org/x/text/unicode/bidi"

	"tallynet/metrics/escape"
)

// Unwritten returns the letters of a figure that PNG, PDF and TikZ do not show as they should, in the order in which
// they first appear. Those formats draw with an embedded font, so that a figure is the same everywhere. Letters that
// the font lacks, as those of Chinese and Arabic, are code points, and texts from right to left are written from left
// to right. SVG leaves letters to the fonts of who looks at it.
func (f Figure) Unwritten() []rune {
	texts := append([]string{f.Title}, f.Notes...)
	for _, p := range f.Panels {
		texts = append(texts, p.Title, p.XLabel, p.YLabel)
		for _, s := range p.Series {
			texts = append(texts, s.Label)
		}
		for _, m := range p.Marks {
			texts = append(texts, m.Label)
		}
	}
	l := lettering{regular(), labelSize}
	var all []rune
	for _, text := range texts {
		plain := []rune(escape.Plain(text))
		glyphs, _ := l.set(text)
		for i, g := range glyphs {
			p, _ := bidi.LookupRune(plain[i])
			leftwards := p.Class() == bidi.R || p.Class() == bidi.AL
			if (g.letter == nil && !roomless(plain[i]) || leftwards) && !slices.Contains(all, plain[i]) {
				all = append(all, plain[i])
			}
		}
	}
	return all
}
