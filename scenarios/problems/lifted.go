package problems

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// logitScaling transforms the logits o of a training loss by x = (δ, l): σ(δ)∘o + l.
type logitScaling struct {
	a, slope []float64 // σ(δ) and σ'(δ)
	shift    []float64 // l
}

func newLogitScaling(classes int) logitScaling {
	return logitScaling{a: make([]float64, classes), slope: make([]float64, classes)}
}

func (s *logitScaling) set(x []float64) {
	n := len(s.a)
	for k, v := range x[:n] {
		s.a[k], s.slope[k] = sigmoidSlope(v)
	}
	s.shift = x[n:]
}

// liftedRisk is the mean training loss of a linear model whose logits x scales and shifts:
// the plain softmax risk of the lifted coefficients
//
//	Ỹ = [diag(σ(δ)) Y, l]  on the lifted samples  (s, 1).
//
// Derivatives follow by the chain rule through Ỹ. It is a coupledRisk and a coupling, and
// the risk at the last x.
type liftedRisk struct {
	logitScaling
	train *softmaxRisk // over the lifted samples
	n, d  int          // classes, features

	w         []float64 // Ỹ
	dir, out  []float64 // scratch, a lifted direction and a product
	slopes    []float64 // scratch, the lifted gradient
	h, vm, om blas64.General
}

// newLiftedRisk copies the samples, each with a feature that is always 1.
func newLiftedRisk(classes int, s samples) *liftedRisk {
	l := &liftedRisk{logitScaling: newLogitScaling(classes), n: classes, d: s.x.Cols}
	lifted := newSamples(s.len(), l.d+1)
	for k := range s.t {
		row := lifted.row(k)
		row[copy(row, s.row(k))] = 1
	}
	copy(lifted.t, s.t)
	l.train = newSoftmaxRisk(classes, lifted)
	for _, v := range []*[]float64{&l.w, &l.dir, &l.out, &l.slopes} {
		*v = make([]float64, classes*(l.d+1))
	}
	return l
}

func (l *liftedRisk) len() int           { return l.train.len() }
func (l *liftedRisk) setBatch(idx []int) { l.train.setBatch(idx) }
func (l *liftedRisk) flops() riskFlops   { return l.train.flops() }

func (l *liftedRisk) at(x []float64) risk {
	l.set(x)
	return l
}

// lift returns Ỹ.
func (l *liftedRisk) lift(y []float64) []float64 {
	l.liftVector(l.w, y)
	for k, shift := range l.shift {
		l.w[k*(l.d+1)+l.d] = shift
	}
	return l.w
}

// liftVector sets dst = [diag(a) V, 0].
func (l *liftedRisk) liftVector(dst, v []float64) {
	for k, a := range l.a {
		row := dst[k*(l.d+1) : (k+1)*(l.d+1)]
		floats.ScaleTo(row[:l.d], a, v[k*l.d:(k+1)*l.d])
		row[l.d] = 0
	}
}

// drop sets dst = diag(a) times the first d columns of the lifted u.
func (l *liftedRisk) drop(dst, u []float64) {
	for k, a := range l.a {
		floats.ScaleTo(dst[k*l.d:(k+1)*l.d], a, u[k*(l.d+1):k*(l.d+1)+l.d])
	}
}

func (l *liftedRisk) value(y []float64) float64 { return l.train.value(l.lift(y)) }

func (l *liftedRisk) grad(dst, y []float64) {
	l.train.grad(l.slopes, l.lift(y))
	l.drop(dst, l.slopes)
}

func (l *liftedRisk) hessMul(dst, y, v []float64) {
	l.liftVector(l.dir, v)
	l.train.hessMul(l.out, l.lift(y), l.dir)
	l.drop(dst, l.out)
}

func (l *liftedRisk) hessMulMat(dst blas64.General, y []float64, v blas64.General) {
	m := v.Cols
	l.vm, l.om = growMatrix(l.vm, len(l.w), m), growMatrix(l.om, len(l.w), m)
	for k, a := range l.a {
		for j := range l.d {
			floats.ScaleTo(l.vm.Data[(k*(l.d+1)+j)*m:(k*(l.d+1)+j+1)*m], a, rowOf(v, k*l.d+j))
		}
		clear(l.vm.Data[(k*(l.d+1)+l.d)*m : (k+1)*(l.d+1)*m])
	}
	l.train.hessMulMat(l.om, l.lift(y), l.vm)
	for k, a := range l.a {
		for j := range l.d {
			floats.ScaleTo(rowOf(dst, k*l.d+j), a, rowOf(l.om, k*(l.d+1)+j))
		}
	}
}

