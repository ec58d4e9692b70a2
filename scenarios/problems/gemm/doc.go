// Package gemm multiplies matrices of float64, stored by rows.
//
// Every product is of one goroutine, allocates nothing, and rounds as the matrix-vector products
// of gonum.org/v1/gonum/blas/gonum do, row by row: no product is fused with a sum, and every sum is in the same
// order, so that results have the same bits with and without the kernels of a processor.
package gemm
