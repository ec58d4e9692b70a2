package problems

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems/gemm"
)

// risk is the mean loss of a linear model over a node's samples or a batch of them, as a
// function of the coefficients w.
type risk interface {
	setBatch(idx []int) // nil: all samples
	len() int           // all samples, whatever the batch
	value(w []float64) float64
	grad(dst, w []float64)
	hessMul(dst, w, v []float64)
	hessMulMat(dst blas64.General, w []float64, v blas64.General)
	hess(dst blas64.General, w []float64) // upper triangle; the lower one is undefined
	flops() riskFlops
}

// featureRisk is a risk whose samples change with x; see representation.
type featureRisk interface {
	risk
	reset(s samples) // replaces all samples
	// featureGrad sets row i of dst (m x h) to the derivative of the mean loss by sample
	// i's first h features.
	featureGrad(dst blas64.General, w []float64)
	// featureJac sets row i of dst (m x h) to the derivative of ⟨∇_w mean loss, v⟩ by
	// sample i's first h features.
	featureJac(dst blas64.General, w, v []float64)
	// backFlops returns the cost of one sample in featureGrad and in featureJac with h
	// features, including the point.
	backFlops(h float64) (grad, jac float64)
}

// rootedRisk is a risk whose Hessian is S'S, where S (rank x q) has few rows if there are
// few samples.
type rootedRisk interface {
	risk
	rank() int
	root(dst blas64.General, w []float64) // dst (rank x q) = S
}

// riskFlops is the cost of one sample in each kind of call.
type riskFlops struct{ value, grad, hvp, hessian float64 }

// loss is a loss of one number, the margin z = s'w, and a target t.
type loss struct {
	kind  lossKind
	width float64 // of the hinge's smoothed part; 0 means not smoothed
}

type lossKind uint8

const (
	squared     lossKind = iota // (z - t)²
	halfSquared                 // 1/2 (z - t)²
	logistic                    // log(1 + exp(-t z)), t = ±1
	// hinge is max(0, u), u = 1 - t z, t = ±1. With width w > 0 it is u²/2w for
	// 0 < u < w and u - w/2 for u >= w. With width 0 its second derivative is taken as 0,
	// and so is its derivative at the kink u = 0.
	hinge
	crossEntropy // of softmax: softmaxRisk has it, not loss
)

// value returns the loss. The logistic loss is accurate to rounding for any z:
// log(1 + e^-u) = max(-u, 0) + log1p(e^-|u|).
func (l loss) value(z, t float64) float64 {
	switch l.kind {
	case squared:
		return (z - t) * (z - t)
	case halfSquared:
		return (z - t) * (z - t) / 2
	case hinge:
		switch u := 1 - t*z; {
		case u <= 0:
			return 0
		case u < l.width:
			return u * u / (2 * l.width)
		default:
			return u - l.width/2
		}
	}
	u := t * z
	return max(-u, 0) + math.Log1p(math.Exp(-math.Abs(u)))
}

// derivatives returns the first and second derivatives with respect to z.
func (l loss) derivatives(z, t float64) (d1, d2 float64) {
	switch l.kind {
	case squared:
		return 2 * (z - t), 2
	case halfSquared:
		return z - t, 1
	case hinge:
		switch u := 1 - t*z; {
		case u <= 0:
			return 0, 0
		case u < l.width:
			return -t * u / l.width, 1 / l.width
		default:
			return -t, 0
		}
	}
	u := t * z
	e := math.Exp(-math.Abs(u)) // in (0, 1]: nothing overflows
	small := e / (1 + e)        // σ(-|u|)
	large := 1 / (1 + e)        // σ(|u|)
	if u >= 0 {
		return -t * small, small * large
	}
	return -t * large, small * large
}

// marginRisk is (1/m) Σ loss(s'w, t).
type marginRisk struct {
	batch // with the memory of w, for the margins and derivatives
	loss  loss
	z     []float64 // margins s'w
	d1    []float64 // loss' / m
	d2    []float64 // loss'' / m
	u     []float64 // scratch, length m

	hessian hessianCache
	product []float64      // scratch, m x columns
	scaled  blas64.General // scratch, m x d
	gram    gemm.Gram
}

func newMarginRisk(l loss, s samples) *marginRisk {
	return &marginRisk{loss: l, batch: batch{selection: selection{all: s}}}
}

// at computes the margins and derivatives at w unless they are known, and returns the samples in use.
func (r *marginRisk) at(w []float64) samples {
	s := r.used()
	if r.recall(w) {
		return s
	}
	m := s.len()
	r.z, r.d1, r.d2, r.u = grow(r.z, m), grow(r.d1, m), grow(r.d2, m), grow(r.u, m)
	gemv(r.z, 1, s.x, w, 0)
	scale := 1 / float64(m)
	for i, t := range s.t {
		d1, d2 := r.loss.derivatives(r.z[i], t)
		r.d1[i], r.d2[i] = d1*scale, d2*scale
	}
	r.hessian.known = false
	return s
}

