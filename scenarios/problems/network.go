package problems

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/scenarios/problems/gemm"
)

// netRisk is a softmax risk on the features of samples, each sample with a weight.
type netRisk struct {
	*encodedRisk
	layer   reluEncoder
	top     *softmaxRisk
	weights []float64 // of all samples; nil means 1
	chosen  []float64 // those of the batch
}

func newNetRisk(layer reluEncoder, classes int, s samples, weights []float64) *netRisk {
	r := &netRisk{layer: layer, weights: weights}
	r.encodedRisk = newEncodedRisk(layer, layer.h, s, func(features samples) featureRisk {
		r.top = newSoftmaxRisk(classes, features)
		return r.top
	})
	r.top.weigh(weights)
	return r
}

func (r *netRisk) setBatch(idx []int) {
	r.encodedRisk.setBatch(idx)
	switch {
	case r.weights == nil:
	case idx == nil:
		r.top.weigh(r.weights)
	default:
		r.chosen = r.chosen[:0]
		for _, i := range idx {
			r.chosen = append(r.chosen, r.weights[i])
		}
		r.top.weigh(r.chosen)
	}
}

// networkFormulas computes g as the softmax risk of the lifted top layer on the features φ,
//
//	Ṽ = diag(σ(δ)) V + (0, l),  y = (U, V),  φ = (relu(U (s, 1)), 1),
//
// where the shift is added to the last column of V, the bias. Derivatives by y go through Ṽ
// and φ by the chain rule.
type networkFormulas struct {
	sampled[*netRisk]
	columnwise
	n, h  int // classes, hidden units
	split int // the length of U
	ridge float64

	logitScaling
	w              []float64 // Ṽ
	dir, out, more []float64 // scratch, a lifted direction and derivatives along it
	grad           []float64 // scratch, the lifted gradient
	phi            blas64.General
	rho, sum       blas64.General
}

// newNetworkFormulas takes a node's validation samples with their weights in f, and its
// training samples.
func newNetworkFormulas(layer reluEncoder, classes int, val samples, weights []float64, train samples,
	ridge float64) *networkFormulas {
	l := &networkFormulas{n: classes, h: layer.h, split: layer.size(), ridge: ridge,
		logitScaling: newLogitScaling(classes)}
	l.hessian, l.jacobian = l.hessMul, l.jacMul
	l.val = newNetRisk(layer, classes, val, weights)
	l.train = newNetRisk(layer, classes, train, nil)
	for _, v := range []*[]float64{&l.w, &l.dir, &l.out, &l.more, &l.grad} {
		*v = make([]float64, classes*(layer.h+1))
	}
	return l
}

// lift sets Ṽ, and returns the risk at the features and U.
func (l *networkFormulas) lift(x, y []float64) *softmaxRisk {
	l.set(x)
	l.scale(l.w, y[l.split:])
	for k, shift := range l.shift {
		l.w[k*(l.h+1)+l.h] += shift
	}
	l.train.at(y[:l.split])
	return l.train.top
}

// scale sets dst = diag(a) v.
func (l *networkFormulas) scale(dst, v []float64) {
	for k, a := range l.a {
		floats.ScaleTo(dst[k*(l.h+1):(k+1)*(l.h+1)], a, v[k*(l.h+1):(k+1)*(l.h+1)])
	}
}

func (l *networkFormulas) row(v []float64, k int) []float64 { return v[k*(l.h+1) : (k+1)*(l.h+1)] }

func (l *networkFormulas) f(x, y []float64) float64 {
	return l.val.at(y[:l.split]).value(y[l.split:])
}

func (l *networkFormulas) fx(dst, x, y []float64) { clear(dst) }

func (l *networkFormulas) fy(dst, x, y []float64) {
	l.val.at(y[:l.split])
	r := l.val.top
	r.grad(dst[l.split:], y[l.split:])
	l.val.back(dst[:l.split], func(delta blas64.General) { r.featureGrad(delta, y[l.split:]) })
}

func (l *networkFormulas) g(x, y []float64) float64 {
	return l.lift(x, y).value(l.w) + l.ridge/2*dot(y, y)
}

func (l *networkFormulas) gx(dst, x, y []float64) {
	l.lift(x, y).grad(l.grad, l.w)
	for k, slope := range l.slope {
		dst[k] = slope * dot(l.row(l.grad, k), l.row(y[l.split:], k))
		dst[l.n+k] = l.row(l.grad, k)[l.h]
	}
}

func (l *networkFormulas) gy(dst, x, y []float64) {
	r := l.lift(x, y)
	r.grad(l.grad, l.w)
	l.scale(dst[l.split:], l.grad)
	l.train.back(dst[:l.split], func(delta blas64.General) { r.featureGrad(delta, l.w) })
	blas64.Axpy(l.ridge, vec(y), vec(dst))
}

