package topologies

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

// madeAndSized are a graph and its size, or the errors.
type madeAndSized struct {
	graph   *Graph
	size    Size
	err     error
	sizeErr error
}

func pairOfResults(g *Graph, err error) func(Size, error) madeAndSized {
	return func(s Size, sizeErr error) madeAndSized { return madeAndSized{g, s, err, sizeErr} }
}

// TestSizeIsThatOfTheGraph compares each closed form with the graph, for many sizes, wrong ones too.
func TestSizeIsThatOfTheGraph(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	made := 0
	for n := -1; n <= 40; n++ {
		all := []madeAndSized{
			pairOfResults(Complete(n))(CompleteSize(n)), pairOfResults(Ring(n))(RingSize(n)),
			pairOfResults(Path(n))(PathSize(n)), pairOfResults(Star(n, n/2))(StarSize(n, n/2)),
			pairOfResults(Hypercube(n))(HypercubeSize(n)), pairOfResults(Exponential(n))(ExponentialSize(n)),
			pairOfResults(Regular(n, 2, rng))(RegularSize(n, 2)),
		}
		for k := -1; k <= 7; k++ {
			all = append(all, pairOfResults(Grid(n, k))(GridSize(n, k)), pairOfResults(Torus(n, k))(TorusSize(n, k)),
				pairOfResults(Tree(n, k))(TreeSize(n, k)), pairOfResults(Regular(n, k, rng))(RegularSize(n, k)),
				pairOfResults(WattsStrogatz(n, k, 0, rng))(WattsStrogatzSize(n, k, 0)),
				pairOfResults(WattsStrogatz(n, k, 0.3, rng))(WattsStrogatzSize(n, k, 0.3)),
				pairOfResults(BarabasiAlbert(n, k, rng))(BarabasiAlbertSize(n, k)))
		}
		for _, x := range all {
			made += checkSize(t, x)
		}
	}
	if made < 500 {
		t.Errorf("%d graphs were compared", made)
	}
}

// checkSize compares a size with its graph, and returns 1 if there is one.
func checkSize(t *testing.T, x madeAndSized) int {
	t.Helper()
	if x.err != nil || x.sizeErr != nil {
		if fmt.Sprint(x.err) != fmt.Sprint(x.sizeErr) {
			t.Errorf("the graph says %v, its size %v", x.err, x.sizeErr)
		}
		return 0
	}
	g, s := x.graph, x.size
	if g.Name() != s.Name || g.Nodes() != s.Nodes || g.Edges() != s.Edges || s.Drawn {
		t.Errorf("%s: %d nodes, %d edges; its size is %+v", g.Name(), g.Nodes(), g.Edges(), s)
	}
	d := g.Degrees()
	if s.Degree > 0 && (d.Min != s.Degree || d.Max != s.Degree) {
		t.Errorf("%s: degrees from %d to %d; its size is %+v", g.Name(), d.Min, d.Max, s)
	}
	if o := s.Outline(); s.Nodes > 3 && s.Degree > 0 && o.IsRing() != g.IsRing() {
		t.Errorf("%s: a ring: %v, and its outline: %v", g.Name(), g.IsRing(), o.IsRing())
	}
	return 1
}

// TestExpectedEdges compares the mean number of edges of random graphs with the expected one.
func TestExpectedEdges(t *testing.T) {
	const n, draws = 60, 400
	rng := rand.New(rand.NewPCG(3, 4))
	check := func(size Size, err error, draw func() int) {
		t.Helper()
		if err != nil || !size.Drawn {
			t.Fatalf("%+v, %v", size, err)
		}
		sum, squares := 0.0, 0.0
		for range draws {
			e := float64(draw())
			sum, squares = sum+e, squares+e*e
		}
		mean := sum / draws
		error4 := 4 * math.Sqrt((squares/draws-mean*mean)/draws)
		if !(math.Abs(mean-float64(size.Edges)) <= error4+0.5) {
			t.Errorf("%s: %d edges expected, %.1f ± %.1f drawn", size.Name, size.Edges, mean, error4)
		}
	}
	size, err := ErdosRenyiSize(n, 0.4)
	check(size, err, func() int { return len(bernoulliPairs(n, 0.4, rng)) })
	for _, radius := range []float64{0.2, 0.7, 1, 1.2} {
		size, err := GeometricSize(n, radius)
		check(size, err, func() int {
			pos := make([]Position, n)
			for i := range pos {
				pos[i] = Position{rng.Float64(), rng.Float64()}
			}
			return len(nearPairs(pos, radius))
		})
	}
}

