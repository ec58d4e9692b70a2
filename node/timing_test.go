package node

import (
	"context"
	"slices"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

const (
	us = sim.Microsecond
	ms = sim.Millisecond
)

// peers returns undirected neighbour lists with equal weights.
func peers(n int, edges ...[2]int) []Peers {
	p := make([]Peers, n)
	for _, e := range edges {
		p[e[0]].Neighbors = append(p[e[0]].Neighbors, e[1])
		p[e[1]].Neighbors = append(p[e[1]].Neighbors, e[0])
	}
	for i := range p {
		slices.Sort(p[i].Neighbors)
		w := 1 / float64(len(p[i].Neighbors)+1)
		p[i].SelfWeight = w
		p[i].Weights = slices.Repeat([]float64{w}, len(p[i].Neighbors))
	}
	return p
}

func chain(n int) []Peers {
	edges := make([][2]int, n-1)
	for i := range edges {
		edges[i] = [2]int{i, i + 1}
	}
	return peers(n, edges...)
}

// same returns a Config.Link that is equal for all links.
func same(latency sim.Time, bitsPerSecond int64) func(from, to int) (sim.Time, int64) {
	return func(int, int) (sim.Time, int64) { return latency, bitsPerSecond }
}

// delays returns a Config.Link of infinite bandwidth, with a latency by sender.
func delays(latency ...sim.Time) func(from, to int) (sim.Time, int64) {
	return func(from, _ int) (sim.Time, int64) { return latency[from], channel.Unlimited }
}

// gflops computes a million FLOPs in a millisecond.
var gflops = Machine{FlopsPerSecond: 1e9}

func star(n int) []Peers {
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{0, i})
	}
	return peers(n, edges...)
}

// simulate runs programs to the end and checks the invariants of every run.
func simulate(t *testing.T, cfg Config, program func(p *Proc)) *Network {
	t.Helper()
	cfg.Verify = true
	net := run(t, cfg, func(int) Handler { return Program(program) })
	checkRun(t, net)
	return net
}

func checkRun(t *testing.T, net *Network) {
	t.Helper()
	if err := net.CheckConservation(); err != nil {
		t.Error(err)
	}
	checkPath(t, net)
}

// checkPath checks that the parts of the critical path add up to the last node's clock.
func checkPath(t *testing.T, net *Network) {
	t.Helper()
	var last sim.Time
	for i := range net.Nodes() {
		last = max(last, net.Outcome(i).Clock)
	}
	if p := net.CriticalPath(); p != nil && (p.Total != last || p.Transfer < 0 || !p.Whole) {
		t.Errorf("the critical path is %+v, the last node ends at %v", *p, last)
	}
}

// TestRingByHand: every round takes 64 us to serialize 8000 bytes at 1 Gbit/s, 1 ms of
// latency and 1 ms of computing, on every node. A change of the input changes the time.
func TestRingByHand(t *testing.T) {
	const rounds = 25
	for _, n := range []int{16, 100} {
		for _, c := range []struct {
			name   string
			change func(*Config)
			round  sim.Time
		}{
			{"as stated", func(*Config) {}, 2064 * us},
			{"half the bandwidth", func(c *Config) { c.Link = same(ms, 0.5e9) }, 2128 * us},
			{"half the latency", func(c *Config) { c.Link = same(ms/2, 1e9) }, 1564 * us},
			{"float32", func(c *Config) { c.Codec = channel.Float32 }, 2032 * us},
			{"headers", func(c *Config) { c.Overhead = channel.Overhead{PerMessage: 125} }, 2065 * us},
			{"mixing of 3 x 2000 FLOPs", func(c *Config) { c.Machines[0].FlopsPerSecond = 1e9 }, 2070 * us},
			{"slower machine", func(c *Config) { c.Machines[0].Round = 3 * ms }, 4064 * us},
		} {
			cfg := ringConfig(n)
			cfg.Verify = true
			c.change(&cfg)
			net := run(t, cfg, func(int) Handler {
				return Program(func(p *Proc) {
					x := make([]float64, 1000)
					for range rounds {
						p.Mix(x, "gossip", x)
					}
				})
			})
			checkRun(t, net)
			for i := range n {
				if got, want := net.Outcome(i).Clock, rounds*c.round; got != want {
					t.Fatalf("n = %d, %s: node %d ends at %v, want %v", n, c.name, i, got, want)
				}
			}
		}
	}
}

