package channel

import (
	"slices"
	"testing"

	"tallynet/sim"
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

// TestWindowOfARoundTrip: a window of 125,000 bytes, a million bits, for each round trip: 40 ms where the way back
// takes other 30 than the way there, and twice the latency where there is no way back.
func TestWindowOfARoundTrip(t *testing.T) {
	c := FabricConfig{
		Nodes: 3, Links: []Link{{0, 1, 10 * ms, Unlimited}, {1, 0, 30 * ms, Unlimited}, {0, 2, 10 * ms, Unlimited}},
		Platform: &Platform{
			Links: []PhysicalLink{{"wire", 1e9, false}}, Window: 125_000,
			Route: func(int, int) ([]int, error) { return []int{0}, nil },
		},
	}
	for link, want := range []sim.Time{10*ms + 40*ms, 30*ms + 40*ms, 10*ms + 20*ms} {
		if got := play(fabric(t, c), []flow{{link: link, bytes: 125_000}})[0].arrives; got != want {
			t.Errorf("link %d: a window arrives at %v, want %v", link, got, want)
		}
	}
}
