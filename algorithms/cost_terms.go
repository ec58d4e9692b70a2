package algorithms

import (
	"sort"

	"tallynet/metrics"
)

// Varying is implemented by methods whose iterations after the second differ in cost. Within a period,
// iterations of equal cost are consecutive.
type Varying interface {
	// CostPeriod returns the number of iterations after which the costs recur, or 0 if they do not.
	CostPeriod() int
}

// CostTerms returns what a method costs up to an iteration, the start included. There is a term for each run
// of equal costs within one period. The number of calls of Cost grows with the number of terms, not of
// iterations.
func CostTerms(m Method, d Dims, iterations int) metrics.Terms {
	at := func(k int) metrics.Cost {
		c := CostAt(m, k, d)
		c.Paper = nil
		return c
	}
	var all metrics.Terms
	add := func(c metrics.Cost, times int) {
		if n := len(all); n > 0 && all[n-1].Cost == c {
			all[n-1].Times += int64(times)
		} else if times > 0 {
			all = append(all, metrics.Term{Cost: c, Times: int64(times)})
		}
	}
	add(at(0), 1)
	v, varies := m.(Varying)
	if !varies {
		add(at(1), min(iterations, 1))
		add(at(2), max(0, iterations-1))
		return all
	}
	period := v.CostPeriod()
	if period == 0 {
		period = max(1, iterations)
	}
	whole, rest := iterations/period, iterations%period
	for first := 1; first <= min(period, iterations); {
		c := at(first)
		next := lastWith(first, min(period, iterations), func(k int) bool { return at(k) == c }) + 1
		add(c, whole*(next-first)+max(0, min(rest+1, next)-first))
		first = next
	}
	return all
}

// lastWith returns the last k in first ... last that has a property. first has it, and no k behind one
// without it does. It calls has 2 log2(k - first) times.
func lastWith(first, last int, has func(k int) bool) int {
	reach := 1
	for reach <= last-first && has(first+reach) {
		reach *= 2
	}
	most := min(reach, last-first+1) // first + most lacks the property, or is past the end
	return first + sort.Search(most, func(i int) bool { return i > 0 && !has(first+i) }) - 1
}
