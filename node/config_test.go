package node

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
)

// TestConfigsAreChecked checks that New rejects invalid faults, and compressed differences if a receiver
// can miss a message.
func TestConfigsAreChecked(t *testing.T) {
	again := &channel.Retransmission{Timeout: ms, Backoff: 1}
	differences := &channel.Compression{Compressor: channel.Sign{}, Width: 64, Step: 1, Memory: channel.Difference}
	down := []channel.Downtime{{Spans: []channel.Span{{Until: ms}}}, {Spans: []channel.Span{{From: 2 * ms, Until: ms}}}}
	loss := func(p float64) channel.Loss { return channel.Loss{Kind: channel.Independent, P: p} }
	hosts := func(k int) Faults {
		return Faults{Host: func(int) channel.Downtime { return down[k] }}
	}
	links := func(k int) Faults {
		return Faults{Link: func(int, int) channel.Downtime { return down[k] }}
	}
	half := &channel.Compression{Compressor: channel.Sign{}, Width: 16, Step: 1}
	last := Silence{Kind: Last, After: ms}
	losses, repeated := Faults{Loss: loss(0.5)}, Faults{Loss: loss(0.5), Retransmit: again}
	atOnce := Faults{Loss: loss(0.5), Retransmit: &channel.Retransmission{Backoff: 1}}
	for name, c := range map[string]struct {
		cfg  Config
		good bool
	}{
		"nothing": {Config{}, true}, "compression": {Config{Compress: largest(false)}, true},
		"half a number":               {Config{Compress: half}, false},
		"differences":                 {Config{Compress: differences}, true},
		"differences, again":          {Config{Compress: differences, Faults: repeated}, true},
		"differences, lost":           {Config{Compress: differences, Faults: losses}, false},
		"differences, without":        {Config{Compress: differences, Silence: last}, false},
		"numbers, lost":               {Config{Compress: largest(false), Faults: losses, Silence: last}, true},
		"a loss beyond 1":             {Config{Faults: Faults{Loss: loss(2)}}, false},
		"at once":                     {Config{Faults: atOnce}, false},
		"a host":                      {Config{Faults: hosts(0)}, true},
		"a host up before it is down": {Config{Faults: hosts(1)}, false},
		"a link":                      {Config{Faults: links(0)}, true},
		"a link up before it is down": {Config{Faults: links(1)}, false},
		"no patience":                 {Config{Silence: Silence{Kind: Last}}, false},
	} {
		c.cfg.Peers, c.cfg.Link = chain(2), lan
		if _, err := New(c.cfg, func(int) Handler { return &echo{} }); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTurnsStayAmongNeighbours checks that a turn names only neighbours.
func TestTurnsStayAmongNeighbours(t *testing.T) {
	for want, turn := range map[string]func(node int) Turn{
		"node 0 sends to 2 in round": func(int) Turn { return Turn{Out: []int{2}} },
		"node 0 sends to 0 in round": func(int) Turn { return Turn{Out: []int{0}} },
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, want) || !strings.Contains(text, "not a neighbour") {
					t.Errorf("it panics with %q, want %q", text, want)
				}
			}()
			cfg := Config{Peers: chain(3), Link: lan, Turns: func() func(int, int) Turn {
				return func(_, node int) Turn { return turn(node) }
			}}
			run(t, cfg, func(int) Handler {
				x := MixVec("x", make([]float64, 1), make([]float64, 1))
				return Program(func(p *Proc) { p.PushPull("x", []Mixed{x}, nil) })
			})
		}()
	}
}

// TestWhatANodeKnows checks the accessors of Context and Network.
func TestWhatANodeKnows(t *testing.T) {
	peers := chain(3)
	peers[1].Weights, peers[1].SelfWeight = []float64{0.25, 0.5}, 0.125
	made := 0
	net := run(t, Config{Peers: peers, Link: lan, Seed: 9, Roles: []Role{Client, Server, Client}}, func(i int) Handler {
		return Deferred(func(c *Context) Handler {
			made++
			if c.Nodes() != 3 || c.Seed() != 9 || c.ID() != i || c.Role() != []Role{Client, Server, Client}[i] {
				t.Errorf("node %d: %d of %d nodes, seed %d, %v", i, c.ID(), c.Nodes(), c.Seed(), c.Role())
			}
			if i == 1 && (!slices.Equal(c.Weights(), []float64{0.25, 0.5}) || c.SelfWeight() != 0.125 ||
				!slices.Equal(c.Neighbors(), []int{0, 2})) {
				t.Errorf("weights %v and %g of %v", c.Weights(), c.SelfWeight(), c.Neighbors())
			}
			return &script{}
		})
	})
	links, near := net.Fabric().Links(), net.Neighbors(1)
	if made != 3 || net.Nodes() != 3 || links != 4 || net.Clock() != 0 || !slices.Equal(near, []int{0, 2}) {
		t.Errorf("%d handlers, %d nodes, %d links, at %v, neighbours %v", made, net.Nodes(), links, net.Clock(), near)
	}
}

// TestMessagesBeyond64Bits checks that headers that overflow 64 bits end the run with an error.
func TestMessagesBeyond64Bits(t *testing.T) {
	cfg := Config{Peers: chain(2), Link: lan, Overhead: channel.Overhead{PerMessage: math.MaxInt64}}
	net, err := New(cfg, func(int) Handler { return Program(func(p *Proc) { p.Exchange("x", vector(1)) }) })
	if err != nil {
		t.Fatal(err)
	}
	if end, err := net.Run(t.Context(), Limits{}); err == nil || end != Failed {
		t.Errorf("ended %v: %v", end, err)
	}
}
