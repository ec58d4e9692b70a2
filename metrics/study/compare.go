package study

import (
	"math"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/stats"
)

// compare pairs the methods at each grid point, and, in what they cost, the points of
// each method that differ in one key only from one with the key's first value.
func (w *work) compare() {
	for a, g := range w.Groups {
		for b := a + 1; b < len(w.Groups) && w.Groups[b].Point == g.Point; b++ {
			w.add(a, b, -1)
		}
	}
	for key := range w.Keys {
		for label := range w.Labels {
			for _, line := range w.lines(key, label) {
				value := func(group int) int { return w.Points[w.Groups[group].Point].Values[key] }
				b := slices.IndexFunc(line, func(group int) bool { return value(group) == 0 })
				for _, a := range line {
					if b >= 0 && value(a) > 0 {
						w.add(a, line[b], key)
					}
				}
			}
		}
	}
}

// add compares two groups in each main outcome. Points that differ may pose different
// problems: of these only costs are compared.
func (w *work) add(a, b, key int) {
	for _, o := range w.mainColumns() {
		if key >= 0 && w.columns[o].costs == nil {
			continue
		}
		if c, ok := w.comparison(a, b, o); ok {
			c.Key = key
			w.Comparisons = append(w.Comparisons, c)
		}
	}
}

// comparison compares two groups in an outcome, if both know it.
func (w *work) comparison(a, b, outcome int) (Comparison, bool) {
	c := Comparison{Outcome: outcome, A: a, B: b}
	var xs, ys []float64
	knownA, knownB := false, false
	for i := range w.groups[a].records {
		r := &w.groups[a].records[i]
		j := slices.IndexFunc(w.groups[b].records, func(s record) bool { return s.seed == r.seed })
		if j < 0 {
			continue
		}
		x, stateA := r.value(w.columns[outcome])
		y, stateB := w.groups[b].records[j].value(w.columns[outcome])
		knownA, knownB = knownA || stateA != unasked, knownB || stateB != unasked
		switch {
		case stateA == have && stateB == have:
			c.Pairs++
			xs, ys = append(xs, x), append(ys, y)
		case stateA == have:
			c.AOnly++
		case stateB == have:
			c.BOnly++
		default:
			c.Neither++
		}
	}
	if !knownA || !knownB || c.Pairs+c.AOnly+c.BOnly == 0 {
		return c, false
	}
	c.Ratio, c.Difference = estimate(stats.Ratio(xs, ys)), estimate(stats.Difference(xs, ys, w.seed))
	return c, true
}

// Inverse is the comparison of B with A. A ratio whose interval is not above 0 has no inverse.
func (c Comparison) Inverse() Comparison {
	c.A, c.B, c.AOnly, c.BOnly = c.B, c.A, c.BOnly, c.AOnly
	d := &c.Difference
	d.Value, d.Low, d.High = -d.Value, -d.High, -d.Low
	r := &c.Ratio
	if nan := jsonio.Real(math.NaN()); r.Value <= 0 || r.Low <= 0 {
		r.Value, r.Low, r.High, r.Method = nan, nan, nan, "the denominators may be 0"
	}
	r.Value, r.Low, r.High = 1/r.Value, 1/r.High, 1/r.Low
	return c
}
