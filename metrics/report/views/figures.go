package views

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/quantity"
)

// maxCurves is the number of lines in one panel that can still be distinguished.
const maxCurves = 8

// maxPointRows is the number of rows of panels that fit a page.
const maxPointRows = 4

// figures returns the pictures of the study: the main metrics and the headlines over iterations, bytes and simulated
// time. Accuracies have a picture of their own. If there are too many curves for one panel, there is a row of panels
// for each grid point, or for each method; if these are too many as well, the best curves are chosen. The notes name
// the choice.
func (s *StudyView) figures() (figures []papers.Drawn, notes []string, err error) {
	facets, note := s.facets()
	add := func(name string, metrics ...string) {
		var rows []figureRow
		for _, m := range metrics {
			for _, row := range facets {
				row.metric = m
				rows = append(rows, row)
			}
			if len(facets) > 1 {
				break // rows of one metric fill the page
			}
		}
		f, wrong := s.figure(rows, note)
		err = errors.Join(err, wrong)
		if len(f.Panels) > 0 {
			figures = append(figures, papers.Drawn{Name: name, Figure: f})
		}
	}
	convergence, accuracy := s.mainMetrics(), []string(nil)
	for _, m := range s.headlines() {
		if s.moreIsBetter(m) {
			accuracy = append(accuracy, m)
		} else {
			convergence = append(convergence, m)
		}
	}
	add("convergence", convergence...)
	add("accuracy", accuracy...)
	if note != "" && len(figures) > 0 {
		notes = append(notes, "the plots: "+strings.ToLower(note[:1])+note[1:])
	}
	return figures, notes, err
}

// figureRow is a row of panels: a metric of some groups.
type figureRow struct {
	metric    string
	title     string // the grid point or the method, if the row is of one
	withPoint bool   // the curves' names have the grid point
	groups    []*group
}

// look returns the look of a group's curve in the row. A row of one method uses the looks of its labels instead.
func (r *figureRow) look(g *group) *figure.Look {
	var methods, points []int
	for _, other := range r.groups {
		methods, points = list.Add(methods, other.Label), list.Add(points, other.Point)
	}
	if len(methods) == 1 && len(points) > 1 {
		return nil
	}
	look := figure.LookOf(g.Label, slices.Index(points, g.Point), len(methods), len(points))
	return &look
}

// facets divides the groups into rows of panels.
func (s *StudyView) facets() (rows []figureRow, note string) {
	if len(s.groups) <= maxCurves {
		return []figureRow{{groups: s.groups, withPoint: true}}, ""
	}
	byMethod := s.rowsBy(func(g *group) string { return g.label })
	for i := range byMethod {
		byMethod[i].withPoint = true
	}
	for _, rows := range [][]figureRow{s.pointRows(), byMethod} {
		crowded := func(r figureRow) bool { return len(r.groups) > maxCurves }
		if len(rows) <= maxPointRows && !slices.ContainsFunc(rows, crowded) {
			return rows, ""
		}
	}
	best, by := s.best(maxCurves)
	return []figureRow{{groups: best, withPoint: true}},
		fmt.Sprintf("These are %d of %d methods and grid points: %s; iterations.csv has all.",
			len(best), len(s.groups), by)
}

// best returns the best groups: the best of each method first, then others. It also returns the criterion in words.
func (s *StudyView) best(most int) (groups []*group, by string) {
	target, q, sign := fold.TheEnd, metric(s.mainMetrics()[0]), 1.0
	by = "the best in " + q.column.Name + " at the end"
	if len(s.Summary.Targets) > 0 {
		target, q = 0, cost("payload_bytes")
		by = "those with the fewest bytes to " + s.targetName(0)
		if !slices.ContainsFunc(s.groups, func(g *group) bool { return s.measure(g, target, q).Value > 0 }) {
			q = cost("time_s")
			by = "the fastest to " + s.targetName(0)
		}
	} else if s.moreIsBetter(q.Metric) {
		sign = -1
	}
	by += ", each method's best first"
	rank := map[*group]float64{}
	for _, g := range s.groups {
		rank[g] = math.Inf(1)
		if m := s.measure(g, target, q); m.Value.Finite() && (g.Ended > 0 || target != fold.TheEnd) {
			rank[g] = sign * float64(m.Value)
		}
	}
	order := slices.Clone(s.groups)
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(rank[a], rank[b]) })
	seen := map[int]bool{}
	var first, others []*group
	for _, g := range order {
		if seen[g.Label] {
			others = append(others, g)
		} else {
			first, seen[g.Label] = append(first, g), true
		}
	}
	chosen := append(first, others...)[:most]
	return slices.DeleteFunc(slices.Clone(s.groups), func(g *group) bool { return !slices.Contains(chosen, g) }), by
}

