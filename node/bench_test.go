package node

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
	"tallynet/sim"
)

// These benchmarks share a workload: n nodes on a ring. In each round every
// node sends one message of 1000 float64 to both neighbours (1 ms latency, 1
// Gbit/s, dedicated), averages the received messages and computes for 1 ms.

const benchDim = 1000

func ringPeers(n int) []Peers {
	peers := make([]Peers, n)
	for i := range peers {
		a, b := (i+n-1)%n, (i+1)%n
		third := 1. / 3
		peers[i] = Peers{Neighbors: []int{min(a, b), max(a, b)}, Weights: []float64{third, third}, SelfWeight: third}
	}
	return peers
}

func lan(int, int) (sim.Time, int64) { return sim.Millisecond, 1e9 }

// ringConfig is the network of the benchmarks.
func ringConfig(n int) Config {
	return Config{Peers: ringPeers(n), Link: lan, Machines: []Machine{{Round: sim.Millisecond}}}
}

// run builds and runs a network to its end.
func run(tb testing.TB, cfg Config, newHandler func(int) Handler) *Network {
	tb.Helper()
	net, err := New(cfg, newHandler)
	if err != nil {
		tb.Fatal(err)
	}
	end, err := net.Run(context.Background(), Limits{})
	if err != nil || end != Finished {
		tb.Fatalf("ended %v: %v", end, err)
	}
	return net
}

func ringGossip(tb testing.TB, n, rounds, dim int) *Network {
	return run(tb, ringConfig(n), func(int) Handler {
		return Program(func(p *Proc) {
			x, mx := make([]float64, dim), make([]float64, dim)
			x[0] = float64(p.ID())
			for range rounds {
				p.Mix(mx, "gossip", x)
				x, mx = mx, x
			}
		})
	})
}

// BenchmarkRing measures the whole engine: payloads are moved and averaged, and the ledger counts.
func BenchmarkRing(b *testing.B) {
	for _, c := range []struct{ n, rounds int }{{16, 6000}, {100, 1000}, {1000, 100}, {10000, 10}} {
		if testing.Short() {
			c.rounds /= 10
		}
		b.Run(fmt.Sprintf("tallynet/n=%d", c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ringGossip(b, c.n, c.rounds, benchDim)
			}
			perSecond(b, 2*c.n*c.rounds)
		})
		b.Run(fmt.Sprintf("bare/n=%d", c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bareRing(b, c.n, c.rounds, benchDim)
			}
			perSecond(b, 2*c.n*c.rounds)
		})
	}
}

var million = flag.Bool("million", false, "BenchmarkLarge: also a million nodes (12 GiB)")

// BenchmarkLarge measures memory. It reports the peak of the whole process, so it should run alone:
//
//	go test -run '^$' -bench Large/n=100000$ -benchtime 1x ./node
func BenchmarkLarge(b *testing.B) {
	for _, c := range []struct{ n, rounds, dim int }{{100_000, 10, 1000}, {1_000_000, 10, 10}} {
		left := c.n == 1_000_000 && !*million
		if testing.Short() {
			c.n, c.rounds, c.dim = c.n/10, 2, 10
		}
		b.Run(fmt.Sprintf("n=%d", c.n), func(b *testing.B) {
			if left {
				b.Skip("without -million")
			}
			for b.Loop() {
				ringGossip(b, c.n, c.rounds, c.dim)
			}
			perSecond(b, 2*c.n*c.rounds)
			if kb := peakKiB(b); kb > 0 {
				b.ReportMetric(float64(kb)/1024, "peak-MiB")
			}
		})
	}
}

// peakKiB returns the process's largest resident set, or 0 without /proc.
func peakKiB(b *testing.B) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			return kb
		}
	}
	return 0
}

func perSecond(b *testing.B, messages int) {
	b.ReportMetric(float64(messages)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
}

// BenchmarkDry measures the engine alone: messages have one number.
func BenchmarkDry(b *testing.B) {
	for _, c := range []struct{ n, rounds int }{{16, 6000}, {1000, 100}, {10000, 10}} {
		b.Run(fmt.Sprintf("program/n=%d", c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ringGossip(b, c.n, c.rounds, 1)
			}
			perSecond(b, 2*c.n*c.rounds)
		})
		b.Run(fmt.Sprintf("handler/n=%d", c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run(b, ringConfig(c.n), func(int) Handler { return &echo{rounds: c.rounds} })
			}
			perSecond(b, 2*c.n*c.rounds)
		})
	}
}

