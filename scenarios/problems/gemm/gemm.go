package gemm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Mul sets dst (r x c) = a (r x n) b (n x c) + beta dst, beta being 0 or 1.
func Mul(dst, a, b blas64.General, beta float64) {
	weights{data: a.Data, sums: a.Rows, next: a.Stride, terms: a.Cols, step: 1}.addRows(dst, b, beta, nil)
}

// MulTransA sets dst (r x c) = a'b + beta dst, where a is n x r, b n x c, and beta 0 or 1. column is scratch of
// length n.
func MulTransA(dst, a, b blas64.General, beta float64, column []float64) {
	weights{data: a.Data, sums: a.Cols, next: 1, terms: a.Rows, step: a.Stride}.addRows(dst, b, beta, column)
}

// MulTransB sets dst (r x c) = a b', where a is r x n and b c x n.
func MulTransB(dst, a, b blas64.General) {
	rows := dotKernel(dst, a, b)
	for i := rows; i < a.Rows; i++ {
		dots(dst.Data[i*dst.Stride:], b, a.Data[i*a.Stride:i*a.Stride+a.Cols])
	}
	if odd := b.Rows % 2; odd == 1 && rows > 0 {
		last := part(b, b.Rows-1, b.Rows, 0, b.Cols)
		for i := range rows {
			dots(dst.Data[i*dst.Stride+b.Rows-1:], last, a.Data[i*a.Stride:i*a.Stride+a.Cols])
		}
	}
}

// dots sets dst to the inner products of v with the rows of b.
func dots(dst []float64, b blas64.General, v []float64) {
	blas64.Gemv(blas.NoTrans, 1, b, vec(v), 0, vec(dst[:b.Rows]))
}

func vec(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

// part views some rows and columns of a matrix.
func part(a blas64.General, fromRow, toRow, fromCol, toCol int) blas64.General {
	a.Rows, a.Cols = toRow-fromRow, toCol-fromCol
	a.Data = a.Data[min(fromRow*a.Stride+fromCol, len(a.Data)):]
	return a
}
