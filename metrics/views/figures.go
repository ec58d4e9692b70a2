package views

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"

	"gonum.org/v1/gonum/stat"
)

// maxCurves is how many lines of one panel can still be told apart.
const maxCurves = 8

// maxPointRows is how many rows of panels fit a page.
const maxPointRows = 4

// Figure is a picture with the name of its files.
type Figure struct {
	Name string
	render.Figure
}

// Figures returns the pictures of the study: how the main metrics, and the accuracy
// where there is one, go with iterations, bytes and simulated time. A study with too
// many curves for one panel has a row of panels for each grid point instead; the notes
// say so where these are too many as well.
func (s *Study) Figures() (figures []Figure, notes []string, err error) {
	main := s.mainMetrics()
	rows := func(metrics ...string) (rows []figureRow) {
		for _, m := range metrics {
			rows = append(rows, figureRow{metric: m, groups: s.groups})
		}
		return rows
	}
	if len(s.groups) > maxCurves {
		byPoint := s.pointRows()
		if len(byPoint) > maxPointRows || len(byPoint[0].groups) > maxCurves {
			return nil, []string{fmt.Sprintf("no plots: %d methods and grid points are too many curves; iterations.csv has them all", len(s.groups))}, nil
		}
		rows = func(metrics ...string) []figureRow {
			rows := slices.Clone(byPoint)
			for i := range rows {
				rows[i].metric = metrics[0]
			}
			return rows
		}
	}
	add := func(name string, metrics ...string) {
		f, wrong := s.figure(rows(metrics...))
		err = errors.Join(err, wrong)
		if len(f.Panels) > 0 {
			figures = append(figures, Figure{name, f})
		}
	}
	add("convergence", main...)
	if !slices.Contains(main, "test_accuracy") {
		add("accuracy", "test_accuracy")
	}
	return figures, nil, err
}

// figureRow is a metric of some groups, over three measures of cost.
type figureRow struct {
	metric string
	title  string // the grid point, where the row is of one
	groups []*group
}

// pointRows returns a row for each grid point.
func (s *Study) pointRows() []figureRow {
	var rows []figureRow
	for _, g := range s.groups {
		title := s.shortPoint(g).Text(" ")
		i := slices.IndexFunc(rows, func(r figureRow) bool { return r.title == title })
		if i < 0 {
			i, rows = len(rows), append(rows, figureRow{title: title})
		}
		rows[i].groups = append(rows[i].groups, g)
	}
	return rows
}

// shortPoint returns the grid point of a group with short keys.
func (s *Study) shortPoint(g *group) result.Settings {
	var p result.Settings
	for _, set := range g.point {
		p = append(p, result.Setting{Key: shortKey(set.Key, s.keys()), Value: set.Value})
	}
	return p
}

// curve is a group's metric and costs, averaged over its seeds where they have the
// same iterations.
type curve struct {
	label  string
	over   [][]float64 // by axis
	values []float64
}

func (s *Study) curve(g *group, name string, withPoint bool) (curve, bool, error) {
	c := curve{label: g.label, over: make([][]float64, len(axes()))}
	if withPoint && len(g.point) > 0 {
		c.label += ", " + s.shortPoint(g).Text(" ")
	}
	var runs []*result.Run
	for _, r := range g.runs {
		full, err := r.Full()
		if err != nil {
			return c, false, err
		}
		if slices.Contains(r.Metrics, name) && len(full.Samples) > 0 && (r.Status.Ended() || len(g.runs) == 1) {
			runs = append(runs, full)
		}
	}
	if len(runs) == 0 {
		return c, false, nil
	}
	shortest := len(runs[0].Samples)
	for _, r := range runs {
		shortest = min(shortest, len(r.Samples))
	}
	for k := range shortest {
		if s.moreIsBetter(name) && runs[0].Samples[k].Iteration == 0 {
			continue // a model of zeros classifies nothing, and would set the scale
		}
		var at []*result.Sample
		var values []float64
		for _, r := range runs {
			if r.Samples[k].Iteration == runs[0].Samples[k].Iteration {
				at, values = append(at, &r.Samples[k]), append(values, r.Samples[k].Values[slices.Index(r.Metrics, name)])
			}
		}
		if len(at) < len(runs) {
			break
		}
		c.values = append(c.values, stat.Mean(values, nil))
		for i, axis := range axes() {
			over := make([]float64, len(at))
			for r, sample := range at {
				over[r] = axis.cost.Value(&sample.Moment)
			}
			c.over[i] = append(c.over[i], stat.Mean(over, nil))
		}
	}
	return c, true, nil
}

// axis is a cost over which metrics are drawn.
type axis struct {
	cost  *metrics.CostItem
	label string
	unit  render.Unit
}

func axes() []axis {
	return []axis{
		{metrics.FindCost("iterations"), "iterations", render.NoUnit},
		{metrics.FindCost("payload_bytes"), "payload bytes", render.ByteUnit},
		{metrics.FindCost("time_s"), "simulated time", render.SecondUnit},
	}
}

// figure draws the rows.
func (s *Study) figure(rows []figureRow) (render.Figure, error) {
	f := render.Figure{Title: s.Name, ShareY: true, Columns: 3}
	if s.seeds() {
		f.Title += fmt.Sprintf(" (means of %d seeds, as long as all run)", len(s.Summary.Seeds))
	}
	for _, row := range rows {
		var curves []curve
		for _, g := range row.groups {
			c, ok, err := s.curve(g, row.metric, row.title == "")
			if err != nil {
				return f, err
			}
			if ok {
				curves = append(curves, c)
			}
		}
		if len(curves) == 0 {
			continue
		}
		log := !s.moreIsBetter(row.metric) && row.metric != "objective" && allPositive(curves)
		for i, axis := range axes() {
			plot := render.Plot{XLabel: axis.label, XUnit: axis.unit, YLabel: row.metric, LogY: log}
			f.Panels = append(f.Panels, panel(curves, plot, i))
		}
		f.Panels[len(f.Panels)-2].Title = row.title
	}
	return f, nil
}

// panel draws the curves over one of the axes. Where the costs of the methods lie far apart
// the axis is logarithmic, and begins after the starting point, which costs next to nothing.
func panel(curves []curve, p render.Plot, axis int) render.Plot {
	const farApart = 10
	least, most := math.Inf(1), 0.0
	for _, c := range curves {
		if x := c.over[axis]; len(x) > 0 {
			least, most = min(least, x[len(x)-1]), max(most, x[len(x)-1])
		}
	}
	p.LogX = least > 0 && most > farApart*least && p.XUnit != render.NoUnit
	for _, c := range curves {
		x, y := c.over[axis], c.values
		if p.LogX && len(x) > 1 && c.over[0][0] == 0 {
			x, y = x[1:], y[1:]
		}
		p.Series = append(p.Series, render.Series{Label: c.label, X: x, Y: y})
	}
	return p
}

func allPositive(curves []curve) bool {
	return !slices.ContainsFunc(curves, func(c curve) bool {
		return slices.ContainsFunc(c.values, func(v float64) bool { return v <= 0 })
	})
}
