package views

import (
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/sim"
)

// TestPlatformTable: a run over a platform has a row with its busiest link and the gain of a
// faster link or machine. A run without a platform is left out.
func TestPlatformTable(t *testing.T) {
	over := runWith("over", 1, result.Completed, []float64{1}, []float64{0})
	over.SetPhysical(
		[]metrics.PhysicalLink{{Name: "a", BitsPerSecond: 8000, Bytes: 100, Busy: sim.Second / 10},
			{Name: "b", BitsPerSecond: 8000, Bytes: 500, Busy: sim.Second / 2}}, nil,
		&metrics.CriticalPath{Total: sim.Second, Whole: true, Nodes: []metrics.Share{{Index: 3, Time: sim.Second / 2}},
			Links: []metrics.Share{{Index: 1, Time: sim.Second / 5}}, Latency: 3 * sim.Second / 10}, -1, sim.Second)
	s, err := New([]result.Run{over, runWith("alone", 1, result.Completed, []float64{1}, []float64{0})}, fold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := csvOf(t, s.physical(s.groups))
	if want := "over,b,0.5,0.5,b,0.18,node 3,0.45\n"; !strings.HasSuffix(got, "\n"+want) ||
		strings.Contains(got, "alone") {
		t.Errorf("the table is\n%swant the row %s", got, want)
	}
}
