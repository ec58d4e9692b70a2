package data

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"tallynet/sim"
)

// tenClasses returns n samples with labels 0 ... 9 in equal parts.
func tenClasses(n int) (pool []int, labels []byte) {
	for s := range n {
		pool = append(pool, s)
		labels = append(labels, byte(s%10))
	}
	return pool, labels
}

func deal(t *testing.T, p Partition, seed uint64, nodes, perNode int) ([][]int, []byte) {
	t.Helper()
	pool, labels := tenClasses(5000)
	got, err := p.Deal(pool, labels, nodes, perNode, sim.Stream(seed, "partition"))
	if err != nil {
		t.Fatal(err)
	}
	return got, labels
}

// skew returns the mean over nodes of the total variation distance between the node's
// class shares and equal shares: 0 is perfectly mixed, 0.9 is one class per node.
func skew(dealt [][]int, labels []byte) float64 {
	sum := 0.0
	for _, d := range dealt {
		var share [10]float64
		for _, s := range d {
			share[labels[s]] += 1 / float64(len(d))
		}
		for _, v := range share {
			sum += math.Abs(v-0.1) / 2
		}
	}
	return sum / float64(len(dealt))
}

func TestDealProperties(t *testing.T) {
	for _, p := range []Partition{
		{}, {Kind: "iid"}, {Kind: "by-label"}, {Kind: "by-label", Shards: 1}, {Kind: "by-label", Shards: 3},
		{Kind: "dirichlet", Concentration: 0.01}, {Kind: "dirichlet", Concentration: 1},
		{Kind: "dirichlet", Concentration: 1e6},
	} {
		for _, perNode := range []int{1, 7, 100, 250} { // 20 nodes x 250 take every sample
			got, _ := deal(t, p, 1, 20, perNode)
			seen := make(map[int]bool)
			for i, d := range got {
				if len(d) != perNode {
					t.Errorf("%+v: node %d has %d samples, want %d", p, i, len(d), perNode)
				}
				for _, s := range d {
					if seen[s] || s < 0 || s >= 5000 {
						t.Fatalf("%+v: sample %d is dealt twice or unknown", p, s)
					}
					seen[s] = true
				}
			}
			if len(got) != 20 || len(seen) != 20*perNode {
				t.Errorf("%+v: %d nodes, %d samples", p, len(got), len(seen))
			}
		}
	}
}

// With 200 samples a node, sampling alone gives a skew near 0.08.
func TestDealSkew(t *testing.T) {
	for _, c := range []struct {
		p        Partition
		min, max float64
	}{
		{Partition{}, 0, 0.12},
		{Partition{Kind: "by-label", Shards: 1}, 0.8, 0.9001}, // cuts may fall inside a class
		{Partition{Kind: "by-label"}, 0.65, 0.9001},
		{Partition{Kind: "dirichlet", Concentration: 1e6}, 0, 0.12},
		{Partition{Kind: "dirichlet", Concentration: 0.05}, 0.65, 0.9001},
		{Partition{Kind: "dirichlet", Concentration: 10}, 0.12, 0.5},
		{Partition{Kind: "dirichlet", Concentration: 1e-3}, 0.85, 0.9001},
		{Partition{Kind: "dirichlet", Concentration: 1e-4}, 0.87, 0.9001},
		{Partition{Kind: "dirichlet", Concentration: 1e-20}, 0.87, 0.9001},
		{Partition{Kind: "dirichlet", Concentration: 1e-200}, 0.87, 0.9001},
		{Partition{Kind: "dirichlet", Concentration: 1e200}, 0, 0.12},
	} {
		got, labels := deal(t, c.p, 3, 20, 200)
		if s := skew(got, labels); s < c.min || s > c.max {
			t.Errorf("%+v: skew %.3f, want %.2f to %.2f", c.p, s, c.min, c.max)
		}
	}
}

