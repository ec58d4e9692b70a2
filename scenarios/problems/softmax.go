package problems

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems/gemm"
)

// softmaxRisk is the mean of weight · cross entropy of softmax(Y s) against the class
// t, with the coefficients Y (C x d) flattened by rows.
type softmaxRisk struct {
	batch   // with the memory of w, for the probabilities
	classes int
	weights []float64 // of each sample; nil means 1

	pi     blas64.General // m x C, probabilities
	e      blas64.General // m x C, scale (pi - onehot)
	scale  []float64      // weight / m
	losses []float64      // cross entropies
	mean   float64        // their weighted mean

	hessian hessianCache
	rho     blas64.General // scratch, m x C
	column  []float64      // scratch, m
	blocks  []float64      // scratch, C blocks of m x columns
	dots    []float64      // scratch, columns
	scaled  blas64.General // scratch, m x d
}

func newSoftmaxRisk(classes int, s samples) *softmaxRisk {
	return &softmaxRisk{classes: classes, batch: batch{selection: selection{all: s}}}
}

// weigh sets the weights of all samples, which it keeps without a copy.
func (r *softmaxRisk) weigh(weights []float64) {
	r.weights = weights
	r.forget()
}

// matrix views the flattened coefficients as C x d.
func (r *softmaxRisk) matrix(w []float64) blas64.General {
	d := r.all.x.Cols
	return blas64.General{Rows: r.classes, Cols: d, Stride: d, Data: w}
}

// at computes the probabilities at w unless they are known, and returns the samples in use.
func (r *softmaxRisk) at(w []float64) samples {
	s := r.used()
	if !r.recall(w) {
		r.start(s)
		r.evaluate(s, w, 0, s.len())
	}
	return s
}

// start allocates what evaluate fills at a new point.
func (r *softmaxRisk) start(s samples) {
	m, n := s.len(), r.classes
	r.pi, r.e, r.rho = growMatrix(r.pi, m, n), growMatrix(r.e, m, n), growMatrix(r.rho, m, n)
	r.column, r.scale, r.losses = grow(r.column, m), grow(r.scale, m), grow(r.losses, m)
	r.mean = 0
	r.hessian.known = false
}

// evaluate computes the probabilities at w of samples from to to-1. Those before must be known.
func (r *softmaxRisk) evaluate(s samples, w []float64, from, to int) {
	m, n := s.len(), r.classes
	gemm.MulTransB(rowRange(r.pi, from, to), rowRange(s.x, from, to), r.matrix(w))
	for i := from; i < to; i++ {
		t, scale := s.t[i], 1.0
		if r.weights != nil {
			scale = r.weights[r.index(i)]
		}
		scale /= float64(m)
		pi, e := r.pi.Data[i*n:(i+1)*n], r.e.Data[i*n:(i+1)*n]
		loss := softmax(pi, int(t))
		floats.ScaleTo(e, scale, pi)
		e[int(t)] -= scale
		r.scale[i], r.losses[i] = scale, loss
		r.mean += loss * scale
	}
}

// inBlocks calls f for blocks of samples whose features stay in the second-level cache between two passes over them.
// beta is 0 for the first block and 1 for the others.
func inBlocks(s samples, f func(from, to int, beta float64)) {
	block := max(8, (1<<16)/max(1, s.x.Cols)&^7)
	beta := 0.0
	for from := 0; from < s.len(); from += block {
		f(from, min(from+block, s.len()), beta)
		beta = 1
	}
}

// softmax replaces logits by probabilities and returns the cross entropy against class.
func softmax(logits []float64, class int) (loss float64) {
	correct := logits[class]
	largest, total := probabilities(logits)
	return math.Log(total) - (correct - largest)
}

// probabilities replaces logits by probabilities. It subtracts the largest logit first, so that no exponential
// overflows, and returns it, and the sum of the exponentials.
func probabilities(logits []float64) (largest, total float64) {
	largest = slices.Max(logits)
	for k, v := range logits {
		logits[k] = math.Exp(v - largest)
		total += logits[k]
	}
	for k := range logits {
		logits[k] /= total
	}
	return largest, total
}

