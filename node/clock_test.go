package node

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// TestStretchByHand takes a straggler's factors in windows of 10 ms and works across three windows.
func TestStretchByHand(t *testing.T) {
	s := Straggler{Kind: Exponential, Mean: 2, Window: 10 * ms}
	const seed, id = 5, 3
	var f [4]float64
	for w := range f {
		f[w] = s.factor(seed, id, sim.Time(w))
		if f[w] < 1 {
			t.Fatalf("factor %g", f[w])
		}
	}
	// From 4 ms on: 6 ms of window 0 do 6/f0 ms of the work, 10 ms of window 1 do
	// 10/f1, and the third window does the last millisecond.
	work := 6/f[0] + 10/f[1] + 1
	if f[2] > 10 {
		t.Fatal("choose another seed")
	}
	got := sim.Time(s.stretch(seed, id, 4*ms, sim.Seconds(work*1e-3)))
	want := 16*ms + sim.Seconds(f[2]*1e-3)
	if d := got - want; d < -20 || d > 20 { // work is rounded to a nanosecond
		t.Errorf("stretched to %v, want %v", got, want)
	}
	// Work in pieces meets the same windows as work in one piece.
	at := 4 * ms
	for range 1000 {
		at += sim.Time(s.stretch(seed, id, at, sim.Seconds(work*1e-6)))
	}
	if d := at - 4*ms - want; d < -5*us || d > 5*us {
		t.Errorf("in pieces it took %v, at once %v", at-4*ms, want)
	}
	if c := (Straggler{Kind: Constant, Factor: 2.5}); c.stretch(1, 1, 7, 4*ms) != float64(10*ms) {
		t.Error("constant slowdown")
	}
	// With so heavy a tail most windows make no progress, which must not overflow.
	heavy := Straggler{Kind: Pareto, Shape: 0.02, Window: ms}
	if got := heavy.stretch(1, 1, 0, ms); got < float64(ms) {
		t.Errorf("heavy tail: %v", got)
	}
}

