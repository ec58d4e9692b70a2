package platform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/sim"
)

const ms, us = sim.Millisecond, sim.Microsecond

func must(p *Platform, err error) *Platform {
	if err != nil {
		panic(err)
	}
	return p
}

// names returns the names of the links of a route.
func (p *Platform) routeNames(t *testing.T, a, b int) string {
	t.Helper()
	r, err := p.Route(a, b)
	if err != nil {
		t.Fatalf("%s: %d to %d: %v", p.Name, a, b, err)
	}
	var names []string
	for _, l := range r {
		names = append(names, p.Links[l].Name)
	}
	return strings.Join(names, " ")
}

func kinds() []*Platform {
	m := &Matrix{Names: []string{"a", "b"}, Cells: [][]RegionLink{{{ms, -1}, {3 * ms, 1e9}}, {{2 * ms, -1}, {0, -1}}}}
	return []*Platform{
		must(Switch(SwitchConfig{Hosts: 5, Up: 1e9, Down: 2e9, Latency: 3})),
		must(Racks(RacksConfig{Racks: 3, Hosts: 4, NIC: 10e9, Uplink: 1e9, NICLatency: 5 * us, UplinkLatency: 20 * us})),
		must(FatTree(FatTreeConfig{K: 4, Bandwidth: 10e9, Oversubscription: 4, Latency: us})),
		must(FatTree(FatTreeConfig{K: 2, Bandwidth: 10e9, Oversubscription: 1, Latency: us})),
		must(Regions(RegionsConfig{Latencies: m, Hosts: 2, NIC: 1e9})),
		must(Wireless(WirelessConfig{Positions: [][]float64{{0, 0}, {8, 0}, {16, 0}, {100, 0}}, Range: 10, Bandwidth: 54e6,
			Latency: ms})),
		must(Wireless(WirelessConfig{Positions: [][]float64{{0, 0}, {8, 0}, {95, 0}}, Range: 10, Bandwidth: 54e6,
			Latency: ms, Access: [][]float64{{4, 0}, {100, 0}}, Backhaul: 1e9, BackhaulLatency: us})),
	}
}

// TestRoutesJoin follows every route of every kind along the links.
func TestRoutesJoin(t *testing.T) {
	for _, p := range kinds() {
		lies := map[arc]bool{}
		for _, a := range p.arcs {
			lies[a] = true
		}
		for a := range p.Hosts {
			for b := range p.Hosts {
				r, err := p.Route(a, b)
				if err != nil {
					if !strings.Contains(p.Name, "wireless") {
						t.Errorf("%s: %v", p.Name, err)
					}
					continue
				}
				if !p.leads(lies, a, b, r) {
					t.Errorf("%s: the route %v from %d to %d does not lead there", p.Name, r, a, b)
				}
			}
		}
	}
}

// leads reports whether the links of a route lead from a to b.
func (p *Platform) leads(lies map[arc]bool, a, b int, r Route) bool {
	at := map[int]bool{a: true}
	for _, l := range r {
		next := map[int]bool{}
		for i := range at {
			for j := range p.places() {
				if lies[arc{i, j, l}] {
					next[j] = true
				}
			}
		}
		at = next
	}
	return at[b]
}

func TestKindsByHand(t *testing.T) {
	k := kinds()
	racks, tree, regions, air, cells := k[1], k[2], k[4], k[5], k[6]
	for _, c := range []struct {
		p    *Platform
		a, b int
		want string
	}{
		{k[0], 0, 4, "host0.up host4.down"},
		{k[0], 3, 3, ""},
		{racks, 0, 3, "rack0.host0.up rack0.host3.down"},
		{racks, 1, 9, "rack0.host1.up rack0.up rack2.down rack2.host1.down"},
		{tree, 0, 1, "pod0.edge0.host0.up pod0.edge0.host1.down"},
		{tree, 0, 3, "pod0.edge0.host0.up pod0.edge0-agg1.up pod0.edge1-agg1.down pod0.edge1.host1.down"},
		{tree, 0, 15, "pod0.edge0.host0.up pod0.edge0-agg1.up pod0.agg1-core3.up pod3.agg1-core3.down " +
			"pod3.edge1-agg1.down pod3.edge1.host1.down"},
		{regions, 0, 1, "a.0.up a->a a.1.down"},
		{regions, 2, 3, "b.0.up b.1.down"},
		{regions, 1, 2, "a.1.up a->b b.0.down"},
		{air, 0, 1, "cell0"},
		{air, 0, 2, "cell0 cell0"},
		{cells, 0, 1, "cell0 cell0"},
		{cells, 1, 2, "cell0 access0.up access1.down cell1"},
	} {
		if got := c.p.routeNames(t, c.a, c.b); got != c.want {
			t.Errorf("%s: from %d to %d: got %s, want %s", c.p.Name, c.a, c.b, got, c.want)
		}
	}
	if _, err := air.Route(0, 3); err == nil {
		t.Error("a station out of range is reached")
	}
	if got := tree.Links[2*16].Bandwidth; got != 2.5e9 {
		t.Errorf("an uplink of an edge switch at 4:1 has %v bit/s", got)
	}
	if got := k[0].Links[0].Latency + k[0].Links[1].Latency; got != 3 {
		t.Errorf("the two lines of a switch have the latency %v, want 3ns", got)
	}
}

