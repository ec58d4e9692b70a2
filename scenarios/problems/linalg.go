package problems

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Thin names for the BLAS calls that the oracles are made of, on plain slices.

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

// copySym copies the upper triangle of src, which is symmetric.
func copySym(dst *mat.SymDense, src blas64.General) {
	raw := dst.RawSymmetric()
	for i := range src.Rows {
		copy(raw.Data[i*raw.Stride+i:i*raw.Stride+raw.N], src.Data[i*src.Stride+i:i*src.Stride+src.Cols])
	}
}

// newGeneral returns an r x c matrix of zeros.
func newGeneral(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}

// gemm sets dst = alpha a b + beta dst.
func gemm(dst blas64.General, alpha float64, a, b blas64.General, beta float64) {
	blas64.Gemm(blas.NoTrans, blas.NoTrans, alpha, a, b, beta, dst)
}

// gemmT sets dst = alpha a b' + beta dst.
func gemmT(dst blas64.General, alpha float64, a, b blas64.General, beta float64) {
	blas64.Gemm(blas.NoTrans, blas.Trans, alpha, a, b, beta, dst)
}

// gemTm sets dst = alpha a'b + beta dst.
func gemTm(dst blas64.General, alpha float64, a, b blas64.General, beta float64) {
	blas64.Gemm(blas.Trans, blas.NoTrans, alpha, a, b, beta, dst)
}

// grow returns s with length n, keeping its memory where that suffices. The
// content is undefined.
func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// growMatrix is grow for a dense r x c matrix.
func growMatrix(a blas64.General, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: grow(a.Data, r*c)}
}
