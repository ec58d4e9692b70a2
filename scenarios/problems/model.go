package problems

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// modelFormulas are the formulas of a linear model with coefficients y,
//
//	f(x, y) = mean validation loss of y
//	g(x, y) = mean training loss of y + 1/2 Σ_b r_b y_b²
//
// x enters g either through the regularizer or through the training loss, and f at most
// through the features of its samples.
type modelFormulas struct {
	sampled[coupledRisk]
	regularizer *regularizer
	coupling    // the derivatives of g by x
}

// coupledRisk is a mean loss that may depend on x.
type coupledRisk interface {
	len() int
	setBatch(idx []int)
	at(x []float64) risk    // valid until the next call
	gx(dst, x, y []float64) // dst (p) = the derivative by x
	flops() riskFlops
}

// coupling holds the derivatives of g that involve x, as in Local.
type coupling interface {
	gx(dst, x, y []float64)
	jacMul(dst, x, y, v []float64)
	jac(dst *mat.Dense, x, y []float64)
	// costs returns the cost of each call of a model, given the cost of its losses for one sample.
	costs(n sizes, val, train riskFlops) costs
}

// fixedRisk is a coupledRisk that does not depend on x.
type fixedRisk struct{ risk }

func (r fixedRisk) at([]float64) risk      { return r.risk }
func (r fixedRisk) gx(dst, x, y []float64) { clear(dst) }

func (m *modelFormulas) f(x, y []float64) float64 { return m.val.at(x).value(y) }
func (m *modelFormulas) fx(dst, x, y []float64)   { m.val.gx(dst, x, y) }
func (m *modelFormulas) fy(dst, x, y []float64)   { m.val.at(x).grad(dst, y) }

func (m *modelFormulas) g(x, y []float64) float64 {
	return m.train.at(x).value(y) + m.regularizer.value(x, y)
}

func (m *modelFormulas) gy(dst, x, y []float64) {
	m.train.at(x).grad(dst, y)
	m.regularizer.add(dst, x, y)
}

func (m *modelFormulas) hessMul(dst, x, y, v []float64) {
	m.train.at(x).hessMul(dst, y, v)
	m.regularizer.add(dst, x, v)
}

func (m *modelFormulas) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	m.train.at(x).hessMulMat(dst.RawMatrix(), y, v.RawMatrix())
	r := m.regularizer.at(x)
	for b := range y {
		blas64.Axpy(r[b%len(r)], vec(v.RawRowView(b)), vec(dst.RawRowView(b)))
	}
}

func (m *modelFormulas) hess(dst *mat.SymDense, x, y []float64) {
	raw := dst.RawSymmetric()
	m.train.at(x).hess(blas64.General{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, y)
	r := m.regularizer.at(x)
	for b := range y {
		raw.Data[b*raw.Stride+b] += r[b%len(r)]
	}
}

// flops evaluates the coupling's table of costs.
func (m *modelFormulas) flops(n sizes) costs { return m.costs(n, m.val.flops(), m.train.flops()) }

// regularizer is 1/2 Σ_b r_a(b) y_b², a(b) = b mod len(r). r is either a constant or
// unit exp(x).
type regularizer struct {
	r      []float64
	ofX    bool
	unit   float64
	memory // of x
}

func ridge(strength float64) *regularizer { return &regularizer{r: []float64{strength}} }

func expRegularizer(unit float64) *regularizer { return &regularizer{ofX: true, unit: unit} }

// at returns r.
func (g *regularizer) at(x []float64) []float64 {
	if g.ofX && !g.recall(x) {
		g.r = grow(g.r, len(x))
		for a, v := range x {
			g.r[a] = g.unit * math.Exp(v)
		}
	}
	return g.r
}

func (g *regularizer) value(x, y []float64) float64 {
	r, sum := g.at(x), 0.0
	if !g.ofX {
		return r[0] / 2 * dot(y, y)
	}
	for b := 0; b < len(y); b += len(r) {
		for a, s := range r {
			sum += s * y[b+a] * y[b+a]
		}
	}
	return sum / 2
}

// add adds the product of the regularizer's Hessian with v to dst.
func (g *regularizer) add(dst, x, v []float64) {
	r := g.at(x)
	if len(r) == 1 {
		blas64.Axpy(r[0], vec(v), vec(dst))
		return
	}
	for b := 0; b < len(v); b += len(r) {
		for a, s := range r {
			dst[b+a] += s * v[b+a]
		}
	}
}

// gx implements coupling where r depends on x.
func (g *regularizer) gx(dst, x, y []float64) {
	g.jacMul(dst, x, y, y) // 1/2 r y², summed over the classes
	blas64.Scal(0.5, vec(dst))
}

// jacMul implements coupling.
func (g *regularizer) jacMul(dst, x, y, v []float64) {
	r := g.at(x)
	clear(dst)
	for b := 0; b < len(y); b += len(r) {
		for a, s := range r {
			dst[a] += s * y[b+a] * v[b+a]
		}
	}
}

// jac implements coupling.
func (g *regularizer) jac(dst *mat.Dense, x, y []float64) {
	dst.Zero()
	raw, r := dst.RawMatrix(), g.at(x)
	for b, v := range y {
		a := b % len(r)
		raw.Data[a*raw.Stride+b] = r[a] * v
	}
}

// costs counts, for m samples, d features and C classes (q = C d), with 10 for an
// elementary function (exp, log, division) and, per sample, k = 3 for squares, 25 for
// logistic, 12 for the hinge and 23C + 10 for softmax. Every call is charged for the
// margins, even if they are reused:
//
//	value     m(2q + k) + 10p + 3q           g, which costs more than f
//	grad_f    m(4q + k)
//	grad_g    m(4q + k) + 10p + 2q
//	hvp       m(6q + k + 1) + 10p + 2q       softmax: 5C instead of 1
//	jvp       10p + 3q
//	hessian   m(2q + k + q(q+2)) + 10p + q   softmax: q(q+1) + C(C+1)(d+3)/2 instead of q(q+2)
//	jacobian  10p + q
func (g *regularizer) costs(n sizes, val, train riskFlops) costs {
	m, q, exp := n.samples, n.q, flopsElementary*n.p
	return costs{
		metrics.CallValue:    m*train.value + exp + 3*q,
		metrics.CallGradF:    m * val.grad,
		metrics.CallGradG:    m*train.grad + exp + 2*q,
		metrics.CallHVP:      m*train.hvp + exp + 2*q,
		metrics.CallJVP:      exp + 3*q,
		metrics.CallHessian:  m*train.hessian + exp + q,
		metrics.CallJacobian: exp + q,
	}
}
