package metrics

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tallynet/sim"
)

// TestCriticalPathByHand: node 0 computes 10 after 1 of a timer. Its message travels 5, and link 7
// delays it by 20 and its own window by 2. Node 1 computes 4, waits 2 for a timer and sends over links
// 7 and 3, which delay the message by 30 and 1, after 3 of jitter. Node 2 computes 6 and waits 6 for a
// timer.
func TestCriticalPathByHand(t *testing.T) {
	var s *Step
	p := Path{Compute: 10, Idle: 1}
	s = s.Then(0, p, Way{Latency: 5, Transfer: 22, Over: []int32{7}, Held: []sim.Time{20, 2}})
	p = Path{Compute: 14, Latency: 5, Transfer: 22, Idle: 3}
	s = s.Then(1, p, Way{Transfer: 34, Over: []int32{7, 3}, Held: []sim.Time{30, 1, 0}})
	p = Path{Compute: 20, Latency: 5, Transfer: 56, Idle: 9}
	want := CriticalPath{
		Steps: 2, Whole: true, Total: 90, Nodes: []Share{{0, 10}, {2, 6}, {1, 4}}, Links: []Share{{7, 50}, {3, 1}},
		Limits: 2, Transfer: 3, Latency: 5, Idle: 9,
	}
	if d := gocmp.Diff(want, s.Sum(2, p)); d != "" {
		t.Error(d)
	}
	if got := want.Links[0].Gain(); got != 45 {
		t.Errorf("a gain of %d, want 45", got)
	}
}

// TestLongChainsAreCut checks that a chain is bounded, and reports that it was cut.
func TestLongChainsAreCut(t *testing.T) {
	var s *Step
	for i := range 3 * longest {
		s = s.Then(0, Path{Compute: sim.Time(i + 1)}, Way{})
	}
	got := s.Sum(0, Path{Compute: 3 * longest})
	if got.Whole || got.Steps < longest || got.Steps > 2*longest || got.Total != sim.Time(got.Steps) {
		t.Errorf("%d steps, whole: %t, total %d", got.Steps, got.Whole, got.Total)
	}
}

// TestWaitsByHand splits the wait for a message that was sent at 10, with a latency of 5, and
// arrived at 40.
func TestWaitsByHand(t *testing.T) {
	for _, c := range []struct {
		from sim.Time
		last bool // the latency
		want Waits
	}{
		{0, true, Waits{Elsewhere: 10, Latency: 5, Link: 25}}, {0, false, Waits{Elsewhere: 10, Latency: 5, Link: 25}},
		{12, true, Waits{Latency: 5, Link: 23}}, {12, false, Waits{Latency: 3, Link: 25}},
		{37, true, Waits{Latency: 3}}, {37, false, Waits{Link: 3}},
	} {
		var w Waits
		w.Message(c.from, 10, 40, 5, c.last)
		if w != c.want || w.Total() != 40-c.from {
			t.Errorf("from %d: %+v, want %+v", c.from, w, c.want)
		}
	}
}

// TestPhysicalIsChecked compares the traffic of links with the traffic of connections.
func TestPhysicalIsChecked(t *testing.T) {
	links := []PhysicalLink{{Name: "a", Messages: 3, Bytes: 30}, {Name: "b", Messages: 2, Bytes: 20, BitsPerSecond: 320}}
	crossings := []Crossing{{Link: 0, Messages: 1, Bytes: 10}, {Link: 0, Messages: 2, Bytes: 20},
		{Link: 1, Messages: 2, Bytes: 20},
		{Link: -1, Messages: 2, Bytes: 20}}
	if err := CheckPhysical(links, crossings); err != nil {
		t.Error(err)
	}
	crossings[2].Bytes = 21
	if err := CheckPhysical(links, crossings); err == nil {
		t.Error("a byte too many is not found")
	}
	for at, want := range map[sim.Time]float64{4 * sim.Second: 0.125, sim.Second: 0.5, 0: 0, -1: 0} {
		if got := links[1].Utilisation(-1, at); got != want {
			t.Errorf("utilisation %g at %v, want %g", got, at, want)
		}
	}
	if got := links[1].Utilisation(320, sim.Second); got != 0 {
		t.Errorf("utilisation %g of an unlimited link", got)
	}
}
