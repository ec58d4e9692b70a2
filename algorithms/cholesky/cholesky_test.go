package cholesky_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms/cholesky"
)

// TestSolvesAsGonum compares every bit with gonum's, for matrices with and without zeros, after larger and smaller
// ones, and for right-hand sides that are not finite or have zeros of either sign.
func TestSolvesAsGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var f cholesky.Factor
	for _, n := range []int{1, 2, 7, 40, 3, 12, 150, 12} {
		for _, zeros := range []float64{0, 0.6, 1} {
			root := mat.NewDense(n, n, nil)
			for i := range n {
				for j := range i {
					if rng.Float64() >= zeros {
						root.Set(i, j, 0.1*rng.NormFloat64())
					}
				}
				root.Set(i, i, 1+rng.Float64())
			}
			a := mat.NewSymDense(n, nil)
			a.SymOuterK(1, root)
			var want mat.Cholesky
			if !want.Factorize(a) || !f.Set(a) {
				t.Fatalf("n = %d: not positive definite", n)
			}
			for name, special := range map[string]float64{"plain": 1, "zero": 0, "negative zero": math.Copysign(0, -1),
				"infinite": math.Inf(-1), "NaN": math.NaN()} {
				b := make([]float64, n)
				for i := range b {
					b[i] = rng.NormFloat64()
				}
				if b[n/3] *= special; special == 0 {
					b = make([]float64, n)
					b[n/3] = special
				}
				x, got := mat.NewVecDense(n, nil), make([]float64, n)
				_ = want.SolveVecTo(x, mat.NewVecDense(n, b))
				f.Solve(got, b)
				bitsOf(t, fmt.Sprintf("n = %d, zeros %g, %s", n, zeros, name), got, x.RawVector().Data)
				f.Solve(b, b)
				bitsOf(t, fmt.Sprintf("n = %d, zeros %g, %s, in place", n, zeros, name), b, got)
			}
		}
	}
}

func bitsOf(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

// TestNotPositiveDefinite: [1 2; 2 1] has the eigenvalue -1. Solve panics without a factor.
func TestNotPositiveDefinite(t *testing.T) {
	for name, act := range map[string]func(f *cholesky.Factor){
		"before": func(f *cholesky.Factor) { f.Solve(make([]float64, 2), make([]float64, 2)) },
		"after": func(f *cholesky.Factor) {
			if !f.Set(mat.NewSymDense(2, []float64{4, 0, 0, 4})) {
				t.Error("4 I is not positive definite")
			}
			if f.Set(mat.NewSymDense(2, []float64{1, 2, 2, 1})) {
				t.Error("[1 2; 2 1] is positive definite")
			}
			f.Solve(make([]float64, 2), make([]float64, 2))
		},
		"short": func(f *cholesky.Factor) {
			if !f.Set(mat.NewSymDense(2, []float64{4, 0, 0, 4})) {
				t.Error("4 I is not positive definite")
			}
			f.Solve(make([]float64, 2), make([]float64, 1))
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: want a panic", name)
				}
			}()
			act(new(cholesky.Factor))
		}()
	}
}
