package node

import (
	"testing"

	"tallynet/sim"
)

// TestAllReduceIsItsFormula checks the result, and compares time and bytes with their formulas.
func TestAllReduceIsItsFormula(t *testing.T) {
	const d, latency, rate = 840, 2 * ms, 1_000_000
	for _, n := range []int{2, 3, 5, 8} {
		for name, c := range map[string]struct {
			peers  []Peers
			reduce func(*Proc, []float64)
			steps  int // in a row
			size   int // numbers of a message
		}{
			"ring":       {ringOf(n), func(p *Proc, v []float64) { p.AllReduceRing("all", v) }, 2 * (n - 1), d / n},
			"chain tree": {chain(n), func(p *Proc, v []float64) { p.AllReduceTree("all", v) }, 2 * (n - 1), d},
		} {
			var at sim.Time
			cfg := Config{Peers: c.peers, Link: func(int, int) (sim.Time, int64) { return latency, rate }}
			net := simulate(t, cfg, func(p *Proc) {
				v := make([]float64, d)
				for i := range v {
					v[i] = float64(p.ID()*d + i)
				}
				c.reduce(p, v)
				for i := range v {
					if want := float64(n*i + d*n*(n-1)/2); v[i] != want {
						t.Errorf("%s of %d: number %d is %g, want %g", name, n, i, v[i], want)
						break
					}
				}
				at = max(at, p.Now())
			})
			message := latency + sim.Quotient(uint64(c.size)*8*8, uint64(sim.Second), rate)
			if want := sim.Time(c.steps) * message; at != want {
				t.Errorf("%s of %d: it takes %v, want %v", name, n, at, want)
			}
			traffic := net.Ledger().Traffic(net.Total().Tallies)
			if got := traffic.PayloadBytes(); got != int64(2*(n-1)*d*8) {
				t.Errorf("%s of %d: %d bytes, want %d", name, n, got, 2*(n-1)*d*8)
			}
		}
	}
}

// ringOf returns a ring; for two nodes, their edge.
func ringOf(n int) []Peers {
	if n == 2 {
		return chain(2)
	}
	return ringPeers(n)
}

// TestUnevenPieces covers lengths that n does not divide. Chunks then differ by one element and may be empty.
func TestUnevenPieces(t *testing.T) {
	for _, d := range []int{1, 3, 7} {
		simulate(t, Config{Peers: ringPeers(5), Link: lan}, func(p *Proc) {
			v := make([]float64, d)
			v[0] = float64(p.ID())
			p.AllReduceRing("all", v)
			if v[0] != 10 {
				t.Errorf("%d numbers: the sum is %g", d, v[0])
			}
		})
	}
}

// TestAllReduceWithoutARing checks that the run fails with advice if the graph is not a ring.
func TestAllReduceWithoutARing(t *testing.T) {
	triangles := [][2]int{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}}
	for name, graph := range map[string][]Peers{
		"a star": star(4), "a chain": chain(3), "a longer chain": chain(5),
		"two triangles":            peers(6, triangles...),
		"a square with a diagonal": peers(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 3}, [2]int{1, 3}),
		"a triangle with a tail":   peers(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 2}, [2]int{2, 3}),
		"a tail with a triangle":   peers(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{1, 3}),
	} {
		net := build(t, Config{Peers: graph, Link: lan}, func(p *Proc) { p.AllReduceRing("all", make([]float64, 4)) })
		if end, err := net.Run(background, Limits{}); end != Failed || err == nil {
			t.Errorf("%s: ended %d: %v", name, end, err)
		}
	}
}

// TestOneNodeHasTheSum covers a single node.
func TestOneNodeHasTheSum(t *testing.T) {
	simulate(t, Config{Peers: make([]Peers, 1), Link: lan}, func(p *Proc) {
		v := []float64{3, 4}
		p.AllReduceRing("ring", v)
		p.AllReduceTree("tree", v)
		if v[0] != 3 || v[1] != 4 || p.Now() != 0 {
			t.Errorf("at %v the sum of %v is another", p.Now(), v)
		}
	})
}
