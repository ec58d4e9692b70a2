package node

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/channel"
	"tallynet/sim"
)

// TestUnread checks that an unread object is sent, counted and charged as usual; only its average is skipped.
func TestUnread(t *testing.T) {
	const d = 5000
	play := func(unread bool) (end float64, n *Network) {
		cfg := Config{Peers: ringPeers(3), Link: lan, Machines: []Machine{{FlopsPerSecond: 1e6}}}
		net := simulate(t, cfg, func(p *Proc) {
			x, mx := make([]float64, d), make([]float64, d)
			x[0] = float64(1 + p.ID())
			o := MixVec("x", mx, x)
			if unread {
				o = o.Unread()
			}
			p.MixAll("mix", o)
			if read := mx[0] != 0; read == unread {
				t.Errorf("unread %v: the average is %v", unread, mx[0])
			}
			end = max(end, p.Now().Seconds())
		})
		return end, net
	}
	plainEnd, plain := play(false)
	end, net := play(true)
	if end != plainEnd || net.events.Sum() != plain.events.Sum() || plainEnd < 6*d/1e6 {
		t.Errorf("unread: ends at %v s with deliveries %x; want %v s and %x",
			end, net.events.Sum(), plainEnd, plain.events.Sum())
	}
}

// TestLargePartsAreMixed checks the averages of large parts in every wire format.
func TestLargePartsAreMixed(t *testing.T) {
	for _, codec := range []channel.Codec{channel.Float64{}, channel.Float32, channel.Float16, channel.BFloat16} {
		for _, d := range []int{10, 4095, 4096, 10_000} {
			cfg := ringConfig(3)
			cfg.Codec = codec
			simulate(t, cfg, func(p *Proc) {
				x, mx := make([]float64, d), make([]float64, d)
				for range 3 {
					x[0], x[d-1] = 3, float64(3*p.ID())
					p.Mix(mx, "mix", x)
					if mx[0] != 3 || !(math.Abs(mx[d-1]-3) <= 1e-12) || mx[d/2] != 0 {
						t.Errorf("%s: the averages of %d numbers end with %v and %v; want 3 and 3", codec.Name(), d, mx[0], mx[d-1])
					}
				}
			})
		}
	}
}

// TestSymmetricMatricesAreMixed: for each wire format and compressor the average of symmetric matrices equals
// MixMat's on and above the diagonal, at the same cost. Three fully connected nodes with 1, 2 and 3 get 2.
func TestSymmetricMatricesAreMixed(t *testing.T) {
	for name, set := range map[string]func(*Config){
		"float64": func(*Config) {},
		"float16": func(c *Config) { c.Codec = channel.Float16 },
		"topk": func(c *Config) {
			c.Compress = &channel.Compression{Compressor: channel.TopK{Share: 0.1}, Width: 64, Step: 1}
		},
		"differences": func(c *Config) {
			c.Compress = &channel.Compression{Compressor: channel.TopK{Share: 0.1}, Width: 64, Step: 0.5,
				Memory: channel.Difference}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []int{3, 70} { // below and above the block size
				play := func(mix func(p *Proc, m *mat.SymDense) *mat.SymDense) (out [3]*mat.SymDense, n *Network) {
					cfg := ringConfig(3)
					set(&cfg)
					n = simulate(t, cfg, func(p *Proc) {
						m := mat.NewSymDense(r, nil)
						for i := range r {
							for j := i; j < r; j++ {
								m.SetSym(i, j, float64((p.ID()+1)*(1+i)*(1+j)))
							}
						}
						for range 2 {
							m = mix(p, m)
						}
						out[p.ID()] = m
					})
					return out, n
				}
				got, net := play(func(p *Proc, m *mat.SymDense) *mat.SymDense {
					p.MixAll("mix", MixSym("m", m, m))
					return m
				})
				want, full := play(func(p *Proc, m *mat.SymDense) *mat.SymDense {
					all := mat.DenseCopyOf(m)
					p.MixAll("mix", MixMat("m", all, all))
					for i := range r {
						for j := i; j < r; j++ {
							m.SetSym(i, j, all.At(i, j))
						}
					}
					return m
				})
				for id := range got {
					if !mat.Equal(got[id], want[id]) {
						t.Errorf("%d x %d: node %d has another average than that of all elements", r, r, id)
					}
				}
				if net.events.Sum() != full.events.Sum() {
					t.Errorf("%d x %d: deliveries %x, want %x", r, r, net.events.Sum(), full.events.Sum())
				}
				if first := got[0].At(0, 0); name == "float64" && !(math.Abs(first-2) <= 1e-12) {
					t.Errorf("%d x %d: the average of 1, 2 and 3 is %v", r, r, first)
				}
			}
		})
	}
}

// TestPushPull by hand: all three nodes receive from each other in round 0; in round 1 only node 1
// receives, from node 0. Pulled values are averaged, pushed values are split, and each number costs
// 2 FLOPs a term. Between the rounds the second number of node 0 grows by 10.
func TestPushPull(t *testing.T) {
	cfg := ringConfig(3)
	cfg.Machines = []Machine{{FlopsPerSecond: 1e9}}
	all := [][]int{{1, 2}, {0, 2}, {0, 1}}
	cfg.Turns = func() func(round, node int) Turn {
		return func(round, node int) Turn {
			switch {
			case round == 0:
				return Turn{Out: all[node], In: all[node]}
			case node == 0:
				return Turn{Out: []int{1}}
			case node == 1:
				return Turn{In: []int{0}}
			}
			return Turn{}
		}
	}
	want := [][2][]float64{ // by node and round: two numbers pulled, one pushed
		{{4, 11, 6}, {4, 11, 3}}, {{4, 1, 6}, {4, 6, 9}}, {{4, 1, 6}, {4, 1, 6}},
	}
	net := simulate(t, cfg, func(p *Proc) {
		x, z := []float64{4, float64(p.ID())}, []float64{float64(3 + 3*p.ID())} // 0, 1, 2 and 3, 6, 9
		for k := range 2 {
			if p.PushPull("pp", []Mixed{MixVec("x", x, x)}, []Mixed{MixVec("z", z, z)}); p.ID() == 0 && k == 0 {
				x[1] += 10
			}
			if got := append(x, z...); !close9(got, want[p.ID()][k]) {
				t.Errorf("node %d, round %d: %v, want %v", p.ID(), k, got, want[p.ID()][k])
			}
		}
	})
	for i, flops := range []sim.Time{18 + 6, 18 + 12, 18 + 6} {
		if got := net.Outcome(i).Compute; got != flops {
			t.Errorf("node %d computes for %v, want %v", i, got, flops)
		}
	}
}