// TestFatTreeSpreads routes every host to every host. All links of a layer must carry equally many routes.
func TestFatTreeSpreads(t *testing.T) {
	p := must(FatTree(FatTreeConfig{K: 8, Bandwidth: 1e9, Oversubscription: 1}))
	if len(p.Hosts) != 128 {
		t.Fatalf("got %d hosts, want 128", len(p.Hosts))
	}
	used := make([]int, len(p.Links))
	for a := range 128 {
		for b := range 128 {
			r, _ := p.Route(a, b)
			for _, l := range r {
				used[l]++
			}
		}
	}
	for layer := 1; layer <= 2; layer++ {
		lines := used[layer*256 : (layer+1)*256]
		if slices.Min(lines) != slices.Max(lines) {
			t.Errorf("layer %d: links carry %d to %d routes", layer, slices.Min(lines), slices.Max(lines))
		}
	}
}

func TestLargeKinds(t *testing.T) {
	for _, p := range []*Platform{
		must(Switch(SwitchConfig{Hosts: 10_000, Up: 1e9, Down: 1e9})),
		must(FatTree(FatTreeConfig{K: 36, Bandwidth: 1e9, Oversubscription: 1})),
	} {
		n := len(p.Hosts)
		for i := range n {
			if r, err := p.Route(i, (i+n/2)%n); err != nil || len(r) < 2 {
				t.Fatalf("%s: %v, %v", p.Name, r, err)
			}
		}
	}
	for _, err := range []error{
		second(Switch(SwitchConfig{Hosts: 2_000_000})), second(FatTree(FatTreeConfig{K: 1000, Oversubscription: 1})),
		second(Racks(RacksConfig{Racks: math.MaxInt, Hosts: math.MaxInt})), second(Racks(RacksConfig{})),
		second(FatTree(FatTreeConfig{K: 5, Oversubscription: 1})), second(FatTree(FatTreeConfig{K: 4})),
		second(Wireless(WirelessConfig{Positions: [][]float64{{1}}})),
		second(Wireless(WirelessConfig{Positions: [][]float64{{0, 0}}, Access: [][]float64{{9, 9}}, Range: 1})),
	} {
		if err == nil {
			t.Error("want an error")
		}
	}
}

func second(_ *Platform, err error) error { return err }

func TestMatrices(t *testing.T) {
	for name, text := range map[string]string{
		"names":      "from,Rome,Oslo\nRome,0.5,30ms\nOslo,31ms,\n",
		"no names":   "0.5,30ms\n31ms,-\n",
		"semicolons": "\ufeff;Rome;Oslo\nRome;0.5;30ms\nOslo;31ms;n/a\n",
		"comment":    "# source: nowhere\n\tRome\tOslo\nRome\t0.5\t30\nOslo\t31\t\n",
		"rows named": "Rome,0.5,30ms\nOslo,31ms,\n",
		"header":     "Rome,Oslo\n0.5,30ms\n31ms,\n",
	} {
		m, err := ReadLatencies(strings.NewReader(text), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := [][]RegionLink{{{ms / 2, -1}, {30 * ms, -1}}, {{31 * ms, -1}, {-1, -1}}}
		if fmt.Sprint(m.Cells) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", name, m.Cells, want)
		}
	}
	m, err := ReadLatencies(strings.NewReader("0,12ms/1Gbit/s\n13ms/2.5Gbps,0\n"), "s")
	if err != nil || m.Cells[0][1] != (RegionLink{12 * ms, 1e9}) || m.Cells[1][0] != (RegionLink{13 * ms, 2.5e9}) {
		t.Errorf("got %v, %v", m, err)
	}
	// Zeros off the diagonal are not measured.
	m, err = ReadLatencies(strings.NewReader("a,b,c\n0,0,0ms/1Gbit/s\n0.0,0ms,8\n9,7,0\n"), "ms")
	if err != nil || fmt.Sprint(m.Cells) != fmt.Sprint([][]RegionLink{{{0, -1}, {-1, -1}, {0, 1e9}},
		{{-1, -1}, {0, -1}, {8 * ms, -1}}, {{9 * ms, -1}, {7 * ms, -1}, {0, -1}}}) ||
		!strings.Contains(fmt.Sprint(m.Notes), "2 latencies between regions are 0, read as not measured") {
		t.Errorf("got %v, %v", m, err)
	}
	for text, want := range map[string]string{
		"1,2,3,4\n1,2,3,4\n":        "want a square table",
		"0,1ms\n-3ms,0\n":           "line 2: from region1 to region0: the latency -3ms is negative",
		"0,1 parsec\n1ms,0\n":       "is not a unit of time",
		"0,1ms\n1ms\n":              "another number of cells",
		"":                          "the file is empty",
		",a,b\na,0,1ms\nc,1ms,0\n":  "want the same order",
		",a,a\na,0,1ms\na,1ms,0\n":  "want a name of its own",
		"0,1ms/5 stones\n1ms/1,0\n": "is not a unit of bandwidth",
		strings.Repeat("1,", 1600):  "more than 1500 regions",
		"0,\"1ms\n1ms,0\n":          "is not a latency",
		"0,inf\ninf,0\n":            "\"inf\" is not a latency",
	} {
		if _, err := ReadLatencies(strings.NewReader(text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: got %v, want %q", text, err, want)
		}
	}
}
