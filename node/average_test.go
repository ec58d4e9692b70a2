package node

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"tallynet/channel"
)

// TestWeightedSums compares averages bit by bit with sums over all terms in their order.
func TestWeightedSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pool := &channel.Pool{Codec: channel.Float64{}}
	for senders := range 6 {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 1000, 4096, 5001} {
			x, weights := gauss(n, rng), gauss(senders, rng)
			want := make([]float64, n)
			for i, v := range x {
				want[i] = 0.3 * v
			}
			var m []*channel.Message
			for k := range senders {
				m = append(m, pool.New(0, []channel.Part{channel.Vec("x", gauss(n, rng))}, 1))
				for i, v := range m[k].Vec(0) {
					want[i] = want[i] + float64(weights[k]*v)
				}
			}
			average(x, 0, 0.3, x, weights, m)
			if !sameSums(x, want) {
				t.Errorf("%d senders of %d numbers: got %v, want %v", senders, n, x, want)
			}
		}
	}
}

// sameSums compares bits on processors that do not fuse products with sums.
func sameSums(got, want []float64) bool {
	for i, v := range want {
		apart := math.Abs(got[i] - v)
		if runtime.GOARCH == "amd64" && apart != 0 || !(apart <= 1e-14) {
			return false
		}
	}
	return true
}

func gauss(n int, rng *rand.Rand) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}
