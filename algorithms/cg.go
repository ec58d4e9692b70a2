package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// conjugateGradient is the method of Hestenes and Stiefel (1952) for A x = b with a
// symmetric positive definite A that is known by its products.
type conjugateGradient struct {
	tolerance  float64 // of ||b - A x|| relative to ||b||
	iterations int     // at most
	r, d, ad   []float64
}

func newConjugateGradient(n int, tolerance float64, iterations int) *conjugateGradient {
	return &conjugateGradient{tolerance, iterations, zeros(n), zeros(n), zeros(n)}
}

// solve improves x (n), which holds the first guess. It takes one product for the
// first residual, unless warm is false (then x is set to 0), and one per iteration.
func (s *conjugateGradient) solve(x, b []float64, warm bool, product func(dst, v []float64)) {
	if warm {
		product(s.ad, x)
		floats.SubTo(s.r, b, s.ad)
	} else {
		clear(x)
		copy(s.r, b)
	}
	copy(s.d, s.r)
	rr := floats.Dot(s.r, s.r)
	stop := s.tolerance * floats.Norm(b, 2)
	for range s.iterations {
		if !(math.Sqrt(rr) > stop) {
			return
		}
		product(s.ad, s.d)
		step := rr / floats.Dot(s.d, s.ad)
		floats.AddScaled(x, step, s.d)
		floats.AddScaled(s.r, -step, s.ad)
		next := floats.Dot(s.r, s.r)
		floats.AddScaledTo(s.d, s.r, next/rr, s.d)
		rr = next
	}
}
