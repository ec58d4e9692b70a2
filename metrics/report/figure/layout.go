package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

// Sizes in points.
const (
	margin       vg.Length = 5
	titleSize    vg.Length = 10
	panelSize    vg.Length = 8.5
	labelSize    vg.Length = 8
	tickSize     vg.Length = 7
	remarkSize   vg.Length = 6.5
	tickLength   vg.Length = 3
	gutter       vg.Length = 9  // between panels, and to the right of the last
	sampleLength vg.Length = 26 // of the line in the legend
	legendGap    vg.Length = 14
	remarkGap    vg.Length = 3
	lineHeight   vg.Length = 1.4 // times the size of the letters
)

// maxTitle is the longest title, in characters.
const maxTitle = 240

// layout is a figure with the sizes and positions of its elements.
type layout struct {
	width, height vg.Length
	scale         vg.Length // multiplies all lengths, including width and height
	title         []string
	panels        []panel
	styles        []lineStyle // by label
	legend        [][]entry   // rows
	remarks       []string
	omissions     []omission
	legendTop     vg.Length // from the bottom of the figure
}

type panel struct {
	title     string
	titleBase vg.Length // baseline of the title
	x, y      axis
	xName     string
	yName     string
	hideY     bool // the panel on the left has the same axis
	curves    []curve
	paths     bool
	marks     []Mark
	tiles     *Tiles
	levels    []float64    // on a log axis, their logarithms
	frame     vg.Rectangle // of the plotting area
	labelLeft vg.Length    // the width of the tick labels of y
}

// curve is one series.
type curve struct {
	style     lineStyle
	order     int // index of its label in the legend
	stretches [][]point
	band      [][]bandPoint
}

type entry struct {
	label string
	style lineStyle
	width vg.Length
}

func (f Figure) layout() (*layout, error) {
	if len(f.Panels) == 0 {
		return nil, errors.New("figure: the figure has no panels; want at least one")
	}
	columns := min(f.Columns, len(f.Panels))
	if f.Columns <= 0 {
		columns = min(3, len(f.Panels))
	}
	l, cellHeight, columns := f.sized(columns)
	inner := l.width - 2*margin
	l.title = lettering{bold(), titleSize}.lines(escape.Middle(f.Title, maxTitle), inner)

	labels := f.gather(l)
	if t := f.Panels[0].Tiles; t != nil {
		cellHeight = 60 + vg.Length(len(t.Y))*t.rowHeight()
	}
	l.arrangeLegend(labels, inner)
	for _, remark := range append(slices.Clip(f.Notes), remarks(l.omissions, len(f.Panels))...) {
		l.remarks = append(l.remarks, lettering{regular(), remarkSize}.lines(remark, inner)...)
	}
	if f.ShareY {
		l.shareY(columns)
	}
	l.placePanels(columns, cellHeight)
	return l, nil
}

// sized returns an empty layout, the height of its panels, and the number of panels that fit side by side.
func (f Figure) sized(most int) (l *layout, cellHeight vg.Length, columns int) {
	const narrowest = 130 // a panel
	l, columns = &layout{scale: 1}, most
	if f.FontSize > 0 {
		l.scale = vg.Length(f.FontSize) / labelSize
	}
	if f.Width > 0 {
		columns = min(most, max(1, int(vg.Length(f.Width)/l.scale/narrowest)))
	}
	switch columns {
	case 1:
		l.width, cellHeight = 300, 205
	case 2:
		l.width, cellHeight = 430, 175
	default:
		l.width, cellHeight = 172*vg.Length(columns), 158
	}
	if f.Width > 0 {
		l.width = vg.Length(f.Width) / l.scale
		cellHeight = min(cellHeight, max(120, 0.75*l.width/vg.Length(columns)))
	}
	return l, cellHeight, columns
}

// remarks describes the omissions with one sentence per panel. If the sentences are the same
// in all panels, it returns only one.
func remarks(omissions []omission, panels int) []string {
	var out []string
	var in []int // panels
	for i := 0; i < len(omissions); {
		sum := omission{panel: omissions[i].panel}
		var names []string
		for ; i < len(omissions) && omissions[i].panel == sum.panel; i++ {
			sum.nonFinite += omissions[i].nonFinite
			sum.nonPositive += omissions[i].nonPositive
			names = list.Add(names, escape.Name(omissions[i].label))
		}
		out = append(out, "Points left out: "+sum.counts()+" ("+strings.Join(names, ", ")+").")
		in = append(in, sum.panel+1)
	}
	if panels > 1 && len(out) == panels && len(slices.Compact(slices.Clone(out))) == 1 {
		return []string{"In each panel: p" + out[0][1:]}
	}
	for i := range out {
		if panels > 1 {
			out[i] = fmt.Sprintf("Panel %d: p%s", in[i], out[i][1:])
		}
	}
	return out
}

