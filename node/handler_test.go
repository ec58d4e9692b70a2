package node

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
)

// script is a handler made of functions. It logs what it receives and when.
type script struct {
	start   func(c *Context)
	receive func(c *Context, m *channel.Message)
	wake    func(c *Context, tag int)
	log     []string
}

func (s *script) Start(c *Context) {
	if s.start != nil {
		s.start(c)
	}
}

func (s *script) Receive(c *Context, m *channel.Message) {
	s.log = append(s.log, fmt.Sprintf("%v from %d", c.Now(), m.From))
	if s.receive != nil {
		s.receive(c, m)
	}
}

func (s *script) Wake(c *Context, tag int) {
	s.log = append(s.log, fmt.Sprintf("%v timer %d", c.Now(), tag))
	if s.wake != nil {
		s.wake(c, tag)
	}
}

// TestOverloadedHandler checks that a burst of messages is handled in order, even while it grows.
func TestOverloadedHandler(t *testing.T) {
	const burst = 1000
	server := &script{}
	next := 0
	server.receive = func(c *Context, m *channel.Message) {
		if m.Occurrence != next {
			t.Fatalf("message %d comes after %d", m.Occurrence, next-1)
		}
		next++
		if next%3 == 0 {
			c.Work(5e3)
		}
	}
	client := &script{start: func(c *Context) { c.After(0, burst) }}
	client.wake = func(c *Context, left int) {
		c.Send(0, "x", one(0))
		if left > 1 {
			c.After(us, left-1)
		}
	}
	cfg := Config{Peers: chain(2), Machines: []Machine{gflops}, Link: same(0, channel.Unlimited)}
	net := run(t, cfg, func(id int) Handler { return []*script{server, client}[id] })
	checkRun(t, net)
	if next != burst || net.Outcome(0).Compute != burst/3*5*us {
		t.Errorf("%d messages, %+v", next, net.Outcome(0))
	}
}

func TestHandlerFailsAndStops(t *testing.T) {
	broken := errors.New("broken")
	h := &script{start: func(c *Context) { c.After(ms, 1); c.After(ms, 2) }}
	h.wake = func(c *Context, tag int) { c.Fail(broken) }
	net, err := New(Config{Peers: make([]Peers, 1)}, func(int) Handler { return h })
	if err != nil {
		t.Fatal(err)
	}
	end, err := net.Run(background, Limits{})
	if end != Failed || err.Error() != "node 0 at 1ms: broken" || len(h.log) != 1 {
		t.Errorf("ended %d: %v after %v", end, err, h.log)
	}
	// A node that is busy at the end of the run handles and sends nothing more.
	h = &script{start: func(c *Context) { c.After(ms, 1); c.After(2*ms, 2) }}
	h.wake = func(c *Context, tag int) { c.Work(10e6); c.Broadcast("x", one(1)) }
	two := Config{Peers: chain(2), Link: lan, Machines: []Machine{gflops}}
	if net, err = New(two, func(int) Handler { return h }); err != nil {
		t.Fatal(err)
	}
	end, err = net.Run(background, Limits{Until: 7 * ms})
	if end != OutOfTime || err != nil || len(h.log) != 2 || len(net.ledger.Classes()) != 0 {
		t.Errorf("ended %d: %v after %v", end, err, h.log)
	}
	// A clock that ticks for ever is stopped by the limit.
	h = &script{start: func(c *Context) { c.After(ms, 0) }, wake: func(c *Context, _ int) { c.After(ms, 0) }}
	if net, err = New(Config{Peers: make([]Peers, 1)}, func(int) Handler { return h }); err != nil {
		t.Fatal(err)
	}
	if end, err := net.Run(background, Limits{Until: 7 * ms}); end != OutOfTime || err != nil || len(h.log) != 7 {
		t.Errorf("ended %d: %v after %v", end, err, h.log)
	}
}

// wander runs a network with jitter, interfaces, stragglers, deadlines and reports.
func wander(t *testing.T, change func(*Config)) (string, []metrics.Snapshot) {
	var snaps []metrics.Snapshot
	cfg := Config{
		Seed:  3,
		Peers: peers(7, [][2]int{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {0, 6}}...),
		Link:  lan, Jitter: channel.Jitter{Kind: channel.Uniform, Mean: 200 * us}, Verify: true,
		NICs:     []channel.NIC{{UpBitsPerSecond: 1e9, DownBitsPerSecond: 5e8}},
		Machines: []Machine{{FlopsPerSecond: 1e8, Straggler: Straggler{Kind: LogNormal, Sigma: 0.7, Window: ms}}},
		Recorder: metrics.NewRecorder(7, 1, 10, func(s *metrics.Snapshot) bool {
			c := *s
			c.X, c.Y, c.Tallies = nil, nil, slices.Clone(s.Tallies)
			snaps = append(snaps, c)
			return true
		}),
	}
	change(&cfg)
	net := run(t, cfg, func(int) Handler {
		return Program(func(p *Proc) {
			r := p.Rand("start")
			x := make([]float64, 100)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			for k := range 11 {
				p.Report(k, x, x[:2])
				p.Work(1000 * float64(len(x)))
				p.Mix(x, "inner", x)
				p.ExchangeWithin(ms, "soft", channel.Vec("x", x))
				p.Broadcast("single", channel.Scalar("v", x[:1]))
				for range p.Neighbors() {
					x[0] += 0.01 * p.Receive("single").Vec(0)[0]
				}
			}
		})
	})
	checkRun(t, net)
	return net.Digest(), snaps
}

