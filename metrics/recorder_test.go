package metrics

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/sim"
)

// TestRecorderWaitsForAll lets node 0 run ahead. The last report completes a snapshot. Snapshots come in
// order and hold each node's numbers of that time.
func TestRecorderWaitsForAll(t *testing.T) {
	var got []Snapshot
	r := NewRecorder(2, 1, 2, func(s *Snapshot) bool {
		c := *s
		c.X = [][]float64{slices.Clone(s.X[0]), slices.Clone(s.X[1])}
		c.Tallies = slices.Clone(s.Tallies)
		got = append(got, c)
		return true
	})
	report := func(node, k int) {
		v := int64(10*node + k)
		n := NodeReport{
			Node: node, Iteration: k, At: 100, X: []float64{float64(v)},
			Counters: Counters{
				Rounds: v, Oracle: OracleCounts{HVP: v}, Compute: 99, Wait: 1, Path: Path{Idle: 100},
				Tallies: []Tally{{Broadcasts: v, Messages: 2 * v}},
			},
		}
		if node == 1 {
			n.At, n.Path, n.Tallies = 200, Path{Compute: 200}, append(n.Tallies, Tally{Broadcasts: 1, Messages: 1})
		}
		r.Report(&n)
	}
	report(0, 0)
	report(0, 1)
	report(0, 2)
	if len(got) != 0 {
		t.Fatal("complete without node 1")
	}
	report(1, 0)
	report(1, 1)
	if len(got) != 2 {
		t.Fatalf("%d samples", len(got))
	}
	report(1, 2)
	for k, s := range got {
		v := int64(10 + 2*k)
		want := Counters{
			Rounds: int64(10 + k), Oracle: OracleCounts{HVP: v}, Compute: 198, Wait: 2, Path: Path{Compute: 200},
			Tallies: []Tally{{Broadcasts: v, Messages: 2 * v}, {Broadcasts: 1, Messages: 1}},
		}
		if d := cmp.Diff(want, s.Counters); d != "" {
			t.Errorf("sample %d (-want +got):\n%s", k, d)
		}
		if s.Iteration != k || s.At != 200 || s.X[0][0] != float64(k) || s.X[1][0] != float64(10+k) {
			t.Errorf("sample %d is %+v", k, s)
		}
	}
	if len(r.open) != 0 || len(r.free) != 2 || r.done.Iteration != 2 {
		t.Errorf("%d snapshots are open, %d free", len(r.open), len(r.free))
	}
}

// TestLastSnapshotStays checks that incomplete later iterations do not change the last snapshot.
func TestLastSnapshotStays(t *testing.T) {
	var last *Snapshot
	r := NewRecorder(2, 1, 9, func(s *Snapshot) bool { last = s; return true })
	for k := range 3 {
		for node := range 2 {
			r.Report(&NodeReport{Node: node, Iteration: k, X: []float64{float64(10*node + k)}})
		}
	}
	for k := 3; k < 6; k++ { // node 1 is gone
		r.Report(&NodeReport{Node: 0, Iteration: k, X: []float64{99}})
	}
	if last.Iteration != 2 || last.X[0][0] != 2 || last.X[1][0] != 12 {
		t.Errorf("the last snapshot became that of iteration %d: %v", last.Iteration, last.X)
	}
}

// TestAddTakesTheFirstLongestPath: nodes 1 and 2 report at 5, and the path of node 1 wins.
func TestAddTakesTheFirstLongestPath(t *testing.T) {
	var all Counters
	for node, at := range []sim.Time{4, 5, 5} {
		all.Add(&Counters{Path: Path{Compute: sim.Time(node), Idle: at - sim.Time(node)}})
	}
	if want := (Path{Compute: 1, Idle: 4}); all.Path != want {
		t.Errorf("path is %+v, want %+v", all.Path, want)
	}
}

func TestRecorderWants(t *testing.T) {
	r := NewRecorder(1, 10, 25, nil)
	var got []int
	for k := range 40 {
		if r.Wants(k) {
			got = append(got, k)
		}
	}
	if want := []int{0, 10, 20, 25, 30}; !slices.Equal(got, want) {
		t.Errorf("wants %v, want %v", got, want)
	}
	if r = NewRecorder(1, 0, 5, nil); !r.Wants(3) {
		t.Error("every 0 is every 1")
	}
}

// TestRecorderMemoryIsFlat checks that the number of snapshots follows how far nodes drift apart, and that no
// iteration allocates.
func TestRecorderMemoryIsFlat(t *testing.T) {
	const nodes, drift = 3, 4
	samples := 0
	r := NewRecorder(nodes, 1, 1e9, func(*Snapshot) bool { samples++; return true })
	n := NodeReport{X: make([]float64, 5), Y: make([]float64, 7), Counters: Counters{Tallies: make([]Tally, 2)}}
	k := 0
	report := func(node, iteration int) {
		n.Node, n.Iteration = node, iteration
		r.Report(&n)
	}
	for i := range drift {
		report(0, i)
	}
	step := func() {
		report(0, k+drift)
		report(1, k)
		report(2, k)
		k++
	}
	for range 10 {
		step()
	}
	if a := testing.AllocsPerRun(1000, step); a > 0 {
		t.Errorf("%v allocations per iteration", a)
	}
	if samples != k || len(r.open)+len(r.free) != drift+1 {
		t.Errorf("%d samples of %d; %d open, %d free", samples, k, len(r.open), len(r.free))
	}
}

func TestRecorderEnds(t *testing.T) {
	r := NewRecorder(1, 1, 9, func(s *Snapshot) bool { return s.Iteration < 2 })
	for k, want := range []bool{true, true, false} {
		if got := r.Report(&NodeReport{Iteration: k}); got != want {
			t.Errorf("report %d: go on is %v", k, got)
		}
	}
}

// TestNodesThatAreGone checks that a node's last report completes the snapshots after the node has gone.
func TestNodesThatAreGone(t *testing.T) {
	for _, ahead := range []bool{false, true} { // node 0, when node 1 goes
		var got [][3]float64
		r := NewRecorder(2, 1, 9, func(s *Snapshot) bool {
			got = append(got, [3]float64{s.X[0][0], s.X[1][0], float64(s.Tallies[0].Messages)})
			return true
		})
		report := func(node, k int) *NodeReport {
			n := &NodeReport{Node: node, Iteration: k, X: []float64{float64(10*node + k)},
				Counters: Counters{Tallies: []Tally{{Messages: int64(100*node + k)}}}}
			r.Report(n)
			return n
		}
		if ahead {
			report(0, 0)
			report(0, 1)
			report(0, 2)
		}
		report(1, 0)
		last := report(1, 1)
		if !r.Gone(last) {
			t.Error("the run should end")
		}
		last.X[0], last.Tallies[0].Messages = 99, 99 // its memory is reused
		if !ahead {
			if len(got) != 0 {
				t.Errorf("node 0 has not reported: %v", got)
			}
			report(0, 0)
			report(0, 1)
			report(0, 2)
		}
		if want := [][3]float64{{0, 10, 100}, {1, 11, 102}, {2, 11, 103}}; !slices.Equal(got, want) {
			t.Errorf("ahead %t: %v, want %v", ahead, got, want)
		}
	}
}
