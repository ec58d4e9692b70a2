package views

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// StudyView is what is shown of a study. The exported fields may be set before it is shown.
type StudyView struct {
	Name, About string
	Facts       []string // of the graph, the links and the problem
	Claims      []result.Claim
	Papers      []result.PaperTable
	Drawn       []result.PaperFigure
	Network     NetworkSize // at the first grid point
	Paths       bool        // the iterates of all samples were kept, and are drawn
	// Landmarks returns points of the plane of y to be marked at a grid point; may be nil.
	Landmarks func(at result.Settings) []figure.Mark
	// FigureWidth and FontSize are those of figures, in points; 0: see figure.Figure.
	FigureWidth, FontSize float64
	// Summary is the statistics of all runs, with the answer in words.
	Summary *fold.Summary

	runs []result.Run
	fold *fold.Fold
	// Without a target the runs are compared at an accuracy that all reached: level, which
	// may be nil, and the statistics to it.
	level  *result.Target
	common *fold.Summary
	groups []*group
	more   []string // metrics for which more is better
	// measured are the quantities that tables have asked for: each is in several forms of a table.
	measured map[measuredKey]fold.Measured
}

// measuredKey names what Fold.Measure is asked for.
type measuredKey struct {
	point, label, target int
	costs, metric        string
}

// New folds the runs of a study, which may be brief: they are loaded one at a time.
func New(runs []result.Run, o fold.Options) (*StudyView, error) {
	s := &StudyView{runs: runs, fold: fold.New(o), more: o.More,
		measured: map[measuredKey]fold.Measured{}}
	for i := range runs {
		full, err := runs[i].Full()
		if err != nil {
			return nil, err
		}
		if err := s.fold.Add(full); err != nil {
			return nil, err
		}
	}
	s.Summary = s.fold.Summary()
	names := escape.Names(s.Summary.Labels)
	for i := range s.Summary.Groups {
		g := &group{Group: &s.Summary.Groups[i]}
		g.label, g.point = names[g.Label], s.Summary.Points[g.Point].Settings
		for _, r := range s.fold.Runs(g.Point, g.Label) {
			g.runs = append(g.runs, &runs[r])
		}
		s.groups = append(s.groups, g)
	}
	if err := s.foldCommon(o); err != nil {
		return nil, err
	}
	s.Ask("")
	return s, nil
}

// Ask gives the study its question, which says what its answer begins with.
func (s *StudyView) Ask(about string) {
	s.About = about
	answer := s.Answer()
	s.Summary.Sentences = answer.Lines()
}

// foldCommon sums the runs up at the accuracy that all reached, if no target was asked for.
func (s *StudyView) foldCommon(o fold.Options) error {
	level := s.commonLevel()
	if level == nil {
		return nil
	}
	o.Targets = []result.Target{*level}
	f := fold.New(o)
	for i := range s.runs {
		full, err := s.runs[i].Full()
		if err != nil {
			return err
		}
		if len(full.Samples) == 0 || !full.Measures(*level) {
			continue
		}
		if err := f.Add(full); err != nil {
			return err
		}
	}
	sum := f.Summary()
	iterations := slices.IndexFunc(sum.Outcomes, func(o fold.Outcome) bool { return o.ID == "to[0].iterations" })
	if iterations < 0 || slices.ContainsFunc(sum.Groups, func(g fold.Group) bool {
		m := g.Values[iterations]
		return g.Ended > 0 && !(m.Min > 0) // it holds from the start, and says nothing
	}) {
		return nil
	}
	s.level, s.common = level, sum
	return nil
}

// group is the runs of one method at one grid point: one for each seed.
type group struct {
	*fold.Group
	label string // for people; Summary.Labels has it as it is
	point result.Settings
	runs  []*result.Run
}

// status says how the runs of the group ended: "reached", "9 reached, 1 diverged".
func (g *group) status() string {
	if len(g.runs) == 1 {
		return string(g.runs[0].Status)
	}
	return g.Statuses.String()
}

// theEnd stands, among targets, for the end of each run.
const theEnd = -1

