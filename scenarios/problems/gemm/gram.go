package gemm

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Gram computes products of a matrix with itself. It keeps scratch from one to the next.
type Gram struct {
	factors []float64
	at      []int
}

// Set sets the upper triangle of dst (n x n) to a'a, where a is m x n, to the bits of gonum's Dsyrk. The
// triangle below the diagonal stays as it is.
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

// gramColumns are looked through at once: as many numbers as are read from memory together.
const gramColumns = 8

// nonZero notes the numbers of up to gramColumns columns that are not 0, each column's after the other's, and where
// their rows begin. It returns how many each column has. What is 0 is left out by Dsyrk, too.
func (g *Gram) nonZero(a blas64.General) (n [gramColumns]int) {
	for k := range a.Rows {
		for c, v := range a.Data[k*a.Stride : k*a.Stride+a.Cols] {
			to := c*a.Rows + n[c]
			g.factors[to], g.at[to] = v, k*a.Stride // to be written over by the next, if it is 0
			magnitude := math.Float64bits(v) << 1
			n[c] += int((magnitude | -magnitude) >> 63) // 1, if it is not
		}
	}
	return n
}
