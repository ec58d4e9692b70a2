package topologies

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
)

// Size is what is known of a graph of a family without making it, which takes seconds where it has millions of
// edges.
type Size struct {
	Name   string // as Graph.Name
	Nodes  int
	Edges  int
	Degree int  // of every node; 0 where they differ
	Drawn  bool // the number of edges is drawn: Edges is its mean
}

// Outline returns a graph of the size that does not know its edges: Nodes, Edges and Name answer, and what asks
// for neighbours panics. Of Dynamics over it, the bounds are known and no rounds.
func (s Size) Outline() *Graph {
	return &Graph{name: s.Name, nodes: s.Nodes, edges: s.Edges, outline: true, ring: s.Degree == 2}
}

// The functions below return the same errors as those that make the graphs.

// CompleteSize is the size of Complete.
func CompleteSize(n int) (Size, error) {
	if n < 1 {
		return Size{}, fmt.Errorf("complete: needs at least 1 node, not %d", n)
	}
	if n > maxEdges || int64(n)*int64(n-1)/2 > maxEdges {
		return Size{}, fmt.Errorf("complete: %d nodes have more than the %d edges that fit; "+
			"take a sparse graph (exponential has about log2(n) edges per node)", n, maxEdges)
	}
	return Size{Name: fmt.Sprintf("complete n=%d", n), Nodes: n, Edges: n * (n - 1) / 2, Degree: n - 1}, nil
}

// RingSize is the size of Ring.
func RingSize(n int) (Size, error) {
	if n < 3 {
		return Size{}, fmt.Errorf("ring: needs at least 3 nodes, not %d; one node or a pair is complete", n)
	}
	if n > maxEdges {
		return Size{}, fmt.Errorf("ring: %d nodes are more than the %d that fit", n, maxEdges)
	}
	return Size{Name: fmt.Sprintf("ring n=%d", n), Nodes: n, Edges: n, Degree: 2}, nil
}

// PathSize is the size of Path.
func PathSize(n int) (Size, error) {
	return Size{Name: fmt.Sprintf("path n=%d", n), Nodes: n, Edges: n - 1}, atLeastTwo("path", n)
}

// StarSize is the size of Star.
func StarSize(n, center int) (Size, error) {
	if err := atLeastTwo("star", n); err != nil {
		return Size{}, err
	}
	if center < 0 || center >= n {
		return Size{}, fmt.Errorf("star: center: there is no node %d; nodes are 0 to %d", center, n-1)
	}
	return Size{Name: fmt.Sprintf("star n=%d, center=%d", n, center), Nodes: n, Edges: n - 1}, nil
}

// GridSize is the size of Grid.
func GridSize(rows, cols int) (Size, error) {
	if rows < 1 || cols < 1 {
		return Size{}, fmt.Errorf("grid: needs at least 1 row and 1 column, not %d x %d", rows, cols)
	}
	if rows > maxEdges/cols || 2*rows*cols-rows-cols > maxEdges {
		return Size{}, fmt.Errorf("grid: %d x %d nodes are more than fit", rows, cols)
	}
	return Size{Name: fmt.Sprintf("grid %d x %d", rows, cols), Nodes: rows * cols,
		Edges: rows*(cols-1) + cols*(rows-1)}, atLeastTwo("grid", rows*cols)
}

// TorusSize is the size of Torus.
func TorusSize(rows, cols int) (Size, error) {
	if rows < 3 || cols < 3 {
		return Size{}, fmt.Errorf("torus: needs at least 3 rows and 3 columns, not %d x %d; take a grid or a ring",
			rows, cols)
	}
	if rows > maxEdges/cols/2 {
		return Size{}, fmt.Errorf("torus: %d x %d nodes are more than fit", rows, cols)
	}
	return Size{Name: fmt.Sprintf("torus %d x %d", rows, cols), Nodes: rows * cols, Edges: 2 * rows * cols,
		Degree: 4}, nil
}

// HypercubeSize is the size of Hypercube.
func HypercubeSize(n int) (Size, error) {
	if n < 2 || n&(n-1) != 0 {
		below := 2
		if n > 2 {
			below = 1 << (bits.Len(uint(n)) - 1)
		}
		return Size{}, fmt.Errorf("hypercube: needs a power of two of at least 2 nodes, not %d; %d and %d are",
			n, below, 2*below)
	}
	dim := bits.Len(uint(n)) - 1
	if n > 2*maxEdges/dim {
		return Size{}, fmt.Errorf("hypercube: %d nodes have more than the %d edges that fit", n, maxEdges)
	}
	return Size{Name: fmt.Sprintf("hypercube n=%d", n), Nodes: n, Edges: n / 2 * dim, Degree: dim}, nil
}

// ExponentialSize is the size of Exponential.
func ExponentialSize(n int) (Size, error) {
	if err := atLeastTwo("exponential", n); err != nil {
		return Size{}, err
	}
	if n > maxEdges/bits.Len(uint(n)) {
		return Size{}, fmt.Errorf("exponential: %d nodes have more than the %d edges that fit", n, maxEdges)
	}
	degree := 0
	for _, s := range exponentialSteps(n) {
		if degree += 2; 2*s == n { // i + n/2 and i - n/2 are one node
			degree--
		}
	}
	return Size{Name: fmt.Sprintf("exponential n=%d", n), Nodes: n, Edges: n * degree / 2, Degree: degree}, nil
}

// exponentialSteps returns how far the neighbours of a node of Exponential are, the short way around: the steps s
// and n-s give the same edges.
func exponentialSteps(n int) []int {
	var steps []int
	taken := make(map[int]bool)
	for s := 1; s < n; s *= 2 {
		short := min(s, n-s)
		if !taken[short] {
			steps = append(steps, short)
		}
		taken[short] = true
	}
	return steps
}

