// Package gemm multiplies matrices of float64, stored by rows.
//
// A product runs on one goroutine and allocates nothing. It rounds like the matrix-vector products of
// gonum.org/v1/gonum/blas/gonum, row by row: it fuses no multiplication with an addition, and adds in the same
// order. So results have the same bits with and without the assembly kernels.
package gemm
