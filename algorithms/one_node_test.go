package algorithms_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/algorithms"
	"tallynet/metrics"
)

// Ten iterations each, by hand: from the algorithm's box, not from Cost. q = 3.
func TestOneNodeCostByHand(t *testing.T) {
	const outer = 10
	methods := suiteOf(outer, 1)
	maps.Copy(methods, map[string]algorithms.Method{
		"itd of one step": algorithms.ITD{Outer: outer, Inner: 1, Alpha: .01, Beta: .01, Warm: true},
		"amigo, batches":  algorithms.AmIGO{Outer: outer, Inner: 2, Linear: 3, Alpha: .01, Beta: .01, Eta: .01, Batch: 2},
	})
	for name, want := range map[string]metrics.OracleCounts{
		"aid":             {GradG: 20, GradF: 20, HVP: 30, JVP: 10},
		"aid-neumann":     {GradG: 20, GradF: 20, HVP: 30, JVP: 10},
		"aid-cg":          {GradG: 20, GradF: 20, HVP: 30, JVP: 10},
		"aid-warm-cg":     {GradG: 20, GradF: 20, HVP: 40, JVP: 10},
		"itd":             {GradG: 30, GradF: 20, HVP: 20, JVP: 30},
		"itd of one step": {GradG: 10, GradF: 20, HVP: 0, JVP: 10},
		"reverse":         {GradG: 40, GradF: 20, HVP: 10, JVP: 20},
		// k^(1/4)/2 is at most 0.9 up to k = 10: one y-step.
		"ba":        {GradG: 10, GradF: 20, Hessian: 10, Solve: 10, JVP: 10},
		"ba-linear": {GradG: 30, GradF: 20, Hessian: 10, Solve: 10, JVP: 10}, // 1+1+2+2+3+3+4+4+5+5
		"bsa":       {GradG: 10, GradF: 20, JVP: 10},                         // with one term, no product
		"stocbio":   {GradG: 20, GradF: 20, HVP: 30, JVP: 10},
		// Anew in iterations 1, 5, 9: 10 * 2 * 2 + 3 = 43 measurements.
		"vrbo":           {GradG: 43, GradF: 86, HVP: 129, JVP: 43},
		"mrbo":           {GradG: 19, GradF: 38, HVP: 57, JVP: 19},
		"amigo":          {GradG: 20, GradF: 20, HVP: 20, JVP: 10},
		"amigo, batches": {GradG: 20, GradF: 40, HVP: 30, JVP: 10},
		"accbio":         {GradG: 20, GradF: 20, HVP: 30, JVP: 10},
		"accbio-bg":      {GradG: 20, GradF: 20, HVP: 30, JVP: 10},
		"soba":           {GradG: 10, GradF: 20, HVP: 10, JVP: 10},
		"saba":           {GradG: 10, GradF: 20, HVP: 10, JVP: 10},
		// T = 3 in z, one in y, two in x.
		"bome":           {GradG: 60, GradF: 20},
		"bome-value":     {GradG: 60, GradF: 20, Value: 20},
		"bsg-1":          {GradG: 40, GradF: 20},
		"bvfsm":          {GradG: 70, GradF: 30, Value: 40},
		"bvfsm-detached": {GradG: 70, GradF: 30, Value: 10},
		"penalty":        {GradG: 30, GradF: 30, HVP: 20, JVP: 10},
		"f2sa":           {GradG: 60, GradF: 30},
		"optimistic-gd":  {GradG: 11, GradF: 10},
	} {
		m := methods[name]
		cost := metrics.Cost{Oracle: want, Bound: m.Cost(1, algorithms.Dims{}).Bound}
		got := counted(finish(t, world{w: single(), on: generated(t, 1, 2, 3)}, m).last())
		got.Bound = cost.Bound
		if d := cmp.Diff(cost, got); d != "" {
			t.Errorf("%s counted (- by hand, + counted)\n%s", name, d)
		}
		if d := cmp.Diff(cost, predicted(m, outer, algorithms.Dims{P: 2, Q: 3, Nodes: 1})); d != "" {
			t.Errorf("%s predicted (- by hand, + predicted)\n%s", name, d)
		}
	}
}

