package node

import (
	"math/rand/v2"
	"testing"
)

// TestSum3OnEveryProcessor: AVX and SSE2 give the same bits, for any length and alignment.
func TestSum3OnEveryProcessor(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	a, b, c := gauss(100, rng), gauss(100, rng), gauss(100, rng)
	for from := range 5 {
		for to := from; to <= len(a); to++ {
			got, want := gauss(len(a), rng), make([]float64, len(a))
			copy(want, got)
			sum3(got[from:to], 0.3, a[from:to], -1.7, b[from:to], 1e3, c[from:to])
			sum3SSE2(want[from:to], 0.3, a[from:to], -1.7, b[from:to], 1e3, c[from:to])
			if !sameSums(got, want) {
				t.Fatalf("numbers %d to %d: got %v, want %v", from, to, got, want)
			}
		}
	}
}