func (l *liftedRisk) hess(dst blas64.General, y []float64) {
	l.h = growMatrix(l.h, len(l.w), len(l.w))
	l.train.hess(l.h, l.lift(y))
	for r := range dst.Rows {
		k, j := r/l.d, r%l.d
		for c := r; c < dst.Cols; c++ {
			kc, jc := c/l.d, c%l.d
			dst.Data[r*dst.Stride+c] = l.a[k] * l.a[kc] * l.h.Data[(k*(l.d+1)+j)*l.h.Stride+kc*(l.d+1)+jc]
		}
	}
}

func (l *liftedRisk) gx(dst, x, y []float64) {
	l.set(x)
	l.train.grad(l.slopes, l.lift(y))
	clear(dst)
	l.addSlopes(dst, l.slopes, y)
	l.setShifts(dst, l.slopes)
}

// addSlopes adds σ'(δ_k) ⟨u_k, v_k⟩ to element k of dst, where u_k is row k of the lifted
// u without its last element and v_k is row k of v.
func (l *liftedRisk) addSlopes(dst, u, v []float64) {
	for k, slope := range l.slope {
		dst[k] += slope * dot(u[k*(l.d+1):k*(l.d+1)+l.d], v[k*l.d:(k+1)*l.d])
	}
}

// setShifts sets the second half of dst to the last column of the lifted u.
func (l *liftedRisk) setShifts(dst, u []float64) {
	for k := range l.n {
		dst[l.n+k] = u[k*(l.d+1)+l.d]
	}
}

// jacMul is the derivative of ⟨∇_Ỹ, [diag(σ(δ)) V, 0]⟩ by x, on which both Ỹ and the
// direction depend.
func (l *liftedRisk) jacMul(dst, x, y, v []float64) {
	l.set(x)
	l.train.grad(l.slopes, l.lift(y))
	l.liftVector(l.dir, v)
	l.train.hessMul(l.out, l.w, l.dir)
	clear(dst)
	l.addSlopes(dst, l.slopes, v)
	l.addSlopes(dst, l.out, y)
	l.setShifts(dst, l.out)
}

// jac takes two products with the lifted Hessian for each class k: one with row k of Y
// and one with the unit vector of the shift.
func (l *liftedRisk) jac(dst *mat.Dense, x, y []float64) {
	l.set(x)
	l.train.grad(l.slopes, l.lift(y))
	for k, slope := range l.slope {
		clear(l.dir)
		floats.ScaleTo(l.dir[k*(l.d+1):k*(l.d+1)+l.d], slope, y[k*l.d:(k+1)*l.d])
		l.train.hessMul(l.out, l.w, l.dir)
		row := dst.RawRowView(k)
		l.drop(row, l.out)
		blas64.Axpy(slope, vec(l.slopes[k*(l.d+1):k*(l.d+1)+l.d]), vec(row[k*l.d:(k+1)*l.d]))

		clear(l.dir)
		l.dir[k*(l.d+1)+l.d] = 1
		l.train.hessMul(l.out, l.w, l.dir)
		l.drop(dst.RawRowView(l.n+k), l.out)
	}
}

// costs counts, for m samples, C classes, d features, q = C d, q̃ = C(d+1) and
// k = 23C + 10, with 10 for an elementary function:
//
//	value     m(2q̃ + k) + 22C + 3q + 2            g, which costs more than f
//	grad_f    m(4q + k + 1)
//	grad_g    m(4q̃ + k) + 22C + 4q                by y, which costs more than by x
//	hvp       m(6q̃ + k + 5C) + 22C + 5q
//	jvp       m(8q̃ + k + 5C) + 24C + 6q
//	hessian   m(2q̃ + k + q̃(q̃+1) + C(C+1)(d+4)/2) + 22C + q(q+1) + 2q
//	jacobian  m(4q̃ + k + 2C(4q̃ + 5C)) + 22C + q(2C + 4)
func (l *liftedRisk) costs(n sizes, val, train riskFlops) costs {
	m, q, classes := n.samples, n.q, float64(l.n)
	wide := classes * float64(l.d+1)
	lift := classes*(2*flopsElementary+2) + q
	return costs{
		metrics.CallValue: m*train.value + lift + 2*q + 2,
		metrics.CallGradF: m * (val.grad + 1),
		metrics.CallGradG: m*train.grad + lift + 3*q,
		metrics.CallHVP:   m*train.hvp + lift + 4*q,
		// The probabilities once, then a gradient and a product.
		metrics.CallJVP:      m*(train.hvp+2*wide) + lift + 5*q + 2*classes,
		metrics.CallHessian:  m*train.hessian + lift + q*(q+1) + q,
		metrics.CallJacobian: m*(train.grad+2*classes*(4*wide+5*classes)) + lift + q*(2*classes+3),
	}
}