// TestMostEdges: sizes up to the limit of a hundred million are known, and one more node or row is an error.
func TestMostEdges(t *testing.T) {
	for kind, c := range map[string]struct {
		of   func(n int) (Size, error)
		most int
	}{
		"complete": {CompleteSize, 14142}, // 14142 x 14141 / 2 is 99,991,011
		// with 19 n - 10 edges
		"grid":            {func(n int) (Size, error) { return GridSize(n, 10) }, 5_263_158},
		"torus":           {func(n int) (Size, error) { return TorusSize(n, 10) }, 5_000_000},
		"exponential":     {ExponentialSize, 4_347_826}, // x 23 bits
		"regular":         {func(n int) (Size, error) { return RegularSize(n, 4) }, 50_000_000},
		"watts-strogatz":  {func(n int) (Size, error) { return WattsStrogatzSize(n, 4, 0.5) }, 50_000_000},
		"barabasi-albert": {func(n int) (Size, error) { return BarabasiAlbertSize(n, 4) }, 25_000_004},
		// with 9 n + 10 (n - 1) edges, its rows and columns exchanged
		"wide grid":   {func(n int) (Size, error) { return GridSize(10, n) }, 5_263_158},
		"hypercube":   {func(n int) (Size, error) { return HypercubeSize(1 << n) }, 23},   // 2^22 x 23 is 96,468,992
		"erdos-renyi": {func(n int) (Size, error) { return ErdosRenyiSize(n, 1) }, 14071}, // 99 % of the limit
		// half the squares of these numbers, within a disc in the unit square
		"geometric": {func(n int) (Size, error) { return GeometricSize(n, 1) }, 14142},
		"sparse":    {func(n int) (Size, error) { return GeometricSize(n, 0.1) }, 79788},
	} {
		if s, err := c.of(c.most); err != nil || s.Edges > maxEdges {
			t.Errorf("%s of %d: %d edges, %v", kind, c.most, s.Edges, err)
		}
		if _, err := c.of(c.most + 1); err == nil {
			t.Errorf("a %s of %d is made", kind, c.most+1)
		}
	}
	for kind, of := range map[string]func(n int) (Size, error){
		"path": PathSize, "ring": RingSize, "star": func(n int) (Size, error) { return StarSize(n, 0) },
		"tree": func(n int) (Size, error) { return TreeSize(n, 2) },
	} {
		if s, err := of(maxEdges); err != nil || s.Nodes != maxEdges {
			t.Errorf("%s of %d nodes: %d, %v", kind, maxEdges, s.Nodes, err)
		}
		if _, err := of(maxEdges + 1); err == nil {
			t.Errorf("a %s of %d nodes is made", kind, maxEdges+1)
		}
	}
}

