package algorithms

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/node"
)

// conjugateGradient is the method of Hestenes and Stiefel (1952) for A x = b with a
// symmetric positive definite A that is known by its products.
type conjugateGradient struct {
	p          *node.Proc
	tolerance  float64 // of ||b - A x|| relative to ||b||
	iterations int     // at most
	advice     string  // the error if A is not positive definite
	r, d, ad   []float64
}

func newConjugateGradient(p *node.Proc, n int, tolerance float64, iterations int, advice string) *conjugateGradient {
	return &conjugateGradient{p, tolerance, iterations, advice, zeros(n), zeros(n), zeros(n)}
}

const (
	// roundingResidual is the relative residual below which the sign of a curvature may be rounding.
	roundingResidual = 1e-10
	// leastResidual is a residual whose square is still far above the smallest float.
	leastResidual = 1e-145
)

// solve improves x (n), which holds the first guess. It takes one product for the
// first residual, unless warm is false (then x is set to 0), and one per iteration. Like a
// Cholesky factorization, it fails if it finds that A is not positive definite.
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
	norm := floats.Norm(b, 2)
	stop := max(s.tolerance*norm, leastResidual)
	for range s.iterations {
		if !(math.Sqrt(rr) > stop) {
			return
		}
		product(s.ad, s.d)
		curvature := floats.Dot(s.d, s.ad)
		if curvature <= 0 {
			if math.Sqrt(rr) > roundingResidual*norm {
				s.p.Fail(errors.New(s.advice))
			}
			return
		}
		step := rr / curvature
		floats.AddScaled(x, step, s.d)
		floats.AddScaled(s.r, -step, s.ad)
		next := floats.Dot(s.r, s.r)
		floats.AddScaledTo(s.d, s.r, next/rr, s.d)
		rr = next
	}
}
