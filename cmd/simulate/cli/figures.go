package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// maxCurves is how many lines of one panel can still be told apart.
const maxCurves = 8

// maxPointRows is how many rows of panels fit a page.
const maxPointRows = 4

type namedFigure struct {
	name   string // of the files
	figure render.Figure
}

// figures returns the pictures of the study: how the main metrics, and the accuracy
// where there is one, go with iterations, bytes and simulated time. A study with too
// many curves for one panel has a row of panels for each grid point instead; the notes
// say so where these are too many as well.
func (s *overview) figures() (figures []namedFigure, notes []string, err error) {
	main := mainMetrics(s.targets, s.metrics)
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
			figures = append(figures, namedFigure{name, f})
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
func (s *overview) pointRows() []figureRow {
	var rows []figureRow
	for _, g := range s.groups {
		title := pointText(s.shortPoint(g), " ")
		i := slices.IndexFunc(rows, func(r figureRow) bool { return r.title == title })
		if i < 0 {
			i, rows = len(rows), append(rows, figureRow{title: title})
		}
		rows[i].groups = append(rows[i].groups, g)
	}
	return rows
}

// shortPoint returns the grid point of a group with short keys.
func (s *overview) shortPoint(g *group) result.Settings {
	var p result.Settings
	for _, set := range g.point {
		p = append(p, result.Setting{Key: shortKey(set.Key, s.keys), Value: set.Value})
	}
	return p
}

// curve is a group's metric and costs, averaged over its seeds where they have the
// same iterations.
type curve struct {
	label                                string
	iterations, payload, seconds, values []float64
}

func (s *overview) curve(g *group, name string, withPoint bool) (curve, bool, error) {
	c := curve{label: g.label}
	if withPoint && len(g.point) > 0 {
		c.label += ", " + pointText(s.shortPoint(g), " ")
	}
	var runs []*result.Run
	for _, r := range g.runs {
		full, err := r.Full()
		if err != nil {
			return c, false, err
		}
		if slices.Contains(r.Metrics, name) && len(full.Samples) > 0 && (ended(r.Status) || len(g.runs) == 1) {
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
		if higherIsBetter(name) && runs[0].Samples[k].Iteration == 0 {
			continue // a model of zeros classifies nothing, and would set the scale
		}
		var views []view
		for _, r := range runs {
			if r.Samples[k].Iteration == runs[0].Samples[k].Iteration {
				views = append(views, view{r, &r.Samples[k]})
			}
		}
		if len(views) < len(runs) {
			break
		}
		c.iterations = append(c.iterations, iterations().mean(views))
		c.payload = append(c.payload, payload().mean(views))
		c.seconds = append(c.seconds, simulatedTime("").mean(views))
		c.values = append(c.values, metric(name).mean(views))
	}
	return c, true, nil
}

// figure draws the rows.
func (s *overview) figure(rows []figureRow) (render.Figure, error) {
	f := render.Figure{Title: s.scenario.Name, ShareY: true, Columns: 3}
	if s.seeds {
		f.Title += fmt.Sprintf(" (means of %d seeds, as long as all run)", len(s.scenario.Seeds))
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
		log := !higherIsBetter(row.metric) && row.metric != "objective" && allPositive(curves)
		over := func(label string, unit render.Unit, cost func(curve) []float64) {
			f.Panels = append(f.Panels, panel(curves, render.Plot{XLabel: label, XUnit: unit, YLabel: row.metric, LogY: log}, cost))
		}
		over("iterations", render.NoUnit, func(c curve) []float64 { return c.iterations })
		over("payload bytes", render.ByteUnit, func(c curve) []float64 { return c.payload })
		over("simulated time", render.SecondUnit, func(c curve) []float64 { return c.seconds })
		f.Panels[len(f.Panels)-2].Title = row.title
	}
	return f, nil
}

// panel draws the curves over one cost. Where the costs of the methods lie far apart
// the axis is logarithmic, and begins after the starting point, which costs next to nothing.
func panel(curves []curve, p render.Plot, cost func(curve) []float64) render.Plot {
	const farApart = 10
	least, most := math.Inf(1), 0.0
	for _, c := range curves {
		if x := cost(c); len(x) > 0 {
			least, most = min(least, x[len(x)-1]), max(most, x[len(x)-1])
		}
	}
	p.LogX = least > 0 && most > farApart*least && p.XUnit != render.NoUnit
	for _, c := range curves {
		x, y := cost(c), c.values
		if p.LogX && len(x) > 1 && c.iterations[0] == 0 {
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
