package present

import (
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/build"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// Show prepares the tables, plots and sentences of a result of a study.
func Show(st *study.Study, report *result.Report) (*views.StudyView, error) {
	s := st.Scenario
	shown, err := views.New(report.Runs, options(s))
	if err != nil {
		return nil, err
	}
	shown.Name, shown.Facts = s.Name, report.Facts
	shown.Ask(s.About)
	shown.Claims, shown.Papers = report.Claims, report.Tables
	if shown.Drawn, err = st.Figures(report.Runs); err != nil {
		return nil, err
	}
	shown.Network = views.NetworkSize{Nodes: s.Topology.Nodes, DataNodes: s.Topology.DataNodes()}
	shown.Paths = s.Record.String("iterates") == "all"
	shown.Landmarks = func(at result.Settings) []figure.Mark { return landmarks(st, at) }
	return shown, nil
}

// Forecasts returns the tables of the predicted costs of a scenario's runs.
func Forecasts(s *spec.Scenario, all []result.Forecast) []table.Table {
	return views.ForecastTables(all, options(s))
}

// options returns how the runs of a scenario are summarized.
func options(s *spec.Scenario) fold.Options {
	return fold.Options{
		Targets: s.Targets(), More: s.MoreIsBetter(), Seed: s.Seeds[0],
		Headlines: s.Headlines, Titles: s.Titles(), Agree: s.WithAgreement,
		KeyTitles: s.KeyTitles, LabelOf: s.LabelOf,
		Number: func(set result.Setting) (float64, bool) { return keys.Quantity(set.Text()) },
	}
}

// landmarks returns the points in the plane of y that the problem at a grid point names. It ignores
// errors, since the study reported them before it ran.
func landmarks(st *study.Study, at result.Settings) []figure.Mark {
	s := st.At(at)
	if s == nil {
		return nil
	}
	in, err := build.Build(s, s.Seeds[0], new(data.Loader))
	if err != nil {
		return nil
	}
	known, ok := in.Problem.(problems.Landmarked)
	if !ok {
		return nil
	}
	var marks []figure.Mark
	for _, l := range known.Landmarks() {
		marks = append(marks, figure.Mark{Label: l.Name, X: l.Y[0], Y: l.Y[1]})
	}
	return marks
}