func (r *softmaxRisk) value(w []float64) float64 {
	r.at(w)
	return r.mean
}

func (r *softmaxRisk) grad(dst, w []float64) {
	s := r.used()
	known := r.recall(w)
	if !known {
		r.start(s)
	}
	inBlocks(s, func(from, to int, beta float64) {
		if !known {
			r.evaluate(s, w, from, to)
		}
		gemm.MulTransA(r.matrix(dst), rowRange(r.e, from, to), rowRange(s.x, from, to), beta, r.column)
	})
}

// hessMul sets dst to the mean of t s' with t = π∘ρ - π(π'ρ), where ρ = V s are the
// logits of the direction.
func (r *softmaxRisk) hessMul(dst, w, v []float64) {
	s, n := r.at(w), r.classes
	inBlocks(s, func(from, to int, beta float64) {
		x, rho := rowRange(s.x, from, to), rowRange(r.rho, from, to)
		gemm.MulTransB(rho, x, r.matrix(v))
		for i := from; i < to; i++ {
			centre(r.rho.Data[i*n:(i+1)*n], r.pi.Data[i*n:(i+1)*n], r.scale[i])
		}
		gemm.MulTransA(r.matrix(dst), rho, x, beta, r.column)
	})
}

// sampleSlopes returns ⟨∇L_k, v⟩ for each sample in use, L_k being its unweighted cross
// entropy: with ρ = V s it is π'ρ - ρ_t. The result is scratch.
func (r *softmaxRisk) sampleSlopes(w, v []float64) []float64 {
	s, n := r.at(w), r.classes
	gemm.MulTransB(r.rho, s.x, r.matrix(v))
	for k, t := range s.t {
		rho := r.rho.Data[k*n : (k+1)*n]
		r.column[k] = dot(r.pi.Data[k*n:(k+1)*n], rho) - rho[int(t)]
	}
	return r.column
}

// featureGrad uses that e is the derivative of the loss by the logits.
func (r *softmaxRisk) featureGrad(dst blas64.General, w []float64) {
	r.at(w)
	gemm.Mul(dst, r.e, r.first(w, dst.Cols), 0)
}

// featureJac differentiates ⟨∇_w, v⟩ = Σ e'ρ with ρ = V s. It depends on the features
// through ρ, with derivative e, and through e, with derivative
// t = scale (π∘ρ - π(π'ρ)).
func (r *softmaxRisk) featureJac(dst blas64.General, w, v []float64) {
	s, n := r.at(w), r.classes
	gemm.MulTransB(r.rho, s.x, r.matrix(v))
	for i, scale := range r.scale {
		centre(r.rho.Data[i*n:(i+1)*n], r.pi.Data[i*n:(i+1)*n], scale)
	}
	gemm.Mul(dst, r.e, r.first(v, dst.Cols), 0)
	gemm.Mul(dst, r.rho, r.first(w, dst.Cols), 1)
}

// first views the flattened coefficients of the first h features.
func (r *softmaxRisk) first(w []float64, h int) blas64.General {
	m := r.matrix(w)
	m.Cols = h
	return m
}

// centre sets rho = scale (π∘ρ - π(π'ρ)), the derivative of scale π in the direction ρ
// of the logits.
func centre(rho, pi []float64, scale float64) {
	mean := 0.0
	for k, p := range pi {
		mean += p * rho[k]
	}
	for k, p := range pi {
		rho[k] = p * (rho[k] - mean) * scale
	}
}

