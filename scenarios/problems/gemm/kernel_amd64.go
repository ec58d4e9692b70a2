package gemm

import (
	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/blas/blas64"
)

// sumKernel does addRows for the largest even number of rows and the largest multiple of 16 columns, and returns
// both. The caller does the rest.
func sumKernel(dst blas64.General, w weights, b blas64.General, beta float64) (rows, cols int) {
	rows, cols = w.sums&^1, b.Cols&^15
	if !cpu.X86.HasAVX2 || rows == 0 || cols == 0 || w.terms == 0 {
		return 0, 0
	}
	if beta == 0 {
		for i := range rows {
			clear(dst.Data[i*dst.Stride : i*dst.Stride+cols])
		}
	}
	for k := 0; k < w.terms; k += blockTerms {
		terms := min(blockTerms, w.terms-k)
		for c := 0; c < cols; c += 16 {
			for r := 0; r < rows; r += 2 {
				sums2x16AVX2(&dst.Data[r*dst.Stride+c], dst.Stride, &w.data[r*w.next+k*w.step], w.next, w.step,
					&b.Data[k*b.Stride+c], b.Stride, terms)
			}
		}
	}
	return rows, cols
}

// blockTerms is the number of rows of b that are added at a time. 16 columns of them fit in a first-level cache, and
// their addresses in its translation table.
const blockTerms = 64

// dotKernel sets the inner products of the largest multiple of 8 rows of a with an even number of rows of b. It
// returns that number of rows of a.
func dotKernel(dst, a, b blas64.General) (rows int) {
	rows = a.Rows &^ 7
	if !cpu.X86.HasAVX2 || rows == 0 || b.Rows < 2 || a.Cols < 2 {
		return 0
	}
	block := max(2, blockElements/a.Cols&^1)
	for from := 0; from+1 < b.Rows; from += block {
		to := min(from+block, b.Rows&^1)
		for i := 0; i < rows; i += 8 {
			for j := from; j < to; j += 2 {
				dots8x2(dst, a, b, i, j)
			}
		}
	}
	return rows
}

// dots8x2 sets the inner products of 8 rows of a from i on with two rows of b from j on. An odd number is added last,
// as gonum does.
func dots8x2(dst, a, b blas64.General, i, j int) {
	var sums [8][4]float64
	dots8x2AVX2(&sums, &a.Data[i*a.Stride], a.Stride, &b.Data[j*b.Stride], b.Stride, a.Cols/2)
	for r, s := range sums {
		at := (i+r)*dst.Stride + j
		dst.Data[at], dst.Data[at+1] = s[0]+s[1], s[2]+s[3]
	}
	if last := a.Cols - 1; last%2 == 0 {
		for r := range sums {
			at, v := (i+r)*dst.Stride+j, a.Data[(i+r)*a.Stride+last]
			dst.Data[at] += float64(b.Data[j*b.Stride+last] * v)
			dst.Data[at+1] += float64(b.Data[(j+1)*b.Stride+last] * v)
		}
	}
}

// sumKernelAt sets dst to the sum of the vectors that begin at the offsets at of b, times their factors. It reports
// whether it could.
func sumKernelAt(dst, factors []float64, at []int, b []float64) bool {
	if !cpu.X86.HasAVX2 || len(factors) == 0 || len(dst) < 16 {
		return false
	}
	for from := 0; from < len(dst); from += 16 {
		from := min(from, len(dst)-16) // the last ones overlap with those before
		sumsAt16AVX2(&dst[from], &factors[0], &at[0], &b[from], len(factors))
	}
	return true
}

// sums2x16AVX2 adds to 2 rows of 16 numbers n rows of b, times w[0], w[step], ... for the first row and
// w[next], w[next+step], ... for the second. Strides count numbers.
//
//go:noescape
func sums2x16AVX2(dst *float64, dstStride int, w *float64, next, step int, b *float64, bStride, n int)

// dots8x2AVX2 sets, for each of 8 rows of a, the two parts of its inner products with two rows of b: those of
// the numbers 0, 2, ... and 1, 3, ..., n of them each.
//
//go:noescape
func dots8x2AVX2(sums *[8][4]float64, a *float64, aStride int, b *float64, bStride, n int)

// sumsAt16AVX2 sets 16 numbers to the sums of w[0] b[at[0]:], w[1] b[at[1]:] and so on, n of them.
//
//go:noescape
func sumsAt16AVX2(dst, w *float64, at *int, b *float64, n int)
