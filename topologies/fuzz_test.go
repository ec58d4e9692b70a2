package topologies

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// checkGraph fails unless a graph is simple and undirected.
func checkGraph(t *testing.T, g *Graph) {
	t.Helper()
	ends := 0
	for i := range g.Nodes() {
		near := g.Neighbors(i)
		if !slices.IsSorted(near) || len(near) != g.Degree(i) || len(slices.Compact(slices.Clone(near))) != len(near) {
			t.Fatalf("%s: the neighbours of node %d are %v", g.Name(), i, near)
		}
		for _, j := range near {
			if j == i || j < 0 || j >= g.Nodes() || !g.HasEdge(j, i) {
				t.Fatalf("%s: node %d has neighbour %d", g.Name(), i, j)
			}
		}
		ends += len(near)
	}
	if ends != 2*g.Edges() {
		t.Fatalf("%s: %d edges have %d ends", g.Name(), g.Edges(), ends)
	}
}

// checkMixing fails unless a mixing matrix is symmetric and nonnegative with rows that sum to 1.
func checkMixing(t *testing.T, m *Mixing) {
	t.Helper()
	g := m.Graph()
	for i := range g.Nodes() {
		sum := m.Self(i)
		if !(sum >= 0) {
			t.Fatalf("%s: w(%d, %d) is %v", m.Rule(), i, i, sum)
		}
		for k, j := range g.Neighbors(i) {
			w := m.Weights(i)[k]
			if !(w >= 0) || w != m.At(j, i) || w != m.At(i, j) {
				t.Fatalf("%s: w(%d, %d) is %v, w(%d, %d) is %v", m.Rule(), i, j, w, j, i, m.At(j, i))
			}
			sum += w
		}
		if !(math.Abs(sum-1) <= 1e-9) {
			t.Fatalf("%s: row %d sums to %v", m.Rule(), i, sum)
		}
	}
}

// checkWeights fails unless the rules give valid matrices on a graph.
func checkWeights(t *testing.T, g *Graph) {
	t.Helper()
	for _, m := range []*Mixing{Metropolis(g), LazyMetropolis(g), MaxDegree(g)} {
		checkMixing(t, m)
	}
	degrees := g.Degrees()
	m, err := UniformNeighbor(g)
	if (err == nil) != (degrees.Min == degrees.Max) {
		t.Fatalf("degrees %+v: %v", degrees, err)
	}
	if err == nil {
		checkMixing(t, m)
	}
}

// FuzzFromEdges reads each two bytes as an edge.
func FuzzFromEdges(f *testing.F) {
	f.Add(3, []byte{0, 1, 1, 2})
	f.Add(4, []byte{0, 1, 1, 0})
	f.Add(2, []byte{1, 1})
	f.Add(0, []byte{})
	f.Add(5, []byte{0, 4, 0, 3, 0, 2, 0, 1})
	f.Add(math.MaxInt, []byte{0, 1})
	f.Fuzz(func(t *testing.T, n int, ends []byte) {
		if n > 1000 && n <= maxEdges {
			return // valid, but too slow for the fuzzer
		}
		edges := make([][2]int, len(ends)/2)
		for k := range edges {
			edges[k] = [2]int{int(int8(ends[2*k])), int(int8(ends[2*k+1]))}
		}
		g, err := FromEdges(n, edges)
		var wrong *EdgeError
		if errors.As(err, &wrong) && (wrong.Edge < 0 || wrong.Edge >= len(edges)) {
			t.Fatalf("%v, of %d edges", err, len(edges))
		}
		if err != nil {
			return
		}
		if g.Nodes() != n || g.Edges() != len(edges) {
			t.Fatalf("%d nodes, %d edges; want %d, %d", g.Nodes(), g.Edges(), n, len(edges))
		}
		for _, e := range edges {
			if !g.HasEdge(e[0], e[1]) {
				t.Fatalf("edge %v is missing", e)
			}
		}
		checkGraph(t, g)
		checkWeights(t, g)
	})
}

// FuzzFromMatrix reads the numbers as the rows of a matrix on a complete graph.
func FuzzFromMatrix(f *testing.F) {
	f.Add(0.5, 0.5, 0.5, 0.5, 0.0, 0.0)
	f.Add(0.25, 0.5, 0.25, 0.5, 0.25, 0.5)
	f.Add(math.NaN(), 0.5, math.Inf(1), 0.5, math.Copysign(0, -1), 1e-13)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, off float64) {
		g, err := Make(Complete(3))
		if err != nil {
			t.Fatal(err)
		}
		m, err := FromMatrix(g, [][]float64{{a, b, c}, {b, d, e}, {c + off, e, 1 - c - e}})
		if err != nil {
			return
		}
		checkMixing(t, m)
		for i, w := range []float64{a, d, 1 - c - e} {
			if m.Self(i) != w {
				t.Errorf("w(%d, %d) is %v, want %v", i, i, m.Self(i), w)
			}
		}
	})
}

// FuzzFamilies makes graphs of every family. Families that are redrawn until connected are small, so that
// many draws take no time.
func FuzzFamilies(f *testing.F) {
	families := []func(n, k int, p float64, r *rand.Rand) (Plan, error){
		func(n, _ int, _ float64, _ *rand.Rand) (Plan, error) { return Complete(n) },
		func(n, _ int, _ float64, _ *rand.Rand) (Plan, error) { return Ring(n) },
		func(n, _ int, _ float64, _ *rand.Rand) (Plan, error) { return Path(n) },
		func(n, k int, _ float64, _ *rand.Rand) (Plan, error) { return Star(n, k) },
		func(n, k int, _ float64, _ *rand.Rand) (Plan, error) { return Grid(n, k) },
		func(n, k int, _ float64, _ *rand.Rand) (Plan, error) { return Torus(n, k) },
		func(n, _ int, _ float64, _ *rand.Rand) (Plan, error) { return Hypercube(n) },
		func(n, _ int, _ float64, _ *rand.Rand) (Plan, error) { return Exponential(n) },
		func(n, k int, _ float64, _ *rand.Rand) (Plan, error) { return Tree(n, k) },
		func(n, _ int, p float64, r *rand.Rand) (Plan, error) { return ErdosRenyi(n, p, r) },
		func(n, _ int, p float64, r *rand.Rand) (Plan, error) { return Geometric(n, p, r) },
		func(n, k int, p float64, r *rand.Rand) (Plan, error) { return WattsStrogatz(n, k, p, r) },
		func(n, k int, _ float64, r *rand.Rand) (Plan, error) { return BarabasiAlbert(n, k, r) },
		func(n, k int, _ float64, r *rand.Rand) (Plan, error) { return Regular(n, k, r) },
	}
	for family := range families {
		f.Add(uint8(family), 12, 4, 0.5, uint64(1))
		f.Add(uint8(family), 1, 0, 0.0, uint64(2))
		f.Add(uint8(family), 7, -1, math.NaN(), uint64(3))
		f.Add(uint8(family), 30, 29, 1.5, uint64(4))
		f.Add(uint8(family), 16, 4, 1e-9, uint64(5))
	}
	f.Fuzz(func(t *testing.T, family uint8, n, k int, p float64, seed uint64) {
		if n > 64 || k > 64 {
			return
		}
		g, err := Make(families[int(family)%len(families)](n, k, p, rand.New(rand.NewPCG(seed, 0))))
		if err != nil {
			return
		}
		if err := g.CheckConnected(); err != nil {
			t.Errorf("%s: %v", g.Name(), err)
		}
		checkGraph(t, g)
		checkWeights(t, g)
	})
}
