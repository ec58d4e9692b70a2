package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

// draw draws the grid, curves, marks, frame, ticks and names of the panel.
func (p *panel) draw(c draw.Canvas) {
	area := draw.Canvas{Canvas: c.Canvas, Rectangle: p.frame}
	if p.tiles != nil {
		p.drawTiles(area)
		p.drawFrame(area)
		p.drawNames(area)
		return
	}
	grid := draw.LineStyle{Color: gridInk, Width: 0.5}
	for _, t := range p.x.ticks {
		if t.label != "" {
			area.StrokeLine2(grid, area.X(t.at), area.Min.Y, area.X(t.at), area.Max.Y)
		}
	}
	for _, t := range p.y.ticks {
		if t.label != "" {
			area.StrokeLine2(grid, area.Min.X, area.Y(t.at), area.Max.X, area.Y(t.at))
		}
	}
	p.drawBands(area)
	p.drawLevels(area)
	p.drawCurves(area)
	p.drawMarks(area)
	p.drawFrame(area)
	p.drawNames(area)
}

// drawCurves draws lines first and markers second, so that no line hides a marker.
func (p *panel) drawCurves(area draw.Canvas) {
	const markersPerLine = 6
	spacing := area.Size().X / markersPerLine
	type mark struct {
		style lineStyle
		at    vg.Point
	}
	var marks []mark
	empty := true
	for _, curve := range p.curves {
		for _, stretch := range curve.stretches {
			empty = false
			points := list.Map(stretch, func(at point) vg.Point {
				return vg.Point{X: area.X(p.x.position(at.x)), Y: area.Y(p.y.position(at.y))}
			})
			if p.paths {
				area.StrokeLines(curve.style.line(), area.ClipLinesXY(thin(points))...)
				continue
			}
			points = thin(points)
			if len(points) > 1 {
				area.StrokeLines(curve.style.line(), points)
			}
			phase := float64((curve.order*3)%7)/7 + 0.1 // far apart for neighbours in the legend
			for _, at := range markerPoints(points, spacing, phase) {
				marks = append(marks, mark{curve.style, at})
			}
		}
	}
	for _, m := range marks {
		m.style.drawMarker(area, m.at)
	}
	if p.paths {
		p.drawEnds(area)
	}
	if empty {
		area.SetColor(faintInk)
		centre := area.Center()
		lettering{regular(), labelSize}.draw(area, "no data", centre, middle)
	}
}

// drawEnds marks the ends of paths first and their starts second, so that no end hides a start.
func (p *panel) drawEnds(area draw.Canvas) {
	mark := func(style lineStyle, at point) {
		if to := (vg.Point{X: area.X(p.x.position(at.x)), Y: area.Y(p.y.position(at.y))}); area.Contains(to) {
			style.drawMarker(area, to)
		}
	}
	for _, curve := range p.curves {
		if n := len(curve.stretches); n > 0 {
			last := curve.stretches[n-1]
			mark(curve.style, last[len(last)-1])
		}
	}
	for _, curve := range p.curves {
		if len(curve.stretches) > 0 {
			mark(startStyle, curve.stretches[0][0])
		}
	}
}

func (p *panel) drawMarks(area draw.Canvas) {
	const arm, radius = 3, 3.5
	letters := lettering{regular(), tickSize}
	for _, m := range p.marks {
		at := vg.Point{X: area.X(p.x.position(m.X)), Y: area.Y(p.y.position(m.Y))}
		if !area.Contains(at) {
			continue
		}
		line := draw.LineStyle{Color: ink, Width: 0.8}
		if m.Label == "" {
			area.SetLineStyle(line)
			area.Stroke(circle(at, radius))
			continue
		}
		area.StrokeLine2(line, at.X-arm, at.Y, at.X+arm, at.Y)
		area.StrokeLine2(line, at.X, at.Y-arm, at.X, at.Y+arm)
		align, x := left, at.X+arm+1
		name := escape.Name(m.Label)
		if x+letters.width(name) > area.Max.X {
			align, x = right, at.X-arm-1
		}
		y := at.Y + 2
		if y+tickSize > area.Max.Y {
			y = at.Y - 2 - tickSize
		}
		area.SetColor(ink)
		letters.draw(area, name, vg.Point{X: x, Y: y}, align)
	}
}

func (p *panel) drawFrame(area draw.Canvas) {
	line := draw.LineStyle{Color: ink, Width: 0.6}
	a, b := area.Min, area.Max
	area.StrokeLines(line, []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}, a, {X: b.X, Y: a.Y}})
	letters := lettering{regular(), tickSize}
	for _, t := range p.x.ticks {
		x, length := area.X(t.at), tickLength
		if t.label == "" {
			length /= 2
		}
		area.StrokeLine2(line, x, a.Y-length, x, a.Y)
		area.SetColor(black)
		letters.draw(area, t.label, vg.Point{X: x, Y: a.Y - tickLength - 2 - letters.capHeight()}, middle)
	}
	for _, t := range p.y.ticks {
		y, length := area.Y(t.at), tickLength
		if t.label == "" {
			length /= 2
		}
		area.StrokeLine2(line, a.X-length, y, a.X, y)
		if !p.hideY {
			area.SetColor(black)
			letters.draw(area, t.label, vg.Point{X: a.X - tickLength - 2, Y: y - letters.capHeight()/2}, right)
		}
	}
}

func (p *panel) drawNames(area draw.Canvas) {
	area.SetColor(black)
	ticks := lettering{regular(), tickSize}
	names := lettering{regular(), labelSize}
	bottom := area.Min.Y - tickLength - 2 - lineHeight*tickSize
	room := area.Size().X
	if p.x.factor != "" {
		ticks.draw(area, p.x.factor, vg.Point{X: area.Max.X, Y: bottom - 0.75*labelSize}, right)
		room -= 2 * (ticks.width(p.x.factor) + 4)
	}
	name := names.shorten(p.x.label(p.xName), room)
	names.draw(area, name, vg.Point{X: area.Center().X, Y: bottom - 0.75*labelSize}, middle)
	if !p.hideY {
		ticks.draw(area, p.y.factor, vg.Point{X: area.Min.X, Y: area.Max.Y + 3}, left)
		x := area.Min.X - tickLength - 2 - p.labelLeft - 0.45*labelSize
		name := names.shorten(p.y.label(p.yName), area.Size().Y*1.15)
		names.drawUpward(area, name, vg.Point{X: x, Y: area.Center().Y})
	}
	lettering{bold(), panelSize}.draw(area, p.title, vg.Point{X: area.Center().X, Y: p.titleBase}, middle)
}
