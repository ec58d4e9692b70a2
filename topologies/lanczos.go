package topologies

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/sim"
)

// ends holds the extreme eigenvalues of I - W on the vectors that sum to zero.
type ends struct {
	low, high                 float64
	lowResidual, highResidual float64 // each bounds the distance to a true eigenvalue
	steps                     int
	converged                 bool
}

// lanczos runs the three-term Lanczos recurrence on I - W, and projects out the vector of ones at each step. It
// keeps no basis and does not reorthogonalize: a ring of 10,000 nodes needs tens of thousands of steps, whose
// basis would not fit. The price is copies of eigenvalues that were already found, which do not move the two
// ends (Paige, Linear Algebra and its Applications 34, 1980).
//
// It uses I - W, not W: the smallest eigenvalue is then 1 - λ2 itself, and the product is formed from
// differences of neighbours, so that nothing near 1 is rounded.
func (m *Mixing) lanczos(maxSteps int) ends {
	n := m.Nodes()
	v, prev, next := make([]float64, n), make([]float64, n), make([]float64, n)
	rng := sim.Stream(0, "lanczos")
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	center(v)
	floats.Scale(1/floats.Norm(v, 2), v)

	var t tridiagonal
	var beta float64
	for check := 1; ; {
		m.laplacianMul(next, v)
		floats.AddScaled(next, -beta, prev)
		alpha := floats.Dot(next, v)
		floats.AddScaled(next, -alpha, v)
		center(next)
		beta = math.Sqrt(floats.Dot(next, next))
		t.diag = append(t.diag, alpha)

		exhausted := beta < 1e-14 // v spans an invariant subspace: the ends are exact
		if k := len(t.diag); k >= check || k >= maxSteps || exhausted {
			e := t.ends(beta)
			if e.converged = e.converged || exhausted; e.converged || k >= maxSteps {
				return e
			}
			check = k + 1 + k/8
		}
		t.off = append(t.off, beta)
		floats.Scale(1/beta, next)
		prev, v, next = v, next, prev
	}
}

// center projects out the vector of ones.
func center(v []float64) {
	floats.AddConst(-floats.Sum(v)/float64(len(v)), v)
}

// laplacianMul sets dst = (I - W) x, as sum_j w_ij (x_i - x_j).
func (m *Mixing) laplacianMul(dst, x []float64) {
	start, list := m.graph.adj.start, m.graph.adj.list
	for i, xi := range x {
		a, b := start[i], start[i+1]
		w := m.w[a:b]
		var sum float64
		for k, j := range list[a:b] {
			sum += w[k] * (xi - x[j])
		}
		dst[i] = sum
	}
}

// tridiagonal is a symmetric tridiagonal matrix with positive off-diagonal.
type tridiagonal struct {
	diag []float64 // k
	off  []float64 // k-1
}

// ends returns the extreme eigenvalues of t, with their residuals in the matrix from which t was made: beta,
// the next off-diagonal element, times the last entry of t's eigenvector.
func (t *tridiagonal) ends(beta float64) ends {
	k := len(t.diag)
	e := ends{low: t.eigenvalue(0), high: t.eigenvalue(k - 1), steps: k}
	e.lowResidual = beta * t.lastEntry(e.low)
	e.highResidual = beta * t.lastEntry(e.high)
	good := func(residual, distance float64) bool { return residual <= max(1e-8*distance, 1e-14) }
	e.converged = good(e.lowResidual, e.low) && good(e.highResidual, 2-e.high)
	return e
}

// eigenvalue returns eigenvalue i, counted from the smallest, by bisection in [-1, 3], which contains the
// spectrum of I - W with a margin for rounding.
func (t *tridiagonal) eigenvalue(i int) float64 {
	low, high := -1.0, 3.0
	for range 100 {
		mid := low + (high-low)/2
		if mid == low || mid == high || high-low < 1e-17 {
			break
		}
		if t.below(mid) > i {
			high = mid
		} else {
			low = mid
		}
	}
	return low + (high-low)/2
}

// below counts the eigenvalues smaller than x: the negative pivots of t - x (Sylvester).
func (t *tridiagonal) below(x float64) int {
	const tiny = 1e-300
	negative := 0
	pivot := 1.0
	for k, d := range t.diag {
		var b float64
		if k > 0 {
			b = t.off[k-1]
		}
		pivot = d - x - b*b/pivot
		if math.Abs(pivot) < tiny {
			pivot = -tiny
		}
		if pivot < 0 {
			negative++
		}
	}
	return negative
}

// lastEntry returns the magnitude of the last entry of the unit eigenvector for the eigenvalue x, by inverse
// iteration.
func (t *tridiagonal) lastEntry(x float64) float64 {
	k := len(t.diag)
	if k == 1 {
		return 1
	}
	shifted := make([]float64, k)
	v := mat.NewVecDense(k, nil)
	for nudge := 0.0; ; nudge = 2*nudge + 1e-16 { // away from an eigenvalue that x hits exactly
		for i, d := range t.diag {
			shifted[i] = d - (x - nudge)
			v.SetVec(i, 1)
		}
		if inverseIterate(mat.NewTridiag(k, t.off, shifted, t.off), v) {
			return math.Abs(v.AtVec(k - 1))
		}
	}
}

// inverseIterate turns v towards the unit eigenvector of a's eigenvalue nearest to zero. It returns false if a
// is singular to the last bit.
func inverseIterate(a *mat.Tridiag, v *mat.VecDense) bool {
	for range 3 {
		if err := a.SolveVecTo(v, false, v); err != nil {
			return false
		}
		v.ScaleVec(1/mat.Norm(v, math.Inf(1)), v) // first, so that squares cannot overflow
		v.ScaleVec(1/mat.Norm(v, 2), v)
	}
	return true
}
