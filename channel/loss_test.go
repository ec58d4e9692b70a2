package channel

import (
	"math"
	"testing"

	"tallynet/sim"
)

func draws(t *testing.T, l Loss, n int) []bool {
	t.Helper()
	links := []Link{{From: 0, To: 1}}
	d, err := NewLosses(l, links, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]bool, n)
	for i := range all {
		all[i] = d.Next(0)
	}
	return all
}

// TestLossRate: the share of lost messages is Rate, and a bad period of the chain lasts
// 1/Leave messages on average.
func TestLossRate(t *testing.T) {
	const n = 200000
	for _, l := range []Loss{
		{Kind: Independent, P: 0}, {Kind: Independent, P: .3}, {Kind: Independent, P: 1},
		{Kind: Bursts, Enter: .1, Leave: .4, Good: 0, Bad: 1}, {Kind: Bursts, Enter: .02, Leave: .1, Good: .01, Bad: .6},
	} {
		lost, bursts, before := 0, 0, false
		for _, x := range draws(t, l, n) {
			if x {
				lost++
				if !before {
					bursts++
				}
			}
			before = x
		}
		// Neighbours in a burst are correlated: the variance is (1+r)/(1-r) times larger, r = 1 - Enter - Leave.
		r := 0.
		if l.Kind == Bursts {
			r = 1 - l.Enter - l.Leave
		}
		p := rateOf(l)
		bound := 5 * math.Sqrt(p*(1-p)*(1+r)/(1-r)/n)
		if got := float64(lost) / n; !(math.Abs(got-p) <= bound) {
			t.Errorf("%+v: lost %g, want %g +- %g", l, got, p, bound)
		}
		if l.Bad == 1 && l.Good == 0 && l.Kind == Bursts {
			if mean := float64(lost) / float64(bursts); !(math.Abs(mean-1/l.Leave) <= .05) {
				t.Errorf("a burst has %g messages, want %g", mean, 1/l.Leave)
			}
		}
	}
}

// TestLossRateByHand: a link that is bad for a quarter of the time.
func TestLossRateByHand(t *testing.T) {
	for l, want := range map[Loss]float64{
		{}: 0, {Kind: Independent, P: .25}: .25,
		{Kind: Bursts, Enter: .25, Leave: .75, Good: .5, Bad: 1}: .75*.5 + .25,
		{Kind: Bursts, Enter: 1, Good: 1, Bad: .5}:               .5,
	} {
		if got := rateOf(l); got != want {
			t.Errorf("%+v: a rate of %g, want %g", l, got, want)
		}
	}
}

func TestLossErrors(t *testing.T) {
	for _, l := range []Loss{
		{Kind: Independent, P: -.1}, {Kind: Independent, P: math.NaN()}, {Kind: Bursts, Enter: 2}, {Kind: Bursts}, {Kind: 9},
	} {
		if _, err := NewLosses(l, nil, 1, nil); err == nil {
			t.Errorf("%+v is accepted as a loss", l)
		}
	}
	for _, l := range []Loss{{}, {Kind: Independent}, {Kind: Independent, P: 1}, {Kind: Bursts, Enter: .5, Leave: .5},
		{Kind: Bursts, Enter: 1}, {Kind: Bursts, Leave: 1, Good: 1, Bad: 1}} {
		if _, err := NewLosses(l, nil, 1, nil); err != nil {
			t.Errorf("%+v is not accepted as a loss: %v", l, err)
		}
	}
	for _, r := range []Retransmission{{Backoff: 1}, {Timeout: -1, Backoff: 1}, {Timeout: 1, Backoff: .5},
		{Timeout: 1, Backoff: math.Inf(1)}, {Timeout: 1, Backoff: math.NaN()}, {Timeout: 1, Backoff: 1, Attempts: -1}} {
		if r.Check() == nil {
			t.Errorf("%+v is accepted as a retransmission", r)
		}
	}
}

// TestLinksDrawByThemselves: a link draws from a stream of its two nodes, or of the numbers given for them.
func TestLinksDrawByThemselves(t *testing.T) {
	links := []Link{{From: 0, To: 1}, {From: 2, To: 1}}
	for _, streams := range [][]int{nil, {5, 7, 3}} {
		loss := Loss{Kind: Bursts, Enter: .5, Leave: .25, Good: .1, Bad: .9}
		losses, err := NewLosses(loss, links, 9, streams)
		if err != nil {
			t.Fatal(err)
		}
		jitter := newDelays(&FabricConfig{Links: links, Seed: 9, Streams: streams,
			Jitter: Jitter{Kind: Normal, Mean: 3 * ms, Deviation: 2 * ms}})
		for i, l := range links {
			from, to := int(l.From), int(l.To)
			if streams != nil {
				from, to = streams[from], streams[to]
			}
			chain, normal := sim.Stream(9, "loss", from, to), sim.Stream(9, "jitter", from, to)
			bad := chain.Float64() < 2./3 // the share of bad periods, 0.5 / (0.5 + 0.25)
			for k := range 40 {
				if k > 0 && chain.Float64() < map[bool]float64{false: .5, true: .25}[bad] {
					bad = !bad
				}
				if got, want := losses.Next(i), chain.Float64() < map[bool]float64{false: .1, true: .9}[bad]; got != want {
					t.Fatalf("streams %v, link %d: message %d is lost: %t", streams, i, k, got)
				}
				want := max(0, sim.Seconds(.003+float64(.002*normal.NormFloat64())))
				if got := jitter.delay(i); got != want {
					t.Fatalf("streams %v, link %d: message %d is late by %v, want %v", streams, i, k, got, want)
				}
			}
		}
	}
}

