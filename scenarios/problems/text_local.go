package problems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

type textLocal struct {
	p, q       int
	unit       float64 // 2/(C d): the regularizer is unit/2 Σ exp(x_j) y_cj²
	val, train *sparseRisk

	x        []float64 // the point at which strength is known
	strength []float64 // unit exp(x)

	direction, column []float64 // scratch, length q, of the calls that form matrices
}

func (l *textLocal) Dims() (p, q int)          { return l.p, l.q }
func (l *textLocal) Samples() (val, train int) { return l.val.len(), l.train.len() }

func (l *textLocal) SetBatch(val, train []int) {
	l.val.setBatch(val)
	l.train.setBatch(train)
}

func (l *textLocal) point(x, y []float64) {
	mustLen("x", x, l.p)
	mustLen("y", y, l.q)
	if l.strength != nil && sameBits(l.x, x) {
		return
	}
	l.x = append(l.x[:0], x...)
	l.strength = grow(l.strength, l.p)
	for j, v := range x {
		l.strength[j] = l.unit * math.Exp(v)
	}
}

// eachClass calls f with the part of each vector that belongs to a class, for each class.
func (l *textLocal) eachClass(a, b []float64, f func(a, b []float64)) {
	for at := 0; at < l.q; at += l.p {
		f(a[at:at+l.p], b[at:at+l.p])
	}
}

func (l *textLocal) F(x, y []float64) float64 {
	l.point(x, y)
	return l.val.value(y)
}

func (l *textLocal) G(x, y []float64) float64 {
	l.point(x, y)
	sum := 0.0
	l.eachClass(y, y, func(y, _ []float64) {
		for j, s := range l.strength {
			sum += s * y[j] * y[j]
		}
	})
	return l.train.value(y) + sum/2
}

func (l *textLocal) GradFx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	clear(dst) // f knows x only through y
}

func (l *textLocal) GradFy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	clear(dst)
	l.val.addGrad(dst, y)
}

func (l *textLocal) GradGx(dst, x, y []float64) {
	l.JacGxyMul(dst, x, y, y)
	for j := range dst {
		dst[j] /= 2
	}
}

func (l *textLocal) GradGy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.regularize(dst, y)
	l.train.addGrad(dst, y)
}

// regularize sets dst = diag(strength) v, class by class.
func (l *textLocal) regularize(dst, v []float64) {
	l.eachClass(dst, v, func(dst, v []float64) {
		for j, s := range l.strength {
			dst[j] = s * v[j]
		}
	})
}

func (l *textLocal) HessGyyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	mustLen("v", v, l.q)
	l.regularize(dst, v)
	l.train.addHessMul(dst, y, v)
}

// JacGxyMul: element j is strength_j Σ_c y_cj v_cj.
func (l *textLocal) JacGxyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	mustLen("v", v, l.q)
	clear(dst)
	l.eachClass(y, v, func(y, v []float64) {
		for j := range dst {
			dst[j] += y[j] * v[j]
		}
	})
	for j, s := range l.strength {
		dst[j] *= s
	}
}

func (l *textLocal) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	_, m := v.Dims()
	mustDims("v", v, l.q, m)
	mustDims("dst", dst, l.q, m)
	l.direction, l.column = grow(l.direction, l.q), grow(l.column, l.q)
	for k := range m {
		mat.Col(l.direction, k, v)
		l.HessGyyMul(l.column, x, y, l.direction)
		dst.SetCol(k, l.column)
	}
}

func (l *textLocal) HessGyy(dst *mat.SymDense, x, y []float64) {
	mustForm("Hessian", l.q, l.q)
	mustDims("dst", dst, l.q, l.q)
	l.direction, l.column = grow(l.direction, l.q), grow(l.column, l.q)
	clear(l.direction)
	for b := range l.q {
		l.direction[b] = 1
		l.HessGyyMul(l.column, x, y, l.direction)
		l.direction[b] = 0
		for a := range b + 1 {
			dst.SetSym(a, b, l.column[a])
		}
	}
}

func (l *textLocal) JacGxy(dst *mat.Dense, x, y []float64) {
	mustForm("Jacobian", l.p, l.q)
	l.point(x, y)
	mustDims("dst", dst, l.p, l.q)
	dst.Zero()
	for b, v := range y {
		j := b % l.p
		dst.Set(j, b, l.strength[j]*v)
	}
}

// mustForm panics if a matrix is larger than MaxMatrix.
func mustForm(name string, rows, cols int) {
	if rows*cols > MaxMatrix {
		panic(fmt.Sprintf("problems: the %s of this hyper-text is %d x %d; at most %d elements are formed", name, rows, cols, MaxMatrix))
	}
}

// Flops counts, with m the samples touched, z a sample's nonzeros on average (of the
// node's validation samples for f, of its training samples for g), C classes, q = C p, an
// elementary function as 10, and k = 23C + 10. A call starts from nothing:
//
//	value     m(2zC + k) + 11p + 3q           g, the dearer of f and g
//	grad_f    m(4zC + k)
//	grad_g    m(4zC + k) + 11p + q
//	hvp       m(6zC + k + 5C) + 11p + q
//	jvp       12p + 2q
//	hessian   q hvp
//	jacobian  11p + q
//	solve     q³/3 + 2q²
func (l *textLocal) Flops(c metrics.Call, samples int) float64 {
	m, p, q, n := float64(samples), float64(l.p), float64(l.q), float64(l.train.classes)
	z, k := l.train.nonzeros, n*(2*flopsElementary+3)+flopsElementary
	strength := (flopsElementary + 1) * p
	switch c {
	case metrics.CallValue:
		return m*(2*z*n+k) + strength + 3*q
	case metrics.CallGradF:
		return m * (4*l.val.nonzeros*n + k)
	case metrics.CallGradG:
		return m*(4*z*n+k) + strength + q
	case metrics.CallHVP:
		return m*(6*z*n+k+5*n) + strength + q
	case metrics.CallJVP:
		return strength + p + 2*q
	case metrics.CallHessian:
		return q * l.Flops(metrics.CallHVP, samples)
	case metrics.CallJacobian:
		return strength + q
	case metrics.CallSolve:
		return flopsSolve(l.q)
	}
	panic(fmt.Sprintf("problems: unknown oracle call %d", c))
}
