package study

import (
	"fmt"
	"math"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/sim/slow"
)

// shipped runs the small form of a scenario of this folder. Every run must reach its accuracy, and
// every cell of its tables must have a value.
func shipped(t *testing.T, file string) ([]result.Run, []result.PaperTable) {
	t.Helper()
	st, runs := playedSmall(t, file)
	for _, r := range runs {
		if r.Status != result.Reached {
			t.Errorf("%s at %v: %s: %s", r.Label, r.Point, r.Status, r.Reason)
		}
	}
	tables := st.Tables(runs)
	for _, table := range tables {
		for _, row := range table.Rows {
			if row.Reason != "" {
				t.Errorf("table %s, row %s: %s", table.Name, row.Name, row.Reason)
			}
		}
	}
	return runs, tables
}

// cells returns the numbers of a table by row.
func cells(table result.PaperTable) map[string][]float64 {
	out := map[string][]float64{}
	for _, row := range table.Rows {
		for _, c := range row.Cells {
			out[row.Name] = append(out[row.Name], float64(c.Value))
		}
	}
	return out
}

func least(v []float64) int {
	best := 0
	for i := range v {
		if v[i] < v[best] {
			best = i
		}
	}
	return best
}

// TestTopologyNetworks: the network changes only the time of a run, and with it the
// best graph.
func TestTopologyNetworks(t *testing.T) {
	slow.Skip(t, "the study runs in full; its first iterations always do")
	t.Parallel()
	runs, tables := shipped(t, "topology-networks.yaml")
	seen := map[string]string{}
	for _, r := range runs {
		kind, _ := r.Point.Get("topology.kind")
		key := fmt.Sprint(r.Label, " ", kind)
		counts := fmt.Sprint(r.Iterations, r.Totals.Rounds, r.Totals.PayloadBytes())
		if before, ok := seen[key]; ok && before != counts {
			t.Errorf("%s: iterations, rounds and bytes are %s on one network and %s on another", key, before, counts)
		}
		seen[key] = counts
	}
	const complete = 5 // the last column
	values := cells(tables[0])
	for _, method := range []string{"DAGM", "MA-DBO"} {
		slow, far, iterations := values[method+", s over slow links"], values[method+", s at high latency"],
			values[method+", iterations"]
		if slow[complete] < 2*slow[least(slow)] {
			t.Errorf("%s over slow links: the complete graph takes %g s, the best %g s", method, slow[complete],
				slow[least(slow)])
		}
		if a, b := iterations[least(far)], iterations[least(iterations)]; a != b {
			t.Errorf("%s at high latency: the fastest graph takes %g iterations, but another one %g", method, a, b)
		}
		if far[complete]/far[least(far)] > slow[complete]/slow[least(slow)] {
			t.Errorf("%s: want the complete graph better at high latency than over slow links", method)
		}
	}
}

// TestWhatLimits: ten times worse in all three is ten times as slow; each alone is
// less. DAGM waits for latency first and DGBO for bandwidth.
func TestWhatLimits(t *testing.T) {
	slow.Skip(t, "the study runs in full; its first iterations always do")
	t.Parallel()
	_, tables := shipped(t, "what-limits.yaml")
	for method, v := range cells(tables[0]) {
		if !(math.Abs(v[3]-10) <= 0.01) {
			t.Errorf("%s: all three ten times worse is %g times as slow", method, v[3])
		}
		first := map[string]int{"DAGM": 0, "MA-DBO": 0, "DGBO": 1, "DGTBO": 1}[method]
		for i, f := range v[:3] {
			if f < 1 || f > 10 || f > v[first] {
				t.Errorf("%s: column %d makes it %g times as slow, column %d %g times", method, i, f, first, v[first])
			}
		}
	}
}

// TestTopologySize: from 64 nodes to 128 a ring's gap, and with it the step, shrinks
// fourfold, so iterations grow about fourfold. The hypercube's do not grow.
func TestTopologySize(t *testing.T) {
	slow.Skip(t, "the study runs in full; its first iterations always do")
	t.Parallel()
	_, tables := shipped(t, "topology-size.yaml")
	for _, method := range []string{"DAGM", "MA-DBO"} {
		ring, cube := cells(tables[0])[method+", ring"], cells(tables[0])[method+", hypercube"]
		if growth := ring[4] / ring[3]; growth < 3 || growth > 5 {
			t.Errorf("%s on a ring: %g times the iterations with twice the nodes", method, growth)
		}
		if cube[4] > cube[0] {
			t.Errorf("%s on a hypercube: %g iterations with 8 nodes, %g with 128", method, cube[0], cube[4])
		}
	}
}
