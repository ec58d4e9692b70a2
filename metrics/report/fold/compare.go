package fold

import (
	"cmp"
	"slices"

	"tallynet/metrics/report/stats"
)

// compare compares the methods at each grid point. A method that lacks a key which another one has takes part at all
// values of that key. In costs, it also compares the points of each method that differ in one key only with the one
// that has the key's first value.
func (w *work) compare() {
	lacking := w.lacking()
	for a, g := range w.Groups {
		for b := a + 1; b < len(w.Groups) && w.Groups[b].Point == g.Point; b++ {
			w.add(a, b, -1)
		}
		for _, b := range lacking {
			if w.elsewhere(b, a) {
				w.add(a, b, -1)
			}
		}
	}
	for _, key := range w.Axes() {
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

// lacking returns the groups that lack keys which their method has at no point. Such a method has run once for all
// values of these keys.
func (w *work) lacking() []int {
	has := make([][]bool, len(w.Labels))
	for label := range has {
		has[label] = make([]bool, len(w.Keys))
	}
	for _, g := range w.Groups {
		for key, value := range w.Points[g.Point].Values {
			has[g.Label][key] = has[g.Label][key] || value >= 0
		}
	}
	var all []int
	for i, g := range w.Groups {
		values := w.Points[g.Point].Values
		lacks := slices.Contains(values, -1)
		for key, value := range values {
			lacks = lacks && (value >= 0 || !has[g.Label][key])
		}
		if lacks {
			all = append(all, i)
		}
	}
	return all
}

// elsewhere reports whether group b, which lacks keys, stands for its method at the point of group a, which is of
// another method.
func (w *work) elsewhere(b, a int) bool {
	g, h := w.Groups[a], w.Groups[b]
	if g.Label == h.Label || g.Point == h.Point {
		return false
	}
	for key, value := range w.Points[h.Point].Values {
		if value >= 0 && value != w.Points[g.Point].Values[key] {
			return false
		}
	}
	return true
}

// add compares two groups in each main outcome. Different points may pose different problems, so they are compared
// in costs only.
func (w *work) add(a, b, key int) {
	for _, o := range w.mainColumns() {
		if key >= 0 && w.columns[o].costs == nil {
			continue
		}
		if c, ok := compared(w.groups[a], w.groups[b], w.columns[o], w.seed, stats.Level); ok {
			c.Outcome, c.A, c.B, c.Key = o, a, b, key
			w.Comparisons = append(w.Comparisons, c)
		}
	}
}

// Compare compares two groups in a quantity when they reach a target, or at TheEnd, as Summary does. A and B of the
// result are not set. It reports false if there is no pair of runs of which one has the quantity.
func (f *Fold) Compare(a, b *Group, target int, q Quantity) (Comparison, bool) {
	ga, gb := f.groupAt(a.Point, a.Label), f.groupAt(b.Point, b.Label)
	o, known := f.quantity(target, q)
	if ga == nil || gb == nil || !known {
		return Comparison{}, false
	}
	return compared(ga, gb, o, f.options.Seed, cmp.Or(f.options.Level, stats.Level))
}

// compared compares two groups in an outcome that both have. A pair of which neither run has it says nothing. Where
// one of two lacks it, the ratio of costs is the median of the pairs, and there is no difference.
func compared(a, b *group, o column, seed uint64, level float64) (Comparison, bool) {
	var c Comparison
	var xs, ys []float64
	var ratios []stats.Payment
	knownA, knownB := false, false
	for i := range a.records {
		r := &a.records[i]
		j, common := b.bySeed[r.seed]
		if !common {
			continue
		}
		x, stateA := r.value(o)
		y, stateB := b.records[j].value(o)
		knownA, knownB = knownA || stateA != unasked, knownB || stateB != unasked
		switch {
		case stateA == have && stateB == have:
			c.Pairs++
			xs, ys = append(xs, x), append(ys, y)
			ratios = append(ratios, stats.Payment{Paid: x / y, Reached: true})
		case stateA == have:
			c.AOnly++ // the ratio is 0 or, if B ended by its limit, at most x / y
			ratios = append(ratios, stats.Payment{Paid: x / y, Reached: true})
		case stateB == have:
			c.BOnly++
			ratios = append(ratios, stats.Payment{Paid: x / y})
		default:
			c.Neither++
		}
	}
	if !knownA || !knownB || c.Pairs+c.AOnly+c.BOnly == 0 {
		return c, false
	}
	switch n := len(ratios); {
	case 2*(c.Pairs+min(c.AOnly, c.BOnly)) < n+c.Neither:
		c.Ratio = estimate(stats.Few(n + c.Neither))
		c.Difference = c.Ratio
	case c.Pairs == n:
		c.Ratio, c.Difference = estimate(stats.RatioAt(xs, ys, level)), estimate(stats.Difference(xs, ys, seed))
	default:
		c.Difference = estimate(stats.Difference(nil, nil, seed))
		c.Difference.Method = "a run did not get there"
		if c.Ratio = c.Difference; o.costs != nil { // metrics may be negative
			c.Ratio = estimate(stats.Reaching(ratios, level))
		}
	}
	return c, true
}
