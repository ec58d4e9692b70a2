package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// BenchmarkProducts multiplies the matrices of gradients of softmax regression on digits, and square ones; "gonum"
// uses gonum's matrix-vector products row by row. It reports products of two numbers per nanosecond.
func BenchmarkProducts(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	matrix := func(rows, cols int) blas64.General {
		m := blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
		for i := range m.Data {
			m.Data[i] = rng.NormFloat64()
		}
		return m
	}
	for _, size := range [][3]int{{10, 100, 784}, {10, 20000, 785}, {200, 300, 784}, {784, 784, 784}, {100, 49, 49}} {
		r, n, c := size[0], size[1], size[2]
		out, left, right := matrix(r, c), matrix(n, r), matrix(n, c)
		back, column := matrix(n, r), make([]float64, n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%dx%dx%d", name, r, n, c), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(r*n*c)/float64(b.Elapsed().Nanoseconds())*float64(b.N), "products/ns")
			})
		}
		run("transA", func() { MulTransA(out, left, right, 0, column) })
		run("transA gonum", func() {
			w := weights{data: left.Data, sums: r, next: 1, terms: n, step: left.Stride}
			w.rowByRow(out, right, 0, addTerms, column)
		})
		run("transB", func() { MulTransB(back, right, out) })
		run("transB gonum", func() {
			for i := range n {
				dots(back.Data[i*back.Stride:], out, right.Data[i*right.Stride:i*right.Stride+c])
			}
		})
	}
}

// BenchmarkGram multiplies 100 digits of 784 pixels, four fifths of them 0, with themselves.
func BenchmarkGram(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := blas64.General{Rows: 100, Cols: 784, Stride: 784, Data: make([]float64, 100*784)}
	for i := range x.Data {
		if rng.IntN(5) == 0 {
			x.Data[i] = rng.Float64()
		}
	}
	dst := blas64.Symmetric{Uplo: blas.Upper, N: 784, Stride: 784, Data: make([]float64, 784*784)}
	b.Run("ours", func(b *testing.B) {
		var g Gram
		for b.Loop() {
			g.Set(dst, x)
		}
	})
	b.Run("gonum", func(b *testing.B) {
		for b.Loop() {
			blas64.Syrk(blas.Trans, 1, x, 0, dst)
		}
	})
}
