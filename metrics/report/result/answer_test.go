package result

import (
	"math"
	"testing"

	"tallynet/metrics/jsonio"
)

func TestDecides(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		low, high float64
		want      bool
	}{
		{1.01, 3, true}, {0.2, 0.99, true}, {1, 1.2, false}, {0.8, 1, false}, {0.8, 1.2, false}, {0.9, 1.1, true},
		{0.95, 1.2, false}, {0.85, 1.05, false}, {1, 1, true}, {nan, nan, true}, {1.5, math.Inf(1), true},
		{0.5, math.Inf(1), false},
	} {
		if got := (Interval{Low: jsonio.Real(c.low), High: jsonio.Real(c.high)}).Decides(0.1); got != c.want {
			t.Errorf("[%g, %g] decides: %t", c.low, c.high, got)
		}
	}
}
