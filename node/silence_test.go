package node

import (
	"testing"

	"tallynet/channel"
	"tallynet/sim"
)

// TestSilence: what nodes mix when node 0 of a triangle is not heard by the others in round 2.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		kind SilenceKind
		want [2][]float64 // of node 0 and of node 1, after each round
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
		// Only what node 0 sends is lost: its messages are cut on the way, those to it come before.
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

// TestSilenceErrors: a silence that is waited for has no end, and another one needs one.
func TestSilenceErrors(t *testing.T) {
	for _, s := range []Silence{{Wait, 1}, {Last, 0}, {Renormalize, -1}, {9, 1}} {
		if _, err := New(Config{Peers: ringPeers(3), Link: lan, Silence: s}, nil); err == nil {
			t.Errorf("%+v is accepted as a silence", s)
		}
	}
}
