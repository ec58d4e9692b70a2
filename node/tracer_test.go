package node

import (
	"slices"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// waits records waits for timers and for messages, as node, start and end.
type waits struct{ idled, waited [][3]sim.Time }

func (w *waits) Computed(int, sim.Time, sim.Time) {}

func (w *waits) Arrived(metrics.Arrival) {}

func (w *waits) Idled(node int, from, to sim.Time) {
	w.idled = append(w.idled, [3]sim.Time{sim.Time(node), from, to})
}

func (w *waits) Waited(x metrics.Waiting) int32 {
	w.waited = append(w.waited, [3]sim.Time{sim.Time(x.Node), x.From, x.To})
	return 0
}

// TestNoWaitForArrivedMessages checks that a message that arrives exactly when a node asks for it causes no wait.
// An empty message takes 1 ms; node 0 works that long before it asks, and node 1 half as long.
func TestNoWaitForArrivedMessages(t *testing.T) {
	var got waits
	simulate(t, Config{Peers: chain(2), Link: lan, Machines: []Machine{gflops}, Tracer: &got}, func(p *Proc) {
		p.Broadcast("x", channel.Part{Name: "nothing"})
		p.Work([]float64{1e6, 5e5}[p.ID()])
		p.Receive("x")
		p.Sleep(0)
		p.Sleep(sim.Time(p.ID()) * ms)
	})
	if want := [][3]sim.Time{{1, ms / 2, ms}}; !slices.Equal(got.waited, want) {
		t.Errorf("waited for messages: %v, want %v", got.waited, want)
	}
	if want := [][3]sim.Time{{1, ms, 2 * ms}}; !slices.Equal(got.idled, want) {
		t.Errorf("waited for timers: %v, want %v", got.idled, want)
	}
}
