package topologies

import (
	"errors"
	"fmt"
)

// Complete returns the graph in which every two of the n >= 1 nodes are neighbours.
// A single node is the centralized baseline.
func Complete(n int) (*Graph, error) {
	size, err := CompleteSize(n)
	if err != nil {
		return nil, err
	}
	a := adjacency{start: make([]int, n+1), list: make([]int, 0, n*(n-1))}
	for i := range n {
		for j := range n {
			if j != i {
				a.list = append(a.list, j)
			}
		}
		a.start[i+1] = len(a.list)
	}
	return &Graph{name: size.Name, nodes: n, edges: size.Edges, adj: a, shape: shape{kind: onCircle},
		transitive: true}, nil
}

// Ring returns the cycle 0, 1, ..., n-1, 0 on n >= 3 nodes.
func Ring(n int) (*Graph, error) {
	size, err := RingSize(n)
	if err != nil {
		return nil, err
	}
	edges := make([][2]int, n)
	for i := range n {
		edges[i] = [2]int{i, (i + 1) % n}
	}
	g := fromSimple(size.Name, n, edges)
	g.shape, g.transitive = shape{kind: onCircle}, true
	return g, nil
}

// Path returns the line 0, 1, ..., n-1 on n >= 2 nodes.
func Path(n int) (*Graph, error) {
	size, err := PathSize(n)
	if err != nil {
		return nil, err
	}
	edges := make([][2]int, n-1)
	for i := range edges {
		edges[i] = [2]int{i, i + 1}
	}
	g := fromSimple(size.Name, n, edges)
	g.shape = shape{kind: onSnake}
	return g, nil
}

// Star returns the graph on n >= 2 nodes in which the node center is the neighbour of
// all others, which have no other.
func Star(n, center int) (*Graph, error) {
	size, err := StarSize(n, center)
	if err != nil {
		return nil, err
	}
	edges := make([][2]int, 0, n-1)
	for i := range n {
		if i != center {
			edges = append(edges, [2]int{center, i})
		}
	}
	g := fromSimple(size.Name, n, edges)
	g.shape = shape{kind: aroundHub, hub: center}
	return g, nil
}

// Grid returns the rows x cols lattice; node r*cols + c is in row r, column c. There must be
// at least 2 nodes. NearSquare splits a number of nodes into rows and columns.
func Grid(rows, cols int) (*Graph, error) {
	size, err := GridSize(rows, cols)
	if err != nil {
		return nil, err
	}
	return lattice(size.Name, rows, cols, false), nil
}

// Torus returns the rows x cols lattice with its opposite borders joined, so that every
// node has 4 neighbours. Both must be at least 3: with 2, two of the neighbours would be one.
func Torus(rows, cols int) (*Graph, error) {
	size, err := TorusSize(rows, cols)
	if err != nil {
		return nil, err
	}
	g := lattice(size.Name, rows, cols, true)
	g.transitive = true
	return g, nil
}

func lattice(name string, rows, cols int, wrap bool) *Graph {
	edges := make([][2]int, 0, 2*rows*cols)
	for r := range rows {
		for c := range cols {
			i := r*cols + c
			if c+1 < cols || wrap {
				edges = append(edges, [2]int{i, r*cols + (c+1)%cols})
			}
			if r+1 < rows || wrap {
				edges = append(edges, [2]int{i, (r+1)%rows*cols + c})
			}
		}
	}
	g := fromSimple(name, rows*cols, edges)
	g.shape = shape{kind: onLattice, cols: cols, wrap: wrap}
	return g
}

// NearSquare splits n nodes into rows <= cols with rows * cols = n, as close to a square as
// possible. A prime n > 3 would make a single row and is an error that proposes n-1 and n+1.
func NearSquare(n int) (rows, cols int, err error) {
	if n < 1 {
		return 0, 0, fmt.Errorf("grid: needs at least 2 nodes, not %d", n)
	}
	rows = widest(n)
	if rows == 1 && n > 3 {
		return 0, 0, fmt.Errorf("grid: %d is prime, so it makes a path, not a grid; "+
			"take %s or %s nodes, or give rows and columns", n, split(n-1), split(n+1))
	}
	return rows, n / rows, nil
}

