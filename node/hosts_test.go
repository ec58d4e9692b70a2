package node

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// TestHostPausesComputing: 10 ms of computing with outages of 5 ms in total end after 15 ms. Computing that
// ends when an outage begins is complete.
func TestHostPausesComputing(t *testing.T) {
	spans := []channel.Span{{From: 2 * ms, Until: 6 * ms}, {From: 8 * ms, Until: 9 * ms}}
	for _, c := range []struct{ compute, waits sim.Time }{{10 * ms, 5 * ms}, {2 * ms, 0}, {4 * ms, 4 * ms}} {
		cfg := Config{Peers: chain(1), Machines: []Machine{gflops}, Faults: Faults{Host: onHost(0, spans...)}}
		net := simulate(t, cfg, func(p *Proc) { p.Work(float64(c.compute)) })
		if o := net.Outcome(0); o.Clock != c.compute+c.waits || o.Compute != c.compute || o.Wait != c.waits {
			t.Errorf("the clock reads %v, computed %v, waited %v; want %v computed, %v waited", o.Clock, o.Compute, o.Wait,
				c.compute, c.waits)
		}
	}
}

// TestTimersSleepWithTheirHost checks that a timer that ends while the host is down fires when the host is up.
func TestTimersSleepWithTheirHost(t *testing.T) {
	var woken []sim.Time
	cfg := Config{Peers: chain(1), Faults: Faults{Host: onHost(0, channel.Span{From: ms, Until: 5 * ms})}}
	run(t, cfg, func(int) Handler {
		return &script{start: func(c *Context) { c.After(ms/2, 0); c.After(2*ms, 1); c.After(7*ms, 2) },
			wake: func(c *Context, _ int) { woken = append(woken, c.Now()) }}
	})
	if want := []sim.Time{ms / 2, 5 * ms, 7 * ms}; !slices.Equal(woken, want) {
		t.Errorf("woken at %v, want %v", woken, want)
	}
}

// TestGoneForGood checks that the last report of a node that never comes back completes all later snapshots,
// and that the other nodes finish.
func TestGoneForGood(t *testing.T) {
	var got [][]float64
	cfg := Config{
		Peers:   peers(3, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 2}),
		Link:    lan,
		Silence: Silence{Renormalize, 10 * ms},
		Faults:  Faults{Host: onHost(2, channel.Span{From: 3 * ms / 2, Until: sim.Never})},
		Reports: &Reports{Last: 4, P: 1},
		Recorder: metrics.NewRecorder(3, 2, 4, func(s *metrics.Snapshot) bool {
			got = append(got, []float64{float64(s.Iteration), s.X[0][0], s.X[1][0], s.X[2][0]})
			return true
		}),
	}
	net := simulate(t, cfg, func(p *Proc) {
		x := []float64{float64(p.ID())}
		p.Report(0, x, nil)
		for k := 1; k <= 4; k++ {
			p.Mix(x, "x", x)
			x[0] += float64(10 * p.ID())
			p.Report(k, x, nil)
		}
	})
	// After round 1: 1, 11, 21. Then 0 and 1 average with weights 2/3 and 1/3, or are alone in one round.
	want := [][]float64{{0, 0, 1, 2}, {2, 13. / 3, 53. / 3, 21}, {4, got[2][1], got[2][2], 21}}
	if !slices.EqualFunc(got, want, close9) || !reflect.DeepEqual(net.Gone(), []int{2}) {
		t.Errorf("%v, want %v; gone: %v", got, want, net.Gone())
	}
}

// TestRestarted checks that a host that lost its state reports so once, after it is back.
func TestRestarted(t *testing.T) {
	var at []sim.Time
	cfg := Config{Peers: chain(2), Link: lan, Machines: []Machine{gflops}, Silence: Silence{Renormalize, 5 * ms},
		Faults: Faults{Host: onHost(1, channel.Span{From: 4 * ms, Until: 9 * ms}), Forget: true}}
	simulate(t, cfg, func(p *Proc) {
		x := []float64{1}
		for range 20 {
			p.Mix(x, "x", x)
			if p.Restarted() {
				at = append(at, p.Now(), sim.Time(p.ID()))
			}
		}
	})
	if len(at) != 2 || at[0] < 9*ms || at[1] != 1 {
		t.Errorf("restarted: %v", at)
	}
}

// TestGoneAtTheHorizon: a node that is down until the horizon or longer never comes back and computes no more.
// One that comes back a nanosecond earlier computes beyond the horizon, which fails the run.
func TestGoneAtTheHorizon(t *testing.T) {
	for until, gone := range map[sim.Time]bool{sim.Horizon - 1: false, sim.Horizon: true, sim.Horizon + 1: true} {
		cfg := Config{Peers: chain(1), Machines: []Machine{gflops},
			Faults: Faults{Host: onHost(0, channel.Span{From: ms / 2, Until: until})}}
		for name, handler := range map[string]Handler{
			"program": Program(func(p *Proc) { p.Work(1e6); p.Work(1e6) }),
			"handler": &script{start: func(c *Context) { c.Work(1e6); c.Work(1e6) }},
		} {
			net, err := New(cfg, func(int) Handler { return handler })
			if err != nil {
				t.Fatal(err)
			}
			_, err = net.Run(context.Background(), Limits{})
			o := net.Outcome(0)
			if stays := slices.Equal(net.Gone(), []int{0}); stays != gone || errors.Is(err, errHorizon) == gone ||
				gone && (o.Clock != ms/2 || o.Compute != ms/2 || o.Wait != 0) {
				t.Errorf("%s, down until %v: gone %t, %+v, %v", name, until, stays, o, err)
			}
		}
	}
}