// TestRingAverages: the numbers equal x <- W x, computed separately, although source and
// destination are one slice.
func TestRingAverages(t *testing.T) {
	const n, rounds = 7, 9
	want := make([]float64, n)
	for i := range want {
		want[i] = float64(i * i)
	}
	for range rounds {
		old := slices.Clone(want)
		for i := range want {
			a, b := min((i+1)%n, (i+n-1)%n), max((i+1)%n, (i+n-1)%n)
			want[i] = old[i]/3 + old[a]/3 + old[b]/3
		}
	}
	for _, codec := range []channel.Codec{channel.Float64{}, channel.Float32} {
		cfg := ringConfig(n)
		cfg.Codec = codec
		simulate(t, cfg, func(p *Proc) {
			x := []float64{float64(p.ID() * p.ID())}
			for range rounds {
				p.Mix(x, "gossip", x)
			}
			if d := x[0] - want[p.ID()]; d > 1e-5 || d < -1e-5 || (codec == channel.Float64{}) &&
				(d > 1e-13 || d < -1e-13) {
				t.Errorf("%s: node %d has %v, want %v", codec.Name(), p.ID(), x[0], want[p.ID()])
			}
		})
	}
}

// TestStarUnderNIC: all leaves send 8000 bytes to the centre at once. They share its
// downlink, and its own messages share its uplink. Each takes 64 us alone, so all have
// arrived at 1 ms + (n-1) 64 us.
func TestStarUnderNIC(t *testing.T) {
	for _, n := range []int{16, 100} {
		for _, rate := range []int64{1e9, 0.5e9} {
			cfg := Config{Peers: star(n), Link: lan,
				NICs: []channel.NIC{{UpBitsPerSecond: rate, DownBitsPerSecond: rate}}}
			net := simulate(t, cfg, func(p *Proc) { p.Exchange("x", channel.Vec("x", make([]float64, 1000))) })
			took := 64000 * sim.Second / sim.Time(rate)
			for i := range n {
				want := ms + took*sim.Time(n-1)
				if got := net.Outcome(i).Clock; got != want {
					t.Errorf("n = %d, %d bit/s: node %d ends at %v, want %v", n, rate, i, got, want)
				}
			}
			// Without interfaces every link has its bandwidth to itself.
			cfg.NICs = nil
			net = simulate(t, cfg, func(p *Proc) { p.Exchange("x", channel.Vec("x", make([]float64, 1000))) })
			if got := net.Outcome(0).Clock; got != ms+64*us {
				t.Errorf("n = %d, dedicated: the centre ends at %v", n, got)
			}
		}
	}
}

// TestHeadersOnADownlink: three leaves send 8 bytes with 92 of headers to the centre at
// once. Its downlink takes 100 ms for each; uplinks and links take no time.
func TestHeadersOnADownlink(t *testing.T) {
	cfg := Config{Peers: star(4), Link: same(ms, channel.Unlimited),
		Overhead: channel.Overhead{PerMessage: 52, PerPacket: 20, MTU: 32}, // two packets
		NICs:     []channel.NIC{{UpBitsPerSecond: channel.Unlimited, DownBitsPerSecond: 8000}}}
	net := simulate(t, cfg, func(p *Proc) { p.Exchange("x", one(1)) })
	for i, want := range []sim.Time{301 * ms, 101 * ms, 101 * ms, 101 * ms} {
		if got := net.Outcome(i).Clock; got != want {
			t.Errorf("node %d ends at %v, want %v", i, got, want)
		}
	}
}

