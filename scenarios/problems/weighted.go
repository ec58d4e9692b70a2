package problems

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// weightedRisk is a node's training loss with a weight for each sample,
//
//	(1/m) Σ_e σ(x_{lo+e}) L_e(y)
//
// It is a coupledRisk and a coupling.
type weightedRisk struct {
	*softmaxRisk
	point         memory // the node's block of x, for weight and slope
	lo            int    // the node's block of x begins here
	weight, slope []float64
}

func newWeightedRisk(r *softmaxRisk, lo int) *weightedRisk {
	m := r.len()
	return &weightedRisk{softmaxRisk: r, lo: lo, weight: make([]float64, m), slope: make([]float64, m)}
}

// block returns the part of v, as long as x, that belongs to the node's samples.
func (w *weightedRisk) block(v []float64) []float64 { return v[w.lo : w.lo+len(w.weight)] }

// at sets the weights σ(x_e) and their slopes σ'(x_e).
func (w *weightedRisk) at(x []float64) risk {
	if own := w.block(x); !w.point.recall(own) {
		for e, v := range own {
			w.weight[e], w.slope[e] = sigmoidSlope(v)
		}
		w.weigh(w.weight)
	}
	return w.softmaxRisk
}

func (w *weightedRisk) gx(dst, x, y []float64) {
	w.at(x)
	w.softmaxRisk.at(y)
	w.perSample(dst, w.losses)
}

// perSample sets dst to σ'(x_e) v_e / m, where v has one element for each of the m
// samples in use, and a sample may occur in a batch repeatedly.
func (w *weightedRisk) perSample(dst, v []float64) {
	clear(dst)
	own := w.block(dst)
	for k, value := range v {
		e := w.index(k)
		own[e] += w.slope[e] * value / float64(len(v))
	}
}

// jacMul sets element e to σ'(x_e) ⟨∇L_e, v⟩ / m.
func (w *weightedRisk) jacMul(dst, x, y, v []float64) {
	w.at(x)
	w.perSample(dst, w.sampleSlopes(y, v))
}

// jac sets row e to σ'(x_e) ∇L_e / m.
func (w *weightedRisk) jac(dst *mat.Dense, x, y []float64) {
	dst.Zero()
	w.at(x)
	s := w.softmaxRisk.at(y)
	n, d := w.classes, s.x.Cols
	for k, t := range s.t {
		e := w.index(k)
		row := dst.RawRowView(w.lo + e)
		for class := range n {
			g := w.pi.Data[k*n+class]
			if class == int(t) {
				g--
			}
			blas64.Axpy(w.slope[e]*g/float64(s.len()), vec(s.row(k)), vec(row[class*d:(class+1)*d]))
		}
	}
}

// costs counts, for m samples, C classes, q = C d and k = 23C + 10, with 10 for an
// elementary function and 21 for σ(x_e):
//
//	value     m(2q + k + 23) + 2q + 1    g, which costs more than f
//	grad_f    m(4q + k)
//	grad_g    m(4q + k + 22) + 2q        by y, which costs more than by x
//	hvp       m(6q + k + 5C + 22) + 2q
//	jvp       m(4q + k + 2C + 25)
//	hessian   m(2q + k + 22 + q(q+1) + C(C+1)(d+3)/2) + q
//	jacobian  m(3q + k + 2C + 23)
func (w *weightedRisk) costs(n sizes, val, train riskFlops) costs {
	m, q, classes := n.samples, n.q, float64(w.classes)
	const weight = 2*flopsElementary + 2 // σ(x_e), and its product with 1/m
	return costs{
		metrics.CallValue:    m*(train.value+weight+1) + 2*q + 1,
		metrics.CallGradF:    m * val.grad,
		metrics.CallGradG:    m*(train.grad+weight) + 2*q,
		metrics.CallHVP:      m*(train.hvp+weight) + 2*q,
		metrics.CallJVP:      m * (train.value + 2*q + 2*classes + weight + 3),
		metrics.CallHessian:  m*(train.hessian+weight) + q,
		metrics.CallJacobian: m * (train.value + q + 2*classes + weight + 1),
	}
}
