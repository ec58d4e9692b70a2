package topologies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tallynet/sim"
)

var nan = math.NaN()

// randomFamilies returns one member of each random family.
var randomFamilies = map[string]func(*rand.Rand) (*Graph, error){
	"erdos-renyi":     func(r *rand.Rand) (*Graph, error) { return Make(ErdosRenyi(40, 0.12, r)) },
	"regular 2":       func(r *rand.Rand) (*Graph, error) { return Make(Regular(40, 2, r)) },
	"regular 3":       func(r *rand.Rand) (*Graph, error) { return Make(Regular(40, 3, r)) },
	"regular 30":      func(r *rand.Rand) (*Graph, error) { return Make(Regular(40, 30, r)) },
	"watts-strogatz":  func(r *rand.Rand) (*Graph, error) { return Make(WattsStrogatz(40, 4, 0.5, r)) },
	"barabasi-albert": func(r *rand.Rand) (*Graph, error) { return Make(BarabasiAlbert(40, 3, r)) },
	"geometric":       func(r *rand.Rand) (*Graph, error) { return Make(Geometric(40, 0.3, r)) },
}

func TestRandomDeterministic(t *testing.T) {
	for name, draw := range randomFamilies {
		a, b := must(draw(sim.Stream(5, "graph"))), must(draw(sim.Stream(5, "graph")))
		other := must(draw(sim.Stream(6, "graph")))
		if !slices.Equal(edgesOf(a), edgesOf(b)) || a.Draws() != b.Draws() {
			t.Errorf("%s: one stream, two graphs", name)
		}
		if slices.Equal(edgesOf(a), edgesOf(other)) {
			t.Errorf("%s: two streams, one graph", name)
		}
		if !a.Connected() || a.Draws() < 1 {
			t.Errorf("%s: connected: %v, draws: %d", name, a.Connected(), a.Draws())
		}
	}
}

// TestErdosRenyiEdges compares the mean number of edges over many draws, connected or not, with p n(n-1)/2 to 5
// standard deviations, and each single pair with p.
func TestErdosRenyiEdges(t *testing.T) {
	const n, seeds = 12, 4000
	for _, p := range []float64{0.01, 0.3, 0.9} {
		var total float64
		seen := make(map[[2]int]float64)
		for seed := range uint64(seeds) {
			for _, e := range bernoulliPairs(n, p, sim.Stream(seed, "graph")) {
				total++
				seen[e]++
			}
		}
		const pairs = n * (n - 1) / 2
		if off := math.Abs(total-seeds*pairs*p) / math.Sqrt(seeds*pairs*p*(1-p)); !(off <= 5) {
			t.Errorf("p = %g: %g edges, %.1f sigma off", p, total, off)
		}
		for i := range n {
			for j := range i {
				if off := math.Abs(seen[[2]int{j, i}]-seeds*p) / math.Sqrt(seeds*p*(1-p)); !(off <= 5) {
					t.Errorf("p = %g: pair (%d, %d) seen %g times, %.1f sigma off", p, j, i, seen[[2]int{j, i}], off)
				}
			}
		}
	}
}

func TestErdosRenyiLarge(t *testing.T) {
	const n, p = 100_000, 2e-4 // ten million times fewer edges than pairs; ln(n)/n = 1.2e-4
	g := made(ErdosRenyi(n, p, sim.Stream(1, "graph")))
	mean := p * n * (n - 1) / 2
	if off := math.Abs(float64(g.Edges())-mean) / math.Sqrt(mean); !(off <= 5) {
		t.Errorf("%d edges, %.1f sigma off", g.Edges(), off)
	}
}

// TestUntilConnected checks that the thousandth draw is still tried.
func TestUntilConnected(t *testing.T) {
	for _, good := range []int{1, 2, maxDraws, maxDraws + 1} {
		draws := 0
		g, err := Size{Name: "test", Nodes: 3}.untilConnected(shape{}, "", func() [][2]int {
			if draws++; draws == good {
				return [][2]int{{0, 1}, {2, 1}}
			}
			return [][2]int{{0, 1}, {1, 0}, {0, 1}}
		}).Make()
		if ok := good <= maxDraws; ok != (err == nil) || draws != min(good, maxDraws) || ok && g.Draws() != good {
			t.Errorf("connected in draw %d: %d draws, %v", good, draws, err)
		}
	}
}

func TestDraws(t *testing.T) {
	most := 0
	for seed := range uint64(50) {
		most = max(most, made(ErdosRenyi(50, 0.08, sim.Stream(seed, "graph"))).Draws())
	}
	if most < 2 || most > 30 {
		t.Errorf("the most draws were %d", most)
	}
}

func TestRegular(t *testing.T) {
	for n := 2; n <= 24; n++ {
		for k := 1; k < n; k++ {
			if n*k%2 == 1 || k == 1 && n > 2 {
				continue
			}
			checkRegular(t, n, k, uint64(n*100+k))
		}
	}
	checkRegular(t, 100, 49, 1)
	checkRegular(t, 1000, 4, 1)
	checkRegular(t, 20_000, 3, 1)
}

func checkRegular(t *testing.T, n, k int, seed uint64) {
	t.Helper()
	g := made(Regular(n, k, sim.Stream(seed, "graph")))
	if d := g.Degrees(); d.Min != k || d.Max != k || !g.Connected() {
		t.Errorf("%s: degrees %+v, connected: %v", g.Name(), d, g.Connected())
	}
}

