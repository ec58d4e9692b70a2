package problems

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
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
