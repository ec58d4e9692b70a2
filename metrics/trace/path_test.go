package trace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/sim"
)

const ms = sim.Time(1e6)

// legsOf formats a path for people, in milliseconds.
func legsOf(path []Leg) string {
	var all []string
	for _, l := range path {
		all = append(all, fmt.Sprintf("%s [%v, %v]", l.name(), l.From.Seconds()*1e3, l.At.Seconds()*1e3))
	}
	return strings.Join(all, "\n")
}

// Node 0 computes for 3 ms. Its message takes 1.5 ms to node 1, which is idle from 1 ms on. Node 1
// computes for 2 ms and answers. Meanwhile node 0 waits for a timer until 5 ms and then for the answer,
// which arrives at 8 ms. It computes for 1 ms: the path has 6 ms of computing and 3 ms of messages, and
// the timer is not on it.
func TestPathByHand(t *testing.T) {
	p := New(100).Add("A", 2)
	p.Computed(0, 0, 3*ms)
	p.Computed(1, 0, ms)
	p.Idled(0, 3*ms, 5*ms)
	asked := p.Waited(metrics.Waiting{Node: 1, Sender: 0, Phase: "ask", From: ms, To: 4500e3, Sent: 3 * ms, Latency: ms})
	p.Computed(1, 4500e3, 6500e3)
	p.Waited(metrics.Waiting{Node: 0, Sender: 1, Phase: "answer", From: 5 * ms, To: 8 * ms, Sent: 6500e3, Latency: ms,
		Cause: asked})
	p.Computed(0, 8*ms, 9*ms)
	want := "node 0 computes [0, 3]\n0 to 1: ask [3, 4.5]\nnode 1 computes [4.5, 6.5]\n1 to 0: answer [6.5, 8]\n" +
		"node 0 computes [8, 9]"
	if diff := cmp.Diff(want, legsOf(p.Path())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	onSlices := p.critical(p.Path())
	if diff := cmp.Diff([]sim.Time{3 * ms, 0, 0, 1500e3, 2 * ms, 1500e3, ms}, onSlices); diff != "" {
		t.Errorf("what lies on the path of each slice (-want +got):\n%s", diff)
	}
}

// rounds plays some rounds on a ring: each node computes, sometimes waits for a timer, sends to its
// neighbours and waits for theirs. Nodes take different times, so that all kinds of paths occur.
func rounds(p *Process, nodes, times int) {
	random := rand.New(rand.NewPCG(1, 2))
	clock, cause := make([]sim.Time, nodes), make([]int32, nodes)
	for range times {
		sent, causes := make([]sim.Time, nodes), make([]int32, nodes)
		for i := range nodes {
			for range random.IntN(3) {
				d := random.Int64N(1000)
				p.Computed(i, clock[i], clock[i]+sim.Time(d))
				clock[i] += sim.Time(d)
			}
			if random.IntN(4) == 0 {
				p.Idled(i, clock[i], clock[i]+100)
				clock[i] += 100
			}
			sent[i], causes[i] = clock[i], cause[i]
		}
		for i := range nodes {
			for _, j := range []int{(i + 1) % nodes, (i + nodes - 1) % nodes} {
				at := sent[j] + 300 + sim.Time(random.Int64N(50))
				if at > clock[i] {
					cause[i] = p.Waited(metrics.Waiting{Node: i, Sender: j, Phase: "x", From: clock[i], To: at, Sent: sent[j],
						Latency: 300, Cause: causes[j]})
					clock[i] = at
				}
				p.Arrived(metrics.Arrival{From: j, To: i, Phase: "x", Sent: sent[j], At: at, Latency: 300, Bytes: 8})
			}
		}
	}
}

// Each leg of a path begins where the previous one ends, the first at 0, and they add up to the run's
// time. A truncated trace knows the beginning of the path, to the nanosecond.
func TestPathIsWhole(t *testing.T) {
	const nodes, times = 7, 40
	whole := Window(nodes, WindowSize{1e6, 1e6})
	rounds(whole, nodes, times)
	path, at := whole.Path(), sim.Time(0)
	for _, l := range path {
		if l.From != at || l.At <= l.From {
			t.Fatalf("%s begins at %v and ends at %v, want it to begin at %v", l.name(), l.From, l.At, at)
		}
		at = l.At
	}
	if end, _ := whole.Whole(); at != end || at != whole.nodes[whole.end()].clock {
		t.Errorf("the path ends at %v, the run at %v", at, end)
	}
	messages := 0
	for _, most := range []int{1, 5, 20, 50, 100, 200, 400, 500} {
		part := Window(nodes, WindowSize{most, most})
		rounds(part, nodes, times)
		until, _ := part.Whole()
		var want []Leg
		for _, l := range path {
			if l.From < until {
				l.At = min(l.At, until)
				want = append(want, l)
				if l.Activity == Waiting {
					messages++
				}
			}
		}
		if diff := cmp.Diff(want, part.Path()); diff != "" {
			t.Errorf("%d slices, whole until %v (-want +got):\n%s", most, until, diff)
		}
		if left, _ := part.Left(); left == 0 {
			t.Errorf("%d slices: nothing is left out", most)
		}
	}
	if messages < 50 {
		t.Errorf("%d messages on all paths: they are too short to show anything", messages)
	}
}
