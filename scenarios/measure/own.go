package measure

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// ownValue is a function of each node's own (x_i, y_i).
type ownValue struct {
	id        string
	available func(problems.Problem) bool
	of        func(e *Evaluator, i int, x, y []float64) float64
}

// ownMetrics returns metrics of the nodes' own models (x_i, y_i), which the average model may hide: their mean, the
// worst, and their spread.
func ownMetrics() []Metric {
	loss := ownValue{"loss", nil,
		func(e *Evaluator, i int, x, y []float64) float64 { return e.local(i).F(x, y) }}
	inner := ownValue{"inner loss", bilevel,
		func(e *Evaluator, i int, x, y []float64) float64 { return e.local(i).G(x, y) }}
	train := ownValue{"training", implements[problems.Scorer],
		func(e *Evaluator, i int, x, y []float64) float64 {
			return e.problem.(problems.Scorer).TrainAccuracy(i, x, y)
		}}
	test := ownValue{"test", tested,
		func(e *Evaluator, _ int, x, y []float64) float64 {
			return e.problem.(problems.Scorer).TestAccuracy(x, y)
		}}
	return []Metric{
		{Name: "own_loss", Title: "mean own loss", Headline: true, OnRequest: true, Personal: true,
			Value: loss.mean, Nodes: loss.at,
			About: "the mean over the nodes of f_i(x_i, y_i), each node at its own iterate"},
		{Name: "worst_loss", Title: "worst own loss", Headline: true, OnRequest: true, Personal: true, Value: loss.largest,
			About: "the largest f_i(x_i, y_i) of a node"},
		{Name: "own_loss_spread", Range: keys.AtLeast(0), OnRequest: true, Value: loss.deviation,
			About: "the standard deviation over the nodes of f_i(x_i, y_i)"},
		{Name: "own_inner_loss", OnRequest: true, Available: inner.available, Value: inner.mean, Nodes: inner.at,
			About: "the mean over the nodes of g_i(x_i, y_i), regularizer included"},
		{Name: "worst_inner_loss", OnRequest: true, Available: inner.available, Value: inner.largest,
			About: "the largest g_i(x_i, y_i) of a node"},
		{Name: "own_train_accuracy", Title: "mean own training accuracy",
			MoreIsBetter: true, Range: keys.Between(0, 1), Available: train.available, Value: train.mean, Nodes: train.at,
			About: "the mean over the nodes of the share of its own training samples that the node's own model classifies " +
				"correctly"},
		{Name: "worst_train_accuracy", Title: "worst own training accuracy",
			MoreIsBetter: true, Range: keys.Between(0, 1), Available: train.available, Value: train.smallest,
			About: "the own_train_accuracy of the node where it is smallest"},
		{Name: "own_test_accuracy", Title: "mean own test accuracy", MoreIsBetter: true, Headline: true,
			Range: keys.Between(0, 1), Available: test.available, Work: testWork,
			Value: test.mean, Nodes: test.at,
			About: "the mean over the nodes of the share of the test samples that the node's own model classifies correctly"},
		{Name: "worst_test_accuracy", Title: "worst own test accuracy", MoreIsBetter: true, Headline: true,
			Range: keys.Between(0, 1), Available: test.available, Work: testWork, Value: test.smallest,
			About: "the own_test_accuracy of the node where it is smallest"},
		{Name: "own_test_accuracy_spread", Range: keys.AtLeast(0), OnRequest: true, Available: test.available,
			Value: test.deviation,
			About: "the standard deviation over the nodes of the test accuracies of their own models"},
	}
}

// testWork returns the work of classifying the test samples with the model of every node.
func testWork(p problems.Problem) float64 {
	return float64(p.Nodes()) * p.(problems.Scorer).TestSet().Work
}

// at returns the value of every node. It is computed once for each sample.
func (v ownValue) at(e *Evaluator) []float64 {
	if known, ok := e.own[v.id]; ok {
		return known
	}
	values := make([]float64, len(e.at.X))
	e.all.each(len(values), func(i int) { values[i] = v.of(e, i, e.at.X[i], e.at.Y[i]) })
	e.own[v.id] = values
	return values
}

func (v ownValue) mean(e *Evaluator) float64 { return stat.Mean(v.at(e), nil) }

// A value that is not a number is the worst.
func (v ownValue) largest(e *Evaluator) float64  { return slices.Max(v.at(e)) }
func (v ownValue) smallest(e *Evaluator) float64 { return slices.Min(v.at(e)) }

func (v ownValue) deviation(e *Evaluator) float64 { return stat.PopStdDev(v.at(e), nil) }

// local returns node i's oracle.
func (e *Evaluator) local(i int) problems.Local {
	if e.Shared() {
		return e.inner[0].locals[i]
	}
	return e.inner[i].locals[0]
}