// TorusSides splits n nodes into rows <= cols for a torus, both at least 3, as close to a
// square as possible. If there is no such split, the error names the nearest numbers of
// nodes below and above that have one.
func TorusSides(n int) (rows, cols int, err error) {
	const least = 9
	if n >= least && widest(n) >= 3 {
		return widest(n), n / widest(n), nil
	}
	fits := split(least)
	if n > least {
		below, above := n-1, n+1
		for widest(below) < 3 {
			below--
		}
		for widest(above) < 3 {
			above++
		}
		fits = split(below) + " and " + split(above)
	}
	return 0, 0, fmt.Errorf("torus: %d nodes do not make a torus, which has at least 3 rows and 3 columns; "+
		"%s nodes make one", n, fits)
}

// split shows how n nodes make a lattice, as in "12 (3 x 4)".
func split(n int) string { return fmt.Sprintf("%d (%d x %d)", n, widest(n), n/widest(n)) }

// widest returns the largest divisor of n that is not greater than its square root.
func widest(n int) int {
	best := 1
	for d := 2; d <= n/d; d++ {
		if n%d == 0 {
			best = d
		}
	}
	return best
}

// Hypercube returns the graph on n = 2, 4, 8, ... nodes in which two are neighbours if their
// numbers differ in exactly one bit.
func Hypercube(n int) (*Graph, error) {
	size, err := HypercubeSize(n)
	if err != nil {
		return nil, err
	}
	dim := size.Degree
	edges := make([][2]int, 0, size.Edges)
	for i := range n {
		for b := range dim {
			if j := i ^ 1<<b; i < j {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	g := fromSimple(size.Name, n, edges)
	g.shape, g.transitive = shape{kind: onCube, dim: dim}, true
	return g, nil
}

// Exponential returns the static exponential graph on n >= 2 nodes, undirected: i is
// the neighbour of i ± 1, i ± 2, i ± 4, ... modulo n, over the powers of two below n.
// (Its directed form has the arcs i -> i + 2^j; Assran et al., ICML 2019.)
func Exponential(n int) (*Graph, error) {
	size, err := ExponentialSize(n)
	if err != nil {
		return nil, err
	}
	var edges [][2]int
	for _, short := range exponentialSteps(n) {
		for i := range n {
			if 2*short == n && i >= short { // i + n/2 and back: one edge
				break
			}
			edges = append(edges, [2]int{i, (i + short) % n})
		}
	}
	g := fromSimple(size.Name, n, edges)
	g.shape, g.transitive = shape{kind: onCircle}, true
	return g, nil
}

// Tree returns the balanced tree on n >= 2 nodes, filled level by level: node 0 is the
// root, and each node has up to arity >= 2 children, arity*i + 1, ..., arity*i + arity.
func Tree(n, arity int) (*Graph, error) {
	size, err := TreeSize(n, arity)
	if err != nil {
		return nil, err
	}
	edges := make([][2]int, n-1)
	for i := range edges {
		edges[i] = [2]int{i / arity, i + 1}
	}
	g := fromSimple(size.Name, n, edges)
	g.shape = shape{kind: onTree}
	return g, nil
}

func atLeastTwo(kind string, n int) error {
	switch {
	case n == 1:
		return errors.New(kind + ": needs at least 2 nodes, not 1; a single node is complete")
	case n < 2:
		return fmt.Errorf("%s: needs at least 2 nodes, not %d", kind, n)
	case n > maxEdges:
		return fmt.Errorf("%s: %d nodes are more than the %d that fit", kind, n, maxEdges)
	}
	return nil
}
