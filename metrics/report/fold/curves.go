package fold

import (
	"math"
	"slices"
	"sort"

	"tallynet/metrics/report/stats"
)

// Track is the costs and metrics of one run at its recorded iterations.
type Track struct {
	Iterations []int       // ascending
	Costs      [][]float64 // by cost, then row
	Values     [][]float64 // by metric, then row; nil: the run lacks the metric
	// Worst is the value of each metric after the end of a run that did not end well: +Inf, or -Inf where more is
	// better. It is nil for other runs, which keep their last values.
	Worst []float64
}

// Curves combines several tracks: of each metric it has the median over the runs and the quartiles.
type Curves struct {
	Iterations     []int
	Costs          [][]float64
	Mid, Low, High [][]float64 // by metric, then row; nil if a run lacks the metric
}

// FoldCurves combines several runs into one curve, for every picture. The curve has a row for each iteration that some
// run recorded, up to the end of the longest run that ended well. A run that ended earlier, because it reached its
// target, say, keeps its last values, so that the curve does not end with the luckiest run; one that did not end well
// has the worst. Costs are means over the runs that are still going; they never decrease. There is no curve if fewer
// than half of the runs ended well.
func FoldCurves(tracks []Track) Curves {
	var c Curves
	var well []int
	last := -1
	for i := range tracks {
		c.Iterations = append(c.Iterations, tracks[i].Iterations...)
		if n := len(tracks[i].Iterations); tracks[i].Worst == nil && n > 0 {
			well, last = append(well, i), max(last, tracks[i].Iterations[n-1])
		}
	}
	if 2*len(well) < len(tracks) {
		return Curves{}
	}
	c.Iterations = slices.DeleteFunc(c.Iterations, func(k int) bool { return k > last })
	slices.Sort(c.Iterations)
	c.Iterations = slices.Compact(c.Iterations)
	if len(tracks) == 0 {
		return c
	}
	rows := make([][]int, len(tracks)) // the row of each track at each iteration: the last one up to it
	for i := range tracks {
		for _, k := range c.Iterations {
			rows[i] = append(rows[i], max(sort.SearchInts(tracks[i].Iterations, k+1)-1, 0))
		}
	}
	for cost := range tracks[well[0]].Costs {
		c.Costs = append(c.Costs, c.cost(tracks, rows, cost))
	}
	for metric := range tracks[well[0]].Values {
		mid, low, high := c.metric(tracks, rows, metric)
		c.Mid, c.Low, c.High = append(c.Mid, mid), append(c.Low, low), append(c.High, high)
	}
	return c
}

// cost returns the mean of a cost over the runs that recorded the iteration or a later one.
func (c *Curves) cost(tracks []Track, rows [][]int, cost int) []float64 {
	out := make([]float64, len(c.Iterations))
	for j, k := range c.Iterations {
		mean, n := 0.0, 0
		for i := range tracks {
			t := &tracks[i]
			if len(t.Iterations) == 0 || t.Iterations[len(t.Iterations)-1] < k {
				continue
			}
			n++
			mean += (t.at(cost, rows[i][j], k) - mean) / float64(n) // exact where all are equal
		}
		if j > 0 {
			mean = max(mean, out[j-1])
		}
		out[j] = mean
	}
	return out
}

// at returns a cost at an iteration, interpolated between the recorded iterations around it.
func (t *Track) at(cost, row, k int) float64 {
	x := t.Costs[cost]
	if row+1 >= len(x) || t.Iterations[row] >= k {
		return x[row]
	}
	share := float64(k-t.Iterations[row]) / float64(t.Iterations[row+1]-t.Iterations[row])
	return x[row] + share*(x[row+1]-x[row])
}

// value returns a metric at an iteration, whose row is the last one up to it. A run that did not end well has the
// worst value after its end, and where it lacks a number.
func (t *Track) value(metric, row, k int) float64 {
	if t.Worst != nil && (len(t.Values) <= metric || len(t.Values[metric]) <= row || math.IsNaN(t.Values[metric][row]) ||
		k > t.Iterations[len(t.Iterations)-1]) {
		return t.Worst[metric]
	}
	return t.Values[metric][row]
}

// metric returns the median and the quartiles of a metric. They ignore NaN.
func (c *Curves) metric(tracks []Track, rows [][]int, metric int) (mid, low, high []float64) {
	for i := range tracks {
		if tracks[i].Worst == nil && (len(tracks[i].Values) <= metric || len(tracks[i].Values[metric]) == 0) {
			return nil, nil, nil
		}
	}
	values := make([]float64, 0, len(tracks))
	for j := range c.Iterations {
		values = values[:0]
		for i := range tracks {
			if v := tracks[i].value(metric, rows[i][j], c.Iterations[j]); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		mid, low = append(mid, stats.Quantile(values, 0.5)), append(low, stats.Quantile(values, 0.25))
		high = append(high, stats.Quantile(values, 0.75))
	}
	return mid, low, high
}
