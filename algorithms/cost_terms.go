package algorithms

import "tallynet/metrics"

// Varying is a method of which iterations after the second can cost something else than the
// second.
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
// as there are different costs in a row, within one period.
func CostTerms(m Method, d Dims, iterations int) metrics.Terms {
	var all metrics.Terms
	add := func(k, times int) {
		if times <= 0 {
			return
		}
		c := m.Cost(k, d)
		c.Paper = nil
		if n := len(all); n > 0 && all[n-1].Cost == c {
			all[n-1].Times += int64(times)
			return
		}
		all = append(all, metrics.Term{Cost: c, Times: int64(times)})
	}
	add(0, 1)
	v, varies := m.(Varying)
	switch {
	case !varies:
		add(1, min(iterations, 1))
		add(2, iterations-1)
	case v.CostPeriod() > 0:
		period := v.CostPeriod()
		for k := 1; k <= min(period, iterations); k++ {
			add(k, 1+(iterations-k)/period)
		}
	default:
		for k := 1; k <= iterations; k++ {
			add(k, 1)
		}
	}
	return all
}
