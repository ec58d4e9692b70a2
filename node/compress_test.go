package node

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
)

// largest keeps the larger of two numbers in 9 bytes: an index of one bit, and 64 bits of the number.
func largest(upOnly bool) *channel.Compression {
	return &channel.Compression{Compressor: channel.TopK{Share: 0.5}, Width: 64, Step: 1, UpOnly: upOnly}
}

// wire returns the payload bytes of a node's messages.
func wire(net *Network, node int) int64 {
	traffic := net.Ledger().Traffic(net.Outcome(node).Tallies)
	return traffic.PayloadBytes()
}

// TestMixSentByHand: the other node receives 3, 0 for 3, 1 and 0, 5 for 1, 5, with weight 1/4. If
// the method sends whole vectors, or nothing is compressed, it receives those. A single node does
// the same as one with neighbours.
func TestMixSentByHand(t *testing.T) {
	values := [][]float64{{3, 1}, {1, 5}}
	sent := [][]float64{{3, 0}, {0, 5}}
	for _, z := range []*channel.Compression{nil, largest(false)} {
		peers := chain(2)
		for i := range peers {
			peers[i].Weights, peers[i].SelfWeight = []float64{0.25}, 0.75
		}
		gets := values
		if z != nil {
			gets = sent
		}
		check := func(what string, id int, got, parts []float64, others [][]float64) {
			want := []float64{0.75*parts[0] + 0.25*others[1-id][0], 0.75*parts[1] + 0.25*others[1-id][1]}
			if !slices.Equal(got, want) {
				t.Errorf("compressed %t, node %d, %s: %v, want %v", z != nil, id, what, got, want)
			}
		}
		net := simulate(t, Config{Peers: peers, Link: lan, Compress: z}, func(p *Proc) {
			src, own, dst := values[p.ID()], make([]float64, 2), make([]float64, 2)
			p.MixSent(own, dst, "sent", src)
			if !slices.Equal(own, gets[p.ID()]) {
				t.Errorf("compressed %t, node %d: %v is sent of %v", z != nil, p.ID(), own, src)
			}
			check("sent", p.ID(), dst, own, gets)
			p.MixWhole("whole", MixVec("x", dst, src))
			check("whole", p.ID(), dst, src, values)
			p.Mix(dst, "mixed", src)
			check("mixed", p.ID(), dst, src, gets)
		})
		for i := range 2 {
			if got, want := wire(net, i), map[bool]int64{false: 16 + 16 + 16, true: 9 + 16 + 9}[z != nil]; got != want {
				t.Errorf("compressed %t, node %d: %d bytes, want %d", z != nil, i, got, want)
			}
		}
		simulate(t, Config{Peers: []Peers{{SelfWeight: 0.5}}, Link: lan, Compress: z}, func(p *Proc) {
			own, dst := make([]float64, 2), make([]float64, 2)
			p.MixSent(own, dst, "sent", values[0])
			if !slices.Equal(own, gets[0]) || dst[0] != own[0]/2 || dst[1] != own[1]/2 {
				t.Errorf("compressed %t, alone: %v and %v", z != nil, own, dst)
			}
		})
	}
}

// TestAverageSentByHand: the server receives 3, 0 and 0, 5, whose mean is 1.5, 2.5. Clients receive
// 0, 2.5, or the whole mean if only uploads are compressed.
func TestAverageSentByHand(t *testing.T) {
	for _, up := range []bool{false, true} {
		cfg := served(3)
		cfg.Compress = largest(up)
		values, sent := [][]float64{{7, 7}, {3, 1}, {1, 5}}, [][]float64{nil, {3, 0}, {0, 5}}
		down := map[bool][]float64{false: {0, 2.5}, true: {1.5, 2.5}}[up]
		net := simulate(t, cfg, func(p *Proc) {
			own, dst := make([]float64, 2), make([]float64, 2)
			p.AverageSent("both", SentVec("x", own, dst, values[p.ID()]))
			want := down
			if p.Role() == Server {
				want = []float64{1.5, 2.5}
			} else if !slices.Equal(own, sent[p.ID()]) {
				t.Errorf("up only %t, client %d: %v is sent", up, p.ID(), own)
			}
			if !slices.Equal(dst, want) {
				t.Errorf("up only %t, node %d: %v, want %v", up, p.ID(), dst, want)
			}
		})
		if got, want := wire(net, 0), map[bool]int64{false: 2 * 9, true: 2 * 16}[up]; got != want || wire(net, 1) != 9 {
			t.Errorf("up only %t: the server sends %d bytes, want %d; a client %d", up, got, want, wire(net, 1))
		}
	}
}

// TestSentSizes checks that mismatched sizes panic, and that peers cannot average.
func TestSentSizes(t *testing.T) {
	for want, program := range map[string]func(p *Proc){
		`sending "x": want a dst and an own of 2 numbers, as src, got 1 and 2`: func(p *Proc) {
			p.MixSent(make([]float64, 2), make([]float64, 1), "x", make([]float64, 2))
		},
		`sending "x": want a dst and an own of 2 numbers, as src, got 2 and 3`: func(p *Proc) {
			p.MixSent(make([]float64, 3), make([]float64, 2), "x", make([]float64, 2))
		},
		"averages: want a server or a client, got a peer": func(p *Proc) { p.AverageSent("x") },
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, want) {
					t.Errorf("it panics with %q, want %q", text, want)
				}
			}()
			run(t, Config{Peers: chain(2), Link: lan}, func(int) Handler { return Program(program) })
		}()
	}
}

