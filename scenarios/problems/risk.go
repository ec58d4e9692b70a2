package problems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// risk is the mean loss of a linear model over a node's samples or a batch of
// them, as a function of the coefficients w. It has two implementations: marginRisk
// and softmaxRisk.
type risk interface {
	setBatch(idx []int) // nil: all samples
	len() int           // all samples, whatever the batch
	value(w []float64) float64
	grad(dst, w []float64)
	hessMul(dst, w, v []float64)
	hessMulMat(dst blas64.General, w []float64, v blas64.General)
	hess(dst blas64.General, w []float64) // upper triangle; what is below is undefined
	flops() riskFlops
}

// featureRisk is a risk whose samples' features may change, because they are
// functions of x: see representation.
type featureRisk interface {
	risk
	reset(s samples)
	// featureGrad sets row i of dst (m x h) to the derivative of the mean loss by sample
	// i's first h features.
	featureGrad(dst blas64.General, w []float64)
	// featureJac sets row i of dst (m x h) to the derivative of ⟨∇_w mean loss, v⟩ by
	// sample i's first h features.
	featureJac(dst blas64.General, w, v []float64)
	// backFlops is what one sample costs in featureGrad and in featureJac, for h
	// features, with what a gradient's and a product's point cost.
	backFlops(h float64) (grad, jac float64)
}

// riskFlops is what one sample costs in each kind of call.
type riskFlops struct{ value, grad, hvp, hessian float64 }

// loss is a loss of one number, the margin z = s'w, and a target t.
type loss struct {
	kind  lossKind
	width float64 // of the hinge's smoothed stretch; 0: not smoothed
}

type lossKind uint8

const (
	squared     lossKind = iota // (z - t)²
	halfSquared                 // 1/2 (z - t)²
	logistic                    // log(1 + exp(-t z)), t = ±1
	// hinge is max(0, u), u = 1 - t z, t = ±1. Smoothed with width w it is u²/2w for
	// 0 < u < w and u - w/2 beyond. Not smoothed, its second derivative counts as 0 and
	// its derivative at the kink u = 0 as 0.
	hinge
)

// value returns the loss. The logistic one is exact to rounding for any z:
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

// derivatives returns the first and second derivative with respect to z.
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
	loss  loss
	full  marginState  // all samples
	part  marginState  // the last batch, gathered
	cur   *marginState // the one in use
	batch batch        // what part holds
}

// marginState is a set of samples and what is known about it at the point w.
type marginState struct {
	s     samples
	w     []float64 // the point, if known
	known bool
	z     []float64 // margins s'w
	d1    []float64 // loss' / m
	d2    []float64 // loss'' / m
	u     []float64 // scratch, length m

	scaled  blas64.General // scratch m x d
	h       blas64.General // d x d, the Hessian at w if hKnown
	hKnown  bool
	product []float64 // scratch m x columns
}

func newMarginRisk(l loss, s samples) *marginRisk {
	r := &marginRisk{loss: l, full: marginState{s: s}}
	r.cur = &r.full
	return r
}

// reset makes s the samples. What is known about the last ones is forgotten.
func (r *marginRisk) reset(s samples) {
	r.full.s, r.full.known = s, false
	r.batch.gathered = false
	r.cur = &r.full
}

func (r *marginRisk) len() int { return r.full.s.len() }

func (r *marginRisk) setBatch(idx []int) {
	if idx == nil {
		r.cur = &r.full
		return
	}
	r.cur = &r.part
	if r.batch.gather(&r.part.s, r.full.s, idx) {
		r.part.known = false
	}
}

// at makes the margins and derivatives at w known. The memory of the last point is
// exact: it is used only if w is the same bit by bit.
func (r *marginRisk) at(w []float64) *marginState {
	c := r.cur
	if c.known && sameBits(c.w, w) {
		return c
	}
	m := c.s.len()
	if m == 0 {
		panic("problems: a call on an empty batch")
	}
	c.w = append(c.w[:0], w...)
	c.z, c.d1, c.d2, c.u = grow(c.z, m), grow(c.d1, m), grow(c.d2, m), grow(c.u, m)
	gemv(c.z, 1, c.s.x, w, 0)
	scale := 1 / float64(m)
	for i, t := range c.s.t {
		d1, d2 := r.loss.derivatives(c.z[i], t)
		c.d1[i], c.d2[i] = d1*scale, d2*scale
	}
	c.known, c.hKnown = true, false
	return c
}