// The accounting of Ji et al. follows from the counts: AID needs Gc = K (N + 2) gradients
// of f and g, and MV = K (Q + 1) products. ITD needs the same Gc and MV = K (2N - 1), one
// less than they count.
func TestGcAndMV(t *testing.T) {
	const outer = 7
	for _, c := range []struct{ n, q int }{{1, 1}, {20, 1}, {1, 20}, {20, 20}, {3, 5}} {
		count := func(m algorithms.Method) (gc, mv int64) {
			o := finish(t, world{w: single(), on: generated(t, 1, 3, 4)}, m).last().Oracle
			return o.GradF + o.GradG, o.HVP + o.JVP
		}
		gc, mv := count(algorithms.AID{Outer: outer, Inner: c.n, Q: c.q, Alpha: .01, Beta: .01, Eta: .01, Warm: true})
		if want := int64(outer * (c.n + 2)); gc != want {
			t.Errorf("AID, N = %d: Gc = %d, want %d", c.n, gc, want)
		}
		if want := int64(outer * (c.q + 1)); mv != want {
			t.Errorf("AID, Q = %d: MV = %d, want %d", c.q, mv, want)
		}
		gc, mv = count(algorithms.ITD{Outer: outer, Inner: c.n, Alpha: .01, Beta: .01, Warm: true})
		if want := int64(outer * (c.n + 2)); gc != want {
			t.Errorf("ITD, N = %d: Gc = %d, want %d", c.n, gc, want)
		}
		if want := int64(outer * (2*c.n - 1)); mv != want {
			t.Errorf("ITD, N = %d: MV = %d, want %d", c.n, mv, want)
		}
	}
}

// BSA uses t products with t in 0 ... Q-1, on average (Q-1)/2.
func TestBSAWithinBound(t *testing.T) {
	m := algorithms.BSA{Outer: 400, Q: 9, Alpha: .01, Beta: .01, Eta: .01}
	want := predicted(m, 400, algorithms.Dims{P: 3, Q: 5, Nodes: 1})
	got := counted(finish(t, world{w: single(), on: generated(t, 1, 3, 5)}, m).last())
	// The mean of 400 lengths has a standard deviation of sqrt(80/12/400) = 0.13.
	if mean := float64(got.Oracle.HVP) / 400; mean < 3.4 || mean > 4.6 || want.Oracle.HVP != 400*8 || !want.Bound {
		t.Errorf("%g products an iteration, bound %d (%v)", mean, want.Oracle.HVP, want.Bound)
	}
	got.Oracle.HVP, got.Bound = want.Oracle.HVP, true
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(- predicted, + counted)\n%s", d)
	}
}

// BA takes one inner step up to k = 16 and two up to 256: k^(1/4) = 2, 4.
func TestBASchedule(t *testing.T) {
	m, d := algorithms.BA{}, algorithms.Dims{P: 1, Q: 1, Nodes: 1}
	for k, want := range map[int]int64{1: 1, 16: 1, 17: 2, 256: 2, 257: 3} {
		if got := m.Cost(k, d).Oracle.GradG; got != want {
			t.Errorf("iteration %d: %d inner steps, want %d", k, got, want)
		}
	}
}

// Conjugate gradients stop before Q products once they have converged, so the cost is marked as a bound.
func TestAIDByCGWithinBound(t *testing.T) {
	for _, warm := range []bool{false, true} {
		m := algorithms.AID{Outer: 4, Inner: 1, Q: 50, Solve: algorithms.SolveCG, Alpha: .01, Beta: .01,
			CGTolerance: 1e-9, Warm: warm}
		want := predicted(m, 4, algorithms.Dims{P: 3, Q: 5, Nodes: 1})
		got := counted(finish(t, world{w: single(), on: generated(t, 1, 3, 5)}, m).last())
		if !want.Bound || got.Oracle.HVP == 0 || got.Oracle.HVP > 4*7 || got.Oracle.HVP >= want.Oracle.HVP {
			t.Errorf("warm %v: %d products, bound %d (%v)", warm, got.Oracle.HVP, want.Oracle.HVP, want.Bound)
		}
		got.Oracle.HVP, got.Bound = want.Oracle.HVP, true
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("warm %v (- predicted, + counted)\n%s", warm, d)
		}
	}
}
