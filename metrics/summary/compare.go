package summary

import (
	"slices"

	"tallynet/metrics/stats"
)

// compare pairs the methods at each grid point, and, in what they cost, the points of
// each method that differ in one key only from one with the key's first value.
func (w *work) compare() {
	for b := range w.groups {
		for a := range w.groups {
			key, fits := w.comparable(a, b)
			if !fits {
				continue
			}
			for _, o := range w.mainColumns() {
				if key >= 0 && w.columns[o].final >= 0 {
					continue // metrics of different problems
				}
				if c, ok := w.comparison(a, b, o); ok {
					c.Key = key
					w.Comparisons = append(w.Comparisons, c)
				}
			}
		}
	}
	slices.SortStableFunc(w.Comparisons, func(x, y Comparison) int {
		if x.Key < 0 != (y.Key < 0) { // methods first
			return x.Key - y.Key
		}
		return 0
	})
}

// comparable tells whether group a is to be compared with group b.
func (w *work) comparable(a, b int) (key int, fits bool) {
	x, y := w.groups[a], w.groups[b]
	if x.point == y.point {
		return -1, x.label < y.label
	}
	if x.label != y.label {
		return 0, false
	}
	key = -1
	p, q := w.Points[x.point], w.Points[y.point]
	for k := range w.Keys {
		if p.Values[k] != q.Values[k] {
			if key >= 0 {
				return 0, false
			}
			key = k
		}
	}
	return key, key >= 0 && q.Values[key] == 0 && p.Values[key] > 0
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
