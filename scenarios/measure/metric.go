package measure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// Metric is a function of the iterates that a run can record, stop at, or be tuned for.
type Metric struct {
	Name         string
	Title        string // for display; "" means the name
	About        string
	MoreIsBetter bool
	Range        keys.Range // of its values
	OnRequest    bool       // recorded only if a file names it
	// Personal metrics are also recorded by default if each node has its own y.
	Personal bool
	Inner    bool // it depends on y*(x), which must exist
	// Headline metrics are shown wherever they are recorded: in tables, summary, figures and page.
	Headline bool
	// InsteadOf names a headline that this metric replaces if that is not recorded.
	InsteadOf string
	// Work returns the number of multiplications for one value; nil means no more than an iteration. Above Cheap, a
	// metric is recorded only if a file names it.
	Work func(problems.Problem) float64
	// Available reports whether a problem has the metric; nil means that all have it.
	Available func(problems.Problem) bool
	Value     func(*Evaluator) float64
	// Nodes returns the value of each node that holds data, whose mean is Value; nil if Value is no mean over nodes.
	Nodes func(*Evaluator) []float64
}

// Cheap is the largest number of multiplications for a metric that is recorded by default, some tenths of a second. A
// hundred models of 490 coefficients on the 10,000 test images of MNIST take 4.9e8.
const Cheap = 5e8

// Metrics returns all metrics: first those of the average iterate, then those of each node's own iterate.
func Metrics() []Metric {
	return slices.Concat(averageMetrics(), runningMetrics(), gapMetrics(), ownMetrics(), staleMetrics())
}

func averageMetrics() []Metric {
	return []Metric{
		{Name: "objective", About: "Φ at the average x", Inner: true, Value: (*Evaluator).Objective},
		{Name: "grad_norm2", Range: keys.AtLeast(0), About: "||∇Φ||² at the average x", Inner: true, Value: gradNorm2},
		{Name: "consensus_error", Range: keys.AtLeast(0), About: "mean squared distance of the x_i to their average",
			Value: consensusError, Nodes: func(e *Evaluator) []float64 { return apart(e.at.X, e.x) }},
		{Name: "consensus_error_y", Range: keys.AtLeast(0), About: "mean squared distance of the y_i to their average",
			Available: bilevel,
			Value:     func(e *Evaluator) float64 { return Spread(e.at.Y, e.y) },
			Nodes:     func(e *Evaluator) []float64 { return apart(e.at.Y, e.y) }},
		{Name: "stationarity", Range: keys.AtLeast(0), OnRequest: true, Inner: true,
			About: "grad_norm2 + consensus_error: small where the average x is stationary and the nodes agree on it",
			Value: func(e *Evaluator) float64 { return gradNorm2(e) + consensusError(e) }},
		{Name: "inner_error", Range: keys.AtLeast(0), About: "mean squared distance of the y_i to y*(average x)",
			Inner: true, Available: bilevel,
			Value: (*Evaluator).InnerError, Nodes: (*Evaluator).innerErrors},
		{Name: "outer_loss", OnRequest: true, Available: bilevel,
			About: "the mean of the f_i at the average x and y: on held-out data, the loss of the average model",
			Value: func(e *Evaluator) float64 { return e.Loss(problems.Local.F) }},
		{Name: "inner_loss", OnRequest: true, Available: bilevel,
			About: "the mean of the g_i at the average x and y, regularizer included",
			Value: func(e *Evaluator) float64 { return e.Loss(problems.Local.G) }},
		{Name: "train_loss", OnRequest: true, Available: implements[problems.Fitted],
			About: "the mean loss of the average model over the training samples of all nodes, without the regularizer",
			Value: func(e *Evaluator) float64 { return e.problem.(problems.Fitted).TrainLoss(e.x, e.y) }},
		{Name: "test_loss", OnRequest: true, Available: func(p problems.Problem) bool {
			return implements[problems.Fitted](p) && tested(p)
		},
			About: "the mean loss of the average model over the test samples",
			Value: func(e *Evaluator) float64 { return e.problem.(problems.Fitted).TestLoss(e.x, e.y) }},
		{Name: "solution_error", Range: keys.AtLeast(0), Available: implements[problems.Known],
			About: "toys: squared distance of the average (x, y), or of the part of it that converges, to the known " +
				"optimal points",
			Value: func(e *Evaluator) float64 { return e.problem.(problems.Known).SolutionError(e.x, e.y) }},
		{Name: "train_accuracy", Title: "training accuracy of the average model",
			MoreIsBetter: true, Range: keys.Between(0, 1), Available: implements[problems.Scorer],
			About: "share of the training samples of all nodes that the average (x, y), which no node has, classifies " +
				"correctly",
			Value: func(e *Evaluator) float64 {
				train, _ := e.accuracy()
				return train
			}},
		{Name: "test_accuracy", Title: "test accuracy of the average model", MoreIsBetter: true, Range: keys.Between(0, 1),
			InsteadOf: "own_test_accuracy", Available: tested,
			About: "share of the test samples that the average (x, y), which no node has, classifies correctly",
			Value: func(e *Evaluator) float64 {
				_, test := e.accuracy()
				return test
			}},
	}
}