func (r *marginRisk) value(w []float64) float64 {
	s := r.at(w)
	sum := 0.0
	for i, t := range s.t {
		sum += r.loss.value(r.z[i], t)
	}
	return sum / float64(s.len())
}

func (r *marginRisk) grad(dst, w []float64) {
	gemvT(dst, 1, r.at(w).x, r.d1, 0)
}

func (r *marginRisk) hessMul(dst, w, v []float64) {
	s := r.at(w)
	gemv(r.u, 1, s.x, v, 0)
	for i, d2 := range r.d2 {
		r.u[i] *= d2
	}
	gemvT(dst, 1, s.x, r.u, 0)
}

func (r *marginRisk) hessMulMat(dst blas64.General, w []float64, v blas64.General) {
	s := r.at(w)
	if formHessian(s.len(), len(w)) {
		gemm.Mul(dst, r.hessian.full(r, w), v, 0)
		return
	}
	r.product = grow(r.product, s.len()*v.Cols)
	u := blas64.General{Rows: s.len(), Cols: v.Cols, Stride: v.Cols, Data: r.product}
	gemm.Mul(u, s.x, v, 0)
	for i, d2 := range r.d2 {
		blas64.Scal(d2, vec(u.Data[i*u.Stride:i*u.Stride+u.Cols]))
	}
	gemm.MulTransA(dst, s.x, u, 0, r.u)
}

// featureGrad uses that the loss depends on sample i's features through z = s'w.
func (r *marginRisk) featureGrad(dst blas64.General, w []float64) {
	r.at(w)
	for i, d1 := range r.d1 {
		floats.ScaleTo(dst.Data[i*dst.Stride:i*dst.Stride+dst.Cols], d1, w[:dst.Cols])
	}
}

// featureJac differentiates loss'(z) s'v, where z = s'w.
func (r *marginRisk) featureJac(dst blas64.General, w, v []float64) {
	gemv(r.u, 1, r.at(w).x, v, 0)
	for i, d1 := range r.d1 {
		row := dst.Data[i*dst.Stride : i*dst.Stride+dst.Cols]
		floats.ScaleTo(row, d1, v[:dst.Cols])
		blas64.Axpy(r.d2[i]*r.u[i], vec(w[:dst.Cols]), vec(row))
	}
}

// hess sets dst = X' diag(d2) X as (√d2 X)'(√d2 X): all losses are convex.
func (r *marginRisk) hess(dst blas64.General, w []float64) {
	s := r.at(w)
	d := s.x.Cols
	r.scaled = growMatrix(r.scaled, s.len(), d)
	r.root(r.scaled, w)
	r.gram.Set(blas64.Symmetric{Uplo: blas.Upper, N: d, Stride: dst.Stride, Data: dst.Data}, r.scaled)
}

func (r *marginRisk) rank() int { return r.used().len() }

// root is diag(√d2) X.
func (r *marginRisk) root(dst blas64.General, w []float64) {
	s := r.at(w)
	for i, d2 := range r.d2 {
		floats.ScaleTo(dst.Data[i*dst.Stride:i*dst.Stride+dst.Cols], math.Sqrt(d2), s.row(i))
	}
}

// formHessian reports whether multiplying a block of vectors by the Hessian is cheaper
// with the matrix formed (2q² each) than through m samples (4mq each). The rule depends
// on sizes only, so that a result never depends on earlier calls.
func formHessian(m, q int) bool { return q <= m }

// hessianCache holds the full symmetric Hessian of a risk at the risk's known point.
type hessianCache struct {
	h     blas64.General
	known bool
}

func (c *hessianCache) full(r risk, w []float64) blas64.General {
	if !c.known {
		c.h = growMatrix(c.h, len(w), len(w))
		r.hess(c.h, w)
		mirror(c.h)
		c.known = true
	}
	return c.h
}

// flops counts 2d for a margin; two elementary functions for a logistic loss or its
// derivatives, and one division for a hinge; 2d each for X'u and X v; and d(d+1) for a
// symmetric rank-one update of the Hessian after d for scaling the sample.
func (r *marginRisk) flops() riskFlops {
	d := float64(r.all.x.Cols)
	point := 2*d + 3
	switch r.loss.kind {
	case logistic:
		point = 2*d + 2*flopsElementary + 5
	case hinge:
		point = 2*d + 2 + flopsElementary
	}
	return riskFlops{value: point, grad: point + 2*d, hvp: point + 4*d + 1, hessian: point + d + d*(d+1)}
}

func (r *marginRisk) backFlops(h float64) (grad, jac float64) {
	point := r.flops().value
	return point + h, point + 2*float64(r.all.x.Cols) + 1 + 3*h
}
