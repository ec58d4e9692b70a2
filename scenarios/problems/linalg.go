package problems

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Short names for the BLAS calls that the oracles are made of, on plain slices.

func vec(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

// gemv sets dst = alpha a x + beta dst.
func gemv(dst []float64, alpha float64, a blas64.General, x []float64, beta float64) {
	blas64.Gemv(blas.NoTrans, alpha, a, vec(x), beta, vec(dst))
}

// gemvT sets dst = alpha a'x + beta dst.
func gemvT(dst []float64, alpha float64, a blas64.General, x []float64, beta float64) {
	blas64.Gemv(blas.Trans, alpha, a, vec(x), beta, vec(dst))
}

func dot(a, b []float64) float64 { return blas64.Dot(vec(a), vec(b)) }

// newGeneral returns an r x c matrix of zeros.
func newGeneral(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}

// rowRange views the rows of a matrix from one on to before another.
func rowRange(a blas64.General, from, to int) blas64.General {
	a.Rows, a.Data = to-from, a.Data[from*a.Stride:]
	return a
}

// grow returns a slice of length n with undefined content, in s's memory if that is
// large enough.
func grow(s []float64, n int) []float64 { return slices.Grow(s[:0], n)[:n] }

// growMatrix is grow for a dense r x c matrix.
func growMatrix(a blas64.General, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: grow(a.Data, r*c)}
}

// rowOf returns row i of a matrix.
func rowOf(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }

// mirror copies the upper triangle of m into the lower one.
func mirror(m blas64.General) {
	for i := range m.Rows {
		for j := range i {
			m.Data[i*m.Stride+j] = m.Data[j*m.Stride+i]
		}
	}
}

func dense(m blas64.General) *mat.Dense { return mat.NewDense(m.Rows, m.Cols, m.Data) }

// sandwich returns a diag(d) b', all n x n.
func sandwich(a blas64.General, d []float64, b blas64.General) blas64.General {
	n := len(d)
	ad, out := newGeneral(n, n), newGeneral(n, n)
	for i := range n {
		for j := range n {
			ad.Data[i*n+j] = a.Data[i*n+j] * d[j]
		}
	}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, ad, b, 0, out)
	return out
}

// gaussian returns an r x c matrix of independent standard normal numbers.
func gaussian(r, c int, rng *rand.Rand) blas64.General {
	m := newGeneral(r, c)
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

// orthogonal returns a uniformly distributed orthogonal n x n matrix: the Q of a
// Gaussian matrix's QR factorization with R's diagonal made positive (Mezzadri 2007).
func orthogonal(n int, rng *rand.Rand) blas64.General {
	var qr mat.QR
	qr.Factorize(dense(gaussian(n, n, rng)))
	var q, r mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	out := newGeneral(n, n)
	for i := range n {
		for j := range n {
			out.Data[i*n+j] = math.Copysign(1, r.At(j, j)) * q.At(i, j)
		}
	}
	return out
}

// sigmoid returns σ(a) = 1/(1 + e^-a) without overflow.
func sigmoid(a float64) float64 {
	if a >= 0 {
		return 1 / (1 + math.Exp(-a))
	}
	e := math.Exp(a)
	return e / (1 + e)
}

// sigmoidSlope returns σ(a) and its derivative.
func sigmoidSlope(a float64) (value, slope float64) {
	value = sigmoid(a)
	return value, value * sigmoid(-a)
}
