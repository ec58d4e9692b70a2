package algorithms_test

import (
	"testing"

	"tallynet/algorithms"
)

// TestNeedsOfParameters: a method's needs may depend on its parameters.
func TestNeedsOfParameters(t *testing.T) {
	for _, mode := range []algorithms.Mode{"", algorithms.Heterogeneous, algorithms.Homogeneous} {
		for name, m := range map[string]algorithms.Method{
			"dbo": algorithms.DBO{Mode: mode}, "dbogt": algorithms.DBOGT{Mode: mode}, "dsbo": algorithms.DSBO{Mode: mode},
		} {
			if n := m.Needs(); n.HomogeneousG != (mode == algorithms.Homogeneous) || !n.Bilevel {
				t.Errorf("%s, %s: %+v", name, mode, n)
			}
		}
	}
	for solve, want := range map[algorithms.Solve]algorithms.ServerUse{
		algorithms.SolveCG: algorithms.ServerRefused, "": algorithms.ServerAllowed,
	} {
		if n := (algorithms.AID{Solve: solve}).Needs(); n.Server != want || !n.OneNode {
			t.Errorf("aid, solve %q: %+v", solve, n)
		}
	}
	for c, ring := range map[algorithms.Collective]bool{
		algorithms.RingCollective: true, algorithms.TreeCollective: false,
	} {
		if n := (algorithms.AllReduceGD{Collective: c}).Needs(); n.Ring != ring || !n.FixedW {
			t.Errorf("all-reduce, %s: %+v", c, n)
		}
	}
}
