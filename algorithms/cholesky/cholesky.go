// Package cholesky factors and solves symmetric positive definite systems of one right-hand side, as gonum's
// mat.Cholesky does and to the same bits, but without the condition number, which takes longer than many
// solves, and without a call of BLAS for each element.
package cholesky

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Factor is U of A = UᵀU, with U upper triangular. The zero value is ready to be set. It holds one n x n matrix.
type Factor struct {
	n       int
	u       []float64 // by rows; below the diagonal it is not used
	inverse []float64 // of U's diagonal
	sparse  bool      // U has zeros above its diagonal
}

// short is the length below which a call takes longer than a loop.
const short = 6

// Set factors a. It reports false, and f must not solve, if a is not positive definite.
func (f *Factor) Set(a *mat.SymDense) bool {
	n := a.SymmetricDim()
	if cap(f.u) < n*n {
		f.u, f.inverse = make([]float64, n*n), make([]float64, n)
	}
	f.n, f.u, f.inverse = n, f.u[:n*n], f.inverse[:n]
	from := a.RawSymmetric() // the upper triangle, as mat makes it
	for i := range n {
		copy(f.u[i*n+i:(i+1)*n], from.Data[i*from.Stride+i:i*from.Stride+n])
	}
	if _, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Data: f.u, Stride: n}); !ok {
		f.n = 0
		return false
	}
	f.sparse = false
	for i := range n {
		f.inverse[i] = 1 / f.u[i*n+i]
		for _, v := range f.u[i*n+i+1 : (i+1)*n] {
			f.sparse = f.sparse || v == 0
		}
	}
	return true
}

// Solve sets dst to A⁻¹ b. dst may be b, but not overlap it otherwise. The lengths must be that of A, which must
// have been factored.
func (f *Factor) Solve(dst, b []float64) {
	n := f.n
	if n == 0 || len(dst) != n || len(b) != n {
		panic(mat.ErrShape)
	}
	copy(dst, b)
	for k := range n { // Uᵀ z = b
		dst[k] *= f.inverse[k]
		row, rest, by := f.u[k*n+k+1:(k+1)*n], dst[k+1:], dst[k]
		if !f.sparse && len(row) >= short && !math.IsNaN(by) {
			floats.AddScaled(rest, -by, row)
			continue
		}
		for i, v := range row {
			if v != 0 { // 0 times an infinity is nothing here, and -0 stays
				rest[i] += -v * by
			}
		}
	}
	for k := n - 1; k >= 0; k-- { // U x = z
		sum, rest := dst[k], dst[k+1:]
		for i, v := range f.u[k*n+k+1 : (k+1)*n] {
			if v != 0 {
				sum += -v * rest[i]
			}
		}
		dst[k] = sum * f.inverse[k]
	}
}
