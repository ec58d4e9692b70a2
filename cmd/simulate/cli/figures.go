package cli

import (
	"fmt"
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/render"
)

// maxCurves is how many lines of one panel can still be told apart.
const maxCurves = 8

type namedFigure struct {
	name   string // of the files
	figure render.Figure
}

// figures returns the pictures of the study: how the main metrics, and the accuracy
// where there is one, go with iterations, bytes and simulated time. The notes say why
// one is missing.
func (s *summary) figures() (figures []namedFigure, notes []string) {
	if len(s.groups) > maxCurves {
		return nil, []string{fmt.Sprintf("no plots: %d methods and grid points are too many curves for one panel; iterations.csv has them all", len(s.groups))}
	}
	add := func(name string, metrics ...string) {
		if f := s.figure(metrics); len(f.Panels) > 0 {
			figures = append(figures, namedFigure{name, f})
		}
	}
	main := mainMetrics(s.targets, s.metrics)
	add("convergence", main...)
	if !slices.Contains(main, "test_accuracy") {
		add("accuracy", "test_accuracy")
	}
	return figures, nil
}

// curve is a group's metric and costs, averaged over its seeds where they have the
// same iterations.
type curve struct {
	label                                string
	iterations, payload, seconds, values []float64
}

func (s *summary) curve(g *group, name string) (curve, bool) {
	c := curve{label: g.label}
	if len(g.point) > 0 {
		var p metrics.Point
		for _, set := range g.point {
			p = append(p, metrics.Setting{Key: shortKey(set.Key, s.keys), Value: set.Value})
		}
		c.label += ", " + pointText(p, " ")
	}
	var runs []*metrics.Run
	for _, r := range g.runs {
		if slices.Contains(r.Metrics, name) && len(r.Samples) > 0 && (ended(r.Status) || len(g.runs) == 1) {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return c, false
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
	return c, true
}

// figure has a row for each metric, which it draws over three measures of cost.
func (s *summary) figure(names []string) render.Figure {
	f := render.Figure{Title: s.scenario.Name, ShareY: true, Columns: 3}
	if s.seeds {
		f.Title += fmt.Sprintf(" (means of %d seeds, as long as all run)", len(s.scenario.Seeds))
	}
	for _, name := range names {
		var curves []curve
		for _, g := range s.groups {
			if c, ok := s.curve(g, name); ok {
				curves = append(curves, c)
			}
		}
		if len(curves) == 0 {
			continue
		}
		log := !higherIsBetter(name) && name != "objective" && allPositive(curves)
		f.Panels = append(f.Panels,
			panel(curves, render.Plot{XLabel: "iterations", YLabel: name, LogY: log}, func(c curve) []float64 { return c.iterations }),
			panel(curves, render.Plot{XLabel: "payload bytes", XUnit: render.ByteUnit, YLabel: name, LogY: log}, func(c curve) []float64 { return c.payload }),
			panel(curves, render.Plot{XLabel: "simulated time", XUnit: render.SecondUnit, YLabel: name, LogY: log}, func(c curve) []float64 { return c.seconds }),
		)
	}
	return f
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