// TestSmallestAndLargest: what each family begins with, and where a number that depends on the nodes ends.
func TestSmallestAndLargest(t *testing.T) {
	for name, c := range map[string]struct {
		of          func(n int) (Size, error)
		least, most int // one less and one more are errors; most 0: there is no such bound
	}{
		"complete": {CompleteSize, 1, 0}, "ring": {RingSize, 3, 0}, "path": {PathSize, 2, 0},
		"star": {func(n int) (Size, error) { return StarSize(n, 0) }, 2, 0}, "hypercube": {HypercubeSize, 2, 2},
		"exponential": {ExponentialSize, 2, 0}, "grid": {func(n int) (Size, error) { return GridSize(n, 1) }, 2, 0},
		"tree":        {func(n int) (Size, error) { return TreeSize(n, 2) }, 2, 0},
		"torus rows":  {func(n int) (Size, error) { return TorusSize(n, 3) }, 3, 0},
		"torus cols":  {func(n int) (Size, error) { return TorusSize(3, n) }, 3, 0},
		"regular":     {func(n int) (Size, error) { return RegularSize(n, 2) }, 3, 0},
		"pair":        {func(n int) (Size, error) { return RegularSize(n, 1) }, 2, 2},
		"watts":       {func(n int) (Size, error) { return WattsStrogatzSize(n, 2, 1) }, 3, 0},
		"barabasi":    {func(n int) (Size, error) { return BarabasiAlbertSize(n, 1) }, 2, 0},
		"erdos-renyi": {func(n int) (Size, error) { return ErdosRenyiSize(n, 0.5) }, 2, 0},
		"geometric":   {func(n int) (Size, error) { return GeometricSize(n, 0.5) }, 2, 0},

		"center":         {func(k int) (Size, error) { return StarSize(5, k) }, 0, 4},
		"arity":          {func(k int) (Size, error) { return TreeSize(5, k) }, 2, 0},
		"grid columns":   {func(k int) (Size, error) { return GridSize(2, k) }, 1, 0},
		"grid rows":      {func(k int) (Size, error) { return GridSize(k, 2) }, 1, 0},
		"degree":         {func(k int) (Size, error) { return RegularSize(6, k) }, 2, 5},
		"new edges":      {func(k int) (Size, error) { return BarabasiAlbertSize(5, k) }, 1, 4},
		"half degree":    {func(k int) (Size, error) { return WattsStrogatzSize(9, 2*k, 1) }, 1, 4},
		"of an even one": {func(k int) (Size, error) { return WattsStrogatzSize(8, 2*k, 1) }, 1, 3},
		"halves of p":    {func(k int) (Size, error) { return ErdosRenyiSize(5, float64(k)/2) }, 0, 2},
		"halves of beta": {func(k int) (Size, error) { return WattsStrogatzSize(9, 2, float64(k)/2) }, 0, 2},
		"radius":         {func(k int) (Size, error) { return GeometricSize(5, float64(k)) }, 1, 0},
	} {
		fits := map[int]bool{c.least - 1: false, c.least: true}
		if c.most > 0 {
			fits[c.most], fits[c.most+1] = true, false
		}
		for k, ok := range fits {
			if s, err := c.of(k); (err == nil) != ok {
				t.Errorf("%s %d: %+v, error %v", name, k, s, err)
			}
		}
	}
	// The product of these two is 4 in an int: 2^64 + 4 = 4 (2^31 + 2^16 + 1) (2^31 - 2^16 + 1).
	const h, q = 1 << (bits.UintSize/2 - 1), 1 << (bits.UintSize / 4)
	for _, of := range []func(rows, cols int) (Size, error){GridSize, TorusSize} {
		if s, err := of(2*(h+q+1), 2*(h-q+1)); err == nil {
			t.Errorf("%d x %d nodes: %+v", 2*(h+q+1), 2*(h-q+1), s)
		}
	}
	// The error names the powers of two around a number.
	for n, want := range map[int]string{0: "2 and 4 are", 3: "2 and 4 are", 5: "4 and 8 are", 12: "8 and 16 are"} {
		if _, err := HypercubeSize(n); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("a cube of %d: %v", n, err)
		}
	}
}

// Every node of a ring lattice has k neighbours, until edges are moved.
func TestSmallWorldsHaveOneDegreeUnmoved(t *testing.T) {
	for beta, want := range map[float64]int{0: 4, 0.1: 0} {
		if size, err := WattsStrogatzSize(10, 4, beta); err != nil || size.Degree != want || size.Edges != 20 {
			t.Errorf("beta %g: %+v, %v", beta, size, err)
		}
	}
}