// TestRegularUniform counts the labelled cubic graphs on 6 nodes: 10 K_{3,3} and 60 prisms, all connected. Each
// must occur about as often as others of its kind. On so few nodes the pairing favours the first kind about
// twofold.
func TestRegularUniform(t *testing.T) {
	const seeds = 7000
	seen := make(map[string]int)
	for seed := range uint64(seeds) {
		seen[fmt.Sprint(edgesOf(made(Regular(6, 3, sim.Stream(seed, "graph")))))]++
	}
	if len(seen) != 70 {
		t.Errorf("%d different graphs, want 70", len(seen))
	}
	for g, k := range seen {
		if k < 50 || k > 300 {
			t.Errorf("%s: drawn %d times of %d", g, k, seeds)
		}
	}
}

func TestWattsStrogatz(t *testing.T) {
	const n, k = 200, 6
	lattice := made(WattsStrogatz(n, k, 0, sim.Stream(1, "graph")))
	for i := range n {
		for s := 1; s <= k/2; s++ {
			if !lattice.HasEdge(i, (i+s)%n) {
				t.Fatalf("beta = 0: no edge (%d, %d)", i, (i+s)%n)
			}
		}
	}
	for _, beta := range []float64{0, 0.2, 1} {
		var kept, edges float64
		for seed := range uint64(20) {
			g := made(WattsStrogatz(n, k, beta, sim.Stream(seed, "graph")))
			if g.Edges() != n*k/2 {
				t.Fatalf("beta = %g: %d edges, want %d", beta, g.Edges(), n*k/2)
			}
			for i, j := range g.EdgeSeq() {
				edges++
				if lattice.HasEdge(i, j) {
					kept++
				}
			}
		}
		// A rewired edge may take a lattice edge that another one left: at most k in n.
		low := edges*(1-beta) - 5*math.Sqrt(edges*beta*(1-beta))
		high := edges*(1-beta+beta*k/n) + 5*math.Sqrt(edges*(beta*(1-beta)+beta*k/n))
		if kept < low || kept > high {
			t.Errorf("beta = %g: %g of %g edges kept, want %g to %g", beta, kept, edges, low, high)
		}
	}
	made(WattsStrogatz(3, 2, 1, sim.Stream(1, "graph"))) // no edge can move
}

func TestBarabasiAlbert(t *testing.T) {
	for _, m := range []int{1, 3, 39} {
		g := made(BarabasiAlbert(40, m, sim.Stream(1, "graph")))
		if g.Edges() != m*(40-m) || !g.Connected() {
			t.Errorf("%s: %d edges, want %d; connected: %v", g.Name(), g.Edges(), m*(40-m), g.Connected())
		}
	}
	// The share of nodes of degree k tends to 2m(m+1)/(k(k+1)(k+2)): 1/2 at k = m = 2.
	const n = 50_000
	g := made(BarabasiAlbert(n, 2, sim.Stream(1, "graph")))
	var two float64
	for i := range n {
		if g.Degree(i) == 2 {
			two++
		}
	}
	if !(math.Abs(two/n-0.5) <= 0.02) {
		t.Errorf("%s: a share of %g has degree 2, want 0.5", g.Name(), two/n)
	}
	if most := g.Degrees().Max; most < 200 { // grows as sqrt(n); without preference, as log n
		t.Errorf("%s: the hub has degree %d", g.Name(), most)
	}
}

// TestGeometricEdges compares with the probability that two points of the unit square
// are within r: pi r^2 - 8/3 r^3 + r^4/2.
func TestGeometricEdges(t *testing.T) {
	const n, r, seeds = 200, 0.2, 50
	var edges float64
	for seed := range uint64(seeds) {
		edges += float64(made(Geometric(n, r, sim.Stream(seed, "graph"))).Edges())
	}
	want := (math.Pi*r*r - 8./3*r*r*r + r*r*r*r/2) * n * (n - 1) / 2
	if got := edges / seeds; !(math.Abs(got/want-1) <= 0.03) {
		t.Errorf("%g edges on average, want %g", got, want)
	}
}

// TestConnectingProbability: at 2 ln(n)/n a graph of n nodes has an isolated node
// with probability about 1/n.
func TestConnectingProbability(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 0.693, 3: 0.732, 10: 0.461, 64: 0.13, 1000: 0.0138,
		1_000_000: 2.76e-5} {
		if got := ConnectingProbability(n); got != want {
			t.Errorf("ConnectingProbability(%d) = %g, want %g", n, got, want)
		}
	}
	again := 0
	for seed := range uint64(100) {
		if made(ErdosRenyi(64, ConnectingProbability(64), sim.Stream(seed, "graph"))).Draws() > 1 {
			again++
		}
	}
	if again > 10 {
		t.Errorf("%d of 100 graphs were not connected when first drawn", again)
	}
}

// TestRewiringLeavesFullNodesAlone: with beta 1 every edge gets another end, unless the node that keeps it is
// joined to all others.
func TestRewiringLeavesFullNodesAlone(t *testing.T) {
	full := 0
	for seed := range uint64(60) {
		n, k := 4+int(seed%3), 2+2*int(seed%2)
		rng := rand.New(rand.NewPCG(seed, 1))
		if k >= n {
			continue
		}
		before, after := smallWorld(n, k, 0, rng), smallWorld(n, k, 1, rng)
		degree := make([]int, n)
		for _, e := range before {
			degree[e[0]]++
			degree[e[1]]++
		}
		for e, ij := range before {
			stays := after[e] == ij
			if all := degree[ij[0]] == n-1; stays != all || after[e][0] != ij[0] {
				t.Fatalf("n=%d, k=%d, seed %d: %v became %v, of a node with %d neighbours", n, k, seed, ij, after[e],
					degree[ij[0]])
			}
			if stays {
				full++
			}
			degree[ij[1]]--
			degree[after[e][1]]++
		}
	}
	if full == 0 {
		t.Error("no node was joined to all others")
	}
}