// TreeSize is the size of Tree.
func TreeSize(n, arity int) (Size, error) {
	if err := atLeastTwo("tree", n); err != nil {
		return Size{}, err
	}
	if arity < 2 {
		return Size{}, fmt.Errorf("tree: arity: a node needs room for at least 2 children, not %d; "+
			"with 1 it would be a path", arity)
	}
	return Size{Name: fmt.Sprintf("tree n=%d, arity=%d", n, arity), Nodes: n, Edges: n - 1}, nil
}

// RegularSize is the size of Regular.
func RegularSize(n, k int) (Size, error) {
	if err := atLeastTwo("regular", n); err != nil {
		return Size{}, err
	}
	switch {
	case k < 1 || k >= n:
		return Size{}, fmt.Errorf("regular: the degree must be at least 1 and below nodes = %d, not %d", n, k)
	case n%2 == 1 && k%2 == 1:
		return Size{}, fmt.Errorf("regular: %d nodes cannot all have %d neighbours, since each edge has two ends; "+
			"make the degree or the number of nodes even", n, k)
	case k == 1 && n > 2:
		return Size{}, fmt.Errorf("regular: with degree 1 only 2 nodes are connected, not %d; take a degree of at "+
			"least 2", n)
	case n > 2*maxEdges/k:
		return Size{}, fmt.Errorf("regular: %d nodes of degree %d have more than the %d edges that fit", n, k, maxEdges)
	}
	return Size{Name: fmt.Sprintf("regular n=%d, k=%d", n, k), Nodes: n, Edges: n * k / 2, Degree: k}, nil
}

// ErdosRenyiSize is the size of ErdosRenyi.
func ErdosRenyiSize(n int, p float64) (Size, error) {
	if err := cmp.Or(atLeastTwo("erdos-renyi", n), probability("erdos-renyi: p", p)); err != nil {
		return Size{}, err
	}
	edges := p * float64(n) * float64(n-1) / 2
	if edges > 0.99*maxEdges {
		return Size{}, fmt.Errorf("erdos-renyi: n = %d with p = %g has about %.0f edges, more than the %d that fit",
			n, p, edges, maxEdges)
	}
	return Size{Name: fmt.Sprintf("erdos-renyi n=%d, p=%g", n, p), Nodes: n, Edges: int(math.Round(edges)),
		Drawn: p < 1}, nil
}

// GeometricSize is the size of Geometric.
func GeometricSize(n int, radius float64) (Size, error) {
	if err := atLeastTwo("geometric", n); err != nil {
		return Size{}, err
	}
	if !(radius > 0) || math.IsInf(radius, 1) {
		return Size{}, fmt.Errorf("geometric: radius must be positive, in sides of the unit square, not %g", radius)
	}
	if pairs := float64(n) * float64(n) / 2; pairs*min(1, math.Pi*radius*radius) > maxEdges {
		return Size{}, fmt.Errorf("geometric: n = %d with radius = %g has more than the %d edges that fit",
			n, radius, maxEdges)
	}
	edges := withinRadius(radius) * float64(n) * float64(n-1) / 2
	return Size{Name: fmt.Sprintf("geometric n=%d, radius=%g", n, radius), Nodes: n, Edges: int(math.Round(edges)),
		Drawn: true}, nil
}

// withinRadius is the probability that two points of the unit square are at most r apart.
//
// Source: the distribution of the distance of two points in a rectangle, Ghosh, Bulletin of the Calcutta
// Mathematical Society 43, 1951.
func withinRadius(r float64) float64 {
	s := r * r
	switch {
	case r <= 1:
		return s * (math.Pi - 8*r/3 + s/2)
	case r < math.Sqrt2:
		return 1./3 + s*(math.Pi-2-4*math.Acos(1/r)) + 4*math.Sqrt(s-1)*(2*s+1)/3 - s*s/2
	}
	return 1
}

// WattsStrogatzSize is the size of WattsStrogatz.
func WattsStrogatzSize(n, k int, beta float64) (Size, error) {
	if n < 3 {
		return Size{}, fmt.Errorf("watts-strogatz: needs at least 3 nodes, not %d; one node or a pair is complete", n)
	}
	if k < 2 || k >= n || k%2 != 0 {
		return Size{}, fmt.Errorf("watts-strogatz: k must be even, at least 2 and below nodes = %d, not %d", n, k)
	}
	if err := probability("watts-strogatz: beta", beta); err != nil {
		return Size{}, err
	}
	if n > 2*maxEdges/k {
		return Size{}, fmt.Errorf("watts-strogatz: n = %d with k = %d has more than the %d edges that fit",
			n, k, maxEdges)
	}
	size := Size{Name: fmt.Sprintf("watts-strogatz n=%d, k=%d, beta=%g", n, k, beta), Nodes: n, Edges: n * k / 2}
	if beta == 0 {
		size.Degree = k
	}
	return size, nil
}

// BarabasiAlbertSize is the size of BarabasiAlbert.
func BarabasiAlbertSize(n, m int) (Size, error) {
	if err := atLeastTwo("barabasi-albert", n); err != nil {
		return Size{}, err
	}
	if m < 1 || m >= n {
		return Size{}, fmt.Errorf("barabasi-albert: m must be at least 1 and below nodes = %d, not %d", n, m)
	}
	if n-m > maxEdges/m {
		return Size{}, fmt.Errorf("barabasi-albert: n = %d with m = %d has more than the %d edges that fit",
			n, m, maxEdges)
	}
	return Size{Name: fmt.Sprintf("barabasi-albert n=%d, m=%d", n, m), Nodes: n, Edges: m * (n - m)}, nil
}
