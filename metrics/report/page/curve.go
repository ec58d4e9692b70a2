package page

import (
	"math/bits"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// costs returns the costs on the horizontal axis of curves: main costs and those of the main table, then main
// costs that depend on tariffs.
func costs() []metrics.CostItem {
	var own, priced []metrics.CostItem
	for _, c := range metrics.RankedCosts() {
		switch {
		case c.Place == metrics.InPrices && c.Main():
			priced = append(priced, c)
		case c.Place == metrics.InCosts || c.Main():
			own = append(own, c)
		}
	}
	return append(own, priced...)
}

// dropUnpaid removes costs that depend on tariffs if they are zero in all runs.
func (c *chartData) dropUnpaid() {
	n := slices.IndexFunc(costs(), func(c metrics.CostItem) bool { return c.Place == metrics.InPrices })
	paid := func(of curve) bool {
		return slices.ContainsFunc(of.Costs[n:], func(c column) bool {
			return slices.ContainsFunc(c, func(x float64) bool { return x != 0 })
		})
	}
	if slices.ContainsFunc(c.Runs, func(r runCurve) bool { return paid(r.Curve) }) ||
		slices.ContainsFunc(c.Means, func(m meanCurve) bool { return paid(m.Curve) }) {
		return
	}
	c.Costs = c.Costs[:n]
	for i := range c.Runs {
		c.Runs[i].Curve.Costs = c.Runs[i].Curve.Costs[:n]
	}
	for i := range c.Means {
		c.Means[i].Curve.Costs = c.Means[i].Curve.Costs[:n]
	}
}

// fineness is the number of samples that a curve keeps for each doubling of its length: the first ones all, of the
// next as many every second one, and so on. It is a power of two, and a higher fineness keeps every sample that a
// lower one keeps. The choice depends on the number of the sample only, so curves of different lengths keep the
// same samples.
type fineness int

// keeps reports whether sample i is kept.
func (f fineness) keeps(i int) bool {
	step := 1
	if n := i / int(f); n > 1 {
		step = 1 << (bits.Len(uint(n)) - 1)
	}
	return i%step == 0
}

// track is a curve with the numbers of its samples in the run.
type track struct {
	samples []int
	curve   curve
}

// newTrack returns the samples of a run that f keeps, and its last one, with the values of the named metrics.
func newTrack(r *result.Run, over []metrics.CostItem, names []string, f fineness) track {
	var t track
	for i := range r.Samples {
		if f.keeps(i) || i == len(r.Samples)-1 {
			t.samples = append(t.samples, i)
		}
	}
	c := &t.curve
	c.Costs, c.Values = make([]column, len(over)), make([]column, len(names))
	for _, i := range t.samples {
		s := &r.Samples[i]
		c.Iterations = append(c.Iterations, s.Iteration)
		for k := range over {
			c.Costs[k] = append(c.Costs[k], over[k].Value(&s.Moment))
		}
		for k, name := range names {
			if m := slices.Index(r.Metrics, name); m >= 0 {
				c.Values[k] = append(c.Values[k], s.Values[m])
			}
		}
	}
	return t
}

// thin drops what f does not keep.
func (t *track) thin(f fineness) {
	var rows []int
	for row, i := range t.samples {
		if f.keeps(i) || row == len(t.samples)-1 {
			rows = append(rows, row)
		}
	}
	t.samples = pick(t.samples, rows)
	t.curve.Iterations = pick(t.curve.Iterations, rows)
	for _, columns := range [][]column{t.curve.Costs, t.curve.Values} {
		for i := range columns {
			columns[i] = pick(columns[i], rows)
		}
	}
}

// numbers estimates how many numbers the file will hold for the curve.
func (c *curve) numbers() int {
	n := len(c.Iterations)
	for _, columns := range [][]column{c.Costs, c.Values} {
		for _, column := range columns {
			if _, _, ok := column.line(c.Iterations); !ok {
				n += len(column)
			}
		}
	}
	return n
}

func pick[S ~[]E, E any](from S, rows []int) S {
	if from == nil {
		return nil
	}
	return append(S{}, list.Map(rows, func(row int) E { return from[row] })...)
}

// line returns from and per if every number equals from + per k exactly. Costs that do not depend on values do.
func (c column) line(k []int) (from, per float64, ok bool) {
	n := len(c)
	if n == 0 || n != len(k) {
		return 0, 0, false
	}
	if n > 1 {
		per = (c[n-1] - c[0]) / float64(k[n-1]-k[0])
	}
	from = c[0] - per*float64(k[0])
	for i, x := range c {
		if from+per*float64(k[i]) != x {
			return 0, 0, false
		}
	}
	return from, per, true
}

// average folds the curves of a group's runs, as all pictures do; see fold.FoldCurves.
func average(tracks []fold.Track) meanCurve {
	folded := fold.FoldCurves(tracks)
	return meanCurve{Runs: len(tracks), Low: columns(folded.Low), High: columns(folded.High),
		Curve: curve{Iterations: folded.Iterations, Costs: columns(folded.Costs), Values: columns(folded.Mid)}}
}

func plain(columns []column) [][]float64 {
	return list.Map(columns, func(c column) []float64 { return c })
}

func columns(numbers [][]float64) []column {
	return list.Map(numbers, func(x []float64) column { return x })
}
