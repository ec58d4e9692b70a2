package algorithms

import (
	"sort"

	"tallynet/metrics"
)

// Varying is a method whose iterations after the second can have another cost than the
// second. Within a period a cost that has changed does not come back, so that iterations of
// equal cost are in a row.
type Varying interface {
	// CostPeriod is the number of iterations after which the costs recur, from the first
	// iteration on; 0: they do not.
	CostPeriod() int
}

// CostPeriod is that of the rounds of mixing.
func (a DAGM) CostPeriod() int { return max(1, a.Period) }

// CostPeriod is that of the rounds of mixing.
func (a CentralizedDAGM) CostPeriod() int { return max(1, a.Period) }

// CostPeriod is that of the restarts.
func (a VRBO) CostPeriod() int { return a.Period }

// CostPeriod is that of the full gradients.
func (a Prometheus) CostPeriod() int { return max(1, a.Period) }

// CostPeriod is 0: inner steps become more, slowly.
func (a BA) CostPeriod() int { return 0 }

// CostPeriod is 0: inner steps become more, slowly.
func (a BSA) CostPeriod() int { return 0 }

// CostPeriod is 0: products become more, slowly.
func (a SPDB) CostPeriod() int { return 0 }

// CostTerms returns what a method costs up to an iteration, the start included: as many terms
// as there are different costs in a row, within one period. It asks for a number of costs that
// grows with the number of terms, not of iterations.
func CostTerms(m Method, d Dims, iterations int) metrics.Terms {
	at := func(k int) metrics.Cost {
		c := m.Cost(k, d)
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

// lastWith returns the last k of first ... last with a property that the first ones have, first
// among them, and no later one has. It asks 2 log2(k - first) times.
func lastWith(first, last int, has func(k int) bool) int {
	reach := 1
	for reach <= last-first && has(first+reach) {
		reach *= 2
	}
	most := min(reach, last-first+1) // first + most lacks it, or is past the end
	return first + sort.Search(most, func(i int) bool { return i > 0 && !has(first+i) }) - 1
}
