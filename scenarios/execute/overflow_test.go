package execute

import (
	"math"
	"testing"

	"tallynet/channel"
)

// TestOverflow: the first finite number that a wire format makes infinite is recorded with its sign. A number
// that was already infinite does not count.
func TestOverflow(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		sent  [][]float64
		first float64
	}{
		{[][]float64{{1, 3e38, -3e38}}, 0}, {[][]float64{{inf, -inf, math.NaN()}}, 0}, {[][]float64{{-inf, 1}, {inf}}, 0},
		{[][]float64{{1, -4e38, 5e38}}, -4e38}, {[][]float64{{-inf, 1}, {inf, 4e38}, {9e38}}, 4e38},
	} {
		o := overflow{Codec: channel.Float32}
		for _, v := range c.sent {
			o.Encode(make([]float64, len(v)), v)
		}
		if o.first != c.first || (o.reason() == "") != (c.first == 0) {
			t.Errorf("%v: %g is remembered, want %g; %q", c.sent, o.first, c.first, o.reason())
		}
	}
	const want = "; -4e+38 was sent before, which does not fit wire format float32: its largest number is 3.4e38"
	o := overflow{channel.Float32, -4e38}
	if got := o.reason(); got != want {
		t.Errorf("the reason is %q, want %q", got, want)
	}
}
