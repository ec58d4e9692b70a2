package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// StudyView presents a study. The exported fields may be set before it is used.
type StudyView struct {
	Name, About string
	Facts       []string // of the graph, the links and the problem
	Claims      []result.Claim
	Papers      []result.PaperTable
	Drawn       []result.PaperFigure
	Network     NetworkSize // at the first grid point
	Paths       bool        // the iterates of all samples were kept, and are drawn
	// Landmarks returns the points of the plane of y to mark at a grid point. It may be nil.
	Landmarks func(at result.Settings) []figure.Mark
	// FigureWidth and FontSize of figures are in points; 0 is the default of figure.Figure.
	FigureWidth, FontSize float64
	// Summary is the statistics of all runs, with the answer in words.
	Summary *fold.Summary

	runs     []result.Run
	fold     *fold.Fold
	options  fold.Options
	answered *result.Answer // nil before Ask
	// AtLevels has the statistics at the levels among which the answer is looked for, of which main is the one that is
	// asked for. It is nil if there are none.
	atLevels *fold.Fold
	main     int
	groups   []*group
	more     []string           // metrics for which more is better
	starts   map[string]float64 // by metric: the largest value at which a run starts
	// measured caches measure: each form of a table asks for the same quantities.
	measured map[measuredKey]fold.Measured
}

// measuredKey is the arguments of Fold.Measure.
type measuredKey struct {
	point, label, target int
	costs, metric        string
}

// New returns the view of a study. The runs may be brief: New loads them one at a time.
func New(runs []result.Run, o fold.Options) (*StudyView, error) {
	o.Own = atFloors(runs, o.Targets)
	s := &StudyView{runs: runs, fold: fold.New(o), options: o, more: o.More, starts: map[string]float64{},
		measured: map[measuredKey]fold.Measured{}}
	for i := range runs {
		full, err := runs[i].Full()
		if err != nil {
			return nil, err
		}
		if err := s.fold.Add(full); err != nil {
			return nil, err
		}
		if len(full.Samples) > 0 {
			for m, name := range full.Metrics {
				if v := full.Samples[0].Values[m]; v > s.starts[name] && !math.IsInf(v, 1) {
					s.starts[name] = v
				}
			}
		}
	}
	s.Summary = s.fold.Summary()
	names := escape.Names(s.Summary.Labels)
	for i := range s.Summary.Groups {
		g := &group{Group: &s.Summary.Groups[i]}
		g.label, g.point = names[g.Label], s.Summary.Points[g.Point].Settings
		g.runs = list.Map(s.fold.Runs(g.Point, g.Label), func(r int) *result.Run { return &runs[r] })
		s.groups = append(s.groups, g)
	}
	return s, nil
}

// group is the runs of one method at one grid point: one for each seed.
type group struct {
	*fold.Group
	label string // for people; Summary.Labels has it as it is
	point result.Settings
	runs  []*result.Run
}

// status returns how the runs of the group ended: "reached", "9 reached, 1 diverged".
func (g *group) status() string {
	if len(g.runs) == 1 {
		return string(g.runs[0].Status)
	}
	return g.Statuses.String()
}

// targetName returns the name of a target in titles.
func (s *StudyView) targetName(t int) string {
	if t == fold.TheEnd {
		return "the end"
	}
	return s.Summary.Targets[t].Name
}

// isStudy reports whether there are several seeds or grid points.
func (s *StudyView) isStudy() bool { return s.seeds() || len(s.Summary.Keys) > 0 }

func (s *StudyView) seeds() bool { return len(s.Summary.Seeds) > 1 }

// observable is a column with something that a run has at any moment: a sum of costs, or a metric.
type observable struct {
	column table.Column
	place  metrics.Place
	fold.Quantity
}

// cost returns the observable of a cost, by its ID.
func cost(id string) observable {
	c := metrics.FindCost(id)
	return observable{table.Column{Name: c.Label(), Unit: c.Unit}, c.Place, fold.Quantity{Costs: []string{id}}}
}

// placed returns the observables of the costs in some places of tables, in order. Costs that share a column are one.
func placed(places ...metrics.Place) []observable {
	var all []observable
	for _, c := range metrics.CostItems() {
		switch n := len(all); {
		case !slices.Contains(places, c.Place):
		case n > 0 && all[n-1].column.Name == c.Label():
			all[n-1].Costs = append(all[n-1].Costs, c.ID)
		default:
			all = append(all, cost(c.ID))
		}
	}
	return all
}

func metric(name string) observable {
	q := fold.Quantity{Metric: name}
	return observable{column: table.Column{Name: name, Unit: metrics.Number}, Quantity: q}
}

// measure returns the observable of a group at a target.
func (s *StudyView) measure(g *group, target int, q observable) fold.Measured {
	key := measuredKey{g.Point, g.Label, target, strings.Join(q.Costs, " "), q.Metric}
	m, known := s.measured[key]
	if !known {
		m = s.fold.Measure(g.Point, g.Label, target, q.Quantity)
		s.measured[key] = m
	}
	return m
}

// cell shows the observable of a group at a target.
func (s *StudyView) cell(g *group, target int, q observable) table.Cell {
	return measured(s.measure(g, target, q).Value)
}

// reached returns how many of the group's runs reached a target or, at the end, ended well.
func (s *StudyView) reached(g *group, target int) int {
	if target == fold.TheEnd {
		return g.Ended
	}
	return s.measure(g, target, cost("iterations")).Reached
}

// outcome returns whether the runs reached the target, or how they ended.
func (s *StudyView) outcome(g *group, target int) string {
	n := s.reached(g, target)
	switch {
	case target == fold.TheEnd:
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

// mainMetrics returns the metrics that measure progress: those of the targets; or else grad_norm2, the first
// headline, or the first metric.
func (s *StudyView) mainMetrics() []string {
	var main []string
	for _, t := range s.Summary.Targets {
		for _, c := range t.Conditions {
			main = list.Add(main, c.Metric)
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

// headlines returns the metrics that are shown by default beside the main ones.
func (s *StudyView) headlines() []string {
	main := s.mainMetrics()
	return slices.DeleteFunc(s.fold.Headlines(), func(m string) bool { return slices.Contains(main, m) })
}
