package node

import (
	"math"
	"testing"

	"tallynet/channel"
)

// TestUnread: what nobody will read is sent, counted and charged as ever, and only the average is left out.
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

// TestLargePartsAreMixed: every wire format gives the average of what it carries, however large the part.
func TestLargePartsAreMixed(t *testing.T) {
	for _, codec := range []channel.Codec{channel.Float64{}, channel.Float32{}, channel.Float16{}, channel.BFloat16{}} {
		for _, d := range []int{10, 4095, 4096, 10_000} {
			cfg := ringConfig(3)
			cfg.Codec = codec
			simulate(t, cfg, func(p *Proc) {
				x, mx := make([]float64, d), make([]float64, d)
				for range 3 {
					x[0], x[d-1] = 3, float64(3*p.ID())
					p.Mix(mx, "mix", x)
					if mx[0] != 3 || math.Abs(mx[d-1]-3) > 1e-12 || mx[d/2] != 0 {
						t.Errorf("%s: the averages of %d numbers end with %v and %v; want 3 and 3", codec.Name(), d, mx[0], mx[d-1])
					}
				}
			})
		}
	}
}
