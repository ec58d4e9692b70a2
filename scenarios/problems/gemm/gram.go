package gemm

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Gram computes products of a matrix with itself. It reuses its scratch space.
type Gram struct {
	factors []float64
	at      []int
}

// Set sets the upper triangle of dst (n x n) to a'a, where a is m x n, with the same bits as gonum's Dsyrk. It leaves
// the triangle below the diagonal alone.
func (g *Gram) Set(dst blas64.Symmetric, a blas64.General) {
	if len(g.at) < gramColumns*a.Rows {
		g.factors, g.at = make([]float64, gramColumns*a.Rows), make([]int, gramColumns*a.Rows)
	}
	for from := 0; from < a.Cols; from += gramColumns {
		part := part(a, 0, a.Rows, from, min(from+gramColumns, a.Cols))
		counts := g.nonZero(part)
		for c, n := range counts[:part.Cols] {
			i, first := from+c, c*a.Rows
			row := dst.Data[i*dst.Stride+i : i*dst.Stride+dst.N]
			factors, at := g.factors[first:first+n], g.at[first:first+n]
			if sumKernelAt(row, factors, at, part.Data[c:]) {
				continue
			}
			clear(row)
			for k, v := range factors {
				blas64.Axpy(v, vec(a.Data[at[k]+i:at[k]+a.Cols]), vec(row))
			}
		}
	}
}

// gramColumns is the number of columns that nonZero scans at once: those of one cache line.
const gramColumns = 8

// nonZero stores the nonzero elements of up to gramColumns columns in factors, column by column, and the offsets of
// their rows in at. It returns the number of them in each column. Dsyrk skips zeros, too.
func (g *Gram) nonZero(a blas64.General) (n [gramColumns]int) {
	for k := range a.Rows {
		for c, v := range a.Data[k*a.Stride : k*a.Stride+a.Cols] {
			to := c*a.Rows + n[c]
			g.factors[to], g.at[to] = v, k*a.Stride // the next element overwrites a zero
			magnitude := math.Float64bits(v) << 1
			n[c] += int((magnitude | -magnitude) >> 63) // 1 if v is not 0
		}
	}
	return n
}
