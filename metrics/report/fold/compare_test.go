package fold_test

import (
	"testing"

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
