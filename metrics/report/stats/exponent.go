package stats

import (
	"fmt"
	"math"
	"slices"

	"tallynet/metrics/list"
)

// leastScale is the least number of different x for an exponent of scaling.
const leastScale = 5

// replicated returns the different x in order, with the values at each of them.
func replicated(x, y []float64) (at []float64, byX [][]float64) {
	paired(x, y)
	at = slices.Compact(slices.Sorted(slices.Values(x)))
	byX = make([][]float64, len(at))
	for i := range x {
		k, _ := slices.BinarySearch(at, x[i])
		byX[k] = append(byX[k], y[i])
	}
	return at, byX
}

// Exponent estimates b in y ~ x^b from replicates: y[i] was measured at x[i], and the k-th
// value at each x belongs to the k-th replicate. It is the slope of the mean of log y over
// log x. Two things can be wrong with such a number: the replicates differ, and the points
// lie on no line. Its interval is the smallest that contains both the interval of the mean
// of the replicates' own slopes, as by Mean with the seed, and the interval of the least
// squares fit. It wants at least five different x, and at least two replicates.
func Exponent(x, y []float64, seed uint64) Estimate {
	at, byX := replicated(x, y)
	if len(at) < leastScale {
		return nothing(len(x), fmt.Sprintf("an exponent needs at least %d different x, got %d", leastScale, len(at)))
	}
	replicates := len(byX[0])
	means := make([]float64, len(at)) // geometric
	for k, ys := range byX {
		if len(ys) != replicates || replicates < 2 {
			return nothing(len(x), "an exponent needs at least 2 replicates, and equally many at each x")
		}
		sum := 0.0
		for _, v := range ys {
			sum += math.Log(v)
		}
		means[k] = math.Exp(sum / float64(replicates))
	}
	fit := LogLogSlope(at, means)
	if !fit.HasInterval() {
		return fit
	}
	slopes := make([]float64, replicates)
	for r := range slopes {
		ys := list.Map(byX, func(own []float64) float64 { return own[r] })
		slopes[r] = LogLogSlope(at, ys).Value
	}
	spread := Mean(slopes, seed)
	return between(fit.Value, min(fit.Low, spread.Low), max(fit.High, spread.High), len(x), replicatedFit)
}

// Growth estimates the exponent p q of a law y = (a + b x^q)^p whose offset a is free, for a
// given p > 0, from replicates as Exponent has them. A law that sets in early or late, as
// the cost log(c/ε) of an accuracy does, has an exponent of its own over any finite range;
// the rate of y^(1/p) between neighbouring x does not know a, and grows like x^(q-1) at the
// middle between them. It wants at least six different x.
func Growth(x, y []float64, p float64, seed uint64) Estimate {
	at, byX := replicated(x, y)
	if len(at) <= leastScale {
		return nothing(len(x), fmt.Sprintf("a growth needs at least %d different x, got %d", leastScale+1, len(at)))
	}
	var middles, rates []float64
	for k := 1; k < len(at); k++ {
		if len(byX[k]) != len(byX[0]) {
			return nothing(len(x), "a growth needs equally many replicates at each x")
		}
		for r := range byX[k] {
			middles = append(middles, (at[k-1]+at[k])/2)
			rates = append(rates, (math.Pow(byX[k][r], 1/p)-math.Pow(byX[k-1][r], 1/p))/(at[k]-at[k-1]))
		}
	}
	e := Exponent(middles, rates, seed)
	if !e.HasInterval() {
		return nothing(len(x), e.Method)
	}
	return between(p*(1+e.Value), p*(1+e.Low), p*(1+e.High), len(x), replicatedFit)
}