// pointRows returns a row for each grid point.
func (s *StudyView) pointRows() []figureRow {
	return s.rowsBy(func(g *group) string { return s.Summary.Points[g.Point].Name })
}

// rowsBy returns a row for each name of groups.
func (s *StudyView) rowsBy(name func(*group) string) []figureRow {
	var rows []figureRow
	for _, g := range s.groups {
		title := name(g)
		i := slices.IndexFunc(rows, func(r figureRow) bool { return r.title == title })
		if i < 0 {
			i, rows = len(rows), append(rows, figureRow{title: title})
		}
		rows[i].groups = append(rows[i].groups, g)
	}
	return rows
}

// figure draws the rows.
func (s *StudyView) figure(rows []figureRow, note string) (figure.Figure, error) {
	f := figure.Figure{Title: escape.Name(s.Name), ShareY: true, Width: s.FigureWidth, FontSize: s.FontSize}
	if s.seeds() {
		f.Notes = append(f.Notes,
			fmt.Sprintf("Medians of %d seeds, and bands between the quartiles; runs that ended earlier are carried on with "+
				"their last value.", len(s.Summary.Seeds)))
		if slices.ContainsFunc(s.groups, func(g *group) bool { return g.Ended < len(g.runs) }) {
			f.Notes = append(f.Notes, "Runs that diverged, stalled or failed count as infinite after their end.")
		}
	}
	if note != "" {
		f.Notes = append(f.Notes, note)
	}
	curves := make([][]curve, len(rows))
	var ill []string
	for i, row := range rows {
		for _, g := range row.groups {
			c, ok, err := s.curve(g, row.metric, row.withPoint)
			if err != nil {
				return f, err
			}
			switch {
			case ok:
				c.look = row.look(g)
				curves[i] = append(curves[i], c)
			case 2*g.Ended < len(g.runs):
				ill = list.Add(ill, c.label)
			}
		}
	}
	if len(ill) > 0 {
		f.Notes = append(f.Notes, "Without a curve, since fewer than half of the runs ended well: "+
			strings.Join(ill, "; ")+".")
	}
	over, drawn := metrics.AxisCosts(), drawnAxes(curves)
	f.Columns = len(drawn)
	for i, row := range rows {
		if len(curves[i]) == 0 {
			continue
		}
		log := s.logarithmic(row.metric, curves[i])
		within, cut := limited(curves[i], log)
		if cut != "" && !slices.Contains(f.Notes, cut) {
			f.Notes = append(f.Notes, cut)
		}
		for k, a := range drawn {
			plot := figure.Plot{XLabel: over[a].Label(), XUnit: quantity.UnitOf(over[a].Unit), YLabel: s.readable(row.metric),
				LogY: log, Levels: s.levels(row.metric)}
			if k == (len(drawn)-1)/2 {
				plot.Title = row.title
			}
			f.Panels = append(f.Panels, panel(within, plot, a))
		}
	}
	if slices.ContainsFunc(f.Panels, func(p figure.Plot) bool { return len(p.Marks) > 0 }) {
		f.Notes = append(f.Notes, "Rings mark the target.")
	}
	return f, nil
}

// panel draws the curves over one of the axes. If the costs of the methods lie far apart, the axis is logarithmic
// and begins after the starting point, which costs next to nothing.
func panel(curves []curve, p figure.Plot, axis int) figure.Plot {
	var ends []float64
	for _, c := range setting(curves) {
		if x := c.over[axis]; len(x) > 0 {
			ends = append(ends, x[len(x)-1])
		}
	}
	p.LogX = figure.FarApart(ends)
	for _, c := range curves {
		x, y, low, high := c.over[axis], c.values, c.low, c.high
		if p.LogX && len(x) > 1 && c.over[0][0] == 0 {
			x, y = x[1:], y[1:]
			if low != nil {
				low, high = low[1:], high[1:]
			}
		}
		p.Series = append(p.Series, figure.Series{Label: c.label, Look: c.look, X: x, Y: y, Low: low, High: high})
		if c.reached == nil {
			continue
		}
		at := c.reached[axis]
		if y := height(x, y, at, p.LogX, p.LogY); !math.IsNaN(y) && !math.IsInf(y, 0) {
			p.Marks = append(p.Marks, figure.Mark{X: at, Y: y})
		}
	}
	return p
}

// readable returns the name of a metric in pictures.
func (s *StudyView) readable(metric string) string {
	return fold.MetricWords(metric, s.fold.Title(metric))
}

// levels returns the values of a metric in the targets.
func (s *StudyView) levels(metric string) []float64 {
	var all []float64
	for _, t := range s.Summary.Targets {
		for _, c := range t.Conditions {
			if c.Metric == metric {
				all = list.Add(all, c.Value)
			}
		}
	}
	return all
}
