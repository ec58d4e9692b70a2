package channel

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/sim"
)

const (
	us = sim.Microsecond
	ms = sim.Millisecond
)

func fabric(t *testing.T, c FabricConfig) Fabric {
	t.Helper()
	f, err := NewFabric(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOverheadByHand(t *testing.T) {
	o := Overhead{PerMessage: 40, PerPacket: 66, MTU: 1500}
	for _, c := range []struct {
		o             Overhead
		payload, want int64
	}{
		{Overhead{}, 8000, 0},
		{o, 8000, 40 + 6*66},           // 8040 bytes: 5.36 packets
		{o, 1460, 40 + 66},             // exactly one packet
		{o, 1461, 40 + 2*66},           // one byte more
		{o, 0, 40 + 66},                // an empty message
		{Overhead{PerPacket: 7}, 0, 7}, // one packet, whatever it holds
		{Overhead{PerPacket: 7}, 1e6, 7},
		{Overhead{MTU: 100}, 1000, 0},
	} {
		if got, ok := c.o.Of(c.payload); got != c.want || !ok {
			t.Errorf("%+v of %d bytes: %d, want %d", c.o, c.payload, got, c.want)
		}
	}
}

// TestOverheadOverflows checks that headers that overflow 64 bits are reported.
func TestOverheadOverflows(t *testing.T) {
	for _, o := range []Overhead{
		{PerMessage: math.MaxInt64 - 10}, {PerPacket: math.MaxInt64}, {PerPacket: 1e18, MTU: 1},
		{PerMessage: 6e18, PerPacket: 6e18},
	} {
		if got, ok := o.Of(100); ok {
			t.Errorf("%+v: %d bytes", o, got)
		}
	}
	for most, want := range map[int64]bool{math.MaxInt64 - 100: true, math.MaxInt64 - 99: false} {
		if got, ok := (Overhead{PerMessage: most}).Of(100); ok != want || ok && got != most {
			t.Errorf("headers of %d bytes with 100 of payload: %d, %v", most, got, ok)
		}
	}
}

// send returns what Send returns for a message.
func send(f Fabric, link int, t sim.Time, bytes int64) sim.Time {
	at, _ := f.Send(t, Transfer{Link: int32(link), Bytes: bytes})
	return at
}

func jittered(t *testing.T, kind JitterKind) Fabric {
	return fabric(t, FabricConfig{
		Nodes: 3, Links: []Link{{0, 1, ms, 1e9}, {0, 2, ms, 1e9}, {1, 2, ms, 1e9}}, Seed: 7,
		Jitter: Jitter{Kind: kind, Mean: 500 * us, Deviation: 300 * us},
	})
}

// TestJitter checks that no link is reordered, that no message comes early or
// before its predecessor's last bit, and that the mean delay of messages that do
// not queue is as configured.
func TestJitter(t *testing.T) {
	for _, kind := range []JitterKind{Uniform, Exponential, Normal} {
		f := jittered(t, kind)
		var before sim.Time
		for i := range 2000 {
			ready := sim.Time(i) * 70 * us
			at := send(f, 0, ready, 8000)
			if at < ready+ms+64*us || at < before+64*us {
				t.Fatalf("kind %d: message %d arrives at %v, after %v", kind, i, at, before)
			}
			before = at
		}
		var sum sim.Time
		const n = 20000
		for i := range n {
			ready := sim.Second + sim.Time(i)*sim.Second
			sum += send(f, 1, ready, 8000) - ready - ms - 64*us
		}
		want := 500.0 * 1e-6
		if kind == Normal { // cut off at zero: mean m Phi(m/s) + s phi(m/s)
			m, s := 500e-6, 300e-6
			want = m*0.5*math.Erfc(-m/s/math.Sqrt2) + s*math.Exp(-m*m/s/s/2)/math.Sqrt(2*math.Pi)
		}
		if got := sum.Seconds() / n; !(math.Abs(got-want) <= 0.03*want) {
			t.Errorf("kind %d: mean jitter is %g, want %g", kind, got, want)
		}
	}
}

// TestJitterStreamsBelongToLinks sends over other links in between, and adds nodes.
func TestJitterStreamsBelongToLinks(t *testing.T) {
	alone, busy := jittered(t, Exponential), jittered(t, Exponential)
	other := fabric(t, FabricConfig{
		Nodes: 9, Links: []Link{{8, 7, ms, 1e9}, {0, 1, ms, 1e9}}, Seed: 7,
		Jitter: Jitter{Kind: Exponential, Mean: 500 * us},
	})
	equal := true
	for i := range 100 {
		ready := sim.Time(i) * 10 * ms
		want := send(alone, 0, ready, 8000)
		send(busy, 1, ready, 8000)
		b := send(busy, 2, ready, 8000)
		if got := send(busy, 0, ready, 8000); got != want {
			t.Fatalf("message %d arrives at %v beside others, at %v alone", i, got, want)
		}
		if got := send(other, 1, ready, 8000); got != want {
			t.Fatalf("message %d arrives at %v in a larger network, at %v in a small one", i, got, want)
		}
		equal = equal && b == want
	}
	if equal {
		t.Error("two links have the same jitter")
	}
}

// TestBroadcastsHaveOneDelay checks that all receivers of a broadcast have one jitter, and that each broadcast
// draws a new one.
func TestBroadcastsHaveOneDelay(t *testing.T) {
	for _, pause := range []sim.Time{0, sim.Second} {
		f := fabric(t, FabricConfig{Nodes: 3, Links: []Link{{0, 1, ms, Unlimited}, {0, 2, ms, Unlimited}}, Seed: 7,
			Jitter: Jitter{Kind: Uniform, Mean: ms}, Platform: &Platform{
				Links: []PhysicalLink{{BitsPerSecond: 1e9, Medium: true}},
				Route: func(int, int) ([]int, error) { return []int{0}, nil }}})
		first := send(f, 0, 0, 8000)
		second := send(f, 1, pause, 8000) // at another time it is another transmission
		if together := second == first; together != (pause == 0) || second < pause+ms {
			t.Errorf("sent %v later, a message is at %v, after one at %v", pause, second, first)
		}
	}
}

// TestEmptyBroadcasts: an empty message takes no time on an idle medium. At one instant it crosses the
// medium once for all receivers; at a later one it crosses again.
func TestEmptyBroadcasts(t *testing.T) {
	f := fabric(t, FabricConfig{Nodes: 3, Links: []Link{{0, 1, 0, Unlimited}, {0, 2, 0, Unlimited}},
		Platform: &Platform{Links: []PhysicalLink{{BitsPerSecond: 1e9, Medium: true}},
			Route: func(int, int) ([]int, error) { return []int{0}, nil }}})
	crossed := int64(0)
	for _, c := range []struct {
		at   sim.Time
		link int32
		cast uint64
		more int64
	}{{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 0}, {0, 0, 0, 0}, {ms, 0, 0, 1}, {ms, 0, 1, 1}, {ms, 1, 0, 0}} {
		if !f.Start(c.at, Transfer{Link: c.link, Cast: c.cast}) {
			t.Fatalf("%+v takes time", c)
		}
		crossed += c.more
		if links, _ := f.Physical(c.at); links[0].Messages != crossed {
			t.Fatalf("%+v: %d messages have crossed the medium, want %d", c, links[0].Messages, crossed)
		}
	}
}

// TestNICAlone: a message takes the latency and 8 bytes / min(up, link, down).
func TestNICAlone(t *testing.T) {
	rates := []int64{1e8, 1e9, 4e9, Unlimited}
	for _, up := range rates {
		for _, link := range rates {
			for _, down := range rates {
				f := fabric(t, FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, link}}, NICs: []NIC{{up, down}}})
				want := ms
				if least := min(up, link, down); least != Unlimited {
					want += 8 * 8000 * sim.Second / sim.Time(least)
				}
				if got := play(f, []flow{{bytes: 8000}})[0].arrives; got != want {
					t.Errorf("up %d, link %d, down %d: %v, want %v", up, link, down, got, want)
				}
				if got := f.Busy(0, sim.Second); got != want-ms || f.Sending(0, sim.Second) != got {
					t.Errorf("up %d, link %d, down %d: busy for %v, sending for %v, want %v",
						up, link, down, got, f.Sending(0, sim.Second), want-ms)
				}
			}
		}
	}
}

