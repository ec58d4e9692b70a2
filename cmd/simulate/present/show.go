package present

import (
	"math"
	"slices"
	"strings"

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
	shown.Name, shown.About, shown.Facts = s.Name, strings.Join(strings.Fields(s.About), " "), report.Facts
	var found []result.Crossover
	if report.Answer != nil {
		found = slices.DeleteFunc(slices.Clone(report.Answer.Crossovers), func(c result.Crossover) bool {
			return c.Method != "retimed" && c.Method != "runs"
		})
	}
	if err := shown.Ask(s.Ask, found); err != nil {
		return nil, err
	}
	report.Answer = shown.Answer()
	shown.Claims, shown.Papers = report.Claims, report.Tables
	if shown.Drawn, err = st.Figures(report.Runs); err != nil {
		return nil, err
	}
	shown.Network = views.NetworkSize{Nodes: s.Topology.Nodes, DataNodes: s.Topology.DataNodes()}
	shown.Paths = s.Record.String("iterates") == "all"
	shown.Landmarks = func(at result.Settings) []figure.Mark { return landmarks(st, at) }
	return shown, nil
}

// cells returns how the choices rank in each setting, in the first of what decides, with intervals of a confidence.
func cells(s *spec.Scenario, runs []result.Run, level float64) ([]result.Cell, error) {
	o := options(s)
	o.Level = level
	v, err := views.New(runs, o)
	if err != nil {
		return nil, err
	}
	if err := v.Ask(s.Ask, nil); err != nil {
		return nil, err
	}
	a := v.Answer()
	others := func(c result.Cell) bool { return c.By != a.Question.By[0] }
	return slices.DeleteFunc(slices.Clone(a.Cells), others), nil
}

// Decided reports whether intervals of a confidence decide the margin of the best choice over the next in each
// setting, in the first of what decides.
func Decided(s *spec.Scenario, runs []result.Run, level float64) (bool, error) {
	all, err := cells(s, runs, level)
	return !slices.ContainsFunc(all, func(c result.Cell) bool {
		return len(c.Choices) > 1 && !c.Choices[1].Ratio.Decides(s.Until/100)
	}), err
}

// Changes returns where the answer in the first of what decides changes along a numeric key: the best choice, or
// whether there is one.
func Changes(s *spec.Scenario, runs []result.Run) ([]study.Gap, error) {
	cells, err := cells(s, runs, 0)
	if err != nil {
		return nil, err
	}
	var gaps []study.Gap
	for _, x := range cells {
		for k, at := range x.At {
			low, _ := keys.Quantity(at.Text())
			gap, changes := study.Gap{Key: at.Key, Low: low, High: math.Inf(1)}, false
			for _, y := range cells {
				if len(y.At) != len(x.At) || x.Level != y.Level || !besides(x.At, k).Equal(besides(y.At, k)) {
					continue
				}
				if high, _ := keys.Quantity(y.At[k].Text()); high > low && high < gap.High {
					gap.High = high
					changes = min(x.Best, y.Best) <= 1 && max(x.Best, y.Best) > 0 &&
						(x.Best != y.Best || x.Choices[0].Name != y.Choices[0].Name)
				}
			}
			if changes {
				gaps = append(gaps, gap)
			}
		}
	}
	return gaps, nil
}

// besides returns settings without one of them.
func besides(s result.Settings, k int) result.Settings { return slices.Delete(slices.Clone(s), k, k+1) }

// Forecasts returns the tables of the predicted costs of a scenario's runs.
func Forecasts(s *spec.Scenario, all []result.Forecast) []table.Table {
	return views.ForecastTables(all, options(s))
}

// options returns how the runs of a scenario are summarized.
func options(s *spec.Scenario) fold.Options {
	targets := s.Targets()
	if s.Ask != nil && s.Ask.To != nil && s.Ask.To.Relative() {
		targets = slices.Insert(targets, 0, *s.Ask.To)
	}
	return fold.Options{
		Targets: targets, More: s.MoreIsBetter(), Seed: s.Seeds[0],
		Headlines: s.Headlines, Titles: s.Titles(), Agree: s.WithAgreement,
		KeyTitle: s.KeyTitle, LabelOf: s.LabelOf,
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