// echo is ring gossip as a handler. It sends again when it has messages from both neighbours. A message
// from a neighbour that is a round ahead counts for the next round.
type echo struct {
	rounds, heard int
	x             [1]float64
}

func (h *echo) Start(c *Context) { h.send(c) }

func (h *echo) send(c *Context) {
	if h.rounds > 0 {
		h.rounds--
		c.Broadcast("echo", channel.Scalar("x", h.x[:]))
	}
}

func (h *echo) Receive(c *Context, m *channel.Message) {
	h.x[0] += m.Vec(0)[0]
	if h.heard++; h.heard == 2 {
		h.heard = 0
		h.send(c)
	}
}

func (h *echo) Wake(*Context, int) {}

// bareRing does the same work by hand, with only a 4-ary heap of values, one
// coroutine per node, snapshots and averages: no ledger, no ties, no recorder.
func bareRing(tb testing.TB, n, rounds, dim int) sim.Time {
	type bare struct {
		next      func() (struct{}, bool)
		now       sim.Time
		round     int
		missing   int
		ahead     int
		in, early [2]*bareMessage
	}
	nodes := make([]bare, n)
	var heap bareHeap
	var free []*bareMessage
	release := func(m *bareMessage) {
		if m.refs--; m.refs == 0 {
			free = append(free, m)
		}
	}
	const ser = 64 * sim.Microsecond
	for i := range nodes {
		nd := &nodes[i]
		nd.next, _ = iter.Pull(func(yield func(struct{}) bool) {
			x, mx := make([]float64, dim), make([]float64, dim)
			x[0] = float64(i)
			for range rounds {
				var m *bareMessage
				if k := len(free); k > 0 {
					m = free[k-1]
					free = free[:k-1]
				} else {
					m = &bareMessage{data: make([]float64, dim)}
				}
				copy(m.data, x)
				m.refs = 2
				m.round = nd.round
				at := nd.now + ser + sim.Millisecond
				heap.push(bareEvent{at, (i + 1) % n, 0, m})
				heap.push(bareEvent{at, (i + n - 1) % n, 1, m})
				nd.in, nd.early = nd.early, [2]*bareMessage{}
				nd.missing, nd.ahead = 2-nd.ahead, 0
				if nd.missing > 0 {
					yield(struct{}{})
				}
				floats.ScaleTo(mx, 1./3, x)
				floats.AddScaled(mx, 1./3, nd.in[0].data)
				floats.AddScaled(mx, 1./3, nd.in[1].data)
				release(nd.in[0])
				release(nd.in[1])
				nd.round++
				nd.now += sim.Millisecond
				x, mx = mx, x
			}
		})
	}
	for i := range nodes {
		nodes[i].next()
	}
	for len(heap) > 0 {
		e := heap.pop()
		nd := &nodes[e.to]
		if e.m.round > nd.round {
			nd.early[e.side] = e.m
			nd.ahead++
			continue
		}
		nd.in[e.side] = e.m
		if nd.missing--; nd.missing == 0 {
			nd.now = max(nd.now, e.at)
			nd.next()
		}
	}
	for i := range nodes {
		if nodes[i].round != rounds {
			tb.Fatal("the bare twin did not finish")
		}
	}
	return nodes[0].now
}

type bareMessage struct {
	data  []float64
	refs  int
	round int
}

type bareEvent struct {
	at       sim.Time
	to, side int
	m        *bareMessage
}

type bareHeap []bareEvent

func (h *bareHeap) push(e bareEvent) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 4
		if s[p].at <= e.at {
			break
		}
		s[i] = s[p]
		i = p
	}
	s[i] = e
}

func (h *bareHeap) pop() bareEvent {
	s := *h
	top, v := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		c := 4*i + 1
		if c >= len(s) {
			break
		}
		m := c
		for k := c + 1; k < min(c+4, len(s)); k++ {
			if s[k].at < s[m].at {
				m = k
			}
		}
		if v.at <= s[m].at {
			break
		}
		s[i] = s[m]
		i = m
	}
	if len(s) > 0 {
		s[i] = v
	}
	return top
}
