package node

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// These are the graphs of the tests, as edges.

func ring(n int) (e [][2]int) {
	for i := range n {
		e = append(e, [2]int{i, (i + 1) % n})
	}
	return e
}

func torus(rows, cols int) (e [][2]int) {
	for i := range rows {
		for k := range cols {
			e = append(e, [2]int{i*cols + k, i*cols + (k+1)%cols}, [2]int{i*cols + k, (i+1)%rows*cols + k})
		}
	}
	return e
}

func hypercube(n int) (e [][2]int) {
	for i := range n {
		for b := 1; b < n; b <<= 1 {
			if i&b == 0 {
				e = append(e, [2]int{i, i | b})
			}
		}
	}
	return e
}

func complete(n int) (e [][2]int) {
	for i := range n {
		for k := range i {
			e = append(e, [2]int{k, i})
		}
	}
	return e
}

// regular adds random perfect matchings until every node has the given degree.
func regular(r *rand.Rand, n, degree int) (e [][2]int) {
	for len(e) < degree*n/2 {
		match := r.Perm(n)
		var more [][2]int
		for i := 0; i < n; i += 2 {
			more = append(more, [2]int{min(match[i], match[i+1]), max(match[i], match[i+1])})
		}
		if !slices.ContainsFunc(more, func(x [2]int) bool { return slices.Contains(e, x) }) {
			e = append(e, more...)
		}
	}
	return e
}

// at100Mbit is a switch with 100 Mbit/s for each node.
var at100Mbit = []channel.NIC{{UpBitsPerSecond: 1e8, DownBitsPerSecond: 1e8}}

// gossip returns the time of some rounds of exchanges of size numbers.
func gossip(t testing.TB, cfg Config, rounds, size int) sim.Time {
	net := run(t, cfg, func(int) Handler {
		return Program(func(p *Proc) {
			for range rounds {
				p.Exchange("x", vector(size))
			}
		})
	})
	if err := net.CheckConservation(); err != nil {
		t.Fatal(err)
	}
	var last sim.Time
	for i := range net.Nodes() {
		last = max(last, net.Outcome(i).Clock)
	}
	return last
}

// TestSwitchByHand: one exchange of 100 kB among nodes on a switch with 100 Mbit/s takes 8 ms
// for each neighbour.
func TestSwitchByHand(t *testing.T) {
	for _, c := range []struct {
		n     int
		edges [][2]int
		want  sim.Time
	}{
		{64, complete(64), 504 * ms}, {64, hypercube(64), 48 * ms}, {64, ring(64), 16 * ms}, {16, complete(16), 120 * ms},
	} {
		cfg := Config{Peers: peers(c.n, c.edges...), Link: same(0, channel.Unlimited), NICs: at100Mbit}
		if got := gossip(t, cfg, 1, 12500); got != c.want {
			t.Errorf("%d nodes, %d edges: %v, want %v", c.n, len(c.edges), got, c.want)
		}
	}
}

// TestNumberingDoesNotMatter checks that runs over a switch with uneven interfaces, and over racks, take the
// same time for any numbering of nodes.
func TestNumberingDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for name, c := range map[string]struct {
		n     int
		edges [][2]int
	}{
		"ring": {24, ring(24)}, "torus 3 x 8": {24, torus(3, 8)}, "torus 8 x 3": {24, torus(8, 3)},
		"hypercube": {32, hypercube(32)}, "complete": {16, complete(16)}, "random regular": {24, regular(r, 24, 5)},
	} {
		host := make([]int, c.n) // by node
		for i := range host {
			host[i] = i
		}
		var want [2]sim.Time
		for range 7 {
			edges := make([][2]int, len(c.edges))
			for i, e := range c.edges {
				edges[i] = [2]int{slices.Index(host, e[0]), slices.Index(host, e[1])}
			}
			nics := make([]channel.NIC, c.n)
			for i, h := range host {
				nics[i] = channel.NIC{UpBitsPerSecond: 1e8 + int64(h%3)*1e7, DownBitsPerSecond: 3e8 - int64(h%5)*3e7}
			}
			cfg := Config{Peers: peers(c.n, edges...), Link: same(50*us, channel.Unlimited), NICs: nics}
			over := cfg
			over.NICs, over.Platform = nil, racks(c.n, 4, 2e8, func(node int) int { return host[node] })
			got := [2]sim.Time{gossip(t, cfg, 5, 1000), gossip(t, over, 5, 1000)}
			if want[0] == 0 {
				want = got
			}
			if got != want {
				t.Errorf("%s: %v as drawn, %v with the nodes %v", name, want, got, host)
			}
			r.Shuffle(c.n, func(i, k int) { host[i], host[k] = host[k], host[i] })
		}
	}
}

