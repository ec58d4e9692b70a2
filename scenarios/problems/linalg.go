package problems

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
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

// The matrix products below go row by row through the matrix-vector kernels, which
// process four rows of b at a time. That is about twice as fast as gonum's Gemm on one
// core (v0.17, sizes 49 to 784), allocates nothing, and leaves the other cores to
// other runs.

// blockElements is how much of b is reused at a time: 256 kB, which fits in a
// second-level cache.
const blockElements = 1 << 15

// mul sets dst = a b + beta dst, beta being 0 or 1.
func mul(dst, a, b blas64.General, beta float64) {
	sums := sumsOf(b, a.Rows)
	forBlocks(b, beta, func(k int, part blas64.General, beta float64) {
		for i := range a.Rows {
			at := i*a.Stride + k
			sums.of(dst.Data[i*dst.Stride:i*dst.Stride+b.Cols], part, a.Data[at:at+part.Rows], beta)
		}
	})
}

// mulTransA sets dst = a'b. column is scratch of length a.Rows.
func mulTransA(dst, a, b blas64.General, column []float64) {
	sums := sumsOf(b, a.Cols)
	forBlocks(b, 0, func(k int, part blas64.General, beta float64) {
		col := column[:part.Rows]
		for i := range a.Cols {
			for r := range col {
				col[r] = a.Data[(k+r)*a.Stride+i]
			}
			sums.of(dst.Data[i*dst.Stride:i*dst.Stride+b.Cols], part, col, beta)
		}
	})
}

// weightedSums are sums of rows of a matrix. Features are often 0, four fifths of a digit's pixels for example:
// where all rows are finite, those with weight 0 are left out. That changes no bit, since a term of ±0 changes none
// of a sum that began with +0.
type weightedSums struct{ skip bool }

// sumsOf prepares some sums of rows of b. Whether b is finite is worth a look for many sums only.
func sumsOf(b blas64.General, sums int) weightedSums {
	return weightedSums{skip: sums >= 8 && finiteRows(b)}
}

// of sets dst = rows' weights + beta dst, beta being 0 or 1.
func (s weightedSums) of(dst []float64, rows blas64.General, weights []float64, beta float64) {
	if !s.skip || !slices.Contains(weights, 0) {
		gemvT(dst, 1, rows, weights, beta)
		return
	}
	if beta == 0 {
		clear(dst)
	}
	for from := 0; from < len(weights); {
		to := from
		for to < len(weights) && weights[to] != 0 {
			to++
		}
		if to > from {
			part := rows
			part.Rows, part.Data = to-from, rows.Data[from*rows.Stride:]
			gemvT(dst, 1, part, weights[from:to], 1)
		}
		from = to + 1
	}
}

// finiteRows reports whether all numbers are finite, and so is the sum of every row.
func finiteRows(a blas64.General) bool {
	for i := range a.Rows {
		if v := floats.Sum(a.Data[i*a.Stride : i*a.Stride+a.Cols]); v-v != 0 {
			return false
		}
	}
	return true
}

// forBlocks calls f with blocks of rows of b that stay in the cache, k being the index
// of a block's first row. The first call gets the given beta, all others 1.
func forBlocks(b blas64.General, beta float64, f func(k int, part blas64.General, beta float64)) {
	rows := max(4, blockElements/max(b.Cols, 1))
	for k := 0; k < b.Rows; k += rows {
		part := b
		part.Rows = min(rows, b.Rows-k)
		part.Data = b.Data[k*b.Stride:]
		f(k, part, beta)
		beta = 1
	}
}

// mulTransB sets dst = a b'.
func mulTransB(dst, a, b blas64.General) {
	for i := range a.Rows {
		gemv(dst.Data[i*dst.Stride:i*dst.Stride+b.Rows], 1, b, a.Data[i*a.Stride:i*a.Stride+a.Cols], 0)
	}
}

// grow returns a slice of length n with undefined content, in s's memory if that is
// large enough.
func grow(s []float64, n int) []float64 { return slices.Grow(s[:0], n)[:n] }

// growMatrix is grow for a dense r x c matrix.
func growMatrix(a blas64.General, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: grow(a.Data, r*c)}
}
