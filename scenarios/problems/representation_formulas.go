package problems

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

type representationFormulas struct {
	sampled[*encoded]
	h       int
	ridge   float64
	encoder encoder
	columnwise
}

func (l *representationFormulas) f(x, y []float64) float64 {
	return l.val.at(x).value(y)
}

func (l *representationFormulas) g(x, y []float64) float64 {
	return l.train.at(x).value(y) + l.ridge/2*dot(y, y)
}

func (l *representationFormulas) fx(dst, x, y []float64) {
	r := l.val.at(x)
	l.val.back(dst, l.h, func(delta blas64.General) { r.featureGrad(delta, y) })
}

func (l *representationFormulas) fy(dst, x, y []float64) {
	l.val.at(x).grad(dst, y)
}

func (l *representationFormulas) gx(dst, x, y []float64) {
	r := l.train.at(x)
	l.train.back(dst, l.h, func(delta blas64.General) { r.featureGrad(delta, y) })
}

func (l *representationFormulas) gy(dst, x, y []float64) {
	l.train.at(x).grad(dst, y)
	blas64.Axpy(l.ridge, vec(y), vec(dst))
}

func (l *representationFormulas) hessMul(dst, x, y, v []float64) {
	l.train.at(x).hessMul(dst, y, v)
	blas64.Axpy(l.ridge, vec(v), vec(dst))
}

func (l *representationFormulas) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	riskBlock(dst, l.train.at(x), y, v, l.ridge)
}

func (l *representationFormulas) jacMul(dst, x, y, v []float64) {
	r := l.train.at(x)
	l.train.back(dst, l.h, func(delta blas64.General) { r.featureJac(delta, y, v) })
}

func (l *representationFormulas) hess(dst *mat.SymDense, x, y []float64) {
	riskHess(dst, l.train.at(x), y, l.ridge)
}

func (l *representationFormulas) hessRisk(x []float64) risk { return l.train.at(x) }

func (l *representationFormulas) hessDiagonal(dst, x []float64) { constant(dst, l.ridge) }

func (l *representationFormulas) jac(dst *mat.Dense, x, y []float64) {
	l.columnwise.jac(l.jacMul, dst, x, y)
}

// flops counts, for m samples, d inputs, h hidden features and C classes, with 10 for an
// elementary function. Features cost e = 2dh (mlp: + 2h), and so does going back from
// them to x. The model on the features costs, with k = 23C + 10 for mlp and 3 for linear:
//
//	               mlp                                linear
//	value     v =  2q + k                             2q + k
//	gradient       4q + k                             4q + k
//	product        6q + k + 5C                        6q + k + 1
//	Hessian        2q + k + q(q+1) + C(C+1)(h+4)/2    2q + k + q(q+2)
//	back      r =  v + 2Ch                            v + h
//	back, H   s =  v + 2q + 5C + 4Ch                  v + 2q + 1 + 3h
//
//	value     m(e + v) + 2q + 2         g, which costs more than f
//	grad_f    m(2e + r)                 by x, which costs more than by y
//	grad_g    m(2e + r)                 by x, which costs more than by y
//	hvp       m(e + product) + 2q
//	jvp       m(2e + s)
//	hessian   m(e + Hessian) + q
//	jacobian  q m(e + s) + m e          a product for each column
func (l *representationFormulas) flops(n sizes) costs {
	m, q := n.samples, n.q
	r := l.train.risk
	each := r.flops()
	encode, back := l.encoder.flops()
	grad, jac := r.backFlops(float64(l.h))
	return costs{
		metrics.CallValue:    m*(encode+each.value) + 2*q + 2,
		metrics.CallGradF:    m * (encode + back + grad),
		metrics.CallGradG:    m * (encode + back + grad),
		metrics.CallHVP:      m*(encode+each.hvp) + 2*q,
		metrics.CallJVP:      m * (encode + back + jac),
		metrics.CallHessian:  m*(encode+each.hessian) + q,
		metrics.CallJacobian: m * (encode + q*(back+jac)),
	}
}
