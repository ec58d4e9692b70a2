package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Payment is the cost to reach a target. If it was not reached, the full cost is only known to be higher: the
// observation is censored.
type Payment struct {
	Paid    float64
	Reached bool
}

// Reached counts the costs of both kinds and estimates the median of all, censored ones
// included.
type Reached struct {
	Reached, Censored int
	Median            Estimate
}

// Reaching returns the counts and the Kaplan-Meier median of costs: the smallest cost at
// which the estimated share that has not reached the target is below one half, or the
// middle of the costs at which it equals one half. Without censoring that is the median.
// The interval contains the costs at which the log-log interval of that share
// (Greenwood's variance) contains one half. If the share never falls to one half, there
// is no median; if the upper end of its interval never does, High is +Inf. A censored
// cost must not depend on how close the target was; a fixed limit is fine.
func Reaching(costs []Payment) Reached {
	var r Reached
	for _, c := range costs {
		if !finite(c.Paid) {
			r.Median = nothing(len(costs), notFinite)
			return count(r, costs)
		}
	}
	r = count(r, costs)
	n := len(costs)
	switch {
	case n == 0:
		r.Median = nothing(0, noObservations)
		return r
	case r.Reached == 0:
		r.Median = nothing(n, "none got there")
		return r
	}
	m := medians(costs)
	switch {
	case math.IsInf(m.share, 1):
		r.Median = nothing(n, "at least half did not reach the target")
	case n == 1:
		r.Median = bare(m.share, n, oneObservation)
	case math.IsNaN(m.low):
		r.Median = bare(m.share, n, "too few reached the target for an interval")
	default:
		r.Median = Estimate{m.share, m.low, m.high, n, kaplanMeier}
	}
	return r
}

func count(r Reached, costs []Payment) Reached {
	for _, c := range costs {
		if c.Reached {
			r.Reached++
		} else {
			r.Censored++
		}
	}
	return r
}

// crossings returns the costs at which the share that has not reached the target, and the ends of its interval,
// cross one half; +Inf means never.
type crossings struct{ share, low, high float64 }

func medians(costs []Payment) crossings {
	sorted := slices.Clone(costs)
	slices.SortFunc(sorted, func(a, b Payment) int { return cmp.Compare(a.Paid, b.Paid) })
	z := distuv.UnitNormal.Quantile((1 + Level) / 2)
	var share, lower, upper crossing
	s, greenwood := 1.0, 0.0
	for i := 0; i < len(sorted); {
		at, atRisk := sorted[i].Paid, float64(len(sorted)-i)
		reached := 0.0
		for ; i < len(sorted) && sorted[i].Paid == at; i++ {
			if sorted[i].Reached {
				reached++
			}
		}
		if reached == 0 {
			continue // at equal cost, censoring comes after reaching
		}
		s *= 1 - reached/atRisk
		greenwood += reached / (atRisk * (atRisk - reached))
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

// step records that the function is s from cost at on.
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
