package problems

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// softmaxRisk is the mean of weight · cross entropy of softmax(Y s) against the class
// t, with the coefficients Y (C x d) flattened by rows.
type softmaxRisk struct {
	classes int
	weights []float64 // of each sample; nil: 1
	full    softmaxState
	part    softmaxState
	cur     *softmaxState
	batch   batch
}

// softmaxState is a set of samples and what is known about it at the point w.
type softmaxState struct {
	s      samples
	w      []float64
	known  bool
	pi     blas64.General // m x C, probabilities
	e      blas64.General // m x C, scale (pi - onehot)
	scale  []float64      // weight / m
	losses []float64      // cross entropies
	mean   float64        // the weighted mean of them
	rho    blas64.General // m x C, scratch
	column []float64      // m, scratch

	blocks []float64      // scratch: C blocks of m x columns
	dots   []float64      // scratch: columns
	scaled blas64.General // scratch m x d
	h      blas64.General // q x q, the Hessian at w if hKnown
	hKnown bool
}

func newSoftmaxRisk(classes int, s samples) *softmaxRisk {
	r := &softmaxRisk{classes: classes, full: softmaxState{s: s}}
	r.cur = &r.full
	return r
}

// reset makes s the samples. What is known about the last ones is forgotten.
func (r *softmaxRisk) reset(s samples) {
	r.full.s, r.full.known = s, false
	r.batch.gathered = false
	r.cur = &r.full
}

// weigh makes weights those of all samples. They are used as they are at the next call.
func (r *softmaxRisk) weigh(weights []float64) {
	r.weights = weights
	r.full.known, r.part.known = false, false
}

func (r *softmaxRisk) len() int { return r.full.s.len() }

func (r *softmaxRisk) setBatch(idx []int) {
	if idx == nil {
		r.cur = &r.full
		return
	}
	r.cur = &r.part
	if r.batch.gather(&r.part.s, r.full.s, idx) {
		r.part.known = false
	}
}

// matrix views the flattened coefficients as C x d.
func (r *softmaxRisk) matrix(w []float64) blas64.General {
	d := r.full.s.x.Cols
	return blas64.General{Rows: r.classes, Cols: d, Stride: d, Data: w}
}

// at makes the probabilities at w known; see marginRisk.at. The largest logit is
// subtracted before exponentials are taken, so that none overflows.
func (r *softmaxRisk) at(w []float64) *softmaxState {
	c := r.cur
	if c.known && sameBits(c.w, w) {
		return c
	}
	m, n := c.s.len(), r.classes
	if m == 0 {
		panic("problems: a call on an empty batch")
	}
	c.w = append(c.w[:0], w...)
	c.pi, c.e, c.rho = growMatrix(c.pi, m, n), growMatrix(c.e, m, n), growMatrix(c.rho, m, n)
	c.column, c.scale, c.losses = grow(c.column, m), grow(c.scale, m), grow(c.losses, m)
	mulTransB(c.pi, c.s.x, r.matrix(w))
	r.scales(c)
	c.mean = 0
	for i, t := range c.s.t {
		scale := c.scale[i]
		o := c.pi.Data[i*n : (i+1)*n]
		e := c.e.Data[i*n : (i+1)*n]
		largest := slices.Max(o)
		wanted := o[int(t)] - largest
		total := 0.0
		for k, v := range o {
			o[k] = math.Exp(v - largest)
			total += o[k]
		}
		c.losses[i] = math.Log(total) - wanted
		c.mean += c.losses[i] * scale
		for k := range o {
			o[k] /= total
			e[k] = o[k] * scale
		}
		e[int(t)] -= scale
	}
	c.known, c.hKnown = true, false
	return c
}

// scales sets each sample's share of the mean.
func (r *softmaxRisk) scales(c *softmaxState) {
	for i := range c.scale {
		weight := 1.0
		if r.weights != nil {
			weight = r.weights[r.sample(i)]
		}
		c.scale[i] = weight / float64(len(c.scale))
	}
}

func (r *softmaxRisk) value(w []float64) float64 { return r.at(w).mean }

func (r *softmaxRisk) grad(dst, w []float64) {
	c := r.at(w)
	mulTransA(r.matrix(dst), c.e, c.s.x, c.column)
}

// hessMul: with ρ = V s, the direction's logits, the product is t s' with
// t = π∘ρ - π(π'ρ).
func (r *softmaxRisk) hessMul(dst, w, v []float64) {
	c := r.at(w)
	n := r.classes
	mulTransB(c.rho, c.s.x, r.matrix(v))
	for i, scale := range c.scale {
		centre(c.rho.Data[i*n:(i+1)*n], c.pi.Data[i*n:(i+1)*n], scale)
	}
	mulTransA(r.matrix(dst), c.rho, c.s.x, c.column)
}

// sample returns which sample the k-th of those in use is.
func (r *softmaxRisk) sample(k int) int {
	if r.cur == &r.full {
		return k
	}
	return r.batch.idx[k]
}

// sampleSlopes returns ⟨∇L_k, v⟩ for each sample in use, L its cross entropy without
// weight: with ρ = V s it is π'ρ - ρ_t. The result is scratch.
func (r *softmaxRisk) sampleSlopes(w, v []float64) []float64 {
	c := r.at(w)
	n := r.classes
	mulTransB(c.rho, c.s.x, r.matrix(v))
	for k, t := range c.s.t {
		rho := c.rho.Data[k*n : (k+1)*n]
		c.column[k] = dot(c.pi.Data[k*n:(k+1)*n], rho) - rho[int(t)]
	}
	return c.column
}

