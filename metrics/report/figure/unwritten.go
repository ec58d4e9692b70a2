package figure

import (
	"slices"

	"golang.org/x/text/unicode/bidi"

	"tallynet/metrics/escape"
)

// Unwritten returns the characters of the figure that PNG, PDF or TikZ do not show as they should, in the order of
// their first appearance: those that the embedded fonts lack, those for which LaTeX has no command, and those
// that are written from right to left. SVG leaves text to the fonts of the viewer.
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
		for _, r := range escape.Plain(text) {
			_, shown := l.glyph(r)
			p, _ := bidi.LookupRune(r)
			leftwards := p.Class() == bidi.R || p.Class() == bidi.AL
			if (shown != r || leftwards || !escape.IsLaTeX(string(r))) && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}
