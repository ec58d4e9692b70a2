package node

import (
	"runtime"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
)

// manySizes makes two nodes exchange messages; the k-th has 1 + k mod sizes numbers.
func manySizes(tb testing.TB, messages, sizes int, compress *channel.Compression) *Network {
	tb.Helper()
	data := make([]float64, sizes)
	net, err := New(Config{Peers: chain(2), Link: lan, Compress: compress}, func(int) Handler {
		return Program(func(p *Proc) {
			for k := range messages {
				v := data[:1+k%sizes]
				v[0] = float64(k)
				for _, m := range p.Exchange("x", channel.Vec("x", v)) {
					if len(m.Vec(0)) != len(v) || m.Vec(0)[0] == 0 && k > 0 {
						tb.Errorf("message %d has %d numbers, the first is %g", k, len(m.Vec(0)), m.Vec(0)[0])
					}
				}
			}
		})
	})
	if err != nil {
		tb.Fatal(err)
	}
	if end, err := net.Run(background, Limits{}); end != Finished {
		tb.Fatalf("ended %d: %v", end, err)
	}
	if err := net.CheckConservation(); err != nil {
		tb.Error(err)
	}
	return net
}

// TestManySizes checks that messages of many sizes are counted to the byte, compressed or not, in few classes,
// with no more memory than messages of one size.
func TestManySizes(t *testing.T) {
	const links = 2
	for name, c := range map[string]struct {
		sizes    int
		compress *channel.Compression
		bytes    func(n int64) int64
	}{
		"whole": {5_000, nil, func(n int64) int64 { return 8 * n }},
		"int8": {2_000, &channel.Compression{Compressor: channel.Int8{}, Width: 64, Step: 1},
			func(n int64) int64 { return 8 + n }},
	} {
		sizes, messages := int64(c.sizes), int64(c.sizes)
		var want int64
		for n := int64(1); n <= sizes; n++ {
			want += c.bytes(n)
		}
		var before, after runtime.MemStats
		used := func(sizes int) (net *Network, objects float64, live int64) {
			runtime.GC()
			runtime.ReadMemStats(&before)
			net = manySizes(t, c.sizes, sizes, c.compress)
			runtime.GC()
			runtime.ReadMemStats(&after)
			return net, float64(after.Mallocs-before.Mallocs) / float64(messages),
				int64(after.HeapAlloc) - int64(before.HeapAlloc)
		}
		_, one, _ := used(1)
		net, many, live := used(c.sizes)
		// Each class with its messages takes a few allocations, and there are few classes.
		if most := 20. * mostShapes; (many-one)*float64(messages) > most {
			t.Errorf("%s: %g allocations a round with %d sizes, %g with one: more than %g more in all", name, many, sizes, one,
				most)
		}
		// The messages under way, at most two a node, may each hold the largest size, doubled by the growth of slices.
		if most := 2 * 2 * 8 * sizes * 2; live > most+1<<20 {
			t.Errorf("%s: %d bytes are held, want at most those of the largest messages, %d", name, live, most)
		}
		if n := len(net.Ledger().Classes()); n != mostShapes+1 {
			t.Errorf("%s: %d classes, want %d and one for the rest", name, n, mostShapes)
		}
		total := net.Total()
		traffic := net.Ledger().Traffic(total.Tallies)
		elements := sizes * (sizes + 1) / 2
		if traffic.PayloadBytes() != links*want || traffic.Messages != links*messages ||
			traffic.Wire != (metrics.Elements{Vector: links * elements}) ||
			traffic.Broadcast != (metrics.Elements{Vector: 2 * elements}) {
			t.Errorf("%s: %+v, want %d bytes", name, traffic, links*want)
		}
		var parts metrics.PartSum
		for c := range net.Ledger().Classes() {
			p := net.Ledger().PartSum(c, 0, &total.Tallies[c])
			parts.Broadcast, parts.Wire, parts.Bytes = parts.Broadcast+p.Broadcast, parts.Wire+p.Wire, parts.Bytes+p.Bytes
		}
		if parts != (metrics.PartSum{Broadcast: 2 * elements, Wire: links * elements, Bytes: links * want}) {
			t.Errorf("%s: the parts sum up to %+v", name, parts)
		}
		var carried int64
		for i := range links {
			on := net.Ledger().OnLink(i)
			carried += on.PayloadBytes()
		}
		if carried != links*want {
			t.Errorf("%s: links carried %d bytes, want %d", name, carried, links*want)
		}
	}
}

// TestManyShapesAreMixed checks that mixing objects of a new shape in each round gives the usual averages, even
// with Silence Last, which has no previous message of that shape.
func TestManyShapesAreMixed(t *testing.T) {
	for _, silence := range []Silence{{}, {Last, 5 * ms}} {
		simulate(t, Config{Peers: ringPeers(4), Link: lan, Silence: silence, Verify: true}, func(p *Proc) {
			for k := 1; k <= 3*mostShapes; k++ {
				v := make([]float64, k)
				v[k-1] = float64(p.ID())
				for range 20 {
					p.Mix(v, "x", v)
				}
				if v[k-1] < 1.4 || v[k-1] > 1.6 {
					t.Errorf("shape %d: node %d has %g, want 1.5", k, p.ID(), v[k-1])
				}
			}
		})
	}
}

// BenchmarkSizes measures a round of 2 messages, with one size and with 20,000 sizes.
func BenchmarkSizes(b *testing.B) {
	for name, sizes := range map[string]int{"1": 1, "20000": 20_000} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			manySizes(b, b.N, sizes, nil)
		})
	}
}
