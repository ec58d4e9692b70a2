package present

import (
	"slices"

	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/metrics/study"
	"tallynet/metrics/views"
	"tallynet/scenarios"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

// Show prepares the tables, plots and sentences of a result.
func Show(s *scenarios.Scenario, report *result.Report) (*views.StudyView, error) {
	shown, err := views.New(report.Runs, options(s))
	if err != nil {
		return nil, err
	}
	shown.Name, shown.About, shown.Facts = s.Name, s.About, report.Facts
	shown.Claims, shown.Papers = report.Claims, report.Tables
	st, err := scenarios.Reread(s)
	if err == nil {
		shown.Drawn, err = st.Figures(report.Runs)
	}
	if err != nil {
		return nil, err
	}
	shown.Network = views.NetworkSize{Nodes: s.Topology.Nodes, DataNodes: s.Topology.DataNodes()}
	shown.Paths = s.Record.String("iterates") == "all"
	shown.Landmarks = func(at result.Settings) []render.Mark { return landmarks(s, at) }
	return shown, nil
}

// options say how the runs of a scenario are summed up.
func options(s *scenarios.Scenario) study.Options {
	return study.Options{
		Targets: s.Targets(), More: s.MoreIsBetter(), Seed: s.Seeds[0],
		Headlines: s.Headlines, Titles: s.Titles(),
		Number: func(set result.Setting) (float64, bool) { return keys.Quantity(set.Text()) },
	}
}

// landmarks returns the points of the plane of y that the problem of a grid point names.
// Errors are ignored: the study has reported them before it ran.
func landmarks(s *scenarios.Scenario, at result.Settings) []render.Mark {
	points, err := s.Points()
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(points, func(p scenarios.GridPoint) bool { return p.Metrics().Equal(at) })
	if i < 0 {
		return nil
	}
	in, err := points[i].Scenario.Build(s.Seeds[0], new(data.Loader))
	if err != nil {
		return nil
	}
	known, ok := in.Problem.(problems.Landmarked)
	if !ok {
		return nil
	}
	var marks []render.Mark
	for _, l := range known.Landmarks() {
		marks = append(marks, render.Mark{Label: l.Name, X: l.Y[0], Y: l.Y[1]})
	}
	return marks
}
