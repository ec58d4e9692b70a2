package views

import (
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

// A margin over a method that misses the target somewhere states its number of points. The leader is ahead at all
// of them.
func TestMarginOverAMethodThatMisses(t *testing.T) {
	var runs []result.Run
	for seed := range uint64(3) {
		for _, graph := range []string{"ring", "complete"} {
			b := priced(t, "B", seed, 20, 100, ms, ms, "topology.kind", graph)
			if graph == "ring" { // B ends before the target
				b.Samples, b.Status = b.Samples[:10], result.Completed
			}
			runs = append(runs, priced(t, "A", seed, 10, 100, ms, ms, "topology.kind", graph), b)
		}
	}
	a := answered(t, true, runs...)
	all := strings.Join(a.Lines(), "\n")
	const want = "2.0 times fewer bytes than B (the same with 3 seeds) where that gets there (1 of 2 grid points), " +
		"at both grid points"
	if !strings.Contains(all, want) {
		t.Errorf("want %q in\n%s", want, all)
	}
}
