package stats

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tallynet/sim"
)

// resamples is the number of bootstrap samples. With it the ends of an interval vary
// between seeds by about 2 % of its width.
const resamples = 9999

// bootstrapMean returns the mean of x with the bias-corrected and accelerated interval of
// Efron (1987). Resampling noise makes it depend on the seed.
func bootstrapMean(x []float64, seed uint64) Estimate {
	if e, done := few(x); done {
		return e
	}
	n := len(x)
	m := stat.Mean(x, nil)
	if !finite(m) {
		return between(m, m, m, n, bca)
	}
	means := resampled(x, seed, func(sample []float64) float64 { return stat.Mean(sample, nil) })
	without := make([]float64, n) // means of all but one
	for i, v := range x {
		without[i] = m + (m-v)/float64(n-1)
	}
	low, high := bcaInterval(m, means, without)
	return between(m, low, high, n, bca)
}

// bcaInterval returns the interval for an estimate from its bootstrap replicates, which it sorts,
// and its jackknife replicates. Half of the replicates that equal the estimate count as
// below it.
func bcaInterval(estimate float64, replicates, jackknife []float64) (low, high float64) {
	slices.Sort(replicates)
	below := sort.SearchFloat64s(replicates, estimate)
	upTo := sort.Search(len(replicates), func(i int) bool { return replicates[i] > estimate })
	bias := distuv.UnitNormal.Quantile(float64(below+upTo) / 2 / float64(len(replicates)))
	mean := stat.Mean(jackknife, nil)
	var squares, cubes float64
	for _, v := range jackknife {
		d := mean - v
		squares += d * d
		cubes += d * d * d
	}
	acceleration := 0.0
	if squares > 0 {
		acceleration = cubes / (6 * math.Pow(squares, 1.5))
	}
	end := func(z float64) float64 {
		z = bias + (bias+z)/(1-acceleration*(bias+z))
		return Quantile(replicates, distuv.UnitNormal.CDF(z))
	}
	z := distuv.UnitNormal.Quantile((1 + Level) / 2)
	return end(-z), end(z)
}

// Quantile returns a quantile of sorted values by linear interpolation; p = 0 is the smallest value and p = 1 the
// largest. It returns NaN if there are no values or p is NaN.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 || sorted[i] == sorted[i+1] || at == float64(i) || math.IsInf(sorted[i], 0) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Median returns the median of x with the interval of the bootstrap's percentiles, which depends on the seed. It is
// not corrected as that of a mean is, since the jackknife tells nothing about medians.
func Median(x []float64, seed uint64) Estimate {
	if e, done := few(x); done {
		return e
	}
	median := func(sample []float64) float64 {
		slices.Sort(sample)
		return Quantile(sample, 0.5)
	}
	all := resampled(x, seed, median)
	slices.Sort(all)
	low, high := Quantile(all, (1-Level)/2), Quantile(all, (1+Level)/2)
	return between(median(slices.Clone(x)), low, high, len(x), percentiles)
}

// resampled returns a statistic of samples of x with replacement, which it may sort.
func resampled(x []float64, seed uint64, statistic func(sample []float64) float64) []float64 {
	random := sim.Stream(seed, "bootstrap", len(x))
	sample, all := make([]float64, len(x)), make([]float64, resamples)
	for b := range all {
		for i := range sample {
			sample[i] = x[random.IntN(len(x))]
		}
		all[b] = statistic(sample)
	}
	return all
}
