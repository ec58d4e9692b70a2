package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Level is the confidence of every interval for which no other is given.
const Level = 0.95

// Estimate is a number with its confidence interval.
type Estimate struct {
	Value     float64 // NaN if there is none
	Low, High float64 // NaN if there is no interval
	N         int     // number of observations
	Method    string  // how the interval was computed, or why there is none
}

// Methods of computing an interval.
const (
	student       = "Student"
	bca           = "bootstrap BCa"
	percentiles   = "bootstrap percentiles"
	logRatio      = "Student on log ratios"
	fieller       = "Fieller"
	leastSquares  = "least squares"
	replicatedFit = "least squares, and between replicates"
	kaplanMeier   = "Kaplan-Meier, log-log"
	pairedShares  = "Agresti and Min"
)

// exact is the method of an interval of width 0, from equal observations.
const exact = "all equal"

// Reasons for which there is no interval, or no value.
const (
	noObservations = "no observations"
	oneObservation = "one observation"
	notFinite      = "an observation is not finite"
	tooLarge       = "the numbers are too large to compute with"
)

// HasInterval reports whether there is an interval. Its upper end may be infinite.
func (e Estimate) HasInterval() bool { return !math.IsNaN(e.Low) && !math.IsNaN(e.High) }

// Few is the estimate of a number that is not stated, since fewer than half of n runs got there.
func Few(n int) Estimate { return nothing(n, "fewer than half got there") }

// nothing is an estimate without a value.
func nothing(n int, why string) Estimate {
	return Estimate{math.NaN(), math.NaN(), math.NaN(), n, why}
}

// bare is a value without an interval.
func bare(value float64, n int, why string) Estimate {
	return Estimate{value, math.NaN(), math.NaN(), n, why}
}

// between is value with the interval [low, high] if they are finite.
func between(value, low, high float64, n int, method string) Estimate {
	switch {
	case !finite(value):
		return nothing(n, tooLarge)
	case !finite(low, high):
		return bare(value, n, "the numbers are too large for an interval")
	}
	return Estimate{value, low, high, n, method}
}

func finite(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// few handles samples that allow no interval, or only one of width 0.
func few(x []float64) (Estimate, bool) {
	switch n := len(x); {
	case n == 0:
		return nothing(0, noObservations), true
	case !finite(x...):
		return nothing(n, notFinite), true
	case n == 1:
		return bare(x[0], 1, oneObservation), true
	case slices.Min(x) == slices.Max(x):
		return Estimate{x[0], x[0], x[0], n, exact}, true
	}
	return Estimate{}, false
}

// quantile returns the two-sided quantile of Student's t at a confidence.
func quantile(freedom int, level float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile((1 + level) / 2)
}

// studentMean returns the mean of x with the interval mean ± t(n-1) sd / sqrt(n).
func studentMean(x []float64, level float64) Estimate {
	if e, done := few(x); done {
		return e
	}
	n := len(x)
	m, sd := stat.MeanStdDev(x, nil)
	half := quantile(n-1, level) * sd / math.Sqrt(float64(n))
	return between(m, m-half, m+half, n, student)
}

// leastForBootstrap is the smallest sample size for which Mean uses the bootstrap.
const leastForBootstrap = 10

// Mean returns the mean of x with a BCa interval if there are at least ten observations
// whose skewness exceeds twice its standard error in normal samples, and with Student's
// interval otherwise. In smaller samples skewness is hard to distinguish from chance, and
// bootstrap intervals are too short.
func Mean(x []float64, seed uint64) Estimate {
	if finite(x...) && skewed(x) {
		return bootstrapMean(x, seed)
	}
	return studentMean(x, Level)
}

func skewed(x []float64) bool {
	n := float64(len(x))
	if len(x) < leastForBootstrap || slices.Min(x) == slices.Max(x) {
		return false
	}
	se := math.Sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
	return math.Abs(stat.Skew(x, nil)) > 2*se
}
