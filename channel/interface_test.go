package channel

import (
	"math"
	"slices"
	"testing"

	"tallynet/sim"
)

// TestLinesByHand: node 0 sends 1000 bytes over each of two links of 1 and 2 Gbit/s, 8 and 4 us, twice over
// the first. A line books all messages when they are sent.
func TestLinesByHand(t *testing.T) {
	f := fabric(t, FabricConfig{Nodes: 3, Links: []Link{{0, 1, ms, 1e9}, {0, 2, 0, 2e9}, {1, 0, ms, Unlimited}}})
	for i, c := range []struct {
		link int
		want sim.Time
	}{{0, ms + 8*us}, {0, ms + 16*us}, {1, 4 * us}, {2, ms}} {
		if at, known := f.Send(0, Transfer{Link: int32(c.link), Bytes: 1000}); at != c.want || !known {
			t.Errorf("message %d arrives at %v, known: %t; want %v", i, at, known, c.want)
		}
	}
	if a, b, c := f.Sending(0, ms), f.Sending(1, ms), f.Sending(2, ms); a != 20*us || b != 0 || c != 0 {
		t.Errorf("the nodes send for %v, %v and %v", a, b, c)
	}
	if f.Busy(0, ms) != 16*us || f.Busy(1, 0) != 4*us || f.Links() != 3 || *f.Link(1) != (Link{0, 2, 0, 2e9}) {
		t.Errorf("busy for %v and %v; %d links, the second is %+v", f.Busy(0, ms), f.Busy(1, 0), f.Links(), f.Link(1))
	}
	arrived := []Transfer{{Seq: 5}}
	if got := f.Finish(ms, arrived); !slices.Equal(got, arrived) || f.Settle(ms) != sim.Never {
		t.Errorf("finished %v, next at %v", got, f.Settle(ms))
	}
	for x := range f.UnderWay() {
		t.Errorf("%+v is under way", x)
	}
	if panics(func() { f.Start(0, Transfer{}) }) == "" {
		t.Error("a booked message was started")
	}
	links, crossings := f.Physical(ms)
	path, medium := f.Path(0)
	over, held := f.Held(0)
	if len(links)+len(crossings)+len(path)+len(over)+len(held) != 0 || medium {
		t.Error("a line is physical")
	}
}

// TestPathsOfConnections checks the paths of connections, and that a path over one medium alone is a broadcast.
func TestPathsOfConnections(t *testing.T) {
	physical := []PhysicalLink{{BitsPerSecond: 1e9}, {BitsPerSecond: Unlimited}, {BitsPerSecond: 1e6, Medium: true}}
	f := fabric(t, over(physical, [][]int{{0, 1}, {2}, {}, {0, 2}})).(*Shared)
	for link, want := range [][]int32{{0, 1}, {2}, {}, {0, 2}} {
		if path, medium := f.Path(link); !slices.Equal(path, want) || medium != (link == 1) {
			t.Errorf("the path of link %d is %v, a broadcast: %t", link, path, medium)
		}
	}
	f.Start(0, Transfer{Link: 0, Bytes: 1000, Seq: 1})
	f.Start(0, Transfer{Link: 3, Bytes: 1000, Seq: 2})
	n := 0
	for range f.UnderWay() {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d of the messages under way", n)
	}
}

// TestNothingIsLost covers no loss, and valid retransmissions.
func TestNothingIsLost(t *testing.T) {
	losses, err := NewLosses(Loss{}, []Link{{From: 0, To: 1}}, 1, nil)
	if err != nil || losses.Next(0) {
		t.Errorf("a message is lost: %v", err)
	}
	var none *Retransmission
	for _, r := range []*Retransmission{none, {Timeout: 1, Backoff: 1}, {Timeout: ms, Backoff: 2, Attempts: 1}} {
		if err := r.Check(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// TestOutagesBeyondTheHorizon covers times of being up that exceed the horizon.
func TestOutagesBeyondTheHorizon(t *testing.T) {
	o, err := NewOutages(Downtime{MeanUp: sim.Horizon, MeanDown: sim.Horizon}, sim.Stream(1, "outages"))
	if err != nil {
		t.Fatal(err)
	}
	t0 := sim.Time(0)
	for range 50 {
		if until, down := o.Until(t0); down {
			t0 = until
		} else if t0 = o.Next(t0); t0 >= 2*sim.Horizon {
			break
		}
	}
	if next := o.Next(2 * sim.Horizon); next != sim.Never-1 {
		t.Errorf("beyond the horizon it goes down at %v", next)
	}
	if until, down := o.Until(2 * sim.Horizon); down {
		t.Errorf("beyond the horizon it is down until %v", until)
	}
}

// TestNumbersThatAreNotFinite checks that an array with an infinity is sent uncompressed.
func TestNumbersThatAreNotFinite(t *testing.T) {
	src, dst := []float64{1, math.Inf(-1), 3}, make([]float64, 3)
	z := Compression{Compressor: Sign{}, Width: 64, Step: 1}
	if n := z.Encode(dst, src, 3, 1, NoMemory, &State{}, sim.Stream(1, "codec")); n != 24 || !slices.Equal(src, dst) {
		t.Errorf("%d bytes, %v", n, dst)
	}
	if n := z.Encode(nil, nil, 0, 1, NoMemory, &State{}, sim.Stream(1, "codec")); n != 0 {
		t.Errorf("nothing takes %d bytes", n)
	}
}