func TestNewRefuses(t *testing.T) {
	two := chain(2)
	for want, cfg := range map[string]Config{
		"node: a network needs at least one node": {},
		"node: want one machine, or one for each of 2 nodes, got 3": {
			Peers: two, Machines: make([]Machine, 3),
		},
		"node: neighbours of node 0: want the numbers of other nodes, ascending, got [0]": {
			Peers: []Peers{{Neighbors: []int{0}}},
		},
		"node: neighbours of node 0: want the numbers of other nodes, ascending, got [1]": {
			Peers: []Peers{{Neighbors: []int{1}}},
		},
		"node: node 1 is a neighbour of node 0, but not the other way round": {
			Peers: []Peers{{Neighbors: []int{1}}, {}},
		},
		"node: node 0: want a weight for each of 1 neighbours, got 2": {
			Peers: []Peers{{Neighbors: []int{1}, Weights: []float64{1, 1}}, {Neighbors: []int{0}}},
		},
		"node: machine of node 0: want a speed and a duration of a round of at least 0, got -1 FLOP/s and 0s": {
			Peers: two, Machines: []Machine{{FlopsPerSecond: -1}},
		},
		"node: machine of node 0: duration of hvp: want at least 0, got -5ns": {
			Peers: two, Machines: []Machine{{Calls: [metrics.NumCalls]sim.Time{metrics.CallHVP: -5}}},
		},
		"node: machine of node 0: straggler: parameter: want a number above 0, got 0": {
			Peers: two, Machines: []Machine{{Straggler: Straggler{Kind: Pareto, Window: ms}}},
		},
		"node: machine of node 0: straggler: window: want one above 0, got 0s": {
			Peers: two, Machines: []Machine{{Straggler: Straggler{Kind: Pareto, Shape: 1}}},
		},
		"node: machine of node 0: straggler: factor: want a number above 0, got 0": {
			Peers: two, Machines: []Machine{{Straggler: Straggler{Kind: Constant}}},
		},
		"node: overhead {PerMessage:0 PerPacket:-1 MTU:0}: want no negative numbers": {
			Peers: two, Overhead: channel.Overhead{PerPacket: -1},
		},
		"link 0 (0 to 1): want a latency from 0 to " + sim.Horizon.String() +
			" and a bandwidth above 0, got -1ns and 1 bit/s": {
			Peers: two, Link: same(-1, 1),
		},
	} {
		if cfg.Link == nil {
			cfg.Link = lan
		}
		if _, err := New(cfg, func(int) Handler { return &echo{} }); fmt.Sprint(err) != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

// TestChargeByHand charges calls with fixed durations and with FLOP counts.
func TestChargeByHand(t *testing.T) {
	m := Machine{FlopsPerSecond: 1e9}
	for c := range m.Calls {
		m.Calls[c] = ByFlops
	}
	m.Calls[metrics.CallJVP] = 3 * ms
	net := simulate(t, Config{Peers: make([]Peers, 1), Machines: []Machine{m}}, func(p *Proc) {
		p.Charge(metrics.CallGradF, 2, 200, 1e6) // 2 x 1 ms
		p.Charge(metrics.CallJVP, 2, 0, 1e9)     // 2 x 3 ms, whatever its FLOPs
		p.Work(5e5)
	})
	o := net.Outcome(0)
	samples := metrics.CallSamples{metrics.CallGradF: 200}
	want := metrics.OracleCounts{GradF: 2, JVP: 2, Samples: 200, SamplesOf: samples}
	if o.Clock != 8*ms+500*us || o.Oracle != want {
		t.Errorf("at %v: %+v", o.Clock, o.Oracle)
	}
}

// TestHorizon checks that a run beyond sim.Horizon fails with an error, without overflow, whatever takes the
// time.
func TestHorizon(t *testing.T) {
	talk := func(p *Proc) {
		for range 100 {
			p.Mix(make([]float64, 1), "x", []float64{1})
		}
	}
	huge := channel.Overhead{PerMessage: 1e15}
	for name, c := range map[string]struct {
		cfg  Config
		body func(*Proc)
	}{
		"bandwidth":    {Config{Link: same(0, 1), Overhead: channel.Overhead{PerMessage: 1e7}}, talk},
		"no bandwidth": {Config{Link: same(0, 1), Overhead: huge}, talk},
		"latency":      {Config{Link: same(sim.Horizon, 1)}, talk},
		"one message at time 0": {Config{Link: same(0, 1), Overhead: huge}, func(p *Proc) {
			p.Mix(make([]float64, 1), "x", []float64{1})
		}},
		"one call at time 0": {Config{Link: lan, Machines: []Machine{{FlopsPerSecond: 1}}}, func(p *Proc) { p.Work(2e18) }},
		"speed": {Config{Link: lan, Machines: []Machine{{FlopsPerSecond: 1}}}, func(p *Proc) {
			p.Work(math.MaxFloat64)
			p.Work(math.Inf(1))
			talk(p)
		}},
		"round": {Config{Link: lan, Machines: []Machine{{Round: sim.Horizon / 3}}}, talk},
		"shared uplink": {
			Config{Link: lan, NICs: []channel.NIC{{UpBitsPerSecond: 1, DownBitsPerSecond: 1e9}}, Overhead: huge}, talk,
		},
		"downlink": {
			Config{Link: lan, NICs: []channel.NIC{{UpBitsPerSecond: 1e9, DownBitsPerSecond: 1}}, Overhead: huge}, talk,
		},
		"jitter": {Config{Link: lan, Jitter: channel.Jitter{Kind: channel.Uniform, Mean: sim.Never}}, talk},
		"sleep": {
			Config{Link: lan}, func(p *Proc) { p.Sleep(sim.Never); p.Sleep(sim.Never); p.Exchange("x") },
		},
		"many sends": {Config{Link: same(0, 1), Overhead: huge}, func(p *Proc) {
			for range 100 {
				for _, j := range p.Neighbors() {
					p.Send(j, "x", one(1))
				}
			}
			p.Receive("x")
		}},
	} {
		c.cfg.Peers = ringPeers(4)
		net, err := New(c.cfg, func(int) Handler { return Program(c.body) })
		if err != nil {
			t.Fatal(name, err)
		}
		end, err := net.Run(background, Limits{})
		if end != Failed || err == nil || !strings.Contains(err.Error(), "simulated time exceeds 37 years") {
			t.Errorf("%s: ended %v: %v", name, end, err)
		}
		if err := net.CheckConservation(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestShortCallsAddUp checks that many calls of a fraction of a nanosecond take as long as one long call, with
// and without a slowdown.
func TestShortCallsAddUp(t *testing.T) {
	calls := [metrics.NumCalls]sim.Time{metrics.CallGradF: ByFlops}
	for _, c := range []struct {
		machine Machine
		flops   float64
		calls   int
		want    sim.Time
	}{
		{Machine{FlopsPerSecond: 1e12}, 10, 49, 0},   // 0.49 ns
		{Machine{FlopsPerSecond: 1e12}, 10, 50, 1},   // exactly half
		{Machine{FlopsPerSecond: 1e12}, 10, 1e5, us}, // 10 FLOPs are 0.01 ns
		{Machine{FlopsPerSecond: 3}, 1, 3e3, 1000 * sim.Second},
		{Machine{FlopsPerSecond: 7e9}, 1, 7e4, 10 * us},
		{Machine{FlopsPerSecond: 7e9}, 1.0 / 3, 7e4, 0}, // a third of an operation is none
		{Machine{FlopsPerSecond: 1e9, Straggler: Straggler{Kind: Constant, Factor: 0.25}}, 1, 4e3, us},
		{Machine{FlopsPerSecond: 1e9, Straggler: Straggler{Kind: Constant, Factor: 1.1}}, 1, 1e4, 11 * us},
	} {
		c.machine.Calls = calls
		for name, call := range map[string]func(*Proc){
			"Work":   func(p *Proc) { p.Work(c.flops) },
			"Charge": func(p *Proc) { p.Charge(metrics.CallGradF, 1, 0, c.flops) },
		} {
			net := simulate(t, Config{Peers: make([]Peers, 1), Machines: []Machine{c.machine}}, func(p *Proc) {
				for range c.calls {
					call(p)
				}
			})
			if got := net.Outcome(0).Clock; got != c.want {
				t.Errorf("%d x %s of %g FLOPs on %+v took %v, want %v", c.calls, name, c.flops, c.machine, got, c.want)
			}
		}
	}
}

// TestTimerTags checks that tags of any number of bits are returned unchanged.
func TestTimerTags(t *testing.T) {
	var tags []int
	for _, tag := range []int64{math.MaxInt32, math.MinInt32, 1 << 31, -1 << 40, 7, math.MaxInt64, math.MinInt64,
		1 << 32} {
		if int64(int(tag)) == tag { // some ints have 32 bits
			tags = append(tags, int(tag))
		}
	}
	h := &tagged{tags: tags}
	net, err := New(Config{Peers: make([]Peers, 1)}, func(int) Handler { return h })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := net.Run(background, Limits{}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(h.got) // later timers ran out first
	if !slices.Equal(h.got, tags) {
		t.Errorf("%v came back as %v", tags, h.got)
	}
}