// gather adds the panels to l, with the curves of their series and axes of their ranges. It
// returns the labels in order of first appearance.
func (f Figure) gather(l *layout) (labels []string) {
	order := map[string]int{}
	for i, p := range f.Panels {
		out := panel{title: p.Title, xName: p.XLabel, yName: p.YLabel, paths: p.Paths, marks: p.scaledMarks()}
		var xs, ys span
		for _, s := range p.Series {
			if _, seen := order[s.Label]; !seen {
				order[s.Label] = len(labels)
				labels = append(labels, s.Label)
				n := len(l.styles) // cycles of different lengths: the first 168 labels look different
				look := Look{n, n, n}
				if s.Look != nil {
					look = *s.Look
				}
				l.styles = append(l.styles, look.style())
			}
			stretches, omitted := p.drawable(s)
			if omitted.nonFinite+omitted.nonPositive > 0 {
				omitted.panel = i
				l.omissions = append(l.omissions, omitted)
			}
			for _, stretch := range stretches {
				for _, at := range stretch {
					xs.add(at.x)
					ys.add(at.y)
				}
			}
			band := p.band(s)
			for _, stretch := range band {
				for _, at := range stretch {
					ys.add(at.low)
					ys.add(at.high)
				}
			}
			k := order[s.Label]
			out.curves = append(out.curves, curve{l.styles[k], k, stretches, band})
		}
		for _, m := range out.marks {
			xs.add(m.X)
			ys.add(m.Y)
		}
		out.levels = p.levels()
		for _, level := range out.levels {
			ys.add(level)
		}
		if w := p.Window; w != nil {
			xs, ys = span{w.MinX, w.MaxX, true}, span{w.MinY, w.MaxY, true}
		}
		out.x, out.y = newAxis(xs, p.LogX, p.XUnit), newAxis(ys, p.LogY, p.YUnit)
		if out.tiles = p.Tiles; out.tiles != nil {
			out.x, out.y = p.Tiles.axes()
		}
		l.panels = append(l.panels, out)
	}
	return labels
}

// arrangeLegend breaks the legend into rows. Empty labels have no entry.
func (l *layout) arrangeLegend(labels []string, inner vg.Length) {
	letters := lettering{regular(), labelSize}
	var entries []entry
	total, widest := -legendGap, vg.Length(0)
	for k, label := range labels {
		if label == "" {
			continue
		}
		e := entry{label: letters.shorten(label, inner-sampleLength-4), style: l.styles[k]}
		e.width = sampleLength + 4 + letters.width(e.label)
		entries = append(entries, e)
		total += legendGap + e.width
		widest = max(widest, e.width)
	}
	if len(entries) == 0 {
		return
	}
	inRow := len(entries)
	if total > inner { // rows of equal columns
		inRow = max(int((inner+legendGap)/(widest+legendGap)), 1)
		for i := range entries {
			entries[i].width = widest
		}
	}
	l.legend = slices.Collect(slices.Chunk(entries, inRow))
}

// shareY gives the panels of each row the union of their vertical ranges and labels only the
// first panel. It leaves rows with different kinds of axes alone.
func (l *layout) shareY(columns int) {
	for start := 0; start < len(l.panels); start += columns {
		row := l.panels[start:min(start+columns, len(l.panels))]
		first := row[0].y
		same := true
		for _, p := range row {
			same = same && p.y.log == first.log && p.y.unit == first.unit && p.yName == row[0].yName
		}
		if !same {
			continue
		}
		for _, p := range row[1:] {
			if len(p.curves) > 0 {
				first.lo, first.hi = min(first.lo, p.y.lo), max(first.hi, p.y.hi)
			}
		}
		for i := range row {
			row[i].y, row[i].hideY = first, i > 0
		}
	}
}

