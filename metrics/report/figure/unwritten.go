package figure

import (
	"golang.org/x/text/unicode/bidi"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

// Unwritten returns the characters of the figure that PNG, PDF or TikZ do not show as they should: those that
// the embedded fonts lack, those for which LaTeX has no command, and those that are written from right to left.
// SVG leaves text to the fonts of the viewer.
func (f Figure) Unwritten() []rune {
	l, err := f.layout()
	if err != nil {
		return nil
	}
	var all []rune
	for _, s := range l.shapes(1) {
		if s.label == nil {
			continue
		}
		for _, r := range s.label.text {
			_, shown := s.label.font.glyph(r)
			p, _ := bidi.LookupRune(r)
			leftwards := p.Class() == bidi.R || p.Class() == bidi.AL
			if shown != r || leftwards || !escape.IsLaTeX(string(r)) {
				all = list.Add(all, r)
			}
		}
	}
	return all
}
