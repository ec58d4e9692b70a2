package fold_test

import (
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// TestFrontsOfFewGroups: two groups form a front, even if others have no value; groups without
// values form none. The grid has no front if it has only one point. Energy and money are
// objectives of runs that have them, and so is a metric that is shown by default.
func TestFrontsOfFewGroups(t *testing.T) {
	p := at(t, "topology.nodes", 8)
	good, bad := ended("A", 1, p, result.Completed, 100, 1), ended("B", 1, p, result.Completed, 200, 0.5)
	lost := ended("C", 1, p, result.Diverged, 300, 0.1)
	fronts := of(t, fold.Options{}, good, bad, lost).Fronts
	if len(fronts) != 1 || fronts[0].Point != 0 || len(fronts[0].Members) != 2 ||
		!slices.Equal(fronts[0].Without, []int{2}) {
		t.Errorf("of two runs that ended well and one that did not: %+v", fronts)
	}
	far := ended("A", 1, at(t, "topology.nodes", 16), result.Completed, 300, 1)
	if fronts = of(t, fold.Options{}, good, far).Fronts; len(fronts) != 1 || fronts[0].Point != -1 {
		t.Errorf("of one run at each of two points: %+v", fronts)
	}
	if fronts = of(t, fold.Options{}, good).Fronts; len(fronts) != 0 {
		t.Errorf("of one run: %+v", fronts)
	}
	if fronts = of(t, fold.Options{Targets: []result.Target{below(0.01)}}, good, bad, lost).Fronts; len(fronts) != 0 {
		t.Errorf("nobody gets to the target: %+v", fronts)
	}
	good.Metrics, good.Final.Values = []string{"first", "g"}, append([]result.NamedValue{{Name: "first", Value: 3}},
		good.Final.Values...)
	good.Samples = nil
	good.Totals.Energy, good.Totals.Money, good.Totals.LinkEnergy = 5, 7, 2
	for more, want := range map[string]string{"": "final.first", "first": "final.first", "g": "final.g"} {
		s := of(t, fold.Options{More: []string{more}}, good, bad)
		var got []string
		for _, o := range s.Fronts[0].Objectives {
			got = append(got, s.Outcomes[o].ID)
		}
		want := "totals.time_s totals.payload_bytes " + want + " totals.energy_j totals.money"
		if strings.Join(got, " ") != want {
			t.Errorf("objectives %q, want %q", got, want)
		}
	}
}

// TestSlopesNeedPositiveNumbers: a key with 0 has no logarithm, and a point at which no run ended
// well has no mean.
func TestSlopesNeedPositiveNumbers(t *testing.T) {
	for least, want := range map[int]int{0: 0, 1: 1} {
		var all []result.Run
		for _, k := range []int{least, 2, 4, 8, 16} {
			status := result.Completed
			if k == 16 {
				status = result.Diverged
			}
			all = append(all, ended("A", 1, at(t, "k", k), status, int64(1+10*k*k), 1))
		}
		all = append(all, ended("A", 1, nil, result.Completed, 5, 1), ended("B", 1, at(t, "k", 2), result.Completed, 5, 1))
		s := of(t, fold.Options{}, all...)
		bytes, n := outcome(t, s, "totals.payload_bytes"), 0
		for _, l := range s.Slopes {
			if l.Outcome == bytes {
				if n++; l.Without != 1 || len(l.Groups) != 4 || !l.Slope.Value.Finite() {
					t.Errorf("%+v", l)
				}
			}
		}
		if n != want {
			t.Errorf("from %d on there are %d slopes, want %d", least, n, want)
		}
	}
}

// TestImportancesByHand: g is 0 and 2 at 8 nodes, and 4 and 6 at 16. The mean is 3, and the
// squares are 9 + 1 + 1 + 9; those of the means 1 and 5 are 4 x 4 of these 20. As 0 has no
// logarithm, the numbers themselves are used. With one run in each cell, nothing is left within
// cells.
func TestImportancesByHand(t *testing.T) {
	var all []result.Run
	for i, g := range []float64{0, 2, 4, 6} {
		all = append(all, ended([]string{"A", "B"}[i%2], 1, at(t, "k", 8+8*(i/2)), result.Completed, 100, g))
	}
	find := func(s *fold.Summary) *fold.Importance {
		g := outcome(t, s, "final.g")
		i := slices.IndexFunc(s.Importances, func(im fold.Importance) bool { return im.Outcome == g })
		if i < 0 {
			return &fold.Importance{}
		}
		return &s.Importances[i]
	}
	im := find(of(t, fold.Options{}, all...))
	if len(im.Shares) != 2 || im.Log || im.Runs != 4 || !same(im.Shares[0].First, 0.2) ||
		!same(im.Shares[1].First, 0.8) ||
		im.Shares[0].Name != "method" || im.Shares[0].Key != -1 || im.Shares[1].Name != "k" ||
		!im.Balanced || !same(im.Within, 0) {
		t.Errorf("both methods: %+v", im)
	}
	im = find(of(t, fold.Options{}, all[0], all[2]))
	if len(im.Shares) != 1 || im.Shares[0].Name != "k" || im.Runs != 2 {
		t.Errorf("one method, at two points: %+v", im)
	}
	if im = find(of(t, fold.Options{}, all[0], all[1])); len(im.Shares) != 1 || im.Shares[0].Name != "method" {
		t.Errorf("two methods at one point: %+v", im)
	}
	some := slices.Clone(all[2:])
	some[0].Point = nil
	some[0].Label = "B"
	if im = find(of(t, fold.Options{}, some...)); len(im.Shares) != 1 || im.Shares[0].Name != "k" || !im.Log {
		t.Errorf("one method, with a key and without: %+v", im)
	}
}