// TestChargesOfATurn: node 0 has links to nodes 1 and 2 that cost 1 and 10 fJ a byte, and uses only the second.
func TestChargesOfATurn(t *testing.T) {
	cfg := ringConfig(3)
	cfg.Turns = func() func(round, node int) Turn {
		return func(_, node int) Turn { return []Turn{{Out: []int{2}}, {}, {In: []int{0}}}[node] }
	}
	cfg.Tariffs = &metrics.Tariffs{Machines: make([]metrics.MachineTariff, 3)}
	for _, e := range []int64{1, 10, 100, 1000, 1e4, 1e5} {
		cfg.Tariffs.Links = append(cfg.Tariffs.Links, metrics.LinkTariff{FemtojoulesPerByte: e})
	}
	net := simulate(t, cfg, func(p *Proc) {
		z := make([]float64, 2)
		p.PushPull("x", nil, []Mixed{MixVec("z", z, z)})
	})
	for i, want := range []int64{10, 0, 0} {
		if got, of := net.Outcome(i).Links, (metrics.LinkTariff{FemtojoulesPerByte: want}).Of(16); got != of {
			t.Errorf("node %d pays %+v, want %+v", i, got.Charge(), of.Charge())
		}
	}
}

// TestSentIsCharged: a weighted sum of two elements with three terms takes 2 FLOPs per element and term, of 1
// ns each.
func TestSentIsCharged(t *testing.T) {
	cfg := ringConfig(3)
	cfg.Machines = []Machine{{FlopsPerSecond: 1e9}}
	net := simulate(t, cfg, func(p *Proc) {
		p.MixSent(make([]float64, 2), make([]float64, 2), "x", make([]float64, 2))
	})
	if got := net.Outcome(0).Compute; got != 12 {
		t.Errorf("the node computes for %v, want 12 ns", got)
	}
}

// TestChargesByHand: each of 16 bytes costs 1, 10, 100 or 1000 fJ on the four links of a chain of three
// nodes, with or without faults; and 7 on a medium, once for both receivers.
func TestChargesByHand(t *testing.T) {
	program := func(p *Proc) { p.Exchange("x", vector(2)) }
	machines := make([]metrics.MachineTariff, 3)
	tariff := func(fJ ...int64) *metrics.Tariffs {
		all := &metrics.Tariffs{Machines: machines}
		for _, e := range fJ {
			all.Links = append(all.Links, metrics.LinkTariff{FemtojoulesPerByte: e, NanosPerGigabyte: 3 * e})
		}
		return all
	}
	again := &channel.Retransmission{Timeout: ms, Backoff: 1}
	medium := &channel.Platform{Links: []channel.PhysicalLink{{Name: "air", BitsPerSecond: 1e6, Medium: true}},
		Route: func(int, int) ([]int, error) { return []int{0}, nil }}
	for _, c := range []struct {
		name string
		cfg  Config
		want [3]int64 // fJ a byte, by sender
	}{
		{"a chain", Config{Peers: chain(3), Tariffs: tariff(1, 10, 100, 1000)}, [3]int64{1, 110, 1000}},
		{"with faults", Config{Peers: chain(3), Tariffs: tariff(1, 10, 100, 1000), Faults: Faults{Retransmit: again,
			Loss: channel.Loss{Kind: channel.Independent}}}, [3]int64{1, 110, 1000}},
		{"a medium", Config{Peers: chain(3), Tariffs: tariff(7), Platform: medium}, [3]int64{7, 7, 7}},
		{"a medium with faults", Config{Peers: chain(3), Tariffs: tariff(7), Platform: medium, Faults: Faults{
			Retransmit: again, Loss: channel.Loss{Kind: channel.Independent}}}, [3]int64{7, 7, 7}},
	} {
		c.cfg.Link = lan
		net := simulate(t, c.cfg, program)
		for i, want := range c.want {
			of := metrics.LinkTariff{FemtojoulesPerByte: want, NanosPerGigabyte: 3 * want}.Of(16)
			if got := net.Outcome(i).Links; got != of {
				t.Errorf("%s: node %d pays %+v, want %+v", c.name, i, got.Charge(), of.Charge())
			}
		}
	}
	for _, wrong := range []*metrics.Tariffs{tariff(1, 2, 3), {Links: tariff(1, 2, 3, 4).Links}} {
		_, err := New(Config{Peers: chain(3), Link: lan, Tariffs: wrong}, func(int) Handler { return Program(program) })
		if err == nil || !strings.HasPrefix(err.Error(), "node: ") {
			t.Errorf("tariffs of %d machines and %d links: %v", len(wrong.Machines), len(wrong.Links), err)
		}
	}
}
