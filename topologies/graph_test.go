package topologies

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"tallynet/sim"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// made returns the graph of a plan.
func made(p Plan, err error) *Graph { return must(Make(p, err)) }

func edgesOf(g *Graph) [][2]int {
	var edges [][2]int
	for i, j := range g.EdgeSeq() {
		edges = append(edges, [2]int{i, j})
	}
	return edges
}

// families returns one or more members of each family.
func families() []*Graph {
	rng := sim.Stream(7, "graph")
	return []*Graph{
		made(Complete(1)), made(Complete(2)), made(Complete(9)), made(Ring(3)), made(Ring(10)), made(Path(2)),
		made(Path(17)),
		made(Star(2, 1)), made(Star(8, 3)), made(Grid(1, 5)), made(Grid(4, 6)), made(Torus(3, 3)), made(Torus(4, 7)),
		made(Hypercube(2)), made(Hypercube(32)), made(Exponential(2)), made(Exponential(12)), made(Exponential(16)),
		made(Exponential(33)),
		made(Tree(2, 2)), made(Tree(20, 3)), made(Regular(2, 1, rng)), made(Regular(20, 3, rng)),
		made(Regular(11, 8, rng)),
		made(ErdosRenyi(30, 0.2, rng)), made(ErdosRenyi(12, 1, rng)), made(WattsStrogatz(30, 4, 0.3, rng)),
		made(BarabasiAlbert(40, 2, rng)), made(Geometric(40, 0.35, rng)),
		must(FromEdges(6, [][2]int{{5, 0}, {0, 1}, {3, 4}})), // three parts, {2} among them
	}
}

