package topologies

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSizeMatchesGraph compares the size of each plan with its graph.
func TestSizeMatchesGraph(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	made := 0
	check := func(p Plan, err error) {
		if err != nil {
			return
		}
		made++
		checkSize(t, p.Size, must(p.Make()))
	}
	for n := -1; n <= 40; n++ {
		check(Complete(n))
		check(Ring(n))
		check(Path(n))
		check(Star(n, n/2))
		check(Hypercube(n))
		check(Exponential(n))
		for k := -1; k <= 7; k++ {
			check(Grid(n, k))
			check(Torus(n, k))
			check(Tree(n, k))
			check(Regular(n, k, rng))
			check(WattsStrogatz(n, k, 0, rng))
			check(WattsStrogatz(n, k, 0.3, rng))
			check(BarabasiAlbert(n, k, rng))
		}
	}
	if made < 500 {
		t.Errorf("%d graphs were compared", made)
	}
}

func checkSize(t *testing.T, s Size, g *Graph) {
	t.Helper()
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
}

// TestExpectedEdges compares the mean number of edges of random graphs with the expected one.
func TestExpectedEdges(t *testing.T) {
	const n, draws = 60, 400
	rng := rand.New(rand.NewPCG(3, 4))
	check := func(size Plan, err error, draw func() int) {
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
	size, err := ErdosRenyi(n, 0.4, nil)
	check(size, err, func() int { return len(bernoulliPairs(n, 0.4, rng)) })
	for _, radius := range []float64{0.2, 0.7, 1, 1.2} {
		size, err := Geometric(n, radius, nil)
		check(size, err, func() int {
			pos := make([]Position, n)
			for i := range pos {
				pos[i] = Position{rng.Float64(), rng.Float64()}
			}
			return len(nearPairs(pos, radius))
		})
	}
}

// TestMostEdges checks that sizes up to the limit of a hundred million are valid, and that one more node or row
// is an error.
func TestMostEdges(t *testing.T) {
	for kind, c := range map[string]struct {
		of   func(n int) (Plan, error)
		most int
	}{
		"complete": {Complete, 14142}, // 14142 x 14141 / 2 is 99,991,011
		// with 19 n - 10 edges
		"grid":            {func(n int) (Plan, error) { return Grid(n, 10) }, 5_263_158},
		"torus":           {func(n int) (Plan, error) { return Torus(n, 10) }, 5_000_000},
		"exponential":     {Exponential, 4_347_826}, // x 23 bits
		"regular":         {func(n int) (Plan, error) { return Regular(n, 4, nil) }, 50_000_000},
		"watts-strogatz":  {func(n int) (Plan, error) { return WattsStrogatz(n, 4, 0.5, nil) }, 50_000_000},
		"barabasi-albert": {func(n int) (Plan, error) { return BarabasiAlbert(n, 4, nil) }, 25_000_004},
		// with 9 n + 10 (n - 1) edges, its rows and columns exchanged
		"wide grid":   {func(n int) (Plan, error) { return Grid(10, n) }, 5_263_158},
		"hypercube":   {func(n int) (Plan, error) { return Hypercube(1 << n) }, 23},        // 2^22 x 23 is 96,468,992
		"erdos-renyi": {func(n int) (Plan, error) { return ErdosRenyi(n, 1, nil) }, 14071}, // 99 % of the limit
		// half the squares of these numbers, within a disc in the unit square
		"geometric": {func(n int) (Plan, error) { return Geometric(n, 1, nil) }, 14142},
		"sparse":    {func(n int) (Plan, error) { return Geometric(n, 0.1, nil) }, 79788},
	} {
		if s, err := c.of(c.most); err != nil || s.Edges > maxEdges {
			t.Errorf("%s of %d: %d edges, %v", kind, c.most, s.Edges, err)
		}
		if _, err := c.of(c.most + 1); err == nil {
			t.Errorf("a %s of %d is made", kind, c.most+1)
		}
	}
	for kind, of := range map[string]func(n int) (Plan, error){
		"path": Path, "ring": Ring, "star": func(n int) (Plan, error) { return Star(n, 0) },
		"tree": func(n int) (Plan, error) { return Tree(n, 2) },
	} {
		if s, err := of(maxEdges); err != nil || s.Nodes != maxEdges {
			t.Errorf("%s of %d nodes: %d, %v", kind, maxEdges, s.Nodes, err)
		}
		if _, err := of(maxEdges + 1); err == nil {
			t.Errorf("a %s of %d nodes is made", kind, maxEdges+1)
		}
	}
}

// TestSmallestAndLargest checks the smallest and largest parameters of each family.
func TestSmallestAndLargest(t *testing.T) {
	for name, c := range map[string]struct {
		of          func(n int) (Plan, error)
		least, most int // one less and one more are errors; most 0: no such bound
	}{
		"complete": {Complete, 1, 0}, "ring": {Ring, 3, 0}, "path": {Path, 2, 0},
		"star": {func(n int) (Plan, error) { return Star(n, 0) }, 2, 0}, "hypercube": {Hypercube, 2, 2},
		"exponential": {Exponential, 2, 0}, "grid": {func(n int) (Plan, error) { return Grid(n, 1) }, 2, 0},
		"tree":        {func(n int) (Plan, error) { return Tree(n, 2) }, 2, 0},
		"torus rows":  {func(n int) (Plan, error) { return Torus(n, 3) }, 3, 0},
		"torus cols":  {func(n int) (Plan, error) { return Torus(3, n) }, 3, 0},
		"regular":     {func(n int) (Plan, error) { return Regular(n, 2, nil) }, 3, 0},
		"pair":        {func(n int) (Plan, error) { return Regular(n, 1, nil) }, 2, 2},
		"watts":       {func(n int) (Plan, error) { return WattsStrogatz(n, 2, 1, nil) }, 3, 0},
		"barabasi":    {func(n int) (Plan, error) { return BarabasiAlbert(n, 1, nil) }, 2, 0},
		"erdos-renyi": {func(n int) (Plan, error) { return ErdosRenyi(n, 0.5, nil) }, 2, 0},
		"geometric":   {func(n int) (Plan, error) { return Geometric(n, 0.5, nil) }, 2, 0},

		"center":         {func(k int) (Plan, error) { return Star(5, k) }, 0, 4},
		"arity":          {func(k int) (Plan, error) { return Tree(5, k) }, 2, 0},
		"grid columns":   {func(k int) (Plan, error) { return Grid(2, k) }, 1, 0},
		"grid rows":      {func(k int) (Plan, error) { return Grid(k, 2) }, 1, 0},
		"degree":         {func(k int) (Plan, error) { return Regular(6, k, nil) }, 2, 5},
		"new edges":      {func(k int) (Plan, error) { return BarabasiAlbert(5, k, nil) }, 1, 4},
		"half degree":    {func(k int) (Plan, error) { return WattsStrogatz(9, 2*k, 1, nil) }, 1, 4},
		"of an even one": {func(k int) (Plan, error) { return WattsStrogatz(8, 2*k, 1, nil) }, 1, 3},
		"halves of p":    {func(k int) (Plan, error) { return ErdosRenyi(5, float64(k)/2, nil) }, 0, 2},
		"halves of beta": {func(k int) (Plan, error) { return WattsStrogatz(9, 2, float64(k)/2, nil) }, 0, 2},
		"radius":         {func(k int) (Plan, error) { return Geometric(5, float64(k), nil) }, 1, 0},
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
	// Their product overflows to 4: 2^64 + 4 = 4 (2^31 + 2^16 + 1) (2^31 - 2^16 + 1).
	const h, q = 1 << (bits.UintSize/2 - 1), 1 << (bits.UintSize / 4)
	for _, of := range []func(rows, cols int) (Plan, error){Grid, Torus} {
		if s, err := of(2*(h+q+1), 2*(h-q+1)); err == nil {
			t.Errorf("%d x %d nodes: %+v", 2*(h+q+1), 2*(h-q+1), s)
		}
	}
	// The error names the neighbouring powers of two.
	for n, want := range map[int]string{0: "2 and 4 are", 3: "2 and 4 are", 5: "4 and 8 are", 12: "8 and 16 are"} {
		if _, err := Hypercube(n); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("a cube of %d: %v", n, err)
		}
	}
}
