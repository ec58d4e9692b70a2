package topologies

import (
	"fmt"
	"math/bits"
)

// Complete plans the graph in which every two of the n >= 1 nodes are neighbours.
// A single node is the centralized baseline.
func Complete(n int) (Plan, error) {
	if n < 1 {
		return Plan{}, fmt.Errorf("complete: needs at least 1 node, not %d", n)
	}
	if n > maxEdges || int64(n)*int64(n-1)/2 > maxEdges {
		return Plan{}, fmt.Errorf("complete: %d nodes have more than the %d edges that fit; "+
			"take a sparse graph (exponential has about log2(n) edges per node)", n, maxEdges)
	}
	size := Size{Name: fmt.Sprintf("complete n=%d", n), Nodes: n, Edges: n * (n - 1) / 2, Degree: n - 1}
	return Plan{size, func() (*Graph, error) {
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
	}}, nil
}

// Ring plans the cycle 0, 1, ..., n-1, 0 on n >= 3 nodes.
func Ring(n int) (Plan, error) {
	if err := limits("ring", n, 3, float64(n)); err != nil {
		return Plan{}, err
	}
	size := Size{Name: fmt.Sprintf("ring n=%d", n), Nodes: n, Edges: n, Degree: 2}
	return size.plan(shape{kind: onCircle}, true, func() [][2]int {
		edges := make([][2]int, n)
		for i := range n {
			edges[i] = [2]int{i, (i + 1) % n}
		}
		return edges
	}), nil
}

// Path plans the line 0, 1, ..., n-1 on n >= 2 nodes.
func Path(n int) (Plan, error) {
	if err := limits("path", n, 2, float64(n)); err != nil {
		return Plan{}, err
	}
	size := Size{Name: fmt.Sprintf("path n=%d", n), Nodes: n, Edges: n - 1}
	return size.plan(shape{kind: onSnake}, false, func() [][2]int {
		edges := make([][2]int, n-1)
		for i := range edges {
			edges[i] = [2]int{i, i + 1}
		}
		return edges
	}), nil
}

// Star plans the graph on n >= 2 nodes in which the node center is the neighbour of
// all others, which have no other.
func Star(n, center int) (Plan, error) {
	if err := limits("star", n, 2, float64(n)); err != nil {
		return Plan{}, err
	}
	if center < 0 || center >= n {
		return Plan{}, fmt.Errorf("star: center: there is no node %d; nodes are 0 to %d", center, n-1)
	}
	size := Size{Name: fmt.Sprintf("star n=%d, center=%d", n, center), Nodes: n, Edges: n - 1}
	return size.plan(shape{kind: aroundHub, hub: center}, false, func() [][2]int {
		edges := make([][2]int, 0, n-1)
		for i := range n {
			if i != center {
				edges = append(edges, [2]int{center, i})
			}
		}
		return edges
	}), nil
}

// Grid plans the rows x cols lattice. Node r*cols + c is in row r, column c. There must be at least 2 nodes.
// NearSquare splits a number of nodes into rows and columns.
func Grid(rows, cols int) (Plan, error) {
	if rows < 1 || cols < 1 {
		return Plan{}, fmt.Errorf("grid: needs at least 1 row and 1 column, not %d x %d", rows, cols)
	}
	edges := 2*float64(rows)*float64(cols) - float64(rows) - float64(cols)
	if err := limits("grid", rows*cols, 2, edges); err != nil {
		return Plan{}, err
	}
	size := Size{Name: fmt.Sprintf("grid %d x %d", rows, cols), Nodes: rows * cols,
		Edges: rows*(cols-1) + cols*(rows-1)}
	return size.plan(shape{kind: onLattice, cols: cols}, false, func() [][2]int {
		return lattice(rows, cols, false)
	}), nil
}

// Torus plans the rows x cols lattice with opposite borders joined, so that every node has 4 neighbours. Rows
// and columns must be at least 3: with 2, two of the neighbours would coincide.
func Torus(rows, cols int) (Plan, error) {
	if rows < 3 || cols < 3 {
		return Plan{}, fmt.Errorf("torus: needs at least 3 rows and 3 columns, not %d x %d; take a grid or a ring",
			rows, cols)
	}
	if rows > maxEdges/cols/2 {
		return Plan{}, fmt.Errorf("torus: %d x %d nodes are more than fit", rows, cols)
	}
	size := Size{Name: fmt.Sprintf("torus %d x %d", rows, cols), Nodes: rows * cols, Edges: 2 * rows * cols,
		Degree: 4}
	return size.plan(shape{kind: onLattice, cols: cols, wrap: true}, true, func() [][2]int {
		return lattice(rows, cols, true)
	}), nil
}

