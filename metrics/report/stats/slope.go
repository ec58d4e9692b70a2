package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// LogLogSlope fits log y = a + b log x by least squares and returns b with its interval,
// b ± t(n-2) s / sqrt(Σ (log x - mean)²), s² = Σ residual² / (n-2).
func LogLogSlope(x, y []float64) Estimate {
	paired(x, y)
	n := len(x)
	logX, logY := make([]float64, n), make([]float64, n)
	for i := range x {
		if !(x[i] > 0) || !(y[i] > 0) || math.IsInf(x[i], 1) || math.IsInf(y[i], 1) {
			return nothing(n, fmt.Sprintf("(%v, %v) has no logarithm", x[i], y[i]))
		}
		logX[i], logY[i] = math.Log(x[i]), math.Log(y[i])
	}
	if n < 3 || slices.Min(logX) == slices.Max(logX) {
		return nothing(n, fmt.Sprintf("a slope needs at least 3 points and two different x, got %d points", n))
	}
	a, b := stat.LinearRegression(logX, logY, nil, false)
	mean := stat.Mean(logX, nil)
	residual, spread := 0.0, 0.0
	for i := range logX {
		r, d := logY[i]-a-b*logX[i], logX[i]-mean
		residual += r * r
		spread += d * d
	}
	half := quantile(n-2, Level) * math.Sqrt(residual/float64(n-2)/spread)
	return between(b, b-half, b+half, n, leastSquares)
}
