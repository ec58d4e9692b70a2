package node

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/sim"
)

func served(n int) Config {
	roles := slices.Repeat([]Role{Client}, n)
	roles[0] = Server
	link := func(from, _ int) (sim.Time, int64) { return ms * sim.Time(1+from), 1e9 }
	return Config{Peers: star(n), Roles: roles, Link: link}
}

// TestAverage: 3 clients hold 1, 2 and 4, and twice these. All nodes get both means, in each
// of two rounds, which take the slowest client's 4 ms up and the server's 1 ms down.
func TestAverage(t *testing.T) {
	net := simulate(t, served(4), func(p *Proc) {
		src := []float64{0, 1, 2, 4}[p.ID()]
		a, b, dst := []float64{src, 0}, []float64{2 * src}, make([]float64, 2)
		for k := 1; k <= 2; k++ {
			a[1] = float64(k)
			p.Average("up and down", MixVec("a", dst, a), MixVec("b", b, []float64{2 * src}))
			if !close9(dst, []float64{7. / 3, float64(k)}) || !close9(b, []float64{14. / 3}) {
				if p.Role() != Server || k == 1 {
					t.Errorf("node %d, round %d: means %v and %v", p.ID(), k, dst, b)
				}
			}
			if want := sim.Time(5*k) * ms; p.Role() == Client && (p.Now() < want || p.Now() > want+ms/10) {
				t.Errorf("node %d, round %d: at %v, want %v", p.ID(), k, p.Now(), want)
			}
		}
	})
	for i := range 4 {
		o := net.Outcome(i)
		tr := net.Ledger().Traffic(o.Tallies)
		wire := int64(2)
		if i == 0 {
			wire = 6
		}
		want := metrics.Elements{Vector: 6}
		if o.Rounds != 2 || tr.Messages != wire || tr.Broadcast != want || tr.Wire.Vector != 3*wire {
			t.Errorf("node %d: %d rounds, %+v", i, o.Rounds, tr)
		}
	}
	if err := net.CheckConservation(); err != nil {
		t.Error(err)
	}
}

func close9(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x-y < 1e-9 && y-x < 1e-9 })
}

func TestRoles(t *testing.T) {
	cfg := served(3)
	cfg.Roles = cfg.Roles[:2]
	if _, err := New(cfg, func(int) Handler { return nil }); err == nil ||
		!strings.Contains(err.Error(), "want a role for each of 3 nodes, got 2") {
		t.Error(err)
	}
	defer func() {
		want := "node: node 0 averages: want a server or a client, got a peer"
		if r := fmt.Sprint(recover()); !strings.Contains(r, want) {
			t.Errorf("panic %q", r)
		}
	}()
	simulate(t, Config{Peers: star(2), Link: lan}, func(p *Proc) { p.Average("x") })
}