// racks is a platform of hosts in racks of the given size. Links 2i and 2i + 1 lead from and to
// host i at 1 Gbit/s, and each rack has one uplink and one downlink.
func racks(hosts, size int, uplink int64, host func(node int) int) *channel.Platform {
	p := &channel.Platform{Links: gigabits(2 * hosts)}
	for range 2 * ((hosts + size - 1) / size) {
		p.Links = append(p.Links, channel.PhysicalLink{BitsPerSecond: uplink})
	}
	p.Route = func(from, to int) ([]int, error) {
		a, b := host(from), host(to)
		if a/size == b/size {
			return []int{2 * a, 2*b + 1}, nil
		}
		return []int{2 * a, 2*hosts + 2*(a/size), 2*hosts + 2*(b/size) + 1, 2*b + 1}, nil
	}
	return p
}

var networks = flag.Int("networks", 2000, "TestRandomNetworks: how many")

// TestRandomNetworks runs small networks of every kind and checks that messages, time and charges are conserved
// and no message is left in flight.
func TestRandomNetworks(t *testing.T) {
	count := *networks
	if testing.Short() {
		count = min(count, 500)
	}
	for seed := range count {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		n := 2 + r.IntN(6)
		edges := ring(n)[:n-1]
		for _, e := range complete(n) {
			if r.IntN(3) == 0 && !slices.Contains(edges, e) {
				edges = append(edges, e)
			}
		}
		cfg := Config{
			Seed: uint64(seed), Peers: peers(n, edges...), Verify: true,
			Link: func(i, j int) (sim.Time, int64) {
				return sim.Time(i*j) * 10 * us, []int64{1e7, channel.Unlimited}[(i+j)%2]
			},
			Machines: []Machine{{FlopsPerSecond: int64(r.IntN(3)) * 1e6}},
			Overhead: channel.Overhead{PerMessage: int64(r.IntN(50))},
			Platform: anyPlatform(r, n),
		}
		cfg.Tariffs = &metrics.Tariffs{Machines: make([]metrics.MachineTariff, n)}
		for range cfg.Platform.Links {
			cfg.Tariffs.Links = append(cfg.Tariffs.Links, metrics.LinkTariff{FemtojoulesPerByte: r.Int64N(1e15),
				NanosPerGigabyte: r.Int64N(1e9)})
		}
		if r.IntN(2) == 0 {
			cfg.Jitter = channel.Jitter{Kind: channel.Exponential, Mean: 100 * us}
		}
		var l Limits
		if r.IntN(4) == 0 {
			l.Until = sim.Time(r.IntN(3000)) * us
		}
		net := build(t, cfg, func(p *Proc) {
			for k := range 3 {
				p.Work(float64(100 * (p.ID() + k)))
				p.ExchangeWithin(sim.Time(1+p.ID())*ms, "soft", vector(k*p.ID()))
				p.Exchange("hard", vector(10))
				for i, j := range p.Neighbors() {
					p.Send(j, "single", vector(40*i))
				}
				p.Receive("single")
			}
		})
		end, err := net.Run(background, l)
		if err != nil || end != Finished && l.Until == 0 {
			t.Fatalf("network %d ended %d: %v", seed, end, err)
		}
		if err := net.CheckConservation(); err != nil {
			t.Fatalf("network %d: %v", seed, err)
		}
		checkPath(t, net)
		for x := range net.fabric.UnderWay() {
			if end == Finished && len(net.nodes) > 0 && net.queue.Peek() == sim.Never {
				t.Fatalf("network %d: %+v is under way", seed, x)
			}
		}
	}
}

// anyPlatform draws a platform: some links, and for each pair of nodes a path over some of them.
func anyPlatform(r *rand.Rand, nodes int) *channel.Platform {
	p := &channel.Platform{Window: int64(r.IntN(2)) * 1000}
	for range 1 + r.IntN(6) {
		p.Links = append(p.Links, channel.PhysicalLink{
			BitsPerSecond: []int64{1e5, 1e6, 7e6, 1e9, channel.Unlimited}[r.IntN(5)], Medium: r.IntN(3) == 0,
		})
	}
	routes := map[[2]int][]int{}
	for i := range nodes {
		for j := range nodes {
			var route []int
			for range r.IntN(4) {
				route = append(route, r.IntN(len(p.Links)))
			}
			routes[[2]int{i, j}] = route
		}
	}
	p.Route = func(from, to int) ([]int, error) { return routes[[2]int{from, to}], nil }
	return p
}