// targetName names a target in titles.
func (s *StudyView) targetName(t int) string {
	if t == theEnd {
		return "the end"
	}
	return s.Summary.Targets[t].Name
}

// isStudy reports whether there are several seeds or grid points.
func (s *StudyView) isStudy() bool { return s.seeds() || len(s.Summary.Keys) > 0 }

func (s *StudyView) seeds() bool { return len(s.Summary.Seeds) > 1 }

// keys returns the swept keys.
func (s *StudyView) keys() []string {
	var keys []string
	for _, k := range s.Summary.Keys {
		keys = append(keys, k.Name)
	}
	return keys
}

// observable is a column: something that a run has at any moment.
type observable struct {
	column table.Column
	fold.Quantity
}

// cost is a column of a cost, by its ID; as names it, where that is not the cost's own name.
func cost(id, as string) observable { return costs(as, id) }

// costs is a column of the sum of some costs of one unit.
func costs(name string, ids ...string) observable {
	item := metrics.FindCost(ids[0])
	if name == "" {
		name = item.Name
	}
	return observable{table.Column{Name: name, Unit: item.Unit}, fold.Quantity{Costs: ids}}
}

func metric(name string) observable {
	return observable{table.Column{Name: name, Unit: metrics.Number}, fold.Quantity{Metric: name}}
}

// measure is what the group has of a observable at a target.
func (s *StudyView) measure(g *group, target int, q observable) fold.Measured {
	key := measuredKey{g.Point, g.Label, target, strings.Join(q.Costs, " "), q.Metric}
	m, known := s.measured[key]
	if !known {
		m = s.fold.Measure(g.Point, g.Label, target, q.Quantity)
		s.measured[key] = m
	}
	return m
}

// cell shows what the group has of a observable: a whole number as one, where it is.
func (s *StudyView) cell(g *group, target int, q observable) table.Cell {
	return number(s.measure(g, target, q).Value)
}

// reached says how many of the group's runs reached a target; at the end, how many ended well.
func (s *StudyView) reached(g *group, target int) int {
	if target == theEnd {
		return g.Ended
	}
	return s.measure(g, target, cost("iterations", "")).Reached
}

// outcome says whether the runs reached the target, or how they ended.
func (s *StudyView) outcome(g *group, target int) string {
	n := s.reached(g, target)
	switch {
	case target == theEnd:
		return g.status()
	case len(g.runs) > 1:
		return fmt.Sprintf("%d/%d", n, len(g.runs))
	case n == 1:
		return "yes"
	case g.runs[0].Status.Ended():
		return "no"
	}
	return g.status()
}

func (s *StudyView) moreIsBetter(metric string) bool { return slices.Contains(s.more, metric) }

// mainMetrics returns the metrics that tell how far a run is: those of the targets, or
// grad_norm2, or the first of those shown unasked, or the first that there is.
func (s *StudyView) mainMetrics() []string {
	var main []string
	for _, t := range s.Summary.Targets {
		for _, c := range t.Conditions {
			if !slices.Contains(main, c.Metric) {
				main = append(main, c.Metric)
			}
		}
	}
	names, headlines := s.fold.Metrics(), s.fold.Headlines()
	switch {
	case len(main) > 0:
		return main
	case slices.Contains(names, "grad_norm2") || len(names) == 0:
		return []string{"grad_norm2"}
	case len(headlines) > 0:
		return headlines[:1]
	}
	return names[:1]
}

// headlines returns the metrics that are shown beside the main ones without being asked for.
func (s *StudyView) headlines() []string {
	main := s.mainMetrics()
	return slices.DeleteFunc(s.fold.Headlines(), func(m string) bool { return slices.Contains(main, m) })
}

// ShortKey returns the last part of a swept key, or all of it if that would be
// ambiguous.
func ShortKey(key string, keys []string) string {
	last := func(k string) string { return k[strings.LastIndexByte(k, '.')+1:] }
	n := 0
	for _, k := range keys {
		if last(k) == last(key) {
			n++
		}
	}
	if n > 1 {
		return key
	}
	return last(key)
}