// lattice lists the edges of a grid or, with wrap, of a torus.
func lattice(rows, cols int, wrap bool) [][2]int {
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
	return edges
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

// TorusSides splits n nodes into rows <= cols for a torus, both at least 3, as close to a square as possible.
// If there is no such split, the error names the nearest numbers of nodes that have one.
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

// split formats the lattice of n nodes, as in "12 (3 x 4)".
func split(n int) string { return fmt.Sprintf("%d (%d x %d)", n, widest(n), n/widest(n)) }

// widest returns the largest divisor of n that is at most its square root.
func widest(n int) int {
	best := 1
	for d := 2; d <= n/d; d++ {
		if n%d == 0 {
			best = d
		}
	}
	return best
}

// Hypercube plans the graph on n = 2, 4, 8, ... nodes in which two nodes are neighbours if their numbers differ
// in exactly one bit.
func Hypercube(n int) (Plan, error) {
	if n < 2 || n&(n-1) != 0 {
		below := 2
		if n > 2 {
			below = 1 << (bits.Len(uint(n)) - 1)
		}
		return Plan{}, fmt.Errorf("hypercube: needs a power of two of at least 2 nodes, not %d; %d and %d are",
			n, below, 2*below)
	}
	dim := bits.Len(uint(n)) - 1
	if n > 2*maxEdges/dim {
		return Plan{}, fmt.Errorf("hypercube: %d nodes have more than the %d edges that fit", n, maxEdges)
	}
	size := Size{Name: fmt.Sprintf("hypercube n=%d", n), Nodes: n, Edges: n / 2 * dim, Degree: dim}
	return size.plan(shape{kind: onCube, dim: dim}, true, func() [][2]int {
		edges := make([][2]int, 0, size.Edges)
		for i := range n {
			for b := range dim {
				if j := i ^ 1<<b; i < j {
					edges = append(edges, [2]int{i, j})
				}
			}
		}
		return edges
	}), nil
}

// Exponential plans the static exponential graph on n >= 2 nodes, undirected: i is
// the neighbour of i ± 1, i ± 2, i ± 4, ... modulo n, over the powers of two below n.
// (Its directed form has the arcs i -> i + 2^j; Assran et al., ICML 2019.)
func Exponential(n int) (Plan, error) {
	if err := limits("exponential", n, 2, float64(n)*float64(bits.Len(uint(n)))); err != nil {
		return Plan{}, err
	}
	degree := 0
	for _, s := range exponentialSteps(n) {
		if degree += 2; 2*s == n { // i + n/2 and i - n/2 are one node
			degree--
		}
	}
	size := Size{Name: fmt.Sprintf("exponential n=%d", n), Nodes: n, Edges: n * degree / 2, Degree: degree}
	return size.plan(shape{kind: onCircle}, true, func() [][2]int {
		var edges [][2]int
		for _, short := range exponentialSteps(n) {
			for i := range n {
				if 2*short == n && i >= short { // i + n/2 and back: one edge
					break
				}
				edges = append(edges, [2]int{i, (i + short) % n})
			}
		}
		return edges
	}), nil
}

// exponentialSteps returns the distances of the neighbours of a node of Exponential, the short way around:
// steps s and n-s give the same edges.
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

// Tree plans the balanced tree on n >= 2 nodes, filled level by level: node 0 is the
// root, and each node has up to arity >= 2 children, arity*i + 1, ..., arity*i + arity.
func Tree(n, arity int) (Plan, error) {
	if err := limits("tree", n, 2, float64(n)); err != nil {
		return Plan{}, err
	}
	if arity < 2 {
		return Plan{}, fmt.Errorf("tree: arity: a node needs room for at least 2 children, not %d; "+
			"with 1 it would be a path", arity)
	}
	size := Size{Name: fmt.Sprintf("tree n=%d, arity=%d", n, arity), Nodes: n, Edges: n - 1}
	return size.plan(shape{kind: onTree}, false, func() [][2]int {
		edges := make([][2]int, n-1)
		for i := range edges {
			edges[i] = [2]int{i / arity, i + 1}
		}
		return edges
	}), nil
}

// limits returns an error if a graph of the kind would have fewer nodes than it needs, or more edges than fit.
func limits(kind string, n, least int, edges float64) error {
	alone := ""
	switch {
	case max(edges, float64(n)) > maxEdges:
		return fmt.Errorf("%s: %.0f edges are more than the %d that fit", kind, max(edges, float64(n)), maxEdges)
	case n >= least:
		return nil
	case least > 2:
		alone = "; one node or a pair is complete"
	case n == 1:
		alone = "; a single node is complete"
	}
	return fmt.Errorf("%s: needs at least %d nodes, not %d%s", kind, least, n, alone)
}