// TestNICJitterKeepsLinkOrder checks that jitter does not reorder messages: each begins no earlier than the one
// before it, and ends no earlier than its own duration after it.
func TestNICJitterKeepsLinkOrder(t *testing.T) {
	f := fabric(t, FabricConfig{
		Nodes: 2, Links: []Link{{0, 1, ms, 1e9}}, NICs: []NIC{{1e8, 1e9}}, Seed: 1,
		Jitter: Jitter{Kind: Exponential, Mean: 5 * ms},
	})
	got := play(f, slices.Repeat([]flow{{bytes: 8000}}, 100))
	met := false
	for i := range got[1:] {
		a, b := got[i], got[i+1]
		if b.first < a.first || b.arrives < a.arrives+640*us {
			t.Fatalf("message %d: from %v to %v, the one before it from %v to %v", i+1, b.first, b.arrives, a.first, a.arrives)
		}
		met = met || b.first == a.first
	}
	if !met {
		t.Error("no message met the one before it")
	}
}

func TestFabricRefuses(t *testing.T) {
	ok := Link{0, 1, ms, 1e9}
	for want, c := range map[string]FabricConfig{
		"got -1ms and 1000000000 bit/s": {Nodes: 2, Links: []Link{{0, 1, -ms, 1e9}}},
		"got 1ms and 0 bit/s":           {Nodes: 2, Links: []Link{{0, 1, ms, 0}}},
		"link 1 (1 to 0)":               {Nodes: 2, Links: []Link{ok, {1, 0, ms, -1}}},
		"nic of node 1":                 {Nodes: 2, Links: []Link{ok}, NICs: []NIC{{1, 1}, {1, 0}}},
		"got 0 and 1":                   {Nodes: 2, Links: []Link{ok}, NICs: []NIC{{0, 1}}},
		"got 1 and -1":                  {Nodes: 2, Links: []Link{ok}, NICs: []NIC{{1, -1}}},
		"got -1ms and 0s": {
			Nodes: 2, Links: []Link{ok}, Jitter: Jitter{Kind: Uniform, Mean: -ms},
		},
		"link 0 (0 to 1)": {Nodes: 2, Links: []Link{{0, 1, sim.Horizon + 1, 1e9}}},
		"want one nic, or one for each of 3 nodes, got 2": {Nodes: 3, Links: []Link{ok}, NICs: []NIC{{1, 1}, {1, 1}}},
		"want nics or a platform, got both": {
			Nodes: 2, Links: []Link{ok}, NICs: []NIC{{1, 1}}, Platform: &Platform{},
		},
		"physical link 0 (wire): want a bandwidth above 0, got 0 bit/s": {
			Nodes: 2, Links: []Link{ok}, Platform: &Platform{Links: []PhysicalLink{{Name: "wire"}}},
		},
		"route from node 0 to 1: want numbers of physical links below 1, got [0 1]": {
			Nodes: 2, Links: []Link{ok}, Platform: &Platform{Links: []PhysicalLink{{BitsPerSecond: 1}},
				Route: func(int, int) ([]int, error) { return []int{0, 1}, nil }},
		},
		"want numbers of physical links below 1, got [-1]": {
			Nodes: 2, Links: []Link{ok}, Platform: &Platform{Links: []PhysicalLink{{BitsPerSecond: 1}},
				Route: func(int, int) ([]int, error) { return []int{-1}, nil }},
		},
		"no way": {
			Nodes: 2, Links: []Link{ok}, Platform: &Platform{Links: []PhysicalLink{{BitsPerSecond: 1}},
				Route: func(int, int) ([]int, error) { return nil, errors.New("no way") }},
		},
		"deviation of at least 0, got -1s": {
			Nodes: 2, Links: []Link{ok}, Jitter: Jitter{Kind: Uniform, Mean: -sim.Second},
		},
	} {
		if _, err := NewFabric(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q in it", err, want)
		}
	}
	edge := FabricConfig{Nodes: 2, Links: []Link{{0, 1, 0, 1}, {1, 0, sim.Horizon, 1}}, NICs: []NIC{{1, 1}, {1, 1}}}
	if _, err := NewFabric(edge); err != nil {
		t.Errorf("the least and the most: %v", err)
	}
}

// TestSerializationIsExact: a duration is bytes over rate, with exact halves rounded up, also
// where a float64 of seconds lies on the wrong side of the half or the product exceeds 64 bits.
func TestSerializationIsExact(t *testing.T) {
	for _, c := range []struct {
		bytes, rate int64
		want        sim.Time
	}{
		{65, 128e6, 4063},             // 4062.5 ns
		{13, 128e6, 813},              // 812.5 ns
		{12, 128e6, 750},              // 750 ns
		{1, 100e9, 0},                 // 0.08 ns
		{1, 16e9, 1},                  // 0.5 ns
		{1, 16e9 + 1, 0},              // just below
		{1, 3, 2666666667},            // 2.66... s
		{1 << 40, 7e9, 1256584717458}, // 8796093022208/7 ns
		{9e18, 1, sim.Horizon},
		{9e18, math.MaxInt64 - 1, 7806255642}, // 7.2e28/(2^63-2) ns
		{9e18, Unlimited, 0},
		{0, 1, 0},
	} {
		if got := serialize(c.bytes, c.rate); got != c.want {
			t.Errorf("%d bytes at %d bit/s: %d ns, want %d", c.bytes, c.rate, got, c.want)
		}
	}
}
