package stats

import (
	"math"
	"strings"
	"testing"
)

// TestExponent: replicates that follow x^2 exactly, each with its own factor, have the
// common slope 2 and no spread.
func TestExponent(t *testing.T) {
	var x, y []float64
	for _, v := range []float64{1, 2, 4, 8, 16} {
		for _, factor := range []float64{1, 3, 5} {
			x, y = append(x, v), append(y, factor*v*v)
		}
	}
	e := Exponent(x, y, 1)
	if !(math.Abs(e.Value-2) <= 1e-12) || !(math.Abs(e.Low-2) <= 1e-9) || !(math.Abs(e.High-2) <= 1e-9) || e.N != 15 {
		t.Errorf("%+v", e)
	}
}

// TestExponentBetweenReplicates: one replicate grows like x, another like x^3. Their mean
// fits a line perfectly, so the fit alone would give no width. Student's interval of 1 and 3
// is 2 ± 12.706.
func TestExponentBetweenReplicates(t *testing.T) {
	var x, y []float64
	for _, v := range []float64{1, 2, 4, 8, 16} {
		x, y = append(x, v, v), append(y, v, v*v*v)
	}
	e := Exponent(x, y, 1)
	if !(math.Abs(e.Value-2) <= 1e-12) || !(math.Abs(e.Low-(2-12.7062)) <= 1e-3) ||
		!(math.Abs(e.High-(2+12.7062)) <= 1e-3) {
		t.Errorf("%+v", e)
	}
}

// TestExponentOfACurve: equal replicates do not lie on a line; the interval is that of the fit.
func TestExponentOfACurve(t *testing.T) {
	at, values := []float64{1, 2, 4, 8, 16}, []float64{1, 2, 8, 64, 1024} // exponents 1, 2, 3, 4 from point to point
	var x, y []float64
	for i := range at {
		x, y = append(x, at[i], at[i]), append(y, values[i], values[i])
	}
	e, fit := Exponent(x, y, 1), LogLogSlope(at, values)
	if !(math.Abs(e.Low-fit.Low) <= 1e-9) || !(math.Abs(e.High-fit.High) <= 1e-9) || e.High-e.Low < 1 {
		t.Errorf("%+v, want the interval of %+v", e, fit)
	}
}

func TestExponentWants(t *testing.T) {
	four := []float64{1, 1, 2, 2, 4, 4, 8, 8}
	five := []float64{1, 2, 4, 8, 16}
	for _, c := range []struct {
		x, y []float64
		want string
	}{
		{four, four, "5 different x, got 4"},
		{five, five, "2 replicates"},
		{append(five, 1), append(five, 1), "equally many"},
		{append(five, five...), append([]float64{0, 2, 4, 8, 16}, five...), "logarithm"},
	} {
		if e := Exponent(c.x, c.y, 1); e.HasInterval() || !strings.Contains(e.Method, c.want) {
			t.Errorf("%v: %+v, want %s", c.x, e, c.want)
		}
	}
}
