package topologies

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// distances returns the distances from some points (rows) to all points (columns).
func distances(from []int, at []Position) *mat.Dense {
	d := mat.NewDense(len(from), len(at), nil)
	d.Apply(func(r, j int, _ float64) float64 {
		return math.Hypot(at[from[r]].X-at[j].X, at[from[r]].Y-at[j].Y)
	}, d)
	return d
}

// farthestOff returns the largest error of the distances in a layout.
func farthestOff(p []Position, want *mat.Dense) float64 {
	var off mat.Dense
	off.Sub(distances(spread(len(p), len(p)), p), want)
	return max(mat.Max(&off), -mat.Min(&off))
}

// TestMajorize checks that points that were moved return to where their distances are right.
func TestMajorize(t *testing.T) {
	var right, moved []Position
	for i := range 30 {
		x := float64(i)
		right = append(right, Position{9 * math.Sin(x*x), 3 * math.Cos(2.3*x)})
		moved = append(moved, Position{right[i].X + 0.4*math.Cos(5*x), right[i].Y + 0.4*math.Sin(7*x)})
	}
	d := distances(spread(30, 30), right)
	before := farthestOff(moved, d)
	if after := farthestOff(majorize(moved, d), d); !(after < 0.1*before) {
		t.Errorf("distances were off by %g and are by %g", before, after)
	}
	// Three nodes that want distances 1, 1 and 4 lie on a line, with u between neighbours. The stress
	// 2 (u - 1)² + (2u - 4)²/16 is least at u = 10/9.
	p := majorize([]Position{{0, 0}, {1, 0.2}, {2, 0}}, mat.NewDense(3, 3, []float64{0, 1, 4, 1, 0, 1, 4, 1, 0}))
	got := distances(spread(3, 3), p)
	if u := 10. / 9; !(math.Abs(got.At(0, 1)-u)+math.Abs(got.At(1, 2)-u)+math.Abs(got.At(0, 2)-2*u) <= 1e-3) {
		t.Errorf("three nodes on a line are at distances\n%v\nwant %g of neighbours", mat.Formatted(got), u)
	}
}

// TestHopsAndSpread by hand: a path of four nodes and one of two that the former cannot reach.
func TestHopsAndSpread(t *testing.T) {
	g := must(FromEdges(6, [][2]int{{0, 1}, {1, 2}, {2, 3}, {4, 5}}))
	want := mat.NewDense(2, 6, []float64{1, 0, 1, 2, 3, 3, 3, 3, 3, 3, 0, 1})
	if got := g.hops([]int{1, 4}); !mat.Equal(got, want) {
		t.Errorf("hops\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(want))
	}
	for _, c := range []struct {
		n, k int
		want []int
	}{{10, 4, []int{0, 2, 5, 7}}, {3, 50, []int{0, 1, 2}}, {7, 2, []int{0, 3}}, {4, 4, []int{0, 1, 2, 3}}} {
		if got := spread(c.n, c.k); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d nodes: %v, want %v", c.k, c.n, got, c.want)
		}
	}
}
