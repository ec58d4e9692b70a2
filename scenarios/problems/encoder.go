package problems

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/scenarios/problems/gemm"
)

// encoder turns samples into features.
type encoder interface {
	// width is the number of features of a sample, including a constant one.
	width() int
	// encode sets dst (m x width) to the features of the samples s (m x d).
	encode(dst blas64.General, x []float64, s blas64.General)
	// back sets dst (p) to the derivative by x of Σ_ij delta_ij φ_j(s_i). It overwrites
	// delta (m x h); column (m) is scratch; features are what encode returned at x.
	back(dst []float64, delta, features, s blas64.General, column []float64)
	// flops returns the cost of one sample in encode and in back.
	flops() (encode, back float64)
}

// linearEncoder is φ = Λ's, x = Λ (d x h).
type linearEncoder struct{ d, h int }

func (l linearEncoder) width() int { return l.h }

func (l linearEncoder) matrix(x []float64) blas64.General {
	return blas64.General{Rows: l.d, Cols: l.h, Stride: l.h, Data: x}
}

func (l linearEncoder) encode(dst blas64.General, x []float64, s blas64.General) {
	gemm.Mul(dst, s, l.matrix(x), 0)
}

func (l linearEncoder) back(dst []float64, delta, features, s blas64.General, column []float64) {
	gemm.MulTransA(l.matrix(dst), s, delta, 0, column)
}

func (l linearEncoder) flops() (encode, back float64) {
	n := 2 * float64(l.d) * float64(l.h)
	return n, n
}

// reluEncoder is φ = (relu(W s + b), 1), x = (W, b), W (h x d).
type reluEncoder struct{ d, h int }

func (r reluEncoder) width() int { return r.h + 1 }

// size is the length of x.
func (r reluEncoder) size() int { return r.h * (r.d + 1) }

func (r reluEncoder) split(x []float64) (w blas64.General, b []float64) {
	n := r.d * r.h
	return blas64.General{Rows: r.h, Cols: r.d, Stride: r.d, Data: x[:n]}, x[n:]
}

func (r reluEncoder) encode(dst blas64.General, x []float64, s blas64.General) {
	r.affine(dst, x, s)
	for i := range dst.Rows {
		row := dst.Data[i*dst.Stride : i*dst.Stride+r.h+1]
		for j := range r.h {
			row[j] = max(row[j], 0)
		}
		row[r.h] = 1
	}
}

// affine sets the first h columns of dst to W s + b.
func (r reluEncoder) affine(dst blas64.General, x []float64, s blas64.General) {
	w, b := r.split(x)
	hidden := dst
	hidden.Cols = r.h
	gemm.MulTransB(hidden, s, w)
	for i := range dst.Rows {
		floats.Add(dst.Data[i*dst.Stride:i*dst.Stride+r.h], b)
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
	gemm.MulTransA(w, delta, s, 0, column)
}

func (r reluEncoder) flops() (encode, back float64) {
	d, h := float64(r.d), float64(r.h)
	return 2*d*h + 2*h, 2*d*h + 2*h
}

// encodedRisk is a linear model's mean loss on the features of samples. It is a coupledRisk
// and a coupling.
type encodedRisk struct {
	batch    // of the samples before encoding, with the memory of x, for the features
	encoder  encoder
	hidden   int            // h
	features blas64.General // m x width
	risk     featureRisk    // of the features
	delta    blas64.General // scratch, m x h
	column   []float64      // scratch, m
	columnwise
}

// newEncodedRisk returns the risk that model makes of the features.
func newEncodedRisk(e encoder, hidden int, s samples, model func(features samples) featureRisk) *encodedRisk {
	// The risk's FLOP counts depend on the number of features, even before there is a point.
	none := samples{x: blas64.General{Cols: e.width(), Stride: e.width()}}
	r := &encodedRisk{batch: batch{selection: selection{all: s}}, encoder: e, hidden: hidden, risk: model(none)}
	r.jacobian = r.jacMul
	return r
}

func (e *encodedRisk) flops() riskFlops { return e.risk.flops() }

// at returns the risk at x.
func (e *encodedRisk) at(x []float64) risk {
	s := e.used()
	if !e.recall(x) {
		e.features = growMatrix(e.features, s.len(), e.encoder.width())
		e.encoder.encode(e.features, x, s.x)
		e.risk.reset(samples{x: e.features, t: s.t})
	}
	return e.risk
}

// back sets dst (p) to the derivative by x that follows from a derivative by the
// features, which fill writes to delta (m x h). at(x) must have been called before.
func (e *encodedRisk) back(dst []float64, fill func(delta blas64.General)) {
	s := e.used()
	e.delta, e.column = growMatrix(e.delta, s.len(), e.hidden), grow(e.column, s.len())
	fill(e.delta)
	e.encoder.back(dst, e.delta, e.features, s.x, e.column)
}

func (e *encodedRisk) gx(dst, x, y []float64) {
	e.at(x)
	e.back(dst, func(delta blas64.General) { e.risk.featureGrad(delta, y) })
}

func (e *encodedRisk) jacMul(dst, x, y, v []float64) {
	e.at(x)
	e.back(dst, func(delta blas64.General) { e.risk.featureJac(delta, y, v) })
}

// costs counts, for m samples, d inputs, h hidden features and C classes, with 10 for an
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
func (e *encodedRisk) costs(n sizes, val, train riskFlops) costs {
	m, q := n.samples, n.q
	encode, back := e.encoder.flops()
	grad, jac := e.risk.backFlops(float64(e.hidden))
	return costs{
		metrics.CallValue:    m*(encode+train.value) + 2*q + 2,
		metrics.CallGradF:    m * (encode + back + grad),
		metrics.CallGradG:    m * (encode + back + grad),
		metrics.CallHVP:      m*(encode+train.hvp) + 2*q,
		metrics.CallJVP:      m * (encode + back + jac),
		metrics.CallHessian:  m*(encode+train.hessian) + q,
		metrics.CallJacobian: m * (encode + q*(back+jac)),
	}
}