// TestShardsHaveOneLabel: where samples suffice, a node has at most as many labels as shards, and labels have shards
// in proportion to their samples. Otherwise all samples are dealt all the same.
func TestShardsHaveOneLabel(t *testing.T) {
	for _, c := range []struct {
		counts []int // of each label
		shards int
		sizes  []int
		want   []int // samples that are dealt of each label; nil: any
		labels int   // of a node, at most
	}{
		{[]int{600, 630, 570, 600, 640}, 2, slices.Repeat([]int{120}, 10), []int{240, 240, 240, 240, 240}, 2},
		{[]int{900, 300, 300}, 1, slices.Repeat([]int{50}, 10), []int{300, 100, 100}, 1},
		{[]int{200, 200}, 3, []int{30, 61, 100, 5}, nil, 2},
		{[]int{200, 200, 200, 200}, 2, []int{30, 61, 100, 5}, nil, 2},
		{[]int{60, 60, 0, 60}, 2, slices.Repeat([]int{60}, 3), []int{60, 60, 0, 60}, 2},
		{[]int{7, 7, 6}, 2, []int{10, 10}, []int{7, 7, 6}, 3}, // all samples, in runs of 5
	} {
		var pool, labels []int
		for l, n := range c.counts {
			for range n {
				pool, labels = append(pool, len(pool)), append(labels, l)
			}
		}
		for seed := range uint64(20) {
			got, err := Partition{Kind: "by-label", Shards: c.shards}.DealSizes(pool, labels, c.sizes, sim.Stream(seed, "x"))
			if err != nil {
				t.Fatal(err)
			}
			sum := make([]int, len(c.counts))
			for i, d := range got {
				own := map[int]bool{}
				for _, s := range d {
					own[labels[s]] = true
					sum[labels[s]]++
				}
				if len(d) != c.sizes[i] || len(own) > c.labels {
					t.Errorf("%v, seed %d: node %d has %d samples of %d labels", c, seed, i, len(d), len(own))
				}
			}
			if c.want != nil && !slices.Equal(sum, c.want) {
				t.Errorf("%v, seed %d: %v samples of each label", c, seed, sum)
			}
		}
	}
}

func TestDealDeterminism(t *testing.T) {
	same := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }
	for _, p := range []Partition{{}, {Kind: "by-label"}, {Kind: "dirichlet", Concentration: 0.5}} {
		a, _ := deal(t, p, 1, 10, 50)
		b, _ := deal(t, p, 1, 10, 50)
		c, _ := deal(t, p, 2, 10, 50)
		if !same(a, b) {
			t.Errorf("%+v: one seed gives two deals", p)
		}
		if same(a, c) {
			t.Errorf("%+v: two seeds give one deal", p)
		}
	}
}

// TestLogGamma: without underflow, the shares equal gonum's, draw by draw.
func TestLogGamma(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.05, 0.1999, 0.2, 1, 30} {
		ours, theirs := sim.Stream(1, "x"), sim.Stream(1, "x")
		for range 200 {
			got, want := logGamma(alpha, ours), distuv.Gamma{Alpha: alpha, Beta: 1, Src: theirs}.Rand()
			if !(math.Abs(math.Exp(got)-want) <= 1e-14*want) {
				t.Fatalf("alpha %v: %v, want %v", alpha, math.Exp(got), want)
			}
		}
	}
	// -alpha log of the variable tends to an exponential variable with mean 1.
	sum, rng := 0.0, sim.Stream(1, "x")
	for range 4000 {
		sum -= 1e-9 * logGamma(1e-9, rng)
	}
	if mean := sum / 4000; !(math.Abs(mean-1) <= 0.05) {
		t.Errorf("mean %v, want 1", mean)
	}
}

func TestDealErrors(t *testing.T) {
	pool, labels := tenClasses(100)
	const want = "need 150 samples, but there are 100"
	if _, err := (Partition{}).Deal(pool, labels, 3, 50, sim.Stream(1, "x")); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// Nazari et al. 6.3: each node gets the share of its own class as far as samples suffice.
// Sizes are equal, nothing is dealt twice, and share 0 is iid.
func TestDealOwnClass(t *testing.T) {
	labels := make([]byte, 1000)
	for i := range labels {
		labels[i] = byte(i % 10)
		if i >= 900 {
			labels[i] = 3
		}
	}
	pool := make([]int, len(labels))
	for i := range pool {
		pool[i] = i
	}
	for _, own := range []float64{0, 0.1, 0.5, 1} {
		dealt, err := Partition{Kind: "own-class", Own: own}.Deal(pool, labels, 10, 95, sim.Stream(1, "partition"))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for i, d := range dealt {
			mine := 0
			for _, s := range d {
				if seen[s] {
					t.Fatalf("sample %d is dealt twice", s)
				}
				seen[s] = true
				if int(labels[s]) == i {
					mine++
				}
			}
			least := min(int(math.Round(own*95)), 90) // classes but 3 have 90 samples
			if len(d) != 95 || mine < least || own == 0 && mine > 40 {
				t.Errorf("own share %v: node %d has %d samples, %d of its class, want at least %d", own, i, len(d),
					mine, least)
			}
		}
	}
	// With more nodes than classes, node 10 has class 0 again, and a class may run out.
	dealt, err := Partition{Kind: "own-class", Own: 1}.Deal(pool, labels, 20, 50, sim.Stream(1, "partition"))
	if err != nil {
		t.Fatal(err)
	}
	count := func(i, class int) (n int) {
		for _, s := range dealt[i] {
			if int(labels[s]) == class {
				n++
			}
		}
		return n
	}
	if count(0, 0) != 50 || count(10, 0) != 40 || count(13, 3) != 50 {
		t.Errorf("%d, %d, %d of the own class, want 50, 40, 50", count(0, 0), count(10, 0), count(13, 3))
	}
}
