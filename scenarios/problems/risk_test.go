package problems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
)

// TestHingeByHand: u is 1 - t z. At the kinks, u = 0 and u = width, the second derivative is 0.
func TestHingeByHand(t *testing.T) {
	for _, c := range []struct{ width, z, t, value, d1, d2 float64 }{
		{0, 2, 1, 0, 0, 0}, {0, 1, 1, 0, 0, 0}, {0, 0.5, 1, 0.5, -1, 0}, {0, -1, -1, 0, 0, 0}, {0, 0, -1, 1, 1, 0},
		{0.5, 1, 1, 0, 0, 0}, {0.5, 0.75, 1, 0.0625, -0.5, 2}, {0.5, 0.5, 1, 0.25, -1, 0}, {0.5, 0, 1, 0.75, -1, 0},
		{0.5, -0.75, -1, 0.0625, 0.5, 2}, {0.5, -0.5, -1, 0.25, 1, 0}, {0.5, -1, -1, 0, 0, 0},
	} {
		l := loss{kind: hinge, width: c.width}
		d1, d2 := l.derivatives(c.z, c.t)
		if v := l.value(c.z, c.t); v != c.value || d1 != c.d1 || d2 != c.d2 {
			t.Errorf("%+v: %g with derivatives %g and %g", c, v, d1, d2)
		}
	}
}

// TestLargestMatrix: a matrix of 2^25 elements is formed; a larger one exceeds the limit.
func TestLargestMatrix(t *testing.T) {
	panics := func(limited bool, rows, cols int) (panics bool) {
		defer func() { panics = recover() != nil }()
		(&oracle{limited: limited}).mustForm("Hessian", rows, cols)
		return false
	}
	if panics(true, 1<<13, 1<<12) || !panics(true, 1<<13+1, 1<<12) || panics(false, 1<<13+1, 1<<12) {
		t.Error("the limit is not 2^25 elements")
	}
}

// TestUnknownCalls checks that the number after the last call is rejected.
func TestUnknownCalls(t *testing.T) {
	for _, c := range []metrics.Call{metrics.NumCalls, metrics.NumCalls + 1} {
		func() {
			defer func() {
				if got, want := fmt.Sprint(recover()), fmt.Sprintf("problems: unknown oracle call %d", c); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}()
			InstanceS().Local(0).Flops(c, 1)
		}()
	}
}

// TestOrthogonal checks the QR decomposition: the matrix turns the Gaussian one into a triangle with a positive
// diagonal.
func TestOrthogonal(t *testing.T) {
	const n = 5
	u, g := orthogonal(n, rand.New(rand.NewPCG(1, 2))), gaussian(n, n, rand.New(rand.NewPCG(1, 2)))
	for i := range n {
		for j := range n {
			dot, r := 0.0, 0.0
			for k := range n {
				dot += u.Data[k*n+i] * u.Data[k*n+j]
				r += u.Data[k*n+i] * g.Data[k*n+j]
			}
			if want := map[bool]float64{true: 1}[i == j]; math.Abs(dot-want) > 1e-12 {
				t.Errorf("columns %d and %d have the product %g", i, j, dot)
			}
			if i > j && math.Abs(r) > 1e-12 || i == j && !(r > 0) {
				t.Errorf("the triangle has %g at %d, %d", r, i, j)
			}
		}
	}
}

// TestSpectraOfOneNumber: a single unknown has the eigenvalue 1 for any condition; three are geometrically spaced.
func TestSpectraOfOneNumber(t *testing.T) {
	for dim, want := range map[int][]float64{1: {1}, 3: {1, 1. / 4, 1. / 16}} {
		c, err := NewConditioned(ConditionedConfig{Nodes: 1, Dim: dim, Condition: 16, Shape: "convex", Power: 4,
			Distance: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.h, want) {
			t.Errorf("%d unknowns: eigenvalues %v, want %v", dim, c.h, want)
		}
	}
	one := drawInner(QuadraticConfig{P: 1, Q: 1, Condition: 16}, rand.New(rand.NewPCG(1, 2)))
	if math.Abs(one.h.Data[0]-1) > 1e-15 {
		t.Errorf("a quadratic of one unknown has the eigenvalue %g", one.h.Data[0])
	}
}

// TestSameBits: cached values belong to a point, bit by bit. -0 differs from 0, and NaN equals itself.
func TestSameBits(t *testing.T) {
	nan, zero := math.NaN(), 0.
	for _, c := range []struct {
		a, b []float64
		want bool
	}{
		{nil, nil, true}, {[]float64{1, nan}, []float64{1, nan}, true}, {[]float64{zero}, []float64{zero}, true},
		{[]float64{zero}, []float64{math.Copysign(0, -1)}, false}, {[]float64{1, 2}, []float64{1, 3}, false},
		{[]float64{1, 2}, []float64{2, 2}, false}, {[]float64{1}, []float64{1, 2}, false},
		{[]float64{1, 2}, []float64{1}, false},
	} {
		if got := sameBits(c.a, c.b); got != c.want {
			t.Errorf("%v and %v are the same: %v", c.a, c.b, got)
		}
	}
}

// TestRowsOfMatrices checks that all rows of a matrix are complete, and that a missing matrix is zero.
func TestRowsOfMatrices(t *testing.T) {
	for _, c := range []struct {
		rows [][]float64
		want string
	}{
		{nil, ""}, {[][]float64{{1, 2}, {3, 4}}, ""}, {[][]float64{{1, 2}}, "h: 1 rows, want 2"},
		{[][]float64{{1, 2}, nil}, "h[1]"}, {[][]float64{{1}, {2, 3}}, "h[0]"},
	} {
		m, err := quadMatrix("h", c.rows, 2, 2)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v: %v, %v", c.rows, m, err)
		}
		if err == nil && !slices.Equal(m.Data, append(slices.Concat(c.rows...), make([]float64, 4)...)[:4]) {
			t.Errorf("%v: %v", c.rows, m.Data)
		}
	}
}
