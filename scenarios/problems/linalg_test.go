package problems

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// sparse returns an r x c matrix in which four of five numbers are 0.
func sparse(r, c int, rng *rand.Rand) blas64.General {
	m := newGeneral(r, c)
	for i := range m.Data {
		if rng.IntN(5) == 0 {
			m.Data[i] = rng.NormFloat64()
		}
	}
	return m
}

// TestProductsLeaveOutZeros: the products over the weights other than 0 have the bits of those over all, and what is
// not finite shows wherever it would.
func TestProductsLeaveOutZeros(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, worst := range []float64{1, math.Inf(1), math.NaN()} {
		for _, n := range []int{1, 7, 8, 50, 300} {
			a, b := sparse(n, n+3, rng), newGeneral(n+3, 131)
			for i := range b.Data {
				b.Data[i] = rng.NormFloat64()
			}
			b.Data[len(b.Data)/2] = worst
			for _, beta := range []float64{0, 1} {
				got, want := sparse(n, 131, rng), newGeneral(n, 131)
				copy(want.Data, got.Data)
				for i := range n {
					gemvT(want.Data[i*131:(i+1)*131], 1, b, a.Data[i*a.Stride:i*a.Stride+a.Cols], beta)
				}
				mul(got, a, b, beta)
				mustSameBits(t, "a b", got, want)
			}
			b.Rows = n
			got, want, column := sparse(n+3, 131, rng), newGeneral(n+3, 131), make([]float64, n)
			for i := range n + 3 {
				for r := range column {
					column[r] = a.Data[r*a.Stride+i]
				}
				gemvT(want.Data[i*131:(i+1)*131], 1, b, column, 0)
			}
			mulTransA(got, a, b, column)
			mustSameBits(t, "a'b", got, want)
		}
	}
}

func mustSameBits(t *testing.T, what string, got, want blas64.General) {
	t.Helper()
	for i, w := range want.Data {
		if g := got.Data[i]; math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
			t.Fatalf("%s of %d rows, number %d: got %v, want %v", what, want.Rows, i, g, w)
		}
	}
}
