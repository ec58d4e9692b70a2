package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Level is the confidence of every interval.
const Level = 0.95

// Estimate is a number with its confidence interval.
type Estimate struct {
	Value     float64 // NaN: there is none
	Low, High float64 // NaN: there is no interval
	N         int     // observations that it is made of
	Method    string  // how the interval was made, or why there is none
}

// The ways in which intervals are made.
const (
	Student      = "Student"
	BCa          = "bootstrap BCa"
	LogRatio     = "Student on log ratios"
	Fieller      = "Fieller"
	LeastSquares = "least squares"
	KaplanMeier  = "Kaplan-Meier, log-log"
)

// Exact is the method of an interval without width: all observations are equal.
const Exact = "all equal"

// HasInterval reports whether there is an interval. Its upper end may be infinite.
func (e Estimate) HasInterval() bool { return !math.IsNaN(e.Low) && !math.IsNaN(e.High) }

// nothing is an estimate without a value.
func nothing(n int, format string, args ...any) Estimate {
	return Estimate{math.NaN(), math.NaN(), math.NaN(), n, fmt.Sprintf(format, args...)}
}

// bare is a value without an interval.
func bare(value float64, n int, why string) Estimate {
	return Estimate{value, math.NaN(), math.NaN(), n, why}
}

// between is value with [low, high], as far as they are finite.
func between(value, low, high float64, n int, method string) Estimate {
	switch {
	case !finite(value):
		return nothing(n, "the numbers are too large to be computed with")
	case !finite(low, high):
		return bare(value, n, "the numbers are too large for an interval")
	}
	return Estimate{value, low, high, n, method}
}

func finite(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// few handles the samples that allow no interval, or one without width.
func few(x []float64) (Estimate, bool) {
	switch n := len(x); {
	case n == 0:
		return nothing(0, "no observations"), true
	case !finite(x...):
		return nothing(n, "an observation is not finite"), true
	case n == 1:
		return bare(x[0], 1, "one observation"), true
	case slices.Min(x) == slices.Max(x):
		return Estimate{x[0], x[0], x[0], n, Exact}, true
	}
	return Estimate{}, false
}

// quantile is the two-sided quantile of Student's t.
func quantile(freedom int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile((1 + Level) / 2)
}

// StudentMean returns the mean of x, mean ± t(n-1) sd / sqrt(n).
func StudentMean(x []float64) Estimate {
	if e, done := few(x); done {
		return e
	}
	n := len(x)
	m, sd := stat.MeanStdDev(x, nil)
	half := quantile(n-1) * sd / math.Sqrt(float64(n))
	return between(m, m-half, m+half, n, Student)
}

// leastForBootstrap is the size of the smallest sample that Mean resamples.
const leastForBootstrap = 10

// Mean returns the mean of x with the interval that suits it: BCa if there are at least
// ten observations and their skewness differs from 0 by more than twice the standard
// error that it has in normal samples, and Student's otherwise. In smaller samples
// skewness cannot be told from chance, and bootstrap intervals are too short.
func Mean(x []float64, seed uint64) Estimate {
	if finite(x...) && skewed(x) {
		return BootstrapMean(x, seed)
	}
	return StudentMean(x)
}

func skewed(x []float64) bool {
	n := float64(len(x))
	if len(x) < leastForBootstrap || slices.Min(x) == slices.Max(x) {
		return false
	}
	se := math.Sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
	return math.Abs(stat.Skew(x, nil)) > 2*se
}
