package papers

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Figures draws the scenario's figures, in the order of the file.
func (r *Results) Figures() ([]result.PaperFigure, error) {
	var all []result.PaperFigure
	for i := range r.Scenario.Figures {
		f := &r.Scenario.Figures[i]
		out := result.PaperFigure{Name: f.Name, Title: f.Title, Source: f.Source}
		for k := range f.Panels {
			p := &f.Panels[k]
			drawn := result.PaperPanel{Title: p.Title, X: p.X, PerNode: p.PerNode, Y: p.Y, LogX: p.LogX, LogY: p.LogY,
				Target: p.Target, Paths: p.Paths, Marks: r.printedMarks(p)}
			for _, c := range f.PanelCurves(p) {
				var curve result.PaperCurve
				var err error
				if p.Paths {
					curve, err = r.path(&c, &drawn)
				} else {
					curve, err = r.curve(&c, p)
				}
				if err != nil {
					return nil, err
				}
				drawn.Curves = append(drawn.Curves, curve)
			}
			out.Panels = append(out.Panels, drawn)
		}
		all = append(all, out)
	}
	return all, nil
}

// printedMarks returns the printed values of a panel. One axis has the head of a cell's column, the other its value.
func (r *Results) printedMarks(p *spec.PanelSpec) []result.Mark {
	var marks []result.Mark
	for _, pattern := range p.Printed {
		for _, f := range r.Scenario.Facts.Match(pattern) {
			if x, ok := f.Heads[p.X]; ok {
				marks = append(marks, result.Mark{Name: "printed", X: x, Y: f.Expected(0)})
			} else if y, ok := f.Heads[p.Y]; ok {
				marks = append(marks, result.Mark{Name: "printed", X: f.Expected(0), Y: y})
			}
		}
	}
	return marks
}

// curve folds the runs of a curve into one.
func (r *Results) curve(c *spec.CurveSpec, p *spec.PanelSpec) (result.PaperCurve, error) {
	out := result.PaperCurve{Label: c.Label, Reason: c.Unfit}
	if c.Compiled == nil {
		return out, nil
	}
	chosen, reason := c.Compiled.Evaluate(r.Runs)
	out.Reason = reason
	var tracks []fold.Track
	var ill []string
	for _, run := range chosen {
		t, err := trackOf(run, p)
		if err != nil {
			return out, err
		}
		if !run.Status.Ended() && len(chosen) > 1 {
			ill = append(ill, fmt.Sprintf("%s, seed %d: %s", run.Label, run.Seed, run.Status))
			t.Worst = []float64{fold.Worst(slices.Contains(r.Scenario.MoreIsBetter(), p.Y))}
		}
		if len(t.Iterations) > 0 || t.Worst != nil {
			tracks = append(tracks, t)
		}
	}
	if len(ill) > 0 {
		out.Reason = fmt.Sprintf("%d of %d runs did not end well and count as infinite after their end: %s", len(ill),
			len(chosen), strings.Join(ill, "; "))
	}
	folded := fold.FoldCurves(tracks)
	if len(folded.Iterations) == 0 {
		if out.Reason == "" {
			out.Reason = "no run has the metric " + p.Y
		}
		return out, nil
	}
	out.Runs, out.X, out.Mid = len(tracks), folded.Costs[0], folded.Mid[0]
	if out.Runs > 1 {
		out.Low, out.High = folded.Low[0], folded.High[0]
	}
	return out, nil
}

// path draws the path of the curve's first run. It names the axes of the panel and marks the points that the problem
// names.
func (r *Results) path(c *spec.CurveSpec, panel *result.PaperPanel) (result.PaperCurve, error) {
	out := result.PaperCurve{Label: c.Label, Reason: c.Unfit}
	if c.Compiled == nil {
		return out, nil
	}
	chosen, reason := c.Compiled.Evaluate(r.Runs)
	out.Reason = reason
	if len(chosen) == 0 {
		return out, nil
	}
	run, err := chosen[0].Full()
	if err != nil {
		return out, err
	}
	path := result.PathOf(run)
	if path.XLabel == "" {
		out.Reason = "no path in a plane: want one node, few coordinates, and record: {iterates: all}"
		return out, nil
	}
	out.Runs, out.X, out.Mid = 1, path.X, path.Y
	panel.X, panel.Y = path.XLabel, path.YLabel
	if path.OfY && panel.Marks == nil {
		panel.Marks = r.marks(run)
	}
	return out, nil
}

// marks returns the points of the plane of y that the problem of a run names.
func (r *Results) marks(run *result.Run) []result.Mark {
	i := slices.IndexFunc(r.Points, func(p spec.GridPoint) bool { return p.Settings().Equal(run.Point) })
	if i < 0 {
		return nil
	}
	in, err := build.Build(r.Points[i].Scenario, run.Seed, new(data.Loader))
	if err != nil {
		return nil
	}
	known, ok := in.Problem.(problems.Landmarked)
	if !ok {
		return nil
	}
	var marks []result.Mark
	for _, l := range known.Landmarks() {
		marks = append(marks, result.Mark{Name: l.Name, X: l.Y[0], Y: l.Y[1]})
	}
	return marks
}

// trackOf returns the panel's metric over its cost, from one run.
func trackOf(r *result.Run, p *spec.PanelSpec) (fold.Track, error) {
	t := fold.Track{Costs: make([][]float64, 1), Values: make([][]float64, 1)}
	full, err := r.Full()
	if err != nil {
		return t, err
	}
	m := slices.Index(full.Metrics, p.Y)
	if m < 0 {
		return fold.Track{}, nil
	}
	cost, share := metrics.FindCost(p.X), 1.0
	if p.PerNode {
		share = float64(max(1, len(full.Nodes)))
	}
	for i := range full.Samples {
		s := &full.Samples[i]
		t.Iterations = append(t.Iterations, s.Iteration)
		t.Costs[0] = append(t.Costs[0], cost.Value(&s.Moment)/share)
		t.Values[0] = append(t.Values[0], s.Values[m])
	}
	return t, nil
}
