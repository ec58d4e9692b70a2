package figure

import (
	"sync"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// typeface is an embedded font.
type typeface struct {
	name    string
	ttf     []byte // the file
	font    *opentype.Font
	symbols func() *typeface // has characters that this one lacks; nil if there is none
}

// The fonts of figures. Liberation Sans, which has the metrics of Arial, lacks symbols such as ∇ and ⁻.
var (
	regular = embedded("LiberationSans", liberationsansregular.TTF, embedded("DejaVuSans", dejavusans.TTF, nil))
	bold    = embedded("LiberationSans-Bold", liberationsansbold.TTF,
		embedded("DejaVuSans-Bold", dejavusansbold.TTF, nil))
)

// embedded returns a function that parses a font once.
func embedded(name string, ttf []byte, symbols func() *typeface) func() *typeface {
	return sync.OnceValue(func() *typeface {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			panic("figure: " + err.Error()) // the embedded font is broken
		}
		return &typeface{name, ttf, parsed, symbols}
	})
}

// glyph returns the index of the glyph of r; 0 if the font lacks it.
func (t *typeface) glyph(r rune) sfnt.GlyphIndex {
	index, err := t.font.GlyphIndex(nil, r)
	if err != nil {
		panic("figure: " + err.Error())
	}
	return index
}

// advance returns the width of r at size 1.
func (t *typeface) advance(r rune) vg.Length {
	units := fixed.I(int(t.font.UnitsPerEm()))
	width, err := t.font.GlyphAdvance(nil, t.glyph(r), units, font.HintingNone)
	if err != nil {
		panic("figure: " + err.Error())
	}
	return vg.Length(width) / vg.Length(units)
}
