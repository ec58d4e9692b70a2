package problems

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// textFormulas are the formulas of hyper-text. They add up in another order than modelFormulas:
// the regularizer comes first, since the sparse loss adds to few elements.
type textFormulas struct {
	sampled[*sparseRisk]
	columnwise
	*regularizer
}

func (l *textFormulas) f(x, y []float64) float64 { return l.val.value(y) }
func (l *textFormulas) fx(dst, x, y []float64)   { clear(dst) }
func (l *textFormulas) fy(dst, x, y []float64)   { l.val.grad(dst, y) }

func (l *textFormulas) g(x, y []float64) float64 {
	return l.train.value(y) + l.regularizer.value(x, y)
}

func (l *textFormulas) gx(dst, x, y []float64) {
	l.jacMul(dst, x, y, y)
	for j := range dst {
		dst[j] /= 2
	}
}

func (l *textFormulas) gy(dst, x, y []float64) {
	l.regularize(dst, x, y)
	l.train.addGrad(dst, y)
}

// regularize sets dst = diag(strength) v, class by class.
func (l *textFormulas) regularize(dst, x, v []float64) {
	strength, n := l.at(x), len(x)
	for k := 0; k < len(v); k += n {
		floats.MulTo(dst[k:k+n], strength, v[k:k+n])
	}
}

func (l *textFormulas) hessMul(dst, x, y, v []float64) {
	l.regularize(dst, x, v)
	l.train.addHessMul(dst, y, v)
}

// jacMul sets element j to strength_j Σ_c y_cj v_cj.
func (l *textFormulas) jacMul(dst, x, y, v []float64) {
	clear(dst)
	for k := 0; k < len(y); k += len(dst) {
		for j := range dst {
			dst[j] += y[k+j] * v[k+j]
		}
	}
	floats.Mul(dst, l.at(x))
}

func (l *textFormulas) jac(dst *mat.Dense, x, y []float64) { l.regularizer.jac(dst, x, y) }

// flops counts, for m samples with z nonzeros on average (over the node's validation
// samples for f, over its training samples for g), C classes, q = C p and k = 23C + 10,
// with 10 for an elementary function:
//
//	value     m(2zC + k) + 11p + 3q           g, which costs more than f
//	grad_f    m(4zC + k)
//	grad_g    m(4zC + k) + 11p + q
//	hvp       m(6zC + k + 5C) + 11p + q
//	jvp       12p + 2q
//	hessian   q hvp
//	jacobian  11p + q
func (l *textFormulas) flops(n sizes) costs {
	m, p, q, classes := n.samples, n.p, n.q, float64(l.train.classes)
	z, k := l.train.nonzeros, classes*(2*flopsElementary+3)+flopsElementary
	strength := (flopsElementary + 1) * p
	hvp := m*(6*z*classes+k+5*classes) + strength + q
	return costs{
		metrics.CallValue:    m*(2*z*classes+k) + strength + 3*q,
		metrics.CallGradF:    m * (4*l.val.nonzeros*classes + k),
		metrics.CallGradG:    m*(4*z*classes+k) + strength + q,
		metrics.CallHVP:      hvp,
		metrics.CallJVP:      strength + p + 2*q,
		metrics.CallHessian:  q * hvp,
		metrics.CallJacobian: strength + q,
	}
}
