package figure

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font/liberation"
)

// face is a font, with those of its letters that were drawn: figures consist of the same few, and reading
// one takes longer than placing it.
type face struct {
	font    *opentype.Font
	units   fixed.Int26_6 // of the size
	letters sync.Map      // of a rune, its *letter; none for one that the font lacks
}

// letter is what the font has of one.
type letter struct {
	advance  fixed.Int26_6 // in units
	segments sfnt.Segments // in units, with y downwards
	curves   int           // control points of the segments
	closed   int           // outlines that the segments consist of
}

var (
	regular = sync.OnceValue(func() *face { return sans(font.WeightNormal) })
	bold    = sync.OnceValue(func() *face { return sans(font.WeightBold) })
)

func sans(weight font.Weight) *face {
	for _, f := range liberation.Collection() {
		if f.Font.Variant == "Sans" && f.Font.Style == font.StyleNormal && f.Font.Weight == weight {
			return &face{font: f.Face, units: fixed.I(int(f.Face.UnitsPerEm()))}
		}
	}
	panic("render: gonum's Liberation fonts lack Sans")
}

// letter returns what the font has of r; nil if it lacks r.
func (f *face) letter(r rune) *letter {
	if known, ok := f.letters.Load(r); ok {
		return known.(*letter)
	}
	l := f.read(r)
	if l != nil {
		f.letters.Store(r, l) // another reader of it has stored the same
	}
	return l
}

func (f *face) read(r rune) *letter {
	var buffer sfnt.Buffer
	index, err := f.font.GlyphIndex(&buffer, r)
	if err != nil {
		panic("render: " + err.Error()) // the embedded font is broken
	}
	if index == 0 {
		return nil
	}
	var l letter
	if l.advance, err = f.font.GlyphAdvance(&buffer, index, f.units, font.HintingNone); err != nil {
		panic("render: " + err.Error())
	}
	segments, err := f.font.LoadGlyph(&buffer, index, f.units, nil)
	if err != nil {
		panic("render: " + err.Error())
	}
	l.segments = append(l.segments, segments...) // which the buffer owns, a large one
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			l.closed++
		case sfnt.SegmentOpQuadTo:
			l.curves++
		case sfnt.SegmentOpCubeTo:
			l.curves += 2
		}
	}
	return &l
}