// featureGrad: the loss depends on the features through the logits, by e.
func (r *softmaxRisk) featureGrad(dst blas64.General, w []float64) {
	c := r.at(w)
	mul(dst, c.e, r.first(w, dst.Cols))
}

// featureJac: ⟨∇_w, v⟩ is Σ e'ρ with ρ = V s, which depends on the features through ρ,
// by e, and through e, by t = scale (π∘ρ - π(π'ρ)).
func (r *softmaxRisk) featureJac(dst blas64.General, w, v []float64) {
	c := r.at(w)
	n := r.classes
	mulTransB(c.rho, c.s.x, r.matrix(v))
	for i, scale := range c.scale {
		centre(c.rho.Data[i*n:(i+1)*n], c.pi.Data[i*n:(i+1)*n], scale)
	}
	mul(dst, c.e, r.first(v, dst.Cols))
	addMul(dst, c.rho, r.first(w, dst.Cols))
}

// first views the flattened coefficients of the first h features.
func (r *softmaxRisk) first(w []float64, h int) blas64.General {
	m := r.matrix(w)
	m.Cols = h
	return m
}

// centre sets rho = scale (π∘ρ - π(π'ρ)), the derivative of scale π along logits ρ.
func centre(rho, pi []float64, scale float64) {
	mean := 0.0
	for k, p := range pi {
		mean += p * rho[k]
	}
	for k, p := range pi {
		rho[k] = p * (rho[k] - mean) * scale
	}
}

// hessMulMat is hessMul for all columns of v at once: rows k d ... (k+1) d - 1 of v
// are class k's, so that each class takes one product with X and one with X'.
func (r *softmaxRisk) hessMulMat(dst blas64.General, w []float64, v blas64.General) {
	c := r.at(w)
	m, n, d, cols := c.s.len(), r.classes, c.s.x.Cols, v.Cols
	if formHessian(m, len(w)) {
		mul(dst, r.hessian(c), v)
		return
	}
	c.blocks, c.dots = grow(c.blocks, n*m*cols), grow(c.dots, cols)
	block := func(k int) blas64.General {
		return blas64.General{Rows: m, Cols: cols, Stride: cols, Data: c.blocks[k*m*cols : (k+1)*m*cols]}
	}
	rows := func(a blas64.General, k int) blas64.General {
		return blas64.General{Rows: d, Cols: cols, Stride: a.Stride, Data: a.Data[k*d*a.Stride:]}
	}
	for k := range n {
		mul(block(k), c.s.x, rows(v, k))
	}
	for i, scale := range c.scale {
		rho := func(k int) []float64 { return c.blocks[(k*m+i)*cols : (k*m+i+1)*cols] }
		pi := c.pi.Data[i*n : (i+1)*n]
		clear(c.dots)
		for k, p := range pi {
			blas64.Axpy(p, vec(rho(k)), vec(c.dots))
		}
		for k, p := range pi {
			a := rho(k)
			for j, mean := range c.dots {
				a[j] = p * (a[j] - mean) * scale
			}
		}
	}
	for k := range n {
		mulTransA(rows(dst, k), c.s.x, block(k), c.column)
	}
}

func (r *softmaxRisk) hessian(c *softmaxState) blas64.General {
	if c.hKnown {
		return c.h
	}
	if q := len(c.w); c.h.Data == nil {
		c.h = newGeneral(q, q)
	}
	r.hessianUpper(c, c.h)
	mirror(c.h)
	c.hKnown = true
	return c.h
}

// hessianUpper fills block (k, l), k <= l, with X' diag(π_k (δ_kl - π_l) / m) X.
func (r *softmaxRisk) hessianUpper(c *softmaxState, dst blas64.General) {
	m, n, d := c.s.len(), r.classes, c.s.x.Cols
	c.scaled = growMatrix(c.scaled, m, d)
	for k := range n {
		for l := k; l < n; l++ {
			for i, scale := range c.scale {
				weight := -c.pi.Data[i*n+k] * c.pi.Data[i*n+l] * scale
				if k == l {
					weight += c.pi.Data[i*n+k] * scale
				}
				out := c.scaled.Data[i*d : (i+1)*d]
				for j, v := range c.s.row(i) {
					out[j] = weight * v
				}
			}
			block := blas64.General{Rows: d, Cols: d, Stride: dst.Stride, Data: dst.Data[k*d*dst.Stride+l*d:]}
			mulTransA(block, c.s.x, c.scaled, c.column)
		}
	}
}

func (r *softmaxRisk) hess(dst blas64.General, w []float64) { r.hessianUpper(r.at(w), dst) }

// flops, with q = C d: the logits are 2q and C exponentials and divisions; e s' is
// 2q; ρ is another 2q, t is 5C; the Hessian's upper half is q(q+1) and one scaled
// sample for each pair of classes.
func (r *softmaxRisk) flops() riskFlops {
	n, d := float64(r.classes), float64(r.full.s.x.Cols)
	q := n * d
	point := 2*q + n*(2*flopsElementary+3) + flopsElementary
	return riskFlops{value: point, grad: point + 2*q, hvp: point + 4*q + 5*n, hessian: point + n*(n+1)/2*(d+3) + q*(q+1)}
}

// backFlops: e Y is 2Ch, after the point; the other way also ρ, t and t Y.
func (r *softmaxRisk) backFlops(h float64) (grad, jac float64) {
	n := float64(r.classes)
	point := r.flops().value
	return point + 2*n*h, point + 2*n*float64(r.full.s.x.Cols) + 5*n + 4*n*h
}