// staleMetrics returns metrics of asynchronous methods, which mix old values.
func staleMetrics() []Metric {
	return []Metric{
		{Name: "staleness", Range: keys.AtLeast(0), OnRequest: true,
			About: "asynchronous methods: by how many iterations, on average so far, a node was ahead of a " +
				"neighbour's value that it mixed",
			Value: func(e *Evaluator) float64 { _, k := e.at.Stale.Mean(); return k }},
		{Name: "staleness_s", Range: keys.AtLeast(0), OnRequest: true,
			About: "asynchronous methods: how old, in seconds and on average so far, a neighbour's value was when it " +
				"was mixed",
			Value: func(e *Evaluator) float64 { s, _ := e.at.Stale.Mean(); return s }},
	}
}

func gradNorm2(e *Evaluator) float64 {
	g := e.Hypergradient()
	return floats.Dot(g, g)
}

func consensusError(e *Evaluator) float64 { return Spread(e.at.X, e.x) }

func bilevel(p problems.Problem) bool {
	_, q := p.Dims()
	return q > 0
}

// tested reports whether a problem has test samples.
func tested(p problems.Problem) bool {
	s, ok := p.(problems.Scorer)
	return ok && s.TestSet().Samples > 0
}

func implements[T any](p problems.Problem) bool {
	_, ok := p.(T)
	return ok
}

// Of returns the metrics that a problem has. It sets OnRequest for those that take more than Cheap work.
func Of(problem problems.Problem, table []Metric) []Metric {
	_, unmeasurable := problem.(problems.Unmeasurable)
	var has []Metric
	for _, m := range table {
		if (m.Available == nil || m.Available(problem)) && !(m.Inner && unmeasurable) {
			m.OnRequest = m.OnRequest || m.Work != nil && m.Work(problem) > Cheap
			has = append(has, m)
		}
	}
	return has
}

// LeftOut returns the metrics that are not recorded by default because of their work, and the largest number of
// multiplications among them.
func LeftOut(problem problems.Problem, table []Metric) (names []string, work float64) {
	for _, m := range Of(problem, table) {
		i := slices.IndexFunc(table, func(t Metric) bool { return t.Name == m.Name })
		if m.OnRequest && !table[i].OnRequest {
			names, work = append(names, m.Name), max(work, m.Work(problem))
		}
	}
	return names, work
}

// Names returns the names of metrics.
func Names(of []Metric) []string {
	var names []string
	for _, m := range of {
		names = append(names, m.Name)
	}
	return names
}

// MoreIsBetter returns the names of the metrics for which more is better.
func MoreIsBetter(of []Metric) []string {
	return Names(slices.DeleteFunc(slices.Clone(of), func(m Metric) bool { return !m.MoreIsBetter }))
}

// Headlines returns the recorded metrics that are shown by default.
func Headlines(table []Metric, recorded []string) []string {
	return Names(slices.DeleteFunc(slices.Clone(table), func(m Metric) bool {
		stands := m.Headline || m.InsteadOf != "" && !slices.Contains(recorded, m.InsteadOf)
		return !stands || !slices.Contains(recorded, m.Name)
	}))
}

// Titles returns the titles of metrics, by name.
func Titles(of []Metric) map[string]string {
	titles := map[string]string{}
	for _, m := range of {
		if m.Title != "" {
			titles[m.Name] = m.Title
		}
	}
	return titles
}

// Default returns the names of the metrics that are recorded by default. personal means that each node has its own
// inner problem.
func Default(of []Metric, personal bool) []string {
	return Names(slices.DeleteFunc(slices.Clone(of), func(m Metric) bool {
		return m.OnRequest && !(m.Personal && personal)
	}))
}

// Select returns the named metrics of a problem. The error for a metric that the problem lacks gives the reason, or
// lists the metrics that it has.
func Select(problem problems.Problem, table []Metric, names []string) ([]Metric, error) {
	has := Of(problem, table)
	var selected []Metric
	for _, name := range names {
		named := func(m Metric) bool { return m.Name == name }
		if i := slices.IndexFunc(has, named); i >= 0 {
			selected = append(selected, has[i])
			continue
		}
		if u, ok := problem.(problems.Unmeasurable); ok && slices.ContainsFunc(table,
			func(m Metric) bool { return named(m) && m.Inner }) {
			return nil, fmt.Errorf("this problem does not have the metric %s: %s", name, u.WhyUnmeasurable())
		}
		return nil, fmt.Errorf("this problem does not have the metric %s; it has %s", name, strings.Join(Names(has), ", "))
	}
	return selected, nil
}