func TestEdgesByHand(t *testing.T) {
	for _, c := range []struct {
		g    *Graph
		want [][2]int
	}{
		{made(Complete(4)), [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{made(Ring(4)), [][2]int{{0, 1}, {0, 3}, {1, 2}, {2, 3}}},
		{made(Path(4)), [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{made(Star(4, 2)), [][2]int{{0, 2}, {1, 2}, {2, 3}}},
		{made(Grid(2, 3)), [][2]int{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}},
		{made(Torus(3, 3)), [][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 6}, {1, 2}, {1, 4}, {1, 7}, {2, 5}, {2, 8},
			{3, 4}, {3, 5}, {3, 6}, {4, 5}, {4, 7}, {5, 8}, {6, 7}, {6, 8}, {7, 8}}},
		{made(Hypercube(8)), [][2]int{{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5},
			{4, 6}, {5, 7}, {6, 7}}},
		{made(Exponential(6)), [][2]int{{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 2}, {1, 3}, {1, 5}, {2, 3}, {2, 4},
			{3, 4}, {3, 5}, {4, 5}}},
		{made(Exponential(4)), [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{made(Tree(8, 3)), [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}, {1, 6}, {2, 7}}},
	} {
		if d := cmp.Diff(c.want, edgesOf(c.g)); d != "" {
			t.Errorf("%s: edges (-want +got):\n%s", c.g.Name(), d)
		}
	}
}

// TestGraphInvariants checks the contract of Graph for every family by brute force.
func TestGraphInvariants(t *testing.T) {
	for _, g := range families() {
		n, edges := g.Nodes(), 0
		for i := range n {
			row := g.Neighbors(i)
			if !slices.IsSorted(row) || len(row) != g.Degree(i) {
				t.Errorf("%s: neighbours of %d: %v", g.Name(), i, row)
			}
			for j := range n {
				if g.HasEdge(i, j) != slices.Contains(row, j) || g.HasEdge(i, j) != g.HasEdge(j, i) {
					t.Errorf("%s: HasEdge(%d, %d) = %v", g.Name(), i, j, g.HasEdge(i, j))
				}
				if i <= j && g.HasEdge(i, j) {
					edges++
				}
			}
			if g.HasEdge(i, i) || len(slices.Compact(slices.Clone(row))) != len(row) {
				t.Errorf("%s: node %d: loop or double edge: %v", g.Name(), i, row)
			}
		}
		if edges != g.Edges() || len(edgesOf(g)) != edges {
			t.Errorf("%s: Edges() = %d, EdgeSeq has %d, counted %d", g.Name(), g.Edges(), len(edgesOf(g)), edges)
		}
	}
}

// toGonum copies a graph. The ID of a node is its number.
func toGonum(g *Graph) *simple.UndirectedGraph {
	same := simple.NewUndirectedGraph()
	for i := range g.Nodes() {
		same.AddNode(simple.Node(i))
	}
	for i, j := range g.EdgeSeq() {
		same.SetEdge(simple.Edge{F: simple.Node(i), T: simple.Node(j)})
	}
	return same
}

// TestAgainstGonum compares components, connectivity and diameter with gonum's.
func TestAgainstGonum(t *testing.T) {
	for _, g := range families() {
		same := toGonum(g)
		parts := topo.ConnectedComponents(same)
		if got := g.Components(); len(got) != len(parts) || g.Connected() != (len(parts) == 1) {
			t.Errorf("%s: %d components, connected: %v; gonum has %d", g.Name(), len(got), g.Connected(), len(parts))
		}
		want := -1
		if len(parts) == 1 {
			want = 0
			all := path.DijkstraAllPaths(same)
			for i := range g.Nodes() {
				for j := range g.Nodes() {
					want = max(want, int(all.Weight(int64(i), int64(j))))
				}
			}
		}
		if got, exact := g.Diameter(); got != want || !exact {
			t.Errorf("%s: Diameter() = %d, %v; gonum has %d", g.Name(), got, exact, want)
		}
	}
}

// TestDiameterIsBounded: in a ring of nine, whose diameter is 4, searches from the four nodes that are 4 and 3
// hops from the start show that no two are farther apart. Each visits 9 nodes and both ends of 9 edges.
func TestDiameterIsBounded(t *testing.T) {
	g := must(FromEdges(9, edgesOf(made(Ring(9)))))
	for most, want := range map[int]bool{4 * 27: true, 4*27 - 1: false, 27: false, 0: false} {
		if hops, exact := g.diameter(most); hops != 4 || exact != want {
			t.Errorf("with %d links: %d, exact: %v", most, hops, exact)
		}
	}
}

func TestComponentsByHand(t *testing.T) {
	g := must(FromEdges(6, [][2]int{{5, 0}, {0, 1}, {3, 4}}))
	if d := cmp.Diff([][]int{{0, 1, 5}, {2}, {3, 4}}, g.Components()); d != "" {
		t.Errorf("components (-want +got):\n%s", d)
	}
	want := "the graph is not connected: it has 3 parts; " +
		"nodes 0 (in a part of 3 nodes) and 2 (in a part of 1 node) cannot reach each other; add edges"
	if err := g.CheckConnected(); err == nil || err.Error() != want {
		t.Errorf("CheckConnected() = %v, want %q", err, want)
	}
	if got, want := g.Degrees(), (DegreeStats{Min: 0, Max: 2, Mean: 1}); got != want {
		t.Errorf("Degrees() = %+v, want %+v", got, want)
	}
}

// TestLarge makes graphs that a map per node could not hold, and compares diameters with closed forms.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		g     *Graph
		edges int
		hops  int
	}{
		{made(Ring(100_000)), 100_000, 50_000},
		{made(Tree(100_000, 2)), 99_999, 16 + 16}, // levels 0 to 16, the last one more than half full
		{made(Grid(100, 100)), 2 * 9900, 198},
		{made(Hypercube(1 << 15)), 15 << 14, 15},
	} {
		got, exact := c.g.Diameter()
		if c.g.Edges() != c.edges || got != c.hops || !exact {
			t.Errorf("%s: %d edges, diameter %d, %v; want %d, %d",
				c.g.Name(), c.g.Edges(), got, exact, c.edges, c.hops)
		}
	}
}

// TestTorusSides tries all factorizations.
func TestTorusSides(t *testing.T) {
	split := func(n int) (rows, cols int) {
		for r := 3; r*r <= n; r++ {
			if n%r == 0 {
				rows, cols = r, n/r
			}
		}
		return rows, cols
	}
	for n := 1; n <= 300; n++ {
		rows, cols := split(n)
		r, c, err := TorusSides(n)
		if r != rows || c != cols || (err == nil) != (rows > 0) {
			t.Errorf("TorusSides(%d) = %d, %d, %v, want %d x %d", n, r, c, err, rows, cols)
		}
	}
	for n, want := range map[int]string{
		1: "; 9 (3 x 3) nodes make one", 8: "; 9 (3 x 3) nodes make one",
		10: "; 9 (3 x 3) and 12 (3 x 4) nodes make one",
		14: "; 12 (3 x 4) and 15 (3 x 5) nodes make one", 62: "; 60 (6 x 10) and 63 (7 x 9) nodes make one",
	} {
		if _, _, err := TorusSides(n); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("TorusSides(%d): error %v, want %q at its end", n, err, want)
		}
	}
}

func TestNearSquare(t *testing.T) {
	for _, c := range [][3]int{{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {4, 2, 2}, {12, 3, 4}, {16, 4, 4}, {50, 5, 10},
		{10_000, 100, 100}} {
		if r, k, err := NearSquare(c[0]); r != c[1] || k != c[2] || err != nil {
			t.Errorf("NearSquare(%d) = %d, %d, %v", c[0], r, k, err)
		}
	}
	for _, n := range []int{-1, 0, 5} {
		if r, k, err := NearSquare(n); r != 0 || k != 0 || err == nil {
			t.Errorf("NearSquare(%d) = %d, %d, %v", n, r, k, err)
		}
	}
}

func TestErrors(t *testing.T) {
	rng := sim.Stream(1, "graph")
	second := func(_, _ int, err error) (*Graph, error) { return nil, err }
	for name, c := range map[string]struct {
		f    func() (*Graph, error)
		want string
	}{
		"no nodes": {func() (*Graph, error) { return Make(Complete(0)) }, "complete: needs at least 1 node, not 0"},
		"too complete": {func() (*Graph, error) { return Make(Complete(1_000_000)) },
			"complete: 1000000 nodes have more than the 100000000 edges that fit"},
		"ring of one": {func() (*Graph, error) { return Make(Ring(1)) },
			"ring: needs at least 3 nodes, not 1; one node or a pair is complete"},
		"path of one": {func() (*Graph, error) { return Make(Path(1)) },
			"path: needs at least 2 nodes, not 1; a single node is complete"},
		"negative path": {func() (*Graph, error) { return Make(Path(-3)) }, "path: needs at least 2 nodes, not -3"},
		"star centre": {func() (*Graph, error) { return Make(Star(5, 5)) },
			"star: center: there is no node 5; nodes are 0 to 4"},
		"empty grid": {func() (*Graph, error) { return Make(Grid(0, 4)) },
			"grid: needs at least 1 row and 1 column, not 0 x 4"},
		"grid of one": {func() (*Graph, error) { return Make(Grid(1, 1)) }, "grid: needs at least 2 nodes, not 1"},
		"prime grid": {func() (*Graph, error) { return second(NearSquare(7)) },
			"grid: 7 is prime, so it makes a path, not a grid; take 6 (2 x 3) or 8 (2 x 4) nodes"},
		"thin torus": {func() (*Graph, error) { return Make(Torus(2, 5)) },
			"torus: needs at least 3 rows and 3 columns, not 2 x 5"},
		"hypercube 12": {func() (*Graph, error) { return Make(Hypercube(12)) },
			"hypercube: needs a power of two of at least 2 nodes, not 12; 8 and 16 are"},
		"hypercube 1": {func() (*Graph, error) { return Make(Hypercube(1)) }, "not 1; 2 and 4 are"},
		"exponential 0": {func() (*Graph, error) { return Make(Exponential(0)) },
			"exponential: needs at least 2 nodes, not 0"},
		"unary tree": {func() (*Graph, error) { return Make(Tree(5, 1)) },
			"tree: arity: a node needs room for at least 2 children, not 1"},
		"odd regular": {func() (*Graph, error) { return Make(Regular(5, 3, rng)) },
			"regular: 5 nodes cannot all have 3 neighbours"},
		"k = n": {func() (*Graph, error) { return Make(Regular(4, 4, rng)) },
			"regular: the degree must be at least 1 and below nodes = 4, not 4"},
		"pairs": {func() (*Graph, error) { return Make(Regular(4, 1, rng)) },
			"regular: with degree 1 only 2 nodes are connected, not 4; take a degree of at least 2"},
		"p > 1": {func() (*Graph, error) { return Make(ErdosRenyi(5, 1.5, rng)) },
			"erdos-renyi: p must be between 0 and 1, not 1.5"},
		"p NaN": {func() (*Graph, error) { return Make(ErdosRenyi(5, nan, rng)) },
			"erdos-renyi: p must be between 0 and 1, not NaN"},
		"p = 0": {func() (*Graph, error) { return Make(ErdosRenyi(5, 0, rng)) },
			"erdos-renyi n=5, p=0: not connected in any of 1000 draws; " +
				"raise p: connected graphs become likely near ln(n)/n = 0.322"},
		"p small": {func() (*Graph, error) { return Make(ErdosRenyi(100, 0.01, rng)) },
			"not connected in any of 1000 draws"},
		"dense": {func() (*Graph, error) { return Make(ErdosRenyi(1_000_000, 0.5, rng)) },
			"more than the 100000000 that fit"},
		"odd k": {func() (*Graph, error) { return Make(WattsStrogatz(9, 3, 0.1, rng)) },
			"watts-strogatz: k must be even, at least 2 and below nodes = 9, not 3"},
		"beta": {func() (*Graph, error) { return Make(WattsStrogatz(9, 2, -1, rng)) },
			"watts-strogatz: beta must be between 0 and 1, not -1"},
		"m = n": {func() (*Graph, error) { return Make(BarabasiAlbert(5, 5, rng)) },
			"barabasi-albert: m must be at least 1 and below nodes = 5, not 5"},
		"radius": {func() (*Graph, error) { return Make(Geometric(5, 0, rng)) },
			"geometric: radius must be positive"},
		"radius small": {func() (*Graph, error) { return Make(Geometric(50, 0.01, rng)) },
			"geometric n=50, radius=0.01: not connected in any of 1000 draws; raise radius"},
		"self loop": {func() (*Graph, error) { return FromEdges(3, [][2]int{{0, 1}, {2, 2}}) },
			"edges[1]: (2, 2) joins a node to itself"},
		"edge range": {func() (*Graph, error) { return FromEdges(3, [][2]int{{0, 3}}) },
			"edges[0]: (0, 3): there is no node 3; nodes are 0 to 2"},
		"edge negative": {func() (*Graph, error) { return FromEdges(3, [][2]int{{-1, 2}}) },
			"edges[0]: (-1, 2): there is no node -1"},
		"edge twice": {func() (*Graph, error) { return FromEdges(3, [][2]int{{0, 1}, {1, 2}, {1, 0}}) },
			"edges[2]: (1, 0) is already edges[0]; an undirected edge is given once"},
		"edges of nothing": {func() (*Graph, error) { return FromEdges(0, nil) },
			"edges: a graph needs at least 1 node, not 0"},
	} {
		if _, err := c.f(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// TestMergeEdges checks that the first of repeated edges is kept, in either direction.
func TestMergeEdges(t *testing.T) {
	given := [][2]int{{2, 1}, {0, 1}, {1, 2}, {1, 0}, {2, 1}, {3, 0}}
	got := MergeEdges(given)
	if want := [][2]int{{2, 1}, {0, 1}, {3, 0}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if given[2] != [2]int{1, 2} {
		t.Errorf("the list that was given is changed: %v", given)
	}
	g, err := FromEdges(4, got)
	if err != nil || g.Degree(1) != 2 || g.Degree(3) != 1 {
		t.Errorf("%v, %v", g, err)
	}
}

// TestIsRing covers graphs and their outlines.
func TestIsRing(t *testing.T) {
	for _, c := range []struct {
		g    *Graph
		want bool
	}{
		{must(FromEdges(1, nil)), true}, {made(Path(2)), true}, {made(Path(3)), false}, {made(Complete(3)), true},
		{made(Ring(4)), true}, {made(Complete(4)), false}, {made(Star(3, 0)), false}, {made(Grid(2, 2)), true},
		{made(Grid(2, 3)), false}, {must(FromEdges(4, [][2]int{{0, 2}, {2, 1}, {1, 3}, {3, 0}})), true},
	} {
		n, degrees := c.g.Nodes(), c.g.Degrees()
		size := Size{Name: c.g.Name(), Nodes: n, Edges: c.g.Edges()}
		if degrees.Min == degrees.Max {
			size.Degree = degrees.Min
		}
		outline := size.Outline()
		if c.g.IsRing() != c.want || outline.IsRing() != c.want {
			t.Errorf("%s: a ring: %v, its outline %v, want %v", c.g.Name(), c.g.IsRing(), outline.IsRing(), c.want)
		}
		for i := -1; i <= n; i++ {
			for j := -1; j <= n; j++ {
				if inside := i >= 0 && i < n && j >= 0 && j < n; outline.MayHaveEdge(i, j) != (inside && i != j) ||
					inside && c.g.MayHaveEdge(i, j) != c.g.HasEdge(i, j) {
					t.Errorf("%s: edge %d-%d", c.g.Name(), i, j)
				}
			}
		}
	}
}