func (r *marginRisk) value(w []float64) float64 {
	c := r.at(w)
	sum := 0.0
	for i, t := range c.s.t {
		sum += r.loss.value(c.z[i], t)
	}
	return sum / float64(c.s.len())
}

func (r *marginRisk) grad(dst, w []float64) {
	c := r.at(w)
	gemvT(dst, 1, c.s.x, c.d1, 0)
}

func (r *marginRisk) hessMul(dst, w, v []float64) {
	c := r.at(w)
	gemv(c.u, 1, c.s.x, v, 0)
	for i, d2 := range c.d2 {
		c.u[i] *= d2
	}
	gemvT(dst, 1, c.s.x, c.u, 0)
}

func (r *marginRisk) hessMulMat(dst blas64.General, w []float64, v blas64.General) {
	c := r.at(w)
	if formHessian(c.s.len(), len(w)) {
		mul(dst, c.hessian(), v)
		return
	}
	c.product = grow(c.product, c.s.len()*v.Cols)
	u := blas64.General{Rows: c.s.len(), Cols: v.Cols, Stride: v.Cols, Data: c.product}
	mul(u, c.s.x, v)
	for i, d2 := range c.d2 {
		blas64.Scal(d2, vec(u.Data[i*u.Stride:i*u.Stride+u.Cols]))
	}
	mulTransA(dst, c.s.x, u, c.u)
}

// featureGrad: the loss depends on sample i's features through z = s'w.
func (r *marginRisk) featureGrad(dst blas64.General, w []float64) {
	c := r.at(w)
	for i, d1 := range c.d1 {
		scaleTo(dst.Data[i*dst.Stride:i*dst.Stride+dst.Cols], d1, w)
	}
}

// featureJac: the derivative of loss'(z) s'v, where z = s'w.
func (r *marginRisk) featureJac(dst blas64.General, w, v []float64) {
	c := r.at(w)
	gemv(c.u, 1, c.s.x, v, 0)
	for i, d1 := range c.d1 {
		row := dst.Data[i*dst.Stride : i*dst.Stride+dst.Cols]
		scaleTo(row, d1, v)
		blas64.Axpy(c.d2[i]*c.u[i], vec(w[:dst.Cols]), vec(row))
	}
}

// scaleTo sets dst = a v, for as many elements as dst has.
func scaleTo(dst []float64, a float64, v []float64) {
	for j := range dst {
		dst[j] = a * v[j]
	}
}

// formHessian tells whether a block of products with the Hessian is cheaper with
// the matrix formed (2q² each) than through m samples (4mq each). The rule knows
// sizes only, so that a result never depends on earlier calls.
func formHessian(m, q int) bool { return q <= m }

// hessian returns the full symmetric Hessian at the known point.
func (c *marginState) hessian() blas64.General {
	d := c.s.x.Cols
	if c.hKnown {
		return c.h
	}
	if c.h.Data == nil {
		c.h = newGeneral(d, d)
	}
	c.hessianUpper(c.h)
	mirror(c.h)
	c.hKnown = true
	return c.h
}

// hessianUpper sets dst = X' diag(d2) X as (√d2 X)'(√d2 X): all losses are convex.
func (c *marginState) hessianUpper(dst blas64.General) {
	m, d := c.s.len(), c.s.x.Cols
	c.scaled = growMatrix(c.scaled, m, d)
	for i, d2 := range c.d2 {
		root := math.Sqrt(d2)
		out := c.scaled.Data[i*d : (i+1)*d]
		for j, v := range c.s.row(i) {
			out[j] = root * v
		}
	}
	blas64.Syrk(blas.Trans, 1, c.scaled, 0, blas64.Symmetric{Uplo: blas.Upper, N: d, Stride: dst.Stride, Data: dst.Data})
}

func (r *marginRisk) hess(dst blas64.General, w []float64) {
	c := r.at(w)
	if dst.Rows != len(w) {
		panic(fmt.Sprintf("problems: Hessian of size %d, want %d", dst.Rows, len(w)))
	}
	c.hessianUpper(dst)
}

// flops: a margin is 2d, its loss or derivatives take two elementary functions if
// logistic, a division if hinge;
// X'u is 2d, X v again 2d; a symmetric rank-one update of the Hessian is d(d+1)
// after scaling the sample, d.
func (r *marginRisk) flops() riskFlops {
	d := float64(r.full.s.x.Cols)
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
	return point + h, point + 2*float64(r.full.s.x.Cols) + 1 + 3*h
}
