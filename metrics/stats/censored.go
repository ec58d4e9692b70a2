package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Cost is what was paid until something was reached, or in vain: then all that is
// known is that it would have cost more.
type Cost struct {
	Paid    float64
	Reached bool
}

// Reached counts those that got there and those that did not, and tells the median
// cost, which knows both.
type Reached struct {
	Reached, Censored int
	Median            Estimate
}

// Reaching returns the counts and the Kaplan-Meier median of costs: the least cost at
// which the estimated share that is still on the way is below one half, or the middle
// of the costs at which it is one half. Without censoring that is the median. Its
// interval holds the costs at which the log-log interval of that share (Greenwood's
// variance) contains one half; where the share never falls that far there is no
// median, or no upper end (+Inf). The costs of those that did not get there must not
// depend on how near they were: a limit is fine.
func Reaching(costs []Cost) Reached {
	var r Reached
	for _, c := range costs {
		if !finite(c.Paid) {
			r.Median = nothing(len(costs), "an observation is not finite")
			return count(r, costs)
		}
	}
	r = count(r, costs)
	n := len(costs)
	switch {
	case n == 0:
		r.Median = nothing(0, "no observations")
		return r
	case r.Reached == 0:
		r.Median = nothing(n, "none got there")
		return r
	}
	m := medians(costs)
	switch {
	case math.IsInf(m.share, 1):
		r.Median = nothing(n, "half of them or more did not get there")
	case n == 1:
		r.Median = bare(m.share, n, "one observation")
	case math.IsNaN(m.low):
		r.Median = bare(m.share, n, "too few got there for an interval")
	default:
		r.Median = Estimate{m.share, m.low, m.high, n, KaplanMeier}
	}
	return r
}

func count(r Reached, costs []Cost) Reached {
	for _, c := range costs {
		if c.Reached {
			r.Reached++
		} else {
			r.Censored++
		}
	}
	return r
}

// crossings are the costs at which the share on the way, and the ends of its interval,
// cross one half; +Inf if never.
type crossings struct{ share, low, high float64 }

func medians(costs []Cost) crossings {
	sorted := slices.Clone(costs)
	slices.SortFunc(sorted, func(a, b Cost) int {
		switch {
		case a.Paid < b.Paid:
			return -1
		case a.Paid > b.Paid:
			return 1
		}
		return 0
	})
	z := distuv.UnitNormal.Quantile((1 + Level) / 2)
	var share, lower, upper crossing
	s, greenwood := 1.0, 0.0
	for i := 0; i < len(sorted); {
		at, onTheWay := sorted[i].Paid, float64(len(sorted)-i)
		there := 0.0
		for ; i < len(sorted) && sorted[i].Paid == at; i++ {
			if sorted[i].Reached {
				there++
			}
		}
		if there == 0 {
			continue // those who leave at the cost at which others arrive, leave after them
		}
		s *= 1 - there/onTheWay
		greenwood += there / (onTheWay * (onTheWay - there))
		share.step(at, s)
		if s > 0 { // at 0 the interval is undefined
			half := z * math.Sqrt(greenwood) / math.Log(s)
			lower.step(at, math.Pow(s, math.Exp(-half)))
			upper.step(at, math.Pow(s, math.Exp(half)))
		}
	}
	c := crossings{share.at(), lower.at(), upper.at()}
	if math.IsInf(c.low, 1) {
		c.low = math.NaN()
	}
	return c
}

// crossing follows a falling step function until it is below one half.
type crossing struct {
	from, to   float64
	half, done bool
}

// step says that the function is s from a cost on.
func (c *crossing) step(at, s float64) {
	const tolerance = 1e-9
	switch {
	case c.done:
	case s < 0.5-tolerance:
		c.to, c.done = at, true
		if !c.half {
			c.from = at
		}
	case s <= 0.5+tolerance && !c.half:
		c.from, c.half = at, true
	}
}

func (c *crossing) at() float64 {
	switch {
	case c.done:
		return c.from + (c.to-c.from)/2
	case c.half: // it stays at one half
		return c.from
	}
	return math.Inf(1)
}