// TestMoreIsFaster checks that doubling a bandwidth or the window shortens a run over racks, and doubling a
// latency or a size lengthens it.
func TestMoreIsFaster(t *testing.T) {
	const n = 8
	base := func() (Config, int) {
		p := racks(n, 4, 2e8, func(i int) int { return i })
		p.Window = 20_000
		return Config{Peers: peers(n, hypercube(n)...), Link: same(200*us, channel.Unlimited), Platform: p}, 1000
	}
	cfg, size := base()
	want := gossip(t, cfg, 4, size)
	for name, c := range map[string]struct {
		change func(*Config, *int)
		faster bool
	}{
		"uplinks": {func(c *Config, _ *int) { c.Platform = racks(n, 4, 4e8, func(i int) int { return i }) }, true},
		"interfaces": {func(c *Config, size *int) {
			*size *= 1
			for i := range 2 * n {
				c.Platform.Links[i].BitsPerSecond /= 20
			}
		}, false},
		"window":  {func(c *Config, _ *int) { c.Platform.Window /= 20 }, false},
		"latency": {func(c *Config, _ *int) { c.Link = same(400*us, channel.Unlimited) }, false},
		"size":    {func(_ *Config, size *int) { *size *= 2 }, false},
	} {
		cfg, size := base()
		c.change(&cfg, &size)
		if got := gossip(t, cfg, 4, size); got == want || (got < want) != c.faster {
			t.Errorf("%s: %v, before %v", name, got, want)
		}
	}
}

// BenchmarkPlatform measures the engine over a platform: an all-to-all of 128 hosts on a fat tree,
// and ten rounds of gossip of 1,000 nodes on a random graph over a switch (one with -short).
func BenchmarkPlatform(b *testing.B) {
	b.Run("fat-tree all-to-all of 128", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			gossip(b, Config{Peers: peers(128, complete(128)...), Link: same(10*us, channel.Unlimited), Platform: fatTree(8)},
				1, 125)
		}
	})
	b.Run("gossip of 1000 on a switch", func(b *testing.B) {
		const n = 1000
		rounds := 10
		if testing.Short() {
			rounds = 1
		}
		edges := regular(rand.New(rand.NewPCG(1, 1)), n, 8)
		r := rand.New(rand.NewPCG(2, 2))
		for range 1000 { // uneven degrees
			i, j := r.IntN(n), r.IntN(n)
			if e := [2]int{min(i, j), max(i, j)}; i != j && !slices.Contains(edges, e) {
				edges = append(edges, e)
			}
		}
		b.ReportAllocs()
		b.ResetTimer()
		for b.Loop() {
			gossip(b, Config{Peers: peers(n, edges...), Link: same(10*us, channel.Unlimited), NICs: at100Mbit}, rounds, 125)
		}
	})
}

// fatTree is the three-stage fat tree of k-port switches (Al-Fares, Loukissas, Vahdat 2008), with
// k^3/4 hosts and 10 Gbit/s a link. The receiver's number determines the path.
func fatTree(k int) *channel.Platform {
	half := k / 2
	number := map[[4]int]int{}
	p := &channel.Platform{}
	link := func(stage, a, b, up int) int {
		key := [4]int{stage, a, b, up}
		if _, ok := number[key]; !ok {
			number[key] = len(p.Links)
			p.Links = append(p.Links, channel.PhysicalLink{Name: fmt.Sprint(key), BitsPerSecond: 1e10})
		}
		return number[key]
	}
	route := func(from, to int) []int {
		edgeA, edgeB := from/half, to/half
		podA, podB := edgeA/half, edgeB/half
		middle, core := to%half, edgeB%half
		r := []int{link(0, from, 0, 1)}
		if edgeA != edgeB {
			r = append(r, link(1, edgeA, middle, 1))
			if podA != podB {
				r = append(r, link(2, podA*half+middle, core, 1), link(2, podB*half+middle, core, 0))
			}
			r = append(r, link(1, edgeB, middle, 0))
		}
		return append(r, link(0, to, 0, 0))
	}
	hosts := k * k * k / 4
	for i := range hosts {
		for j := range hosts {
			if i != j {
				route(i, j)
			}
		}
	}
	p.Route = func(from, to int) ([]int, error) { return route(from, to), nil }
	return p
}
