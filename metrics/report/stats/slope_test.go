package stats

import (
	"math"
	"testing"
)

func TestLogLogSlope(t *testing.T) {
	// s <- lm(log(y) ~ log(x)); coef(s)[2]; confint(s)[2, ]
	x, y := []float64{8, 16, 32, 64, 128}, []float64{0.9, 2.1, 3.7, 8.8, 15.0}
	check(t, "slope", LogLogSlope(x, y), 1.0184901574, 0.875709519854, 1.161270794939, 5, leastSquares, 1e-10)
	if y[0] != 0.9 {
		t.Error("the input has changed")
	}
}

// For log x = 0, 1, 2 and log y = 0, 1, 3 the slope is 3/2, Σ residual² is 1/6 and Σ (log x - mean)² is 2,
// so the interval is 3/2 ± t(1) sqrt(1/12).
func TestThreePointsHaveASlope(t *testing.T) {
	x, y := []float64{1, math.E, math.E * math.E}, []float64{1, math.E, math.Exp(3)}
	const half = 12.7062047361747 * 0.288675134594813
	check(t, "slope", LogLogSlope(x, y), 1.5, 1.5-half, 1.5+half, 3, leastSquares, 1e-10)
}

// Two points always lie on a line: their slope has no interval.
func TestTwoPointsHaveNoSlope(t *testing.T) {
	if e := LogLogSlope([]float64{1, 2}, []float64{3, 12}); !math.IsNaN(e.Value) || e.HasInterval() || e.N != 2 {
		t.Errorf("got %+v", e)
	}
	if e := LogLogSlope([]float64{1, 2, 4}, []float64{3, 12, 48}); !(math.Abs(e.Value-2) <= 1e-12) {
		t.Errorf("got %+v", e)
	}
}
