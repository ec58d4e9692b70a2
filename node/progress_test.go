package node

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/channel"
	"tallynet/metrics"
)

// outcomeOf runs a network of four nodes that report 10 iterations, with 2 elements in x and 1 in y, and
// returns the error or panic.
func outcomeOf(t *testing.T, cfg Config, newHandler func(id int) Handler) (end Ending, text string) {
	t.Helper()
	if cfg.Link == nil {
		cfg.Link = lan
	}
	if cfg.Peers == nil {
		cfg.Peers = ringPeers(4)
	}
	cfg.Reports = &Reports{Last: 10, P: 2, Q: 1}
	net, err := New(cfg, newHandler)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := recover(); p != nil {
			end, text = Failed, p.(*Panic).Error()
		}
	}()
	end, err = net.Run(background, Limits{Until: 3600 * 1000 * ms})
	if err != nil {
		text = err.Error()
	}
	if err := net.CheckConservation(); err != nil {
		t.Error(err)
	}
	return end, text
}

// iterate reports iterations until at returns false.
func iterate(at func(p *Proc, k int, x, y []float64) bool) func(int) Handler {
	return func(int) Handler {
		return Program(func(p *Proc) {
			x, y := make([]float64, 2), make([]float64, 1)
			for k := 0; k <= 10; k++ {
				if !at(p, k, x, y) {
					return
				}
				p.Report(k, x, y)
			}
		})
	}
}

// TestFaultsOfMethods checks that each fault of a method ends the run with an error that names node, iteration
// and cause.
func TestFaultsOfMethods(t *testing.T) {
	still := same(0, channel.Unlimited)
	for name, c := range map[string]struct {
		cfg     Config
		handler func(int) Handler
		want    string
	}{
		"returns early": {handler: iterate(func(_ *Proc, k int, _, _ []float64) bool { return k < 5 }),
			want: "node 0 returned after iteration 4 of 10"},
		"returns at once": {handler: iterate(func(*Proc, int, []float64, []float64) bool { return false }),
			want: "node 0 returned before iteration 0 of 10"},
		"one returns early": {handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
			if p.ID() == 2 && k == 3 {
				return false
			}
			p.Exchange("x", one(1))
			return true
		}), want: "node 2 returned after iteration 2 of 10"},
		"goes too far": {handler: func(int) Handler {
			return Program(func(p *Proc) {
				for k := range 12 {
					p.Report(k, make([]float64, 2), make([]float64, 1))
				}
			})
		}, want: "node 0 after iteration 10 of 10: node: node 0 reports iteration 11 of 10"},
		"a handler that falls asleep": {handler: func(int) Handler { return &echo{} },
			want: "node 0 has nothing left to react to before iteration 0 of 10"},
		"sleeps of 0": {handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
			for k == 2 {
				p.Sleep(0)
			}
			return true
		}), cfg: Config{AtOnce: 1000},
			want: "node 0 at 0s: time stands still: 1000 rounds of timers and sleeps of 0 at one instant, after iteration 1 " +
				"of 10"},
		"timers of 0": {handler: func(int) Handler { return restless{} },
			want: "time stands still: 10000000 rounds of timers and sleeps of 0 at one instant, before iteration 0 of 10"},
		"messages that take no time": {handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
			for {
				p.Exchange("x", one(1))
			}
		}), cfg: Config{Link: still, AtOnce: 1000},
			want: `node 1 at 0s: time stands still: 1000 rounds of messages that take no time, the last of phase "x" from ` +
				`node 2 at one instant`},
		"wrong length": {handler: iterate(func(p *Proc, k int, _, y []float64) bool {
			if k == 3 {
				p.Report(k, make([]float64, 3), y)
			}
			return true
		}), want: "node 0 after iteration 2 of 10: node: node 0 reports iteration 3 with 3 numbers in x and "},
		"NaN in x": {handler: iterate(func(p *Proc, k int, x, _ []float64) bool {
			if p.ID() == 1 && k == 6 {
				x[1] = math.NaN()
			}
			p.Exchange("x", one(1))
			return true
		}), want: "node 1 at 7.000448ms: diverged: iterates of iteration 6 are not finite: x[1] = NaN"},
		"another shape": {handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
			v := make([]float64, 2)
			if k == 2 && p.ID() == 3 {
				v = make([]float64, 5)
			}
			p.Mix(v, "x", v)
			return true
		}), want: `node: node 3 mixes "x", 5 x 1, in phase "x", and node 0 sent "x", 2 x 1`},
		"a part is missing": {handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
			m := []Mixed{MixVec("a", make([]float64, 2), make([]float64, 2))}
			if p.ID() != 1 {
				m = append(m, MixMat("b", mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil)))
			}
			p.MixAll("x", m...)
			return true
		}), want: `node: node 0 mixes 2 objects in phase "x", and node 1 sent 1`},
		"an average of other shapes": {
			cfg: Config{Peers: star(4), Roles: []Role{Server, Client, Client, Client}},
			handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
				v := make([]float64, 2+k/3*(p.ID()%2))
				p.Average("x", MixVec("x", v, v))
				return true
			}),
			want: `node 0 after iteration 2 of 10: node: node 0 mixes "x", 2 x 1, in phase "x", and node 1 sent "x", 3 x 1`},
		"data that are not the shape": {handler: iterate(func(p *Proc, k int, _, _ []float64) bool {
			if k == 4 {
				p.Exchange("x", channel.Part{Name: "x", Rows: 2, Cols: 2, Data: make([]float64, 3)})
			}
			return true
		}), want: `channel: part "x": want 2 x 2 numbers, got 3`},
		"a panic": {handler: iterate(func(p *Proc, k int, x, _ []float64) bool {
			p.Exchange("x", one(1))
			if p.ID() == 2 && k == 7 {
				x[k] = 1
			}
			return true
		}), want: "node 2 after iteration 6 of 10: panic in node.TestFaultsOfMethods."},
	} {
		t.Run(name, func(t *testing.T) {
			end, text := outcomeOf(t, c.cfg, c.handler)
			if end != Failed || !strings.Contains(text, c.want) {
				t.Errorf("ended %v: %s\nwant %s", end, text, c.want)
			}
		})
	}
}

