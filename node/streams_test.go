package node

import (
	"testing"

	"tallynet/channel"
	"tallynet/sim"
)

// TestStreamsFollowTheNode renumbers nodes that keep their streams. They must draw the same numbers and meet
// the same slowdowns and jitter.
func TestStreamsFollowTheNode(t *testing.T) {
	play := func(streams []int, edges ...[2]int) (draws []uint64, clocks []sim.Time) {
		cfg := Config{
			Seed: 3, Peers: peers(4, edges...), Streams: streams,
			Link:     func(int, int) (sim.Time, int64) { return ms, 1e9 },
			Jitter:   channel.Jitter{Kind: channel.Exponential, Mean: ms},
			Machines: []Machine{{Round: ms, Straggler: Straggler{Kind: LogNormal, Sigma: 1, Window: 2 * ms}}},
		}
		draws = make([]uint64, 4)
		net := simulate(t, cfg, func(p *Proc) {
			draws[p.ID()] = p.Rand("a purpose").Uint64()
			for range 5 {
				p.Exchange("x", one(1))
			}
		})
		for i := range 4 {
			clocks = append(clocks, net.Outcome(i).Clock)
		}
		return draws, clocks
	}
	draws, clocks := play(nil, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3})
	was := []int{2, 0, 3, 1} // old number by new number
	newDraws, newClocks := play(was, [2]int{1, 3}, [2]int{3, 0}, [2]int{0, 2})
	for i, old := range was {
		if newDraws[i] != draws[old] || newClocks[i] != clocks[old] {
			t.Errorf("node %d, which was %d: draws %d and ends at %v, want %d and %v",
				i, old, newDraws[i], newClocks[i], draws[old], clocks[old])
		}
	}
	if draws[0] == draws[1] || clocks[0] == clocks[1] {
		t.Error("two nodes have one stream")
	}
	if _, err := New(Config{Peers: peers(2, [2]int{0, 1}), Streams: []int{0}}, nil); err == nil {
		t.Error("one stream for two nodes is not refused")
	}
}
