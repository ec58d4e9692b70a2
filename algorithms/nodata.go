package algorithms

import (
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// NoData returns the Local of a server. It has dimensions, so that the server knows the sizes of the vectors
// that it averages. Every other call is a bug of the method and panics.
func NoData(p, q int) Local { return noData{p, q} }

type noData struct{ p, q int }

func (n noData) Dims() (p, q int)          { return n.p, n.q }
func (n noData) Samples() (val, train int) { return 0, 0 }
func (n noData) SetBatch([]int, []int)     {}

func (noData) none() { panic("algorithms: node holds no data: a server has no oracle to call") }

func (n noData) F(_, _ []float64) float64                { n.none(); return 0 }
func (n noData) G(_, _ []float64) float64                { n.none(); return 0 }
func (n noData) GradFx(_, _, _ []float64)                { n.none() }
func (n noData) GradFy(_, _, _ []float64)                { n.none() }
func (n noData) GradGx(_, _, _ []float64)                { n.none() }
func (n noData) GradGy(_, _, _ []float64)                { n.none() }
func (n noData) HessGyyMul(_, _, _, _ []float64)         { n.none() }
func (n noData) JacGxyMul(_, _, _, _ []float64)          { n.none() }
func (n noData) HessGyy(_ *mat.SymDense, _, _ []float64) { n.none() }
func (n noData) JacGxy(_ *mat.Dense, _, _ []float64)     { n.none() }
func (n noData) Flops(_ metrics.Call, _ int) float64     { n.none(); return 0 }
