package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tallynet/channel"
	"tallynet/sim"
)

// TestStall checks that an error names the first few of many waiting nodes.
func TestStall(t *testing.T) {
	net := build(t, Config{Peers: star(9)}, func(p *Proc) { p.Receive("x") })
	end, err := net.Run(background, Limits{})
	want := `node 4 has waited since 0s for a message of phase "x" from any neighbour; and 4 more nodes`
	if end != Stalled || !strings.HasSuffix(fmt.Sprint(err), want) {
		t.Errorf("ended %d: %v", end, err)
	}
}

func TestFail(t *testing.T) {
	broken := errors.New("broken")
	deferred := 0
	net := build(t, Config{Peers: ringPeers(5), Machines: []Machine{gflops}}, func(p *Proc) {
		defer func() { deferred++ }()
		if p.ID() == 3 {
			p.Work(2e6)
			p.Fail(broken)
			t.Error("Fail returned")
		}
		for {
			p.Exchange("x", one(1))
		}
	})
	end, err := net.Run(background, Limits{})
	if end != Failed || !errors.Is(err, broken) || err.Error() != "node 3 at 2ms: broken" {
		t.Errorf("ended %d: %v", end, err)
	}
	if deferred != 4 { // node 4 was never started
		t.Errorf("%d deferred calls ran", deferred)
	}
}

func TestDivergence(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(-1)} {
		net := build(t, Config{Peers: ringPeers(4)}, func(p *Proc) {
			for k := 0; ; k++ {
				x, y := []float64{1}, []float64{1, 2}
				if k == 3 && p.ID() == 1 {
					y[1] = bad
				}
				p.Report(k, x, y)
				p.Exchange("x", one(1))
			}
		})
		end, err := net.Run(background, Limits{})
		want := "node 1 at 3.000192ms: diverged: iterates of iteration 3 are not finite"
		if end != Failed || !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), want) {
			t.Errorf("ended %d: %v", end, err)
		}
	}
}

// panicOf returns what f panics with.
func panicOf(f func()) (r any) {
	defer func() {
		r = recover()
		if p, ok := r.(*Panic); ok {
			r = p.Value
		}
	}()
	f()
	return nil
}

func TestPanicsPropagate(t *testing.T) {
	deferred := 0
	net := build(t, Config{Peers: ringPeers(4)}, func(p *Proc) {
		defer func() { deferred++ }()
		for k := range 5 {
			if k == 3 && p.ID() == 2 {
				panic("the algorithm's own bug")
			}
			p.Exchange("x", one(1))
		}
	})
	if r := panicOf(func() { net.Run(background, Limits{}) }); r != "the algorithm's own bug" {
		t.Errorf("panic is %v", r)
	}
	if deferred != 4 {
		t.Errorf("%d deferred calls ran", deferred)
	}
}

func TestMisusePanics(t *testing.T) {
	for want, program := range map[string]func(p *Proc){
		"node: node 0 reports iteration 2 after 0": func(p *Proc) {
			p.Report(0, nil, nil)
			p.Report(2, nil, nil)
		},
		"node: node 0 reports iteration 1 after -1":         func(p *Proc) { p.Report(1, nil, nil) },
		"node: node 0 sends to 2, which is not a neighbour": func(p *Proc) { p.Send(2, "x", one(1)) },
		"node: node 0 exchanges within 0s: want a deadline in the future": func(p *Proc) {
			p.ExchangeWithin(0, "x", one(1))
		},
		"node: node 0 sleeps for -1ns": func(p *Proc) { p.Sleep(-1) },
		`channel: part "x": want -1 x 1 numbers, got 1`: func(p *Proc) {
			p.Send(1, "a", channel.Part{Name: "x", Rows: -1, Cols: 1, Data: []float64{1}})
		},
		`channel: part "x": want -1 x -1 numbers, got 1`: func(p *Proc) {
			p.Send(1, "a", channel.Part{Name: "x", Rows: -1, Cols: -1, Data: []float64{1}})
		},
		"node: node 0 computes -1 FLOPs": func(p *Proc) { p.Work(-1) },
		`node: mixing "x": want a dst of 2 numbers, as src, got 1`: func(p *Proc) {
			p.Mix(make([]float64, 1), "x", make([]float64, 2))
		},
		"node: node 0 sets a timer in the past: -1ns": func(p *Proc) { p.After(-1, 0) },
		`channel: a receiver of message "x" of node 1, sent at 0s, changed its shared data`: func(p *Proc) {
			got := p.Exchange("x", one(1))
			got[0].Vec(0)[0]++
			p.Exchange("x", one(1))
		},
	} {
		slow := Config{Peers: peers(4, [2]int{0, 1}, [2]int{2, 3}), Machines: []Machine{{FlopsPerSecond: 1}}}
		net := build(t, slow, program)
		r := panicOf(func() { net.Run(background, Limits{}) })
		if fmt.Sprint(r) != want {
			t.Errorf("panic is %v, want %s", r, want)
		}
	}
	net := build(t, Config{Peers: []Peers{{Neighbors: []int{1}}, {Neighbors: []int{0}}}},
		func(p *Proc) { p.Mix([]float64{0}, "x", []float64{1}) })
	if r := panicOf(func() { net.Run(background, Limits{}) }); r != "node: node 0 mixes, but has no weights" {
		t.Errorf("panic is %v", r)
	}
	net = build(t, Config{Peers: make([]Peers, 1)}, func(*Proc) {})
	net.Run(background, Limits{})
	if r := panicOf(func() { net.Run(background, Limits{}) }); r != "node: Run called twice" {
		t.Errorf("panic is %v", r)
	}
}

