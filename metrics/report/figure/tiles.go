package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tiles are coloured rectangles with text.
type Tiles struct {
	X, Y  []string // names of the columns from the left, and of the rows from the top
	Tiles []Tile
}

// Tile is one rectangle.
type Tile struct {
	X, Y    int      // its column and its row
	Color   int      // index into the palette; negative: grey
	Hatched bool     // with stripes
	Lines   []string // of text; those that do not fit are left out
}

// rowHeight returns the height of a row. Rows of tiles that have no text may be low.
func (t *Tiles) rowHeight() vg.Length {
	if len(t.Y) > 16 {
		return 9
	}
	lines := 1
	for _, tile := range t.Tiles {
		lines = max(lines, len(tile.Lines))
	}
	return vg.Length(lines)*lineHeight*tickSize + 14
}

// axes returns the axes of the tiles, which name columns and rows.
func (t *Tiles) axes() (x, y axis) {
	const widest = 130 // of the names of rows
	letters := lettering{regular(), tickSize}
	for i, name := range t.X {
		x.fixed = append(x.fixed, tick{(float64(i) + 0.5) / float64(len(t.X)), name})
	}
	for i, name := range t.Y {
		y.fixed = append(y.fixed, tick{1 - (float64(i)+0.5)/float64(len(t.Y)), letters.shorten(name, widest)})
	}
	return x, y
}

// crossPoints returns where the stripe number i crosses the edges of a rectangle.
func crossPoints(r vg.Rectangle, i int) (a, b vg.Point) {
	const gap = 5
	size, d := r.Size(), gap*vg.Length(i)
	return vg.Point{X: r.Min.X + max(0, d-size.Y), Y: r.Min.Y + min(d, size.Y)},
		vg.Point{X: r.Min.X + min(d, size.X), Y: r.Min.Y + max(0, d-size.X)}
}

// drawTiles draws the tiles of the panel.
func (p *panel) drawTiles(area draw.Canvas) {
	letters := lettering{regular(), tickSize}
	size := vg.Point{X: area.Size().X / vg.Length(len(p.tiles.X)), Y: area.Size().Y / vg.Length(len(p.tiles.Y))}
	for _, t := range p.tiles.Tiles {
		r := vg.Rectangle{Min: vg.Point{X: area.Min.X + size.X*vg.Length(t.X), Y: area.Max.Y - size.Y*vg.Length(t.Y+1)}}
		r.Max = r.Min.Add(size)
		fill, text := gridInk, ink
		if t.Color >= 0 {
			fill = lineColors[t.Color%len(lineColors)]
			text = onFill(fill)
		}
		corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
		area.FillPolygon(fill, corners)
		for i := 1; t.Hatched; i++ {
			a, b := crossPoints(r, i)
			if a.X >= r.Max.X {
				break
			}
			area.StrokeLine2(draw.LineStyle{Color: paper, Width: 0.8}, a.X, a.Y, b.X, b.Y)
		}
		area.StrokeLines(draw.LineStyle{Color: paper, Width: 1}, append(corners, r.Min))
		const line, narrowest = lineHeight * tickSize, 16
		n := min(len(t.Lines), int((size.Y-2)/line))
		if size.X < narrowest {
			n = 0
		}
		y := r.Min.Y + (size.Y+line*vg.Length(n))/2
		for _, words := range t.Lines[:n] {
			y -= line
			words = letters.shorten(words, size.X-6)
			if half := letters.width(words)/2 + 1.5; t.Hatched { // the stripes end at the text
				x := (r.Min.X + r.Max.X) / 2
				area.FillPolygon(fill, []vg.Point{{X: x - half, Y: y}, {X: x + half, Y: y}, {X: x + half, Y: y + line},
					{X: x - half, Y: y + line}})
			}
			area.SetColor(text)
			letters.draw(area, words, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: y + 0.35*tickSize}, middle)
		}
	}
}

// onFill returns the colour of text on a colour: black or white, whichever differs more.
func onFill(fill color.NRGBA) color.NRGBA {
	if 0.299*float64(fill.R)+0.587*float64(fill.G)+0.114*float64(fill.B) < 100 {
		return paper
	}
	return black
}