// TestDigest checks that a repeated run has the same digest for any number of processors, and that any change
// of the input changes it.
func TestDigest(t *testing.T) {
	unchanged := func(*Config) {}
	first, _ := wander(t, unchanged)
	for _, procs := range []int{1, 2, 4} {
		old := runtime.GOMAXPROCS(procs)
		if again, _ := wander(t, unchanged); again != first {
			t.Errorf("%d processors: digest %s, then %s", procs, first, again)
		}
		runtime.GOMAXPROCS(old)
	}
	for name, change := range map[string]func(*Config){
		"seed":      func(c *Config) { c.Seed = 4 },
		"bandwidth": func(c *Config) { c.Link = same(ms, 0.1e9) },
		"latency":   func(c *Config) { c.Link = same(ms/2, 1e9) },
		"nic":       func(c *Config) { c.NICs[0].DownBitsPerSecond /= 2 },
		"jitter":    func(c *Config) { c.Jitter.Mean /= 2 },
		"speed":     func(c *Config) { c.Machines[0].FlopsPerSecond /= 2 },
		"straggler": func(c *Config) { c.Machines[0].Straggler.Sigma /= 2 },
		"codec":     func(c *Config) { c.Codec = channel.Float32 },
		"overhead":  func(c *Config) { c.Overhead.PerMessage = 1 },
	} {
		if other, _ := wander(t, change); other == first {
			t.Errorf("changing the %s changes nothing", name)
		}
	}
	if unchecked, _ := wander(t, func(c *Config) { c.Verify = false }); unchecked != first {
		t.Error("Verify changes the run")
	}
}

// TestDigestOfIterates checks that x, y and the recorded iterations enter the digest.
func TestDigestOfIterates(t *testing.T) {
	digest := func(every int, x, y []float64) string {
		record := metrics.NewRecorder(1, every, 2, func(*metrics.Snapshot) bool { return true })
		cfg := Config{Peers: make([]Peers, 1), Recorder: record}
		return simulate(t, cfg, func(p *Proc) {
			p.Report(0, nil, nil)
			p.Report(1, x, y)
		}).Digest()
	}
	a := digest(1, []float64{1}, []float64{2})
	for _, b := range []string{digest(1, []float64{1}, []float64{3}), digest(1, []float64{3}, []float64{2}),
		digest(2, []float64{1}, []float64{2})} {
		if a == b {
			t.Error("different iterates have one digest")
		}
	}
}

// TestSnapshotsCountUpToReports lets nodes drift apart on a path. Snapshot k must count exactly what each node
// had sent when it reported k.
func TestSnapshotsCountUpToReports(t *testing.T) {
	const n, iterations = 6, 12
	edges := [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}
	for _, every := range []int{1, 5} {
		var seen []int
		drift := 0
		reached := make([]int, n)
		rec := metrics.NewRecorder(n, every, iterations-1, func(s *metrics.Snapshot) bool {
			k := int64(s.Iteration)
			seen = append(seen, s.Iteration)
			drift = max(drift, slices.Max(reached)-s.Iteration)
			// In each iteration every node has two exchanges: 2 broadcasts of messages in
			// each of two phases, over 10 directed links.
			var b, m int64
			for _, tally := range s.Tallies {
				b += tally.Broadcasts
				m += tally.Messages
			}
			if b != 2*n*k || m != 20*k || s.Rounds != 2*k || s.Oracle.GradG != n*k {
				t.Errorf("every %d, sample %d: %d broadcasts, %d messages, %d rounds, %d calls",
					every, k, b, m, s.Rounds, s.Oracle.GradG)
			}
			if s.Path.Total() != s.At {
				t.Errorf("sample %d at %v: critical path %+v", k, s.At, s.Path)
			}
			for i, x := range s.X {
				if len(x) != 1 || x[0] != float64(100*i)+float64(k) {
					t.Errorf("sample %d: node %d has %v", k, i, x)
				}
			}
			return true
		})
		cfg := Config{Peers: peers(n, edges...), Link: lan, Recorder: rec, Machines: []Machine{gflops}}
		for c := range cfg.Machines[0].Calls {
			cfg.Machines[0].Calls[c] = ByFlops
		}
		simulate(t, cfg, func(p *Proc) {
			for k := range iterations {
				reached[p.ID()] = k
				p.Report(k, []float64{float64(100*p.ID() + k)}, nil)
				p.Charge(metrics.CallGradG, 1, 0, math.Pow(10, float64(p.ID()+2)))
				p.Exchange("a", one(1))
				p.Exchange("b", one(1), one(2))
			}
		})
		want := map[int][]int{1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 5: {0, 5, 10, 11}}[every]
		if !slices.Equal(seen, want) {
			t.Errorf("every %d: samples %v, want %v", every, seen, want)
		}
		if every == 1 && drift == 0 {
			t.Error("no node was ahead: the test shows nothing")
		}
	}
}

// TestRoleOfOneNode checks roles in networks of one to three nodes.
func TestRoleOfOneNode(t *testing.T) {
	for n := 1; n <= 3; n++ {
		cfg := Config{Peers: chain(n), Link: lan, Roles: slices.Repeat([]Role{Server}, n)}
		simulate(t, cfg, func(p *Proc) {
			if p.Role() != Server {
				t.Errorf("of %d nodes, node %d is %v", n, p.ID(), p.Role())
			}
		})
	}
}