// hessMulMat is hessMul for all columns of v at once. Rows k d ... (k+1) d - 1 of v
// belong to class k, so each class takes one product with X and one with X'.
func (r *softmaxRisk) hessMulMat(dst blas64.General, w []float64, v blas64.General) {
	s := r.at(w)
	m, n, d, cols := s.len(), r.classes, s.x.Cols, v.Cols
	if formHessian(m, len(w)) {
		gemm.Mul(dst, r.hessian.full(r, w), v, 0)
		return
	}
	r.blocks, r.dots = grow(r.blocks, n*m*cols), grow(r.dots, cols)
	block := func(k int) blas64.General {
		return blas64.General{Rows: m, Cols: cols, Stride: cols, Data: r.blocks[k*m*cols : (k+1)*m*cols]}
	}
	rows := func(a blas64.General, k int) blas64.General {
		return blas64.General{Rows: d, Cols: cols, Stride: a.Stride, Data: a.Data[k*d*a.Stride:]}
	}
	for k := range n {
		gemm.Mul(block(k), s.x, rows(v, k), 0)
	}
	for i, scale := range r.scale {
		rho := func(k int) []float64 { return r.blocks[(k*m+i)*cols : (k*m+i+1)*cols] }
		pi := r.pi.Data[i*n : (i+1)*n]
		clear(r.dots)
		for k, p := range pi {
			blas64.Axpy(p, vec(rho(k)), vec(r.dots))
		}
		for k, p := range pi {
			a := rho(k)
			for j, mean := range r.dots {
				a[j] = p * (a[j] - mean) * scale
			}
		}
	}
	for k := range n {
		gemm.MulTransA(rows(dst, k), s.x, block(k), 0, r.column)
	}
}

// hess fills block (k, l), k <= l, with X' diag(π_k (δ_kl - π_l) / m) X.
func (r *softmaxRisk) hess(dst blas64.General, w []float64) {
	s := r.at(w)
	m, n, d := s.len(), r.classes, s.x.Cols
	r.scaled = growMatrix(r.scaled, m, d)
	for k := range n {
		for l := k; l < n; l++ {
			for i, scale := range r.scale {
				weight := -r.pi.Data[i*n+k] * r.pi.Data[i*n+l] * scale
				if k == l {
					weight += r.pi.Data[i*n+k] * scale
				}
				floats.ScaleTo(r.scaled.Data[i*d:(i+1)*d], weight, s.row(i))
			}
			block := blas64.General{Rows: d, Cols: d, Stride: dst.Stride, Data: dst.Data[k*d*dst.Stride+l*d:]}
			gemm.MulTransA(block, s.x, r.scaled, 0, r.column)
		}
	}
}

func (r *softmaxRisk) rank() int { return r.used().len() * r.classes }

// root uses that diag(π) - ππ' = L L' with L = diag(√π) - π √π': row (i, k) is column k of
// L times the scale's root, for each class times sample i.
func (r *softmaxRisk) root(dst blas64.General, w []float64) {
	s, n := r.at(w), r.classes
	d := s.x.Cols
	for i, scale := range r.scale {
		pi := r.pi.Data[i*n : (i+1)*n]
		for k := range n {
			row := dst.Data[(i*n+k)*dst.Stride:][:n*d]
			for l, p := range pi {
				factor := -p * math.Sqrt(pi[k]*scale)
				if l == k {
					factor += math.Sqrt(pi[k] * scale)
				}
				floats.ScaleTo(row[l*d:(l+1)*d], factor, s.row(i))
			}
		}
	}
}

// flops counts, with q = C d, 2q for the logits with C exponentials and divisions, 2q for
// e s', 2q for ρ, 5C for t, and for the upper half of the Hessian q(q+1) and one scaled
// sample for each pair of classes.
func (r *softmaxRisk) flops() riskFlops {
	n, d := float64(r.classes), float64(r.all.x.Cols)
	q := n * d
	point := 2*q + n*(2*flopsElementary+3) + flopsElementary
	return riskFlops{
		value: point, grad: point + 2*q, hvp: point + 4*q + 5*n,
		hessian: point + n*(n+1)/2*(d+3) + q*(q+1),
	}
}

// backFlops counts 2Ch for e Y, and for featureJac also ρ, t and t Y.
func (r *softmaxRisk) backFlops(h float64) (grad, jac float64) {
	n := float64(r.classes)
	point := r.flops().value
	return point + 2*n*h, point + 2*n*float64(r.all.x.Cols) + 5*n + 4*n*h
}
