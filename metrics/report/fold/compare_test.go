package fold_test

import (
	"math"
	"testing"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// TestMethodsAreComparedAtEqualKeys: B has no alpha, and is compared with A at each alpha
// with the same number of nodes. A seed at which neither ends well gives no comparison.
func TestMethodsAreComparedAtEqualKeys(t *testing.T) {
	var all []result.Run
	for _, nodes := range []int{8, 16} {
		for _, alpha := range []int{1, 2} {
			p := at(t, "topology.nodes", nodes, "algorithms.A.alpha", alpha)
			all = append(all, ended("A", 1, p, result.Completed, int64(100*nodes), 1),
				ended("A", 2, p, result.Diverged, 1, 1))
		}
		p := at(t, "topology.nodes", nodes)
		all = append(all, ended("B", 1, p, result.Completed, int64(200*nodes), 1), ended("B", 2, p, result.Diverged, 1, 1))
	}
	s := of(t, fold.Options{}, all...)
	bytes, n := outcome(t, s, "totals.payload_bytes"), 0
	for _, c := range s.Comparisons {
		a, b := s.Groups[c.A], s.Groups[c.B]
		if c.Outcome != bytes || a.Label == b.Label {
			continue
		}
		n++
		if s.Points[a.Point].Values[0] != s.Points[b.Point].Values[0] || c.Pairs != 1 || c.Neither != 1 ||
			c.AOnly+c.BOnly != 0 || c.Key != -1 || !same(c.Ratio.Value, 0.5) {
			t.Errorf("%s with %s: %+v", s.Points[a.Point].Name, s.Points[b.Point].Name, c)
		}
	}
	if n != 4 {
		t.Errorf("%d comparisons of A with B, want one at each of A's 4 points", n)
	}
}

// TestInverse: the inverse of 2 in [1, 4] is 1/2 in [1/4, 1]. An interval that contains
// negative numbers has no inverse.
func TestInverse(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ value, low, high, inverse, from, to float64 }{
		{2, 1, 4, 0.5, 0.25, 1}, {2, nan, nan, 0.5, nan, nan}, {2, 0, 4, 0.5, 0.25, math.Inf(1)},
		{0, nan, nan, nan, nan, nan},
		{2, -1, 4, nan, nan, nan}, {-2, nan, nan, nan, nan, nan},
	} {
		var x fold.Comparison
		x.Ratio.Value, x.Ratio.Low, x.Ratio.High = jsonio.Real(c.value), jsonio.Real(c.low), jsonio.Real(c.high)
		x.A, x.B, x.AOnly, x.BOnly = 1, 2, 3, 4
		x.Difference.Value, x.Difference.Low, x.Difference.High = 5, 3, 9
		y := x.Inverse()
		if d := y.Difference; y.A != 2 || y.B != 1 || y.AOnly != 4 || y.BOnly != 3 || d.Value != -5 || d.Low != -9 ||
			d.High != -3 {
			t.Errorf("the inverse of %+v is %+v", x, y)
		}
		r := y.Ratio
		if !same(r.Value, c.inverse) || !same(r.Low, c.from) || !same(r.High, c.to) {
			t.Errorf("the inverse of %g in [%g, %g] is %g in [%g, %g]", c.value, c.low, c.high, r.Value, r.Low, r.High)
		}
	}
}
