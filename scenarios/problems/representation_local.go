package problems

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

type representationLocal struct {
	p, q, h    int
	ridge      float64
	encoder    encoder
	val, train *encoded
	unit, row  []float64 // scratch of JacGxy
}

func (l *representationLocal) Dims() (p, q int)          { return l.p, l.q }
func (l *representationLocal) Samples() (val, train int) { return l.val.len(), l.train.len() }

func (l *representationLocal) SetBatch(val, train []int) {
	l.val.setBatch(val)
	l.train.setBatch(train)
}

func (l *representationLocal) point(x, y []float64) {
	mustLen("x", x, l.p)
	mustLen("y", y, l.q)
}

func (l *representationLocal) F(x, y []float64) float64 {
	l.point(x, y)
	return l.val.at(x).value(y)
}

func (l *representationLocal) G(x, y []float64) float64 {
	l.point(x, y)
	return l.train.at(x).value(y) + l.ridge/2*dot(y, y)
}

func (l *representationLocal) GradFx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	r := l.val.at(x)
	l.val.back(dst, l.h, func(delta blas64.General) { r.featureGrad(delta, y) })
}

func (l *representationLocal) GradFy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.val.at(x).grad(dst, y)
}

func (l *representationLocal) GradGx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	r := l.train.at(x)
	l.train.back(dst, l.h, func(delta blas64.General) { r.featureGrad(delta, y) })
}

func (l *representationLocal) GradGy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.train.at(x).grad(dst, y)
	blas64.Axpy(l.ridge, vec(y), vec(dst))
}

func (l *representationLocal) HessGyyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	mustLen("v", v, l.q)
	l.train.at(x).hessMul(dst, y, v)
	blas64.Axpy(l.ridge, vec(v), vec(dst))
}

func (l *representationLocal) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	l.point(x, y)
	riskBlock(dst, l.train.at(x), y, v, l.ridge)
}

func (l *representationLocal) JacGxyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	mustLen("v", v, l.q)
	r := l.train.at(x)
	l.train.back(dst, l.h, func(delta blas64.General) { r.featureJac(delta, y, v) })
}

// fits panics if a matrix is too large to be formed.
func fits(name string, rows, cols int) {
	if rows*cols > MaxMatrix {
		panic(fmt.Sprintf("problems: the %s of this hyper-representation is %d x %d, and matrices above %d elements are not formed; take fewer hidden features, a larger pool, or a method that needs products only",
			name, rows, cols, MaxMatrix))
	}
}

func (l *representationLocal) HessGyy(dst *mat.SymDense, x, y []float64) {
	fits("Hessian", l.q, l.q)
	l.point(x, y)
	riskHess(dst, l.train.at(x), y, l.ridge)
}

// JacGxy takes a product for each column.
func (l *representationLocal) JacGxy(dst *mat.Dense, x, y []float64) {
	fits("Jacobian", l.p, l.q)
	l.point(x, y)
	mustDims("dst", dst, l.p, l.q)
	l.unit, l.row = grow(l.unit, l.q), grow(l.row, l.p)
	clear(l.unit)
	for b := range l.q {
		l.unit[b] = 1
		l.JacGxyMul(l.row, x, y, l.unit)
		l.unit[b] = 0
		for a, v := range l.row {
			dst.Set(a, b, v)
		}
	}
}

// Flops counts, with m samples touched, d inputs, h hidden features, C classes, q̂ = q,
// an elementary function as 10. Features cost e = 2dh (mlp: + 2h), and so does the way
// back from them to x. The model on them costs, mlp with k = 23C + 10, linear k = 3:
//
//	               mlp                                linear
//	value     v =  2q + k                             2q + k
//	gradient       4q + k                             4q + k
//	product        6q + k + 5C                        6q + k + 1
//	Hessian        2q + k + q(q+1) + C(C+1)(h+4)/2    2q + k + q(q+2)
//	back      r =  v + 2Ch                            v + h
//	back, H   s =  v + 2q + 5C + 4Ch                  v + 2q + 1 + 3h
//
//	value     m(e + v) + 2q + 2         g, the dearer of f and g
//	grad_f    m(2e + r)                 by x, the dearer
//	grad_g    m(2e + r)                 by x, the dearer
//	hvp       m(e + product) + 2q
//	jvp       m(2e + s)
//	hessian   m(e + Hessian) + q
//	jacobian  q m(e + s) + m e          a product for each column
//	solve     q³/3 + 2q²
func (l *representationLocal) Flops(c metrics.Call, samples int) float64 {
	m, q := float64(samples), float64(l.q)
	r := l.train.full.risk
	each := r.flops()
	encode, back := l.encoder.flops()
	grad, jac := r.backFlops(float64(l.h))
	switch c {
	case metrics.CallValue:
		return m*(encode+each.value) + 2*q + 2
	case metrics.CallGradF, metrics.CallGradG:
		return m * (encode + back + grad)
	case metrics.CallHVP:
		return m*(encode+each.hvp) + 2*q
	case metrics.CallJVP:
		return m * (encode + back + jac)
	case metrics.CallHessian:
		return m*(encode+each.hessian) + q
	case metrics.CallJacobian:
		return m * (encode + q*(back+jac))
	case metrics.CallSolve:
		return flopsSolve(l.q)
	}
	panic(fmt.Sprintf("problems: unknown oracle call %d", c))
}
