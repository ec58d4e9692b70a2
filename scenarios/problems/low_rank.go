package problems

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// diagonalPlus solves with A = D + S'S, D > 0 diagonal, by the identity of Woodbury in a
// symmetric form: with T = S D^-1/2,
//
//	A⁻¹ = D^-1/2 (I - T' (I + T T')⁻¹ T) D^-1/2
//
// I + T T' is positive definite for any data. One step of iterative refinement corrects the
// cancellation in the difference where S'S is much larger than D.
type diagonalPlus struct {
	diag []float64      // q; D
	root []float64      // q; D^-1/2
	s    blas64.General // r x q; T after factor
	k    blas64.General // r x r; the Cholesky factor of I + T T', lower triangle
	u    []float64      // scratch, r
	z, e []float64      // scratch, q
}

func (a *diagonalPlus) resize(r, q int) {
	a.diag, a.root, a.z, a.e = grow(a.diag, q), grow(a.root, q), grow(a.z, q), grow(a.e, q)
	a.s, a.k, a.u = growMatrix(a.s, r, q), growMatrix(a.k, r, r), grow(a.u, r)
}

// factor replaces the matrix by scale times itself plus shift I. It returns false where the
// diagonal is not positive or a number is not finite.
func (a *diagonalPlus) factor(scale, shift float64) bool {
	for b, d := range a.diag {
		d = scale*d + shift
		if !(d > 0) || math.IsInf(d, 1) {
			return false
		}
		a.diag[b], a.root[b] = d, math.Sqrt(scale/d)
	}
	for i := range a.s.Rows {
		row := rowOf(a.s, i)
		floats.Mul(row, a.root)
		// The row's products with itself and all rows above.
		above := blas64.General{Rows: i + 1, Cols: a.s.Cols, Stride: a.s.Stride, Data: a.s.Data}
		products := a.k.Data[i*a.k.Stride : i*a.k.Stride+i+1]
		gemv(products, 1, above, row, 0)
		products[i]++
		if v := floats.Sum(products); v-v != 0 {
			return false
		}
	}
	for b := range a.root {
		a.root[b] = 1 / math.Sqrt(a.diag[b])
	}
	_, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: a.k.Rows, Stride: a.k.Stride, Data: a.k.Data})
	return ok
}

// solve sets dst = A⁻¹ b.
func (a *diagonalPlus) solve(dst, b []float64) {
	a.apply(dst, b)
	a.residual(b, dst)
	a.apply(a.e, a.z)
	floats.Add(dst, a.e)
}

// apply sets dst to the solution for b by the identity. It may be given z as b.
func (a *diagonalPlus) apply(dst, b []float64) {
	floats.MulTo(dst, a.root, b)
	gemv(a.u, 1, a.s, dst, 0)
	lower := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: a.k.Rows, Stride: a.k.Stride, Data: a.k.Data}
	blas64.Trsv(blas.NoTrans, lower, vec(a.u))
	blas64.Trsv(blas.Trans, lower, vec(a.u))
	gemvT(dst, -1, a.s, a.u, 1)
	floats.Mul(dst, a.root)
}

// residual sets z = b - A v.
func (a *diagonalPlus) residual(b, v []float64) {
	floats.DivTo(a.z, v, a.root) // D^1/2 v
	gemv(a.u, 1, a.s, a.z, 0)
	gemvT(a.z, 1, a.s, a.u, 1)
	for j, r := range a.root {
		a.z[j] = b[j] - a.z[j]/r
	}
}
