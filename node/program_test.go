package node

import (
	"slices"
	"testing"

	"tallynet/channel"
	"tallynet/sim"
)

func one(v float64) channel.Part { return channel.Scalar("v", []float64{v}) }

// build returns a network with one program for all nodes.
func build(t *testing.T, cfg Config, program func(p *Proc)) *Network {
	t.Helper()
	if cfg.Link == nil {
		cfg.Link = lan
	}
	cfg.Verify = true
	net, err := New(cfg, func(int) Handler { return Program(program) })
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// sent returns a number that identifies its sender and round.
func sent(p *Proc, k int) channel.Part { return one(float64(100*p.ID() + k)) }

func values(ms []*channel.Message) []float64 {
	var v []float64
	for _, m := range ms {
		v = append(v, m.Vec(0)[0])
	}
	return v
}

// TestExchangeIsSortedBySender: the links make messages arrive in descending order.
func TestExchangeIsSortedBySender(t *testing.T) {
	cfg := Config{Peers: star(5), Link: delays(10*ms, 9*ms, 8*ms, 7*ms, 6*ms)}
	simulate(t, cfg, func(p *Proc) {
		got := values(p.Exchange("x", sent(p, 0)))
		if p.ID() == 0 && !slices.Equal(got, []float64{100, 200, 300, 400}) {
			t.Errorf("centre got %v", got)
		}
	})
}

// TestAheadByARound: on a path 0-1-2 with a slow link 1-2, node 0 is a round ahead of node
// 1, which waits for 2. Node 1 must not take node 0's messages of the next round early.
func TestAheadByARound(t *testing.T) {
	cfg := Config{Peers: chain(3), Link: delays(ms, ms, 100*ms)}
	early := 0
	simulate(t, cfg, func(p *Proc) {
		for k := range 6 {
			early = max(early, len(p.early))
			want := map[int][]float64{0: {100}, 1: {0, 200}, 2: {100}}[p.ID()]
			for i := range want {
				want[i] += float64(k)
			}
			if got := values(p.Exchange("x", sent(p, k))); !slices.Equal(got, want) {
				t.Errorf("node %d, round %d: got %v, want %v", p.ID(), k, got, want)
			}
		}
	})
	if early == 0 {
		t.Error("no message came early: the test shows nothing")
	}
}

// TestPhasesInterleave: nodes send single messages and exchanges of several phases
// at their own pace, and each receives what it asks for.
func TestPhasesInterleave(t *testing.T) {
	cfg := Config{Peers: chain(2)}
	cfg.Link = lan
	simulate(t, cfg, func(p *Proc) {
		other := 1 - p.ID()
		base := float64(100 * other)
		if p.ID() == 0 { // sends everything before node 1 asks for anything
			for k := range 3 {
				p.Send(other, "s", sent(p, k))
				p.Send(other, "t", sent(p, 10+k))
			}
		} else {
			p.Sleep(50 * ms)
		}
		for k := range 3 {
			if got := values(p.Exchange("a", sent(p, 20+k))); got[0] != base+20+float64(k) {
				t.Errorf("node %d: exchange a %d got %v", p.ID(), k, got)
			}
			if got := values(p.Exchange("b", sent(p, 30+k))); got[0] != base+30+float64(k) {
				t.Errorf("node %d: exchange b %d got %v", p.ID(), k, got)
			}
		}
		if p.ID() == 1 {
			for k := range 3 { // the later phase first
				if m := p.Receive("t", 0); m.Vec(0)[0] != 10+float64(k) || m.Occurrence != k {
					t.Errorf("t %d: got %v, occurrence %d", k, m.Vec(0), m.Occurrence)
				}
			}
			for k := range 3 {
				if m := p.Receive("s"); m.Vec(0)[0] != float64(k) || m.Occurrence != k || m.From != 0 {
					t.Errorf("s %d: got %v, occurrence %d", k, m.Vec(0), m.Occurrence)
				}
			}
		}
	})
}

// TestOnePhaseTwoUses: single messages and exchanges of one phase do not mix.
func TestOnePhaseTwoUses(t *testing.T) {
	simulate(t, Config{Peers: star(3), Link: lan}, func(p *Proc) {
		switch p.ID() {
		case 0:
			if m := p.Receive("x"); m.From != 2 || m.Vec(0)[0] != 207 { // 1's exchange arrives first
				t.Errorf("received %v from %d", m.Vec(0), m.From)
			}
			p.Sleep(20 * ms)
		case 2:
			p.Sleep(ms)
			p.Send(0, "x", sent(p, 7))
			p.Send(0, "x", sent(p, 8))
		}
		if got := values(p.Exchange("x", sent(p, 1))); p.ID() == 0 && !slices.Equal(got, []float64{101, 201}) {
			t.Errorf("exchanged %v", got)
		}
		if p.ID() == 0 {
			if m := p.Receive("x"); m.Vec(0)[0] != 208 {
				t.Errorf("then received %v", m.Vec(0))
			}
		}
	})
}

// TestExchangeSkipsSingles: a phase's first exchange does not take its first single
// message, although that arrives earlier.
func TestExchangeSkipsSingles(t *testing.T) {
	simulate(t, Config{Peers: chain(2), Link: lan}, func(p *Proc) {
		p.Send(1-p.ID(), "x", sent(p, 7))
		p.Sleep(10 * ms)
		if got := values(p.Exchange("x", sent(p, 1))); got[0] != float64(100*(1-p.ID())+1) {
			t.Errorf("exchanged %v", got)
		}
	})
}

// TestOldTimers: the timer of a deadline that was met keeps running, and must not end a later
// wait.
func TestOldTimers(t *testing.T) {
	net := simulate(t, Config{Peers: chain(2), Link: same(ms, channel.Unlimited)}, func(p *Proc) {
		p.ExchangeWithin(10*ms, "x", one(1))
		p.ExchangeWithin(15*ms, "x", one(1))
		p.Sleep(30 * ms)
	})
	if got := net.Outcome(0).Clock; got != 32*ms {
		t.Errorf("ends at %v", got)
	}
}

// TestUnreceivedMessages checks that messages that a program never receives, and those that arrive after its end,
// return to the pool.
func TestUnreceivedMessages(t *testing.T) {
	simulate(t, Config{Peers: chain(2), Link: lan}, func(p *Proc) {
		if p.ID() == 0 {
			p.Send(1, "early", one(1))
			p.Sleep(10 * ms)
			p.Send(1, "late", one(1))
			return
		}
		p.Sleep(5 * ms)
	})
}

// TestReceiveFromAnyInEventOrder: node 0 asks at 20 ms. It receives the messages that
// arrived at 4, 3 and 2 ms in order of arrival, and then one that arrives at 30 ms. It
// waits for a named sender even if messages from others have arrived.
func TestReceiveFromAnyInEventOrder(t *testing.T) {
	cfg := Config{Peers: star(5), Machines: []Machine{gflops}, Link: delays(ms, 4*ms, 3*ms, 2*ms, 30*ms)}
	simulate(t, cfg, func(p *Proc) {
		if p.ID() != 0 {
			p.Send(0, "x", sent(p, 0))
			p.Send(0, "y", sent(p, 1))
			return
		}
		p.Work(20e6)
		var got []int
		var at []sim.Time
		for range 4 {
			got = append(got, p.Receive("x").From)
			at = append(at, p.Now())
		}
		if !slices.Equal(got, []int{3, 2, 1, 4}) || !slices.Equal(at, []sim.Time{20 * ms, 20 * ms, 20 * ms, 30 * ms}) {
			t.Errorf("got from %v at %v", got, at)
		}
		if m := p.Receive("y", 4, 1); m.From != 1 {
			t.Errorf("from 4 or 1: got %d", m.From)
		}
		if m := p.Receive("y", 4); m.From != 4 || m.Vec(0)[0] != 401 {
			t.Errorf("from 4: got %d", m.From)
		}
	})
}

func TestSleep(t *testing.T) {
	cfg := Config{Peers: chain(2), Link: lan, Machines: []Machine{gflops}}
	net := simulate(t, cfg, func(p *Proc) {
		p.Work(1e6)
		p.Sleep(3 * ms)
		p.Sleep(0)
		p.Work(1e6)
		if p.ID() == 0 {
			p.Send(1, "x", one(1))
		} else {
			p.Sleep(10 * ms) // the message arrives meanwhile
			p.Receive("x")
		}
	})
	a, b := net.Outcome(0), net.Outcome(1)
	if a.Clock != 5*ms || a.Wait != 3*ms || b.Clock != 15*ms || b.Wait != 13*ms {
		t.Errorf("%+v, %+v", a, b)
	}
	if got := net.Outcome(1).Path.Idle; got != 13*ms {
		t.Errorf("idle for %v", got)
	}
}
