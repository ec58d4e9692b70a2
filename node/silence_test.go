package node

import (
	"testing"

	"tallynet/channel"
	"tallynet/sim"
)

// TestSilence: the other nodes of a triangle do not hear node 0 in round 2.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		kind SilenceKind
		want [2][]float64 // of nodes 0 and 1, after each round
	}{
		// Node 0 sends 0, 3, ...: all have 1 after round 1 (weights 1/3 of 0, 1, 2); then it adds 9.
		{Renormalize, [2][]float64{{1, 4}, {1, 1}}},
		{Last, [2][]float64{{1, 4}, {1, 2. / 3}}},
	} {
		got := make([][]float64, 3)
		cfg := Config{
			Peers:   peers(3, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 2}),
			Link:    lan,
			Silence: Silence{c.kind, 20 * ms},
			Faults:  Faults{Link: func(from, to int) channel.Downtime { return channel.Downtime{} }},
		}
		// Only node 0's messages are lost: they are cut on the way, while those to it arrive earlier.
		cfg.Faults.Link = func(from, to int) channel.Downtime {
			if from == 0 {
				return channel.Downtime{Spans: []channel.Span{{From: 2 * ms, Until: sim.Second}}}
			}
			return channel.Downtime{}
		}
		simulate(t, cfg, func(p *Proc) {
			x := []float64{float64(p.ID())}
			for k := range 2 {
				if p.ID() == 0 && k == 1 {
					x[0] += 9
				}
				if k == 1 {
					p.Work(3e6)
				}
				p.Mix(x, "x", x)
				got[p.ID()] = append(got[p.ID()], x[0])
			}
		})
		for i, want := range c.want {
			if !close9(got[i], want) {
				t.Errorf("silence %d: node %d has %v, want %v", c.kind, i, got[i], want)
			}
		}
	}
}

// TestSilenceErrors: Wait must have no deadline, and the other kinds need one.
func TestSilenceErrors(t *testing.T) {
	for _, s := range []Silence{{Wait, 1}, {Last, 0}, {Renormalize, -1}, {9, 1}} {
		if _, err := New(Config{Peers: ringPeers(3), Link: lan, Silence: s}, nil); err == nil {
			t.Errorf("%+v is accepted as a silence", s)
		}
	}
}

// TestSilentStar: a server and two clients. The first client sends 10 more than the round, the second
// 20 more. Round 2 loses the first client's message, and round 3 the server's to the second client. In
// round 4 the server hears nobody and only the first client hears it. With Last, the second client
// takes the mean of round 2.
func TestSilentStar(t *testing.T) {
	for _, c := range []struct {
		kind SilenceKind
		want [3][]float64
	}{
		{Renormalize, [3][]float64{{16, 22, 18, 7}, {16, 22, 18, 7}, {16, 22, 23, 24}}},
		{Last, [3][]float64{{16, 16.5, 18, 18}, {16, 16.5, 18, 18}, {16, 16.5, 16.5, 16.5}}},
	} {
		cfg := served(3)
		cfg.Silence = Silence{c.kind, 20 * ms}
		cfg.Faults.Link = func(from, to int) channel.Downtime {
			switch [2]int{from, to} { // cuts messages under way: uploads take 2 and 3 ms, the server's answer 1 ms
			case [2]int{1, 0}:
				return channel.Downtime{Spans: []channel.Span{{From: 5 * ms, Until: 20 * ms},
					{From: 29 * ms, Until: sim.Second}}}
			case [2]int{2, 0}:
				return channel.Downtime{Spans: []channel.Span{{From: 105 * ms, Until: sim.Second}}}
			case [2]int{0, 2}:
				return channel.Downtime{Spans: []channel.Span{{From: 27*ms + ms/2, Until: sim.Second}}}
			}
			return channel.Downtime{}
		}
		got := make([][]float64, 3)
		simulate(t, cfg, func(p *Proc) {
			dst := []float64{0}
			for k := 1; k <= 4; k++ {
				if p.Role() == Server && k == 4 {
					dst[0] = 7
				}
				p.Average("x", MixVec("x", dst, []float64{float64(10*p.ID() + k)}))
				got[p.ID()] = append(got[p.ID()], dst[0])
			}
		})
		for i, want := range c.want {
			if !close9(got[i], want) {
				t.Errorf("silence %d: node %d has %v, want %v", c.kind, i, got[i], want)
			}
		}
	}
}

// TestMixSentAlone: a node without neighbours gets what a receiver of its vector would: of three elements only the
// largest is sent, and the others are 0.
func TestMixSentAlone(t *testing.T) {
	for _, c := range []struct {
		compress *channel.Compression
		want     []float64
	}{
		{nil, []float64{1, -3, 2}},
		{&channel.Compression{Compressor: channel.TopK{Share: 0.3}, Width: 64, Step: 1}, []float64{0, -3, 0}},
	} {
		simulate(t, Config{Peers: []Peers{{SelfWeight: 1}}, Link: lan, Compress: c.compress}, func(p *Proc) {
			own, dst := make([]float64, 3), make([]float64, 3)
			if p.MixSent(own, dst, "x", []float64{1, -3, 2}); !close9(own, c.want) || !close9(dst, c.want) {
				t.Errorf("alone: own %v, mixed %v, want %v", own, dst, c.want)
			}
		})
	}
}
