package topologies

import (
	"testing"

	"tallynet/sim"
)

// TestPositions checks the layout of a grid, and that nodes of a geometric graph are neighbours exactly if
// they are near.
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
