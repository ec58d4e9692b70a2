package topologies

import (
	"math"
	"testing"

	"tallynet/sim"
)

// TestPositions: a grid is laid out as it is numbered, and in a geometric graph two nodes are
// neighbours if they are near.
func TestPositions(t *testing.T) {
	if p := made(Grid(2, 3)).Layout()[5]; p != (Position{2, 1}) {
		t.Errorf("grid: node 5 is at %v", p)
	}
	const radius = 0.35
	g := made(Geometric(40, radius, sim.Stream(3, "graph")))
	at := g.Layout()
	for i, a := range at {
		for j, b := range at {
			near := (a.X-b.X)*(a.X-b.X)+(a.Y-b.Y)*(a.Y-b.Y) <= radius*radius
			if i != j && near != g.HasEdge(i, j) {
				t.Errorf("geometric: %v and %v: edge %v", a, b, g.HasEdge(i, j))
			}
		}
	}
}

// TestCubeLayout: each dimension moves a node by a vector of its own, whatever the others are.
// Of four nodes, dimension 0 has the length 1 and points a fifth of a turn from the top, and dimension 1 has 1.15 and
// points a twentieth of a turn back.
func TestCubeLayout(t *testing.T) {
	four := made(Hypercube(4)).Layout()
	for i, want := range []Position{1: onRay(1, 0.2), 2: onRay(1.15, -0.05)} {
		if p := four[i]; !(math.Hypot(p.X-want.X, p.Y-want.Y) <= 1e-12) {
			t.Errorf("node %d of four is at %v, want %v", i, p, want)
		}
	}
	at := made(Hypercube(16)).Layout()
	for i, p := range at {
		var sum Position
		for b := range 4 {
			if i>>b&1 == 1 {
				q := at[1<<b]
				if q.X == 0 || q.Y == 0 {
					t.Errorf("dimension %d moves along an axis: %v", b, q)
				}
				sum.X, sum.Y = sum.X+q.X, sum.Y+q.Y
			}
		}
		if !(math.Hypot(p.X-sum.X, p.Y-sum.Y) <= 1e-12) {
			t.Errorf("node %d is at %v, want %v", i, p, sum)
		}
	}
}

// TestTreeLayouts: up to 32 leaves a tree hangs from its root, in rows; with more it lies around it.
func TestTreeLayouts(t *testing.T) {
	for leaves := 31; leaves <= 34; leaves++ {
		at := made(Star(leaves+1, 0)).treeLayout()
		for i := 1; i <= leaves; i++ {
			want := Position{float64(i - 1), 1.6}
			if leaves > 32 {
				want = onRay(1, float64(i-1)/float64(leaves))
			}
			if at[i] != want {
				t.Errorf("leaf %d of %d is at %v, want %v", i, leaves, at[i], want)
			}
		}
	}
}

// TestSnake by hand: up to 12 nodes of a path lie in a row; more lie in rows of √(2n), rounded up, back and forth.
func TestSnake(t *testing.T) {
	for n, want := range map[int]map[int]Position{
		12: {0: {0, 0}, 11: {11, 0}},
		13: {0: {0, 0}, 5: {5, 0}, 6: {5, 1}, 11: {0, 1}, 12: {0, 2}},
		50: {9: {9, 0}, 10: {9, 1}, 19: {0, 1}, 20: {0, 2}, 49: {9, 4}},
		51: {10: {10, 0}, 11: {10, 1}, 21: {0, 1}},
	} {
		at := made(Path(n)).Layout()
		for i, p := range want {
			if at[i] != p {
				t.Errorf("path of %d nodes: node %d is at %v, want %v", n, i, at[i], p)
			}
		}
	}
}
