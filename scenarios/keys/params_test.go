package keys

import "testing"

func TestRange(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, c := range []struct {
		r       Range
		in, out []float64
		text    string
	}{
		{Range{}, []float64{-1, 0, 1e300}, []float64{nan}, ""},
		{AtLeast(1), []float64{1, 2}, []float64{0.5, nan}, "at least 1"},
		{Above(0), []float64{1e-9}, []float64{0, -1}, "above 0"},
		{Between(0, 1), []float64{0, 1}, []float64{-0.1, 1.1}, "at least 0 and at most 1"},
		{Inside(0, 1), []float64{0.5}, []float64{0, 1}, "above 0 and below 1"},
		{AboveUpTo(0, 1), []float64{1}, []float64{0}, "above 0 and at most 1"},
		{FromBelow(0, 1), []float64{0}, []float64{1}, "at least 0 and below 1"},
	} {
		for _, v := range c.in {
			if !c.r.Contains(v) {
				t.Errorf("%v is not %s", v, c.text)
			}
		}
		for _, v := range c.out {
			if c.r.Contains(v) {
				t.Errorf("%v is %s", v, c.text)
			}
		}
		if got := c.r.String(); got != c.text {
			t.Errorf("%q, want %q", got, c.text)
		}
	}
}
