package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Difference returns the mean of a[i] - b[i] with its interval, as Mean does. It panics
// if a and b differ in length.
func Difference(a, b []float64, seed uint64) Estimate {
	paired(a, b)
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return Mean(d, seed)
}

func paired(a, b []float64) {
	if len(a) != len(b) {
		panic(fmt.Sprintf("stats: %d and %d numbers do not form pairs", len(a), len(b)))
	}
}

// Ratio returns the ratio of paired numbers a to b.
//
// If all numbers are positive, it is the geometric mean of a[i] / b[i], with Student's
// interval for the mean of log(a[i] / b[i]). Costs are positive and vary by factors, and
// a seed that is hard for one method is usually hard for another, which cancels within
// the pair. The interval is exact if the log ratios are normal, is positive, and the one
// of b over a is the inverse of the one of a over b.
//
// Otherwise it is mean(a) / mean(b) with Fieller's interval. That is exact if the pairs
// are normal. It does not exist if mean(b) could be 0.
func Ratio(a, b []float64) Estimate { return RatioAt(a, b, Level) }

// RatioAt is Ratio with an interval of another confidence.
func RatioAt(a, b []float64, level float64) Estimate {
	paired(a, b)
	if !finite(a...) || !finite(b...) || len(a) == 0 || slices.Min(a) <= 0 || slices.Min(b) <= 0 {
		return fiellerRatio(a, b, level)
	}
	ratios, logs := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
		logs[i] = math.Log(a[i]) - math.Log(b[i])
	}
	if e, done := few(ratios); done { // exact, where logarithms would round
		return e
	}
	e := studentMean(logs, level)
	return between(math.Exp(e.Value), math.Exp(e.Low), math.Exp(e.High), e.N, logRatio)
}

// fiellerRatio returns mean(a) / mean(b) of pairs. The interval contains all ratios r for
// which mean(a - r b) does not differ from 0 by Student's test; Fieller (1954).
func fiellerRatio(a, b []float64, level float64) Estimate {
	r, done := ratio(a, b)
	if done {
		return r
	}
	n := len(a)
	ma, mb := stat.Mean(a, nil), stat.Mean(b, nil)
	// (ma - r mb)² = t² (va - 2 r c + r² vb), with the variances of the means.
	t := quantile(n-1, level)
	k := t * t / float64(n)
	va, vb, c := k*stat.Variance(a, nil), k*stat.Variance(b, nil), k*stat.Covariance(a, b, nil)
	square := mb*mb - vb
	if !(square > 0) {
		return bare(r.Value, n, "the mean of the denominators may be 0")
	}
	root := math.Sqrt(math.Max(0, (ma*mb-c)*(ma*mb-c)-square*(ma*ma-va)))
	return between(r.Value, (ma*mb-c-root)/square, (ma*mb-c+root)/square, n, fieller)
}

// ratio returns mean(a) / mean(b). If done, there is no interval.
func ratio(a, b []float64) (r Estimate, done bool) {
	paired(a, b)
	n := len(a)
	switch {
	case n == 0:
		return nothing(0, noObservations), true
	case !finite(a...) || !finite(b...):
		return nothing(n, notFinite), true
	}
	v := stat.Mean(a, nil) / stat.Mean(b, nil)
	switch {
	case !finite(v):
		return nothing(n, "the mean of the denominators is 0, or the numbers are too large"), true
	case n == 1:
		return bare(v, n, oneObservation), true
	}
	return bare(v, n, ""), false
}

// Shares returns the difference of the shares of two paired yes-or-no outcomes: pairs in which both are yes, only
// a, only b, and neither. The interval is Wald's with half a pair added to each of the four counts; Agresti and
// Min, 2005.
func Shares(both, onlyA, onlyB, neither int) Estimate {
	n := both + onlyA + onlyB + neither
	if n == 0 {
		return nothing(0, noObservations)
	}
	value := float64(onlyA-onlyB) / float64(n)
	if n == 1 {
		return bare(value, n, oneObservation)
	}
	m, a, b := float64(n+2), float64(onlyA)+0.5, float64(onlyB)+0.5
	middle := (a - b) / m
	half := distuv.UnitNormal.Quantile((1+Level)/2) * math.Sqrt(a+b-(a-b)*(a-b)/m) / m
	return between(value, math.Max(-1, middle-half), math.Min(1, middle+half), n, pairedShares)
}