// TestBroadcastIsShared checks that two receivers share one array, which is not the sender's.
func TestBroadcastIsShared(t *testing.T) {
	data := map[int]*float64{}
	simulate(t, Config{Peers: star(4), Link: lan}, func(p *Proc) {
		x := []float64{1, 2, 3}
		if p.ID() == 0 {
			p.Broadcast("x", channel.Vec("x", x))
			data[0] = &x[0]
			x[0] = 7 // overwriting it at once is allowed
			return
		}
		m := p.Receive("x")
		data[p.ID()] = &m.Vec(0)[0]
		if !slices.Equal(m.Vec(0), []float64{1, 2, 3}) {
			t.Errorf("node %d got %v", p.ID(), m.Vec(0))
		}
	})
	if data[1] != data[2] || data[2] != data[3] || data[1] == data[0] {
		t.Errorf("arrays are %v", data)
	}
}

// TestNoGoroutineLeaks ends runs in every way and counts goroutines.
func TestNoGoroutineLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	forever := func(p *Proc) {
		for k := 0; ; k++ {
			p.Report(k, nil, nil)
			p.Exchange("x", one(1))
		}
	}
	ctx, cancel := context.WithCancelCause(background)
	cancel(errors.New("enough"))
	for want, run := range map[Ending]func() (Ending, error){
		OutOfTime: func() (Ending, error) {
			return build(t, Config{Peers: ringPeers(50)}, forever).Run(background, Limits{Until: 20 * ms})
		},
		Interrupted: func() (Ending, error) {
			return build(t, Config{Peers: ringPeers(50)}, forever).Run(ctx, Limits{})
		},
		Stalled: func() (Ending, error) {
			net := build(t, Config{Peers: ringPeers(50)}, func(p *Proc) { p.Receive("never") })
			return net.Run(background, Limits{})
		},
	} {
		end, err := run()
		if end != want || (err != nil) != (want != OutOfTime) || want == Interrupted && err.Error() != "enough" {
			t.Errorf("ended %d, want %d: %v", end, want, err)
		}
	}
	for range 10_000 { // a stopped coroutine may need a moment
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// TestUntilAlone checks that a single node, which never exchanges anything, stops at the time limit.
func TestUntilAlone(t *testing.T) {
	var last int
	body := func(p *Proc) {
		for k := 0; ; k++ {
			p.Report(k, nil, nil)
			last = k
			p.Work(1e6)
		}
	}
	cfg := Config{Peers: make([]Peers, 1), Machines: []Machine{gflops}}
	end, err := build(t, cfg, body).Run(background, Limits{Until: 10 * ms})
	if end != OutOfTime || err != nil || last != 10 {
		t.Errorf("ended %d after iteration %d: %v", end, last, err)
	}
	ctx, cancel := context.WithCancel(background)
	end, err = build(t, cfg, func(p *Proc) {
		for k := 0; ; k++ {
			if k == 5 {
				cancel()
			}
			p.Report(k, nil, nil)
			last = k
		}
	}).Run(ctx, Limits{})
	if end != Interrupted || !errors.Is(err, context.Canceled) || last != 4 {
		t.Errorf("ended %d after iteration %d: %v", end, last, err)
	}
}

// TestUntil: events exactly at the limit still count; work without events does not exceed
// the limit; an unused timer does not matter.
func TestUntil(t *testing.T) {
	cfg := Config{Peers: chain(2), Machines: []Machine{gflops}, Link: same(ms, channel.Unlimited)}
	rounds := func(p *Proc) {
		for range 3 {
			p.Exchange("x", one(1))
		}
	}
	for name, c := range map[string]struct {
		program func(p *Proc)
		until   sim.Time
		want    Ending
	}{
		"at the limit":    {rounds, 3 * ms, Finished},
		"before the end":  {rounds, 3*ms - 1, OutOfTime},
		"work at the end": {func(p *Proc) { rounds(p); p.Work(5e6) }, 4 * ms, OutOfTime},
		"a send too late": {
			func(p *Proc) { p.Work(9e6); p.Send(1-p.ID(), "x", one(1)); t.Error("sent at 9 ms") }, 4 * ms, OutOfTime,
		},
		"a deadline ahead": {func(p *Proc) { p.ExchangeWithin(sim.Second, "x", one(1)) }, 4 * ms, Finished},
	} {
		if end, err := build(t, cfg, c.program).Run(background, Limits{Until: c.until}); end != c.want || err != nil {
			t.Errorf("%s: ended %d, want %d: %v", name, end, c.want, err)
		}
	}
}

// TestConservationFires checks that a wrong count, a wrong clock and a retained message are found.
func TestConservationFires(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(*Network)
		want string
	}{
		"sent":      {func(n *Network) { n.ledger.Sent(0, 3) }, `phase "x" on link 3: sent 3, delivered 2`},
		"delivered": {func(n *Network) { n.ledger.Delivered(0, 1) }, `phase "x" on link 1: sent 2, delivered 3`},
		"both": {func(n *Network) { n.ledger.Sent(0, 1); n.ledger.Delivered(0, 1) },
			"links carried 17 messages, nodes sent 16"},
		"node": {func(n *Network) { n.nodes[2].spent.Tallies[0].Messages-- },
			"links carried 16 messages, nodes sent 15"},
		"held": {func(n *Network) { n.pool.New(0, []channel.Part{one(1)}, 1) }, "1 messages are held"},
		"compute": {func(n *Network) { n.nodes[2].spent.Compute++ },
			"the clock of node 2 reads 2.000128ms, computing and waiting add up to 2.000129ms"},
		"waits": {func(n *Network) { n.nodes[2].spent.Waits.Timer++ }, "Timer:1ns}, and its critical path"},
		"path": {func(n *Network) { n.nodes[2].spent.Path.Idle-- },
			"its critical path is {Compute:0s Transfer:128ns Latency:2ms Idle:-1ns}"},
	} {
		net := simulate(t, Config{Peers: ringPeers(4), Link: lan},
			func(p *Proc) { p.Exchange("x", one(1)); p.Exchange("x", one(1)) })
		c.harm(net)
		if err := net.CheckConservation(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// Messages in flight at the time limit are counted in every stage.
	for _, nics := range [][]channel.NIC{nil, {{UpBitsPerSecond: 1e6, DownBitsPerSecond: 1e5}}} {
		net := build(t, Config{Peers: ringPeers(4), NICs: nics}, func(p *Proc) { p.Exchange("x", one(1)) })
		if end, _ := net.Run(background, Limits{Until: ms / 2}); end != OutOfTime {
			t.Errorf("ended %d", end)
		}
		if err := net.CheckConservation(); err != nil {
			t.Error(err)
		}
		if tally := net.ledger.Tally(0, 0); tally.Sent != 1 || tally.Delivered != 0 {
			t.Errorf("%+v", tally)
		}
	}
}

// TestSteadyStateAllocatesNothing compares runs of different length: the additional rounds
// do not allocate, so the pool does not grow.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for name, program := range map[string]func(rounds int) func(p *Proc){
		"mix": func(rounds int) func(p *Proc) {
			return func(p *Proc) {
				x := make([]float64, 10)
				for k := range rounds {
					p.Mix(x, "x", x)
					p.Report(k, x, nil)
				}
			}
		},
		"exchange and receive": func(rounds int) func(p *Proc) {
			return func(p *Proc) {
				x := make([]float64, 10)
				for range rounds {
					p.Exchange("x", channel.Vec("x", x), channel.Vec("y", x[:2]))
					for _, j := range p.Neighbors() {
						p.Send(j, "s", channel.Vec("x", x))
					}
					p.Broadcast("b", channel.Vec("x", x))
					for _, j := range p.Neighbors() {
						p.Receive("b", j)
						p.Receive("s")
					}
					p.ExchangeWithin(50*us, "late", channel.Vec("x", x))
				}
			}
		},
	} {
		allocs := func(rounds int) float64 {
			return testing.AllocsPerRun(1, func() {
				run(t, ringConfig(12), func(int) Handler { return Program(program(rounds)) })
			})
		}
		if perRound := (allocs(600) - allocs(200)) / 400; perRound > 0.1 {
			t.Errorf("%s: %.2f allocations per round of 12 nodes", name, perRound)
		}
	}
}
