package channel

import (
	"slices"
	"testing"
)

// TestMoments: a moment comes before another one if its nanosecond does, or its tick of the same nanosecond.
func TestMoments(t *testing.T) {
	ascending := []moment{{-1, 511}, {0, -512}, {0, 0}, {0, 511}, {1, -512}, {1, -1}, {7, 3}}
	for i, a := range ascending {
		for k, b := range ascending {
			if got := a.before(b); got != (i < k) {
				t.Errorf("%v before %v: %t", a, b, got)
			}
		}
	}
	if !slices.IsSortedFunc(ascending, func(a, b moment) int { return int(a.at-b.at)*ticks + int(a.tick-b.tick) }) {
		t.Errorf("in ticks they do not ascend: %v", ascending)
	}
}
