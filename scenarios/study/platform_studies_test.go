package study

import (
	"fmt"
	"testing"

	"tallynet/sim/slow"
)

// timesOf returns the simulated seconds of the runs of a scenario, by method and grid point.
func timesOf(t *testing.T, file string) map[string]float64 {
	t.Helper()
	runs, _ := shipped(t, file)
	times := map[string]float64{}
	for _, r := range runs {
		times[r.Label+" "+r.Point.Text(" ")] = r.Totals.Time.Seconds()
	}
	return times
}

// fastest returns the name with the smallest time.
func fastest(t *testing.T, times map[string]float64, names ...string) string {
	t.Helper()
	for _, n := range names {
		if times[n] == 0 {
			t.Fatalf("there is no run %s in %v", n, times)
		}
	}
	best := names[0]
	for _, n := range names {
		if times[n] < times[best] {
			best = n
		}
	}
	return best
}

// TestTwoRacks: the traffic on the uplink decides which graph is the fastest.
func TestTwoRacks(t *testing.T) {
	slow.Skip(t, "the study runs in full; its first iterations always do")
	t.Parallel()
	times := timesOf(t, "two-racks.yaml")
	at := func(method, graph, uplink string) string {
		return fmt.Sprintf("%s topology.kind %s, platform.uplink %s", method, graph, uplink)
	}
	for _, method := range []string{"DAGM", "MA-DBO"} {
		for uplink, want := range map[string]string{"10Gbit/s": "hypercube", "100Mbit/s": "ring"} {
			got := fastest(t, times, at(method, "ring", uplink), at(method, "hypercube", uplink),
				at(method, "complete", uplink))
			if got != at(method, want, uplink) {
				t.Errorf("%s with an uplink of %s: the fastest is %s, want %s", method, uplink, got, want)
			}
		}
	}
}

// TestWANRegions: short edges beat good mixing if latency dominates the time.
func TestWANRegions(t *testing.T) {
	slow.Skip(t, "the study runs in full; its first iterations always do")
	t.Parallel()
	times := timesOf(t, "wan-regions.yaml")
	at := func(graph, place string) string { return "MA-DBO topology.kind " + graph + ", place " + place }
	for place, want := range map[string]string{"in-order": "ring", "random": "complete"} {
		if got := fastest(t, times, at("ring", place), at("complete", place)); got != at(want, place) {
			t.Errorf("placed %s: the fastest is %s, want %s", place, got, want)
		}
	}
}

// TestFatTree: placement matters on the ring, and more with oversubscription.
func TestFatTree(t *testing.T) {
	slow.Skip(t, "the study runs in full; its first iterations always do")
	t.Parallel()
	times := timesOf(t, "fat-tree.yaml")
	ratio := func(oversubscription int) float64 {
		at := fmt.Sprintf("MA-DBO topology.kind ring, platform.oversubscription %d, place ", oversubscription)
		return times[at+"spread"] / times[at+"packed"]
	}
	if one, four := ratio(1), ratio(4); !(one > 1.1 && four > 1.5) {
		t.Errorf("spread takes %.2f and %.2f times as long as packed", one, four)
	}
}
