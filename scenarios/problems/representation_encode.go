package problems

import (
	"gonum.org/v1/gonum/blas/blas64"
)

// encoder makes features of samples. It has two implementations.
type encoder interface {
	// width is the number of features of a sample, with the constant one if any.
	width() int
	// encode sets dst (m x width) to the features of the samples s (m x d).
	encode(dst blas64.General, x []float64, s blas64.General)
	// back sets dst (p) to the derivative by x of Σ_ij delta_ij φ_j(s_i). delta (m x h) is
	// overwritten, column (m) is scratch; features are those of encode at x.
	back(dst []float64, delta, features, s blas64.General, column []float64)
	// flops is what a sample costs in encode and in back.
	flops() (encode, back float64)
}

// linearEncoder is φ = Λ's, x = Λ (d x h).
type linearEncoder struct{ d, h int }

func (l linearEncoder) width() int { return l.h }

func (l linearEncoder) matrix(x []float64) blas64.General {
	return blas64.General{Rows: l.d, Cols: l.h, Stride: l.h, Data: x}
}

func (l linearEncoder) encode(dst blas64.General, x []float64, s blas64.General) {
	mul(dst, s, l.matrix(x))
}

func (l linearEncoder) back(dst []float64, delta, features, s blas64.General, column []float64) {
	mulTransA(l.matrix(dst), s, delta, column)
}

func (l linearEncoder) flops() (encode, back float64) {
	n := 2 * float64(l.d) * float64(l.h)
	return n, n
}

// reluEncoder is φ = (relu(W s + b), 1), x = (W, b), W (h x d).
type reluEncoder struct{ d, h int }

func (r reluEncoder) width() int { return r.h + 1 }

func (r reluEncoder) split(x []float64) (w blas64.General, b []float64) {
	n := r.d * r.h
	return blas64.General{Rows: r.h, Cols: r.d, Stride: r.d, Data: x[:n]}, x[n:]
}

func (r reluEncoder) encode(dst blas64.General, x []float64, s blas64.General) {
	w, b := r.split(x)
	hidden := dst
	hidden.Cols = r.h
	mulTransB(hidden, s, w)
	for i := range dst.Rows {
		row := dst.Data[i*dst.Stride : i*dst.Stride+r.h+1]
		for j, v := range b {
			row[j] = max(row[j]+v, 0)
		}
		row[r.h] = 1
	}
}

func (r reluEncoder) back(dst []float64, delta, features, s blas64.General, column []float64) {
	w, b := r.split(dst)
	clear(b)
	for i := range delta.Rows {
		row := delta.Data[i*delta.Stride : i*delta.Stride+r.h]
		for j := range row {
			if !(features.Data[i*features.Stride+j] > 0) {
				row[j] = 0
			}
			b[j] += row[j]
		}
	}
	mulTransA(w, delta, s, column)
}

func (r reluEncoder) flops() (encode, back float64) {
	d, h := float64(r.d), float64(r.h)
	return 2*d*h + 2*h, 2*d*h + 2*h
}

// encoded are samples, all or a batch, with the risk of a linear model on their
// features. Features are known at one x; the risk remembers one y.
type encoded struct {
	encoder encoder
	full    encodedState
	part    encodedState
	cur     *encodedState
	batch   batch
}

type encodedState struct {
	s      samples
	x      []float64
	known  bool
	f      blas64.General // m x width, the features at x
	risk   featureRisk    // of f
	delta  blas64.General // m x h, scratch
	column []float64      // m, scratch
}

func (e *encoded) len() int { return e.full.s.len() }

func (e *encoded) setBatch(idx []int) {
	if idx == nil {
		e.cur = &e.full
		return
	}
	e.cur = &e.part
	if e.batch.gather(&e.part.s, e.full.s, idx) {
		e.part.known = false
	}
}

// at returns the risk at x.
func (e *encoded) at(x []float64) featureRisk {
	c := e.cur
	if c.known && sameBits(c.x, x) {
		return c.risk
	}
	m := c.s.len()
	if m == 0 {
		panic("problems: a call on an empty batch")
	}
	c.x = append(c.x[:0], x...)
	c.f = growMatrix(c.f, m, e.encoder.width())
	e.encoder.encode(c.f, x, c.s.x)
	c.risk.reset(samples{x: c.f, t: c.s.t})
	c.known = true
	return c.risk
}

// back sets dst (p) to the derivative by x that fill's derivative by the features, m x
// h, amounts to. at(x) has been called.
func (e *encoded) back(dst []float64, h int, fill func(delta blas64.General)) {
	c := e.cur
	c.delta, c.column = growMatrix(c.delta, c.s.len(), h), grow(c.column, c.s.len())
	fill(c.delta)
	e.encoder.back(dst, c.delta, c.f, c.s.x, c.column)
}
