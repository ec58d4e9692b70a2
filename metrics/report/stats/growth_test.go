package stats

import (
	"math"
	"strings"
	"testing"
)

// TestGrowthForgetsTheOffset: (a + b x^q)^p has the exponent p q for any a, although the
// exponent over the range differs.
func TestGrowthForgetsTheOffset(t *testing.T) {
	for _, c := range []struct{ p, q, a float64 }{{1, 1, -0.8}, {1, 1, 5}, {2, 1, -0.5}, {1, 2, 30}, {2, 1, 4}} {
		for _, at := range [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 2, 4, 7, 11, 16, 22, 29}} {
			var x, y []float64
			for _, k := range at {
				for _, b := range []float64{1, 1.5} {
					x, y = append(x, k), append(y, math.Pow(c.a+b*math.Pow(k, c.q), c.p))
				}
			}
			e, plain := Growth(x, y, c.p, 1), Exponent(x, y, 1)
			want := c.p * c.q
			if !(e.Low <= want+1e-9 && want <= e.High+1e-9 && e.High-e.Low < 1e-6 && near(e.Value, want, 1e-9)) {
				t.Errorf("%+v at %v: %+v", c, at, e)
			}
			if len(at) == 10 && math.Abs(plain.Value-want) < 0.05 {
				t.Errorf("%+v: the range shows %v", c, plain.Value)
			}
		}
	}
}

// TestGrowthIsUndecided: few points, an infinite cost, and a falling cost.
func TestGrowthIsUndecided(t *testing.T) {
	x := []float64{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}
	for name, y := range map[string][]float64{
		"never": {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, math.Inf(1), 6},
		"falls": {1, 1, 2, 2, 3, 3, 2, 2, 5, 5, 6, 6},
	} {
		if e := Growth(x, y, 1, 1); e.HasInterval() {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := Growth(x[:10], x[:10], 1, 1); e.HasInterval() ||
		!strings.Contains(e.Method, "at least 6 different x, got 5") {
		t.Errorf("five points: %+v", e)
	}
	for _, some := range [][]float64{x[1:], x[:11]} { // the first or the last point has one replicate
		if e := Growth(some, some, 1, 1); e.HasInterval() || !strings.Contains(e.Method, "equally many") {
			t.Errorf("%v: %+v", some, e)
		}
	}
	one := []float64{1, 2, 3, 4, 5, 6}
	if e := Growth(one, []float64{1, 8, 27, 64, 125, 216}, 1, 1); e.HasInterval() || !math.IsNaN(e.Value) ||
		!strings.Contains(e.Method, "at least 2 replicates") {
		t.Errorf("cubes: %+v", e)
	}
}