// TestManyRoundsAtOnceAreFine covers a network without delays: everything happens at time 0.
func TestManyRoundsAtOnceAreFine(t *testing.T) {
	cfg := Config{Link: same(0, channel.Unlimited), AtOnce: 100}
	end, text := outcomeOf(t, cfg, iterate(func(p *Proc, _ int, _, _ []float64) bool {
		for range 90 {
			p.Exchange("x", one(1))
		}
		return true
	}))
	if end != Finished {
		t.Errorf("ended %v: %s", end, text)
	}
}

type restless struct{}

func (restless) Start(c *Context)                   { c.After(0, 0) }
func (restless) Receive(*Context, *channel.Message) {}
func (restless) Wake(c *Context, tag int)           { c.After(0, tag) }

// TestDigestsOfEventsAndIterates checks which changes each digest sees.
func TestDigestsOfEventsAndIterates(t *testing.T) {
	digests := func(change func(cfg *Config), value float64) [3]string {
		cfg := Config{Peers: ringPeers(4), Link: lan}
		change(&cfg)
		cfg.Recorder = metrics.NewRecorder(4, 1, 2, func(*metrics.Snapshot) bool { return true })
		net := simulate(t, cfg, func(p *Proc) {
			for k := range 3 {
				p.Exchange("x", one(value))
				p.Report(k, []float64{value}, nil)
			}
		})
		return [3]string{net.Digest(), net.EventsDigest(), net.IteratesDigest()}
	}
	base := digests(func(*Config) {}, 1)
	for name, c := range map[string]struct {
		got              [3]string
		events, iterates bool // whether they differ
	}{
		"values":  {digests(func(*Config) {}, math.Nextafter(1, 2)), false, true},
		"latency": {digests(func(c *Config) { c.Link = same(2*ms, 1e9) }, 1), true, false},
		"bytes": {digests(func(c *Config) { c.Overhead.PerMessage = 1; c.Link = same(ms, channel.Unlimited) }, 1), true,
			false},
		"nothing": {digests(func(*Config) {}, 1), false, false},
	} {
		if got := [3]bool{c.got[0] != base[0], c.got[1] != base[1], c.got[2] != base[2]}; got !=
			[3]bool{c.events || c.iterates, c.events, c.iterates} {
			t.Errorf("%s: differing are %v", name, fmt.Sprint(got))
		}
	}
}