// placePanels sets frames, ticks and the height of the figure.
func (l *layout) placePanels(columns int, cellHeight vg.Length) {
	rows := (len(l.panels) + columns - 1) / columns
	below := tickLength + 2 + lineHeight*tickSize + lineHeight*labelSize
	above, titles := vg.Length(4), vg.Length(0)
	for i := range l.panels {
		p := &l.panels[i]
		p.y.setTicks(func([]tick) bool { return true }) // sets the factor, which is written above the axis
		if p.y.factor != "" && !p.hideY {
			above = max(above, lineHeight*tickSize+2)
		}
		if p.title != "" {
			titles = lineHeight * panelSize
		}
	}
	frameHeight := cellHeight - below - above - titles

	// The left margin of each column fits its widest tick label.
	letters := lettering{regular(), tickSize}
	lefts := make([]vg.Length, columns)
	total := vg.Length(0)
	for i := range l.panels {
		p := &l.panels[i]
		p.y.setTicks(apart(frameHeight, func(tick) vg.Length { return 1.15 * tickSize }))
		if p.hideY {
			continue
		}
		for _, t := range p.y.ticks {
			p.labelLeft = max(p.labelLeft, letters.width(t.label))
		}
		left := p.labelLeft + tickLength + 2
		if p.y.label(p.yName) != "" {
			left += lineHeight * labelSize
		}
		lefts[i%columns] = max(lefts[i%columns], left)
	}
	for _, left := range lefts {
		total += left
	}
	frameWidth := (l.width - 2*margin - total - gutter*vg.Length(columns)) / vg.Length(columns)

	l.legendTop = margin + lineHeight*remarkSize*vg.Length(len(l.remarks)) + remarkGap +
		lineHeight*labelSize*vg.Length(len(l.legend)) + 3
	l.height = l.legendTop + cellHeight*vg.Length(rows) + lineHeight*titleSize*vg.Length(len(l.title)) + margin
	for i := range l.panels {
		p := &l.panels[i]
		column, row := i%columns, i/columns
		x := margin
		for k := range column {
			x += lefts[k] + frameWidth + gutter
		}
		x += lefts[column]
		y := l.legendTop + cellHeight*vg.Length(rows-1-row) + below
		p.frame = vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + frameWidth, Y: y + frameHeight}}
		p.x.setTicks(apart(frameWidth, func(t tick) vg.Length { return letters.width(t.label) + 0.7*tickSize }))
		for k := range p.x.fixed {
			p.x.ticks[k].label = letters.shorten(p.x.ticks[k].label, frameWidth/vg.Length(len(p.x.fixed))-3)
		}
		p.title = lettering{bold(), panelSize}.shorten(p.title, frameWidth)
		p.titleBase = y + frameHeight + above
	}
}

// apart returns a function that reports whether tick labels of the given sizes fit on an axis
// of the given length without touching each other.
func apart(length vg.Length, size func(tick) vg.Length) fits {
	return func(ticks []tick) bool {
		end := -length
		for _, t := range ticks {
			if t.label == "" {
				continue
			}
			centre, half := vg.Length(t.at)*length, size(t)/2
			if centre-half < end {
				return false
			}
			end = centre + half
		}
		return true
	}
}

func (l *layout) draw(c draw.Canvas) {
	c.FillPolygon(paper, []vg.Point{{}, {X: l.width}, {X: l.width, Y: l.height}, {Y: l.height}})
	y := l.height - margin
	c.SetColor(black)
	for _, line := range l.title {
		y -= lineHeight * titleSize
		lettering{bold(), titleSize}.draw(c, line, vg.Point{X: l.width / 2, Y: y + 0.4*titleSize}, middle)
	}
	for i := range l.panels {
		l.panels[i].draw(c)
	}
	y = l.legendTop - 3
	for _, row := range l.legend {
		y -= lineHeight * labelSize
		l.drawLegendRow(c, row, y+0.4*labelSize)
	}
	y -= remarkGap
	c.SetColor(faintInk)
	for _, line := range l.remarks {
		y -= lineHeight * remarkSize
		lettering{regular(), remarkSize}.draw(c, line, vg.Point{X: margin, Y: y + 0.4*remarkSize}, left)
	}
}

func (l *layout) drawLegendRow(c draw.Canvas, row []entry, baseline vg.Length) {
	letters := lettering{regular(), labelSize}
	width := -legendGap
	for _, e := range l.legend[0] { // all rows start where the first one does
		width += legendGap + e.width
	}
	x := (l.width - width) / 2
	for _, e := range row {
		y := baseline + letters.capHeight()/2
		c.StrokeLine2(e.style.line(), x, y, x+sampleLength, y)
		e.style.drawMarker(c, vg.Point{X: x + sampleLength/2, Y: y})
		c.SetColor(black)
		letters.draw(c, e.label, vg.Point{X: x + sampleLength + 4, Y: baseline}, left)
		x += e.width + legendGap
	}
}