// TestRetransmissionWaits: waits grow to a minute; longer configured waits stay constant.
func TestRetransmissionWaits(t *testing.T) {
	r := Retransmission{Timeout: 10 * sim.Millisecond, Backoff: 2}
	for failed, want := range map[int]sim.Time{1: 10 * sim.Millisecond, 2: 20 * sim.Millisecond, 4: 80 * sim.Millisecond,
		200: 60 * sim.Second} {
		if got := r.Wait(failed); got != want {
			t.Errorf("after %d attempts it waits %v, want %v", failed, got, want)
		}
		r := Retransmission{Timeout: 90 * sim.Second, Backoff: 2}
		if got := r.Wait(failed); got != 90*sim.Second {
			t.Errorf("after %d attempts it waits %v instead of 90 s", failed, got)
		}
	}
}

// TestOutages compares the spans with a plain list of outages.
func TestOutages(t *testing.T) {
	o, err := NewOutages(Downtime{Spans: []Span{{30, 40}, {10, 20}, {15, 25}, {40, 42}, {90, sim.Never}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	isDown := func(x sim.Time) bool { return x >= 10 && x < 25 || x >= 30 && x < 42 || x >= 90 }
	for x := range sim.Time(100) {
		until, down := o.Until(x)
		if down != isDown(x) {
			t.Errorf("at %v: down is %v", x, down)
		}
		if down && until != sim.Never && (isDown(until) || !isDown(until-1)) {
			t.Errorf("at %v: down until %v", x, until)
		}
		if !down && (isDown(o.Next(x)-1) || !isDown(o.Next(x))) {
			t.Errorf("at %v: down next at %v", x, o.Next(x))
		}
	}
	for _, d := range []Downtime{{}, {Spans: []Span{{0, 5}}}, {MeanUp: 1, MeanDown: 1}} {
		if _, err := NewOutages(d, nil); err != nil || d.None() != (len(d.Spans) == 0 && d.MeanUp == 0) {
			t.Errorf("%+v: none: %t, %v", d, d.None(), err)
		}
	}
	for _, s := range []Span{{5, 5}, {5, 4}, {-1, 5}} {
		if _, err := NewOutages(Downtime{Spans: []Span{s}}, nil); err == nil {
			t.Errorf("an outage from %v to %v", s.From, s.Until)
		}
	}
	for _, d := range []Downtime{{MeanUp: 5}, {MeanDown: 5}, {MeanUp: -5, MeanDown: 5}, {MeanUp: 5, MeanDown: -5}} {
		if _, err := NewOutages(d, nil); err == nil {
			t.Errorf("up for %v and down for %v on average", d.MeanUp, d.MeanDown)
		}
	}
}

// TestRandomOutages: the share of down time is MeanDown / (MeanUp + MeanDown), and the spans do
// not depend on the order of the queries.
func TestRandomOutages(t *testing.T) {
	d := Downtime{MeanUp: 3 * sim.Second, MeanDown: sim.Second, Spans: []Span{{1, 2}}}
	make2 := func() *Outages {
		o, err := NewOutages(d, sim.Stream(3, "x"))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	a, b := make2(), make2()
	b.Until(1e13)
	var down sim.Time
	const end = 20000 * sim.Second
	for x := sim.Time(0); x < end; {
		ua, da := a.Until(x)
		ub, db := b.Until(x)
		if ua != ub || da != db {
			t.Fatalf("at %v: until %v and %v", x, ua, ub)
		}
		if da {
			down += ua - x
			x = ua
			continue
		}
		x = a.Next(x)
		if y := b.Next(ua); x != y {
			t.Fatalf("next at %v and %v", x, y)
		}
	}
	if share := down.Seconds() / end.Seconds(); !(math.Abs(share-.25) <= .02) {
		t.Errorf("down for %g of the time, want 0.25", share)
	}
}

// rateOf returns the long-run share of messages that are lost.
func rateOf(l Loss) float64 {
	switch l.Kind {
	case Independent:
		return l.P
	case Bursts:
		return float64((1-l.bad())*l.Good) + float64(l.bad()*l.Bad)
	}
	return 0
}
