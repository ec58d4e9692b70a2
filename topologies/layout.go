package topologies

import (
	"math"
	"slices"
)

// shape determines how a family of graphs is drawn.
type shape struct {
	kind shapeKind
	hub  int  // aroundHub: the node in the middle
	cols int  // onLattice
	wrap bool // onLattice: the borders are joined
	dim  int  // onCube
}

type shapeKind int

const (
	byDistance shapeKind = iota // distances in the plane follow those in the graph
	onCircle
	aroundHub
	onLattice
	onSnake
	onTree
	onCube
	atPosition
)

// Layout returns a position in the plane for each node, in no particular unit, with y pointing down. It depends
// on the graph alone. Rings, complete and small-world graphs are on a circle, grids and tori on a lattice, and
// geometric graphs where their nodes were dropped. Trees hang from their root, node 0. Every other graph is
// laid out so that distances in the plane follow distances in hops.
func (g *Graph) Layout() []Position {
	n := g.Nodes()
	switch g.shape.kind {
	case onCircle:
		return circle(n)
	case aroundHub:
		return hubLayout(n, g.shape.hub)
	case onLattice:
		return latticeLayout(n, g.shape.cols)
	case onSnake:
		return snakeLayout(n)
	case onTree:
		return g.treeLayout()
	case onCube:
		return cubeLayout(n, g.shape.dim)
	case atPosition:
		return slices.Clone(g.positions)
	}
	if g.Edges() == n-1 && g.Connected() {
		return g.treeLayout()
	}
	// With so many edges nearly all distances are 1 or 2, and a circle shows more.
	if g.Edges() > n*(n-1)/6 {
		return circle(n)
	}
	return g.distanceLayout(stressNodes)
}

// circle puts n points on a circle, clockwise from the top.
func circle(n int) []Position {
	p := make([]Position, n)
	if n == 1 {
		return p
	}
	for i := range p {
		p[i] = onRay(1, float64(i)/float64(n))
	}
	return p
}

// onRay returns the point at a distance from the origin, at the given fraction of a turn clockwise from the
// top.
func onRay(distance, turn float64) Position {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return Position{distance * sin, -distance * cos}
}

func hubLayout(n, hub int) []Position {
	p := make([]Position, n)
	for i, q := range circle(n - 1) {
		if i >= hub {
			i++
		}
		p[i] = q
	}
	if n == 2 {
		p[1-hub] = Position{1, 0}
	}
	return p
}

func latticeLayout(n, cols int) []Position {
	p := make([]Position, n)
	for i := range p {
		p[i] = Position{float64(i % cols), float64(i / cols)}
	}
	return p
}

// snakeLayout folds a path that is too long for one row into rows that run back and forth.
func snakeLayout(n int) []Position {
	cols := n
	if n > 12 {
		cols = int(math.Ceil(math.Sqrt(2 * float64(n))))
	}
	p := latticeLayout(n, cols)
	for i := range p {
		if i/cols%2 == 1 {
			p[i].X = float64(cols-1) - p[i].X
		}
	}
	return p
}

// cubeLayout projects the hypercube onto the plane. Each dimension has its own direction and length, so that no
// two nodes coincide.
func cubeLayout(n, dim int) []Position {
	p := make([]Position, n)
	for i := range p {
		for b := range dim {
			if i>>b&1 == 1 {
				q := onRay(1+0.3*float64(b)/float64(dim), 0.25-(float64(b)+0.2)/float64(2*dim))
				p[i].X += q.X
				p[i].Y += q.Y
			}
		}
	}
	return p
}

// leavesInRow is the most leaves of a tree that is drawn from top to bottom. A wider tree is drawn in rings
// around its root.
const leavesInRow = 32

// treeLayout spaces the leaves evenly and centres every parent above its children.
func (g *Graph) treeLayout() []Position {
	n := g.Nodes()
	across, depth := make([]float64, n), make([]int, n)
	first, last := make([]float64, n), make([]float64, n) // of the children
	leaves := 0
	var hang func(i, parent int)
	hang = func(i, parent int) {
		first[i] = -1
		for _, j := range g.Neighbors(i) {
			if j == parent {
				continue
			}
			depth[j] = depth[i] + 1
			hang(j, i)
			if first[i] < 0 {
				first[i] = across[j]
			}
			last[i] = across[j]
		}
		if first[i] < 0 {
			across[i] = float64(leaves)
			leaves++
			return
		}
		across[i] = (first[i] + last[i]) / 2
	}
	hang(0, -1)

	p := make([]Position, n)
	for i := range p {
		if leaves <= leavesInRow {
			p[i] = Position{across[i], 1.6 * float64(depth[i])}
		} else {
			p[i] = onRay(float64(depth[i]), across[i]/float64(leaves))
		}
	}
	return p
}