// TestPathByHand: node 0 computes 5 ms and sends to 1. Node 1 adds 2 ms and sends
// to 2, which was busy for 1 ms and waits. Node 2's time is the time of the chain.
func TestPathByHand(t *testing.T) {
	cfg := Config{Peers: chain(3), Link: lan, Machines: []Machine{gflops}}
	net := simulate(t, cfg, func(p *Proc) {
		x := channel.Vec("x", make([]float64, 1000))
		switch p.ID() {
		case 0:
			p.Work(5e6)
			p.Send(1, "a", x)
		case 1:
			p.Sleep(ms)
			p.Receive("a", 0)
			p.Work(2e6)
			p.Send(2, "b", x)
			p.Send(2, "b", x)
		case 2:
			p.Work(1e6)
			p.Receive("b")
			p.Receive("b")
			p.Work(3e6)
		}
	})
	// The second "b" queues behind the first.
	want := metrics.Path{Compute: 10 * ms, Latency: 2 * ms, Transfer: 3 * 64 * us}
	if got := net.Outcome(2); got.Path != want || got.Compute != 4*ms || got.Wait != 8*ms+3*64*us {
		t.Errorf("node 2 spent %+v, want the critical path %+v", got, want)
	}
	if got, want := net.Outcome(0).Path, (metrics.Path{Compute: 5 * ms}); got != want {
		t.Errorf("node 0's path is %+v, want %+v", got, want)
	}
}

// TestPathsAddUp runs uneven networks, for which simulate checks every node.
func TestPathsAddUp(t *testing.T) {
	for seed := range uint64(4) {
		for _, nics := range [][]channel.NIC{nil, {{UpBitsPerSecond: 3e8, DownBitsPerSecond: 2e8}}} {
			cfg := Config{
				Seed:   seed,
				Peers:  peers(6, [][2]int{{0, 1}, {0, 2}, {0, 3}, {2, 3}, {3, 4}, {4, 5}, {1, 5}}...),
				Link:   func(i, j int) (sim.Time, int64) { return sim.Time(100*(i+j)) * us, 1e8 * int64(i+j) },
				Jitter: channel.Jitter{Kind: channel.Exponential, Mean: 300 * us},
				NICs:   nics,
				Machines: []Machine{{FlopsPerSecond: 1e6, Round: 50 * us,
					Straggler: Straggler{Kind: LogNormal, Sigma: 1, Window: 3 * ms}}},
			}
			simulate(t, cfg, func(p *Proc) {
				x := make([]float64, 50*(1+p.ID()%2))
				for k := range 20 {
					p.Work(float64(100 * (p.ID() + k)))
					p.ExchangeWithin(2*ms, "soft", channel.Vec("x", x))
					p.Exchange("hard", channel.Vec("x", x))
					p.Sleep(sim.Time(p.ID()) * 10 * us)
					p.Send(p.Neighbors()[0], "single", channel.Vec("x", x))
				}
			})
		}
	}
}

var background = context.Background()

// tagged sets a timer for each tag, each a little shorter than the previous one.
type tagged struct{ tags, got []int }

func (h *tagged) Start(c *Context) {
	for i, tag := range h.tags {
		c.After(sim.Time(len(h.tags)-i), tag)
	}
}

func (*tagged) Receive(*Context, *channel.Message) {}

func (h *tagged) Wake(_ *Context, tag int) { h.got = append(h.got, tag) }

// TestPatienceEndsWithTheWait checks that a deadline ends with the wait, and with the program. A message of 1
// kB takes 1 ms of latency and 8 us.
func TestPatienceEndsWithTheWait(t *testing.T) {
	net := run(t, Config{Peers: peers(2, [2]int{0, 1}), Link: lan}, func(int) Handler {
		return Program(func(p *Proc) {
			if got := p.ExchangeWithin(sim.Second, "w", channel.Vec("x", make([]float64, 125))); len(got) != 1 {
				t.Errorf("heard from %d nodes", len(got))
			}
		})
	})
	for i := range 2 {
		if o := net.Outcome(i); o.Clock != ms+8*us || o.Counters.Wait != ms+8*us || o.Counters.Waits.Timer != 0 {
			t.Errorf("node %d ended at %v, after waiting for %v: %+v", i, o.Clock, o.Counters.Wait, o.Counters.Waits)
		}
	}
}

// TestStaleByHand: at 5 ms, values of 2 ms that are three iterations behind, and of 1 ms from an unknown iteration.
func TestStaleByHand(t *testing.T) {
	net := run(t, Config{Peers: peers(2, [2]int{0, 1}), Link: lan}, func(int) Handler {
		return Program(func(p *Proc) {
			p.Sleep(5 * ms)
			p.MixedStale(2*ms, 3)
			p.MixedStale(ms, -1)
		})
	})
	want := metrics.Stale{Mixed: 2, Age: 7 * ms, Counted: 1, Iterations: 3}
	if got := net.Outcome(0).Counters.Stale; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