// along differentiates along v = (U', V') in y: it sets phi to the derivative of the
// features, rho to that of the loss by the logits, dir to that of Ṽ and out to that of the
// gradient by Ṽ.
func (l *networkFormulas) along(r *softmaxRisk, v []float64) {
	s := r.at(l.w) // on the features
	m := s.len()
	l.phi = growMatrix(l.phi, m, l.h+1)
	l.rho, l.sum = growMatrix(l.rho, m, l.n), growMatrix(l.sum, m, l.n)
	l.train.layer.turn(l.phi, v[:l.split], l.train.used().x, s.x)
	l.scale(l.dir, v[l.split:])
	gemm.MulTransB(l.rho, s.x, r.matrix(l.dir))
	gemm.MulTransB(l.sum, l.phi, r.matrix(l.w))
	floats.Add(l.rho.Data, l.sum.Data)
	for i, scale := range r.scale {
		centre(l.rho.Data[i*l.n:(i+1)*l.n], r.pi.Data[i*l.n:(i+1)*l.n], scale)
	}
	gemm.MulTransA(r.matrix(l.out), l.rho, s.x, 0, r.column)
	gemm.MulTransA(r.matrix(l.more), r.e, l.phi, 0, r.column)
	floats.Add(l.out, l.more)
}

func (l *networkFormulas) hessMul(dst, x, y, v []float64) {
	r := l.lift(x, y)
	l.along(r, v)
	l.scale(dst[l.split:], l.out)
	l.train.back(dst[:l.split], func(delta blas64.General) {
		gemm.Mul(delta, l.rho, r.first(l.w, l.h), 0)
		gemm.Mul(delta, r.e, r.first(l.dir, l.h), 1)
	})
	blas64.Axpy(l.ridge, vec(v), vec(dst))
}

// jacMul is the derivative of ∇_x g along v in y.
func (l *networkFormulas) jacMul(dst, x, y, v []float64) {
	r := l.lift(x, y)
	r.grad(l.grad, l.w)
	l.along(r, v)
	for k, slope := range l.slope {
		dst[k] = slope * (dot(l.row(l.out, k), l.row(y[l.split:], k)) + dot(l.row(l.grad, k), l.row(v[l.split:], k)))
		dst[l.n+k] = l.row(l.out, k)[l.h]
	}
}

// turn sets dst to the derivative of the features along v in x, where features are those at x.
func (r reluEncoder) turn(dst blas64.General, v []float64, s, features blas64.General) {
	r.affine(dst, v, s)
	for i := range dst.Rows {
		row := dst.Data[i*dst.Stride : (i+1)*dst.Stride]
		for j := range r.h {
			if !(features.Data[i*features.Stride+j] > 0) {
				row[j] = 0
			}
		}
		row[r.h] = 0
	}
}

// flops counts, for m samples, d inputs, h hidden units, C classes, q̃ = C(h+1) and
// k = 23C + 10, with 10 for an elementary function; e = 2dh + 2h is a pass through the hidden
// layer, forwards, backwards or along a direction, and u = 22C + q̃ the lift:
//
//	value     m(e + 2q̃ + k) + u + 2q + 2
//	grad_f    m(2e + 4q̃ + k + 2Ch)              by y, which costs more than by x
//	grad_g    the same + u + 3q
//	hvp       m(3e + 10q̃ + k + 5C + 4Ch) + u + 4q
//	jvp       m(2e + 12q̃ + k + 5C) + u + 5q
//	hessian   q products
//	jacobian  q products
func (l *networkFormulas) flops(n sizes) costs {
	m, q, classes := n.samples, n.q, float64(l.n)
	top, each := classes*float64(l.h+1), l.train.top.flops()
	pass, _ := l.train.layer.flops()
	lift := classes*(2*flopsElementary+2) + top
	back := 2 * classes * float64(l.h)
	c := costs{
		metrics.CallValue: m*(pass+each.value) + lift + 2*q + 2,
		metrics.CallGradF: m * (2*pass + each.grad + back),
		metrics.CallGradG: m*(2*pass+each.grad+back) + lift + 3*q,
		metrics.CallHVP:   m*(3*pass+each.value+8*top+5*classes+2*back) + lift + 4*q,
		metrics.CallJVP:   m*(2*pass+each.grad+8*top+5*classes) + lift + 5*q,
	}
	c[metrics.CallHessian], c[metrics.CallJacobian] = q*c[metrics.CallHVP], q*c[metrics.CallJVP]
	return c
}
