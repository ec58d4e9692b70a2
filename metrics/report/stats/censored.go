package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Payment is the cost to reach a target. If it was not reached, the full cost is only known to be higher: the
// observation is censored, at +Inf if the run would never have got there.
type Payment struct {
	Paid    float64
	Reached bool
}

// Reaching returns the Kaplan-Meier median of costs, with an interval of a confidence: the smallest cost at
// which the estimated share that has not reached the target is below one half, or the
// middle of the costs at which it equals one half. Without censoring that is the median.
// The interval contains the costs at which the log-log interval of that share
// (Greenwood's variance) contains one half. If the share never falls to one half, there
// is no median; if the upper end of its interval never does, High is +Inf. A censored
// cost must not depend on how close the target was; a fixed limit is fine.
func Reaching(costs []Payment, level float64) Estimate {
	n, reached := len(costs), 0
	for _, c := range costs {
		if !finite(c.Paid) && (c.Reached || !math.IsInf(c.Paid, 1)) {
			return nothing(n, notFinite)
		}
		if c.Reached {
			reached++
		}
	}
	switch {
	case n == 0:
		return nothing(0, noObservations)
	case reached == 0:
		return nothing(n, "none got there")
	}
	m := medians(costs, level)
	switch {
	case math.IsInf(m.share, 1):
		return nothing(n, "at least half did not reach the target")
	case n == 1:
		return bare(m.share, n, oneObservation)
	case math.IsNaN(m.low):
		return bare(m.share, n, "too few reached the target for an interval")
	}
	return Estimate{m.share, m.low, m.high, n, kaplanMeier}
}

// crossings returns the costs at which the share that has not reached the target, and the ends of its interval,
// cross one half; +Inf means never.
type crossings struct{ share, low, high float64 }

func medians(costs []Payment, level float64) crossings {
	sorted := slices.Clone(costs)
	slices.SortFunc(sorted, func(a, b Payment) int { return cmp.Compare(a.Paid, b.Paid) })
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	var at, share, lower, upper []float64 // after each cost at which some reached the target
	s, greenwood := 1.0, 0.0
	for i := 0; i < len(sorted); {
		cost, atRisk := sorted[i].Paid, float64(len(sorted)-i)
		reached := 0.0
		for ; i < len(sorted) && sorted[i].Paid == cost; i++ {
			if sorted[i].Reached {
				reached++
			}
		}
		if reached == 0 {
			continue // at equal cost, censoring comes after reaching
		}
		s *= 1 - reached/atRisk
		greenwood += reached / (atRisk * (atRisk - reached))
		at, share = append(at, cost), append(share, s)
		if s > 0 { // at 0 the interval is undefined
			half := z * math.Sqrt(greenwood) / math.Log(s)
			lower, upper = append(lower, math.Pow(s, math.Exp(-half))), append(upper, math.Pow(s, math.Exp(half)))
		}
	}
	c := crossings{crossing(at, share), crossing(at, lower), crossing(at, upper)}
	if math.IsInf(c.low, 1) {
		c.low = math.NaN()
	}
	return c
}

// crossing returns the first cost at which a falling share is below one half, or the middle between that and the first
// at which it is one half; +Inf if it never falls so far.
func crossing(at, share []float64) float64 {
	const tolerance = 1e-9
	from := slices.IndexFunc(share, func(s float64) bool { return s <= 0.5+tolerance })
	to := slices.IndexFunc(share, func(s float64) bool { return s < 0.5-tolerance })
	switch {
	case from < 0:
		return math.Inf(1)
	case to < 0: // it stays at one half
		return at[from]
	}
	return at[from] + (at[to]-at[from])/2
}
