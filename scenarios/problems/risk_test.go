package problems

import (
	"fmt"
	"testing"

	"tallynet/metrics"
)

// TestHingeByHand: u is 1 - t z. At the kinks, 0 and the width, what comes after them counts no second derivative.
func TestHingeByHand(t *testing.T) {
	for _, c := range []struct{ width, z, t, value, d1, d2 float64 }{
		{0, 2, 1, 0, 0, 0}, {0, 1, 1, 0, 0, 0}, {0, 0.5, 1, 0.5, -1, 0}, {0, -1, -1, 0, 0, 0}, {0, 0, -1, 1, 1, 0},
		{0.5, 1, 1, 0, 0, 0}, {0.5, 0.75, 1, 0.0625, -0.5, 2}, {0.5, 0.5, 1, 0.25, -1, 0}, {0.5, 0, 1, 0.75, -1, 0},
		{0.5, -0.75, -1, 0.0625, 0.5, 2}, {0.5, -0.5, -1, 0.25, 1, 0}, {0.5, -1, -1, 0, 0, 0},
	} {
		l := loss{kind: hinge, width: c.width}
		d1, d2 := l.derivatives(c.z, c.t)
		if v := l.value(c.z, c.t); v != c.value || d1 != c.d1 || d2 != c.d2 {
			t.Errorf("%+v: %g with derivatives %g and %g", c, v, d1, d2)
		}
	}
}

// TestLargestMatrix: a matrix of 2^25 elements is formed, and a larger one is not where there is a limit.
func TestLargestMatrix(t *testing.T) {
	panics := func(limited bool, rows, cols int) (panics bool) {
		defer func() { panics = recover() != nil }()
		(&oracle{limited: limited}).mustForm("Hessian", rows, cols)
		return false
	}
	if panics(true, 1<<13, 1<<12) || !panics(true, 1<<13+1, 1<<12) || panics(false, 1<<13+1, 1<<12) {
		t.Error("the limit is not 2^25 elements")
	}
}

// TestUnknownCalls: what follows the last kind of call is none.
func TestUnknownCalls(t *testing.T) {
	for _, c := range []metrics.Call{metrics.NumCalls, metrics.NumCalls + 1} {
		func() {
			defer func() {
				if got, want := fmt.Sprint(recover()), fmt.Sprintf("problems: unknown oracle call %d", c); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}()
			InstanceS().Local(0).Flops(c, 1)
		}()
	}
}
