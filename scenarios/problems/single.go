package problems

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// leastSquares is a task with a closed form.
type leastSquares struct{ *task }

// Solution implements Solved by the normal equations. Where all nodes have equally many
// samples, the mean of the nodes' means is the mean over all samples.
func (s leastSquares) Solution() (x, y []float64, err error) {
	all := s.data.weighted()
	p, scale := all.x.Cols, 1/float64(all.len())
	h := mat.NewSymDense(p, nil)
	blas64.Syrk(blas.Trans, scale, all.x, 0, h.RawSymmetric())
	for j := range p {
		h.SetSym(j, j, h.At(j, j)+s.config.L2)
	}
	rhs := make([]float64, p)
	gemvT(rhs, scale, all.x, all.t, 0)
	var chol mat.Cholesky
	var sol mat.VecDense
	if !chol.Factorize(h) {
		return nil, nil, fmt.Errorf("problems: least squares with %d samples in total and p = %d "+
			"has no unique solution; set l2 > 0 or take more samples", all.len(), p)
	}
	if err := chol.SolveVecTo(&sol, mat.NewVecDense(p, rhs)); err != nil {
		return nil, nil, fmt.Errorf("problems: least squares is close to singular; set l2 > 0: %w", err)
	}
	return sol.RawVector().Data, nil, nil
}

// singleLevel is embedded in formulas with g = 0 and q = 0.
type singleLevel struct{}

func (singleLevel) g(x, y []float64) float64                                { return 0 }
func (singleLevel) fy(dst, x, y []float64)                                  {}
func (singleLevel) gx(dst, x, y []float64)                                  { clear(dst) }
func (singleLevel) gy(dst, x, y []float64)                                  {}
func (singleLevel) hessMul(dst, x, y, v []float64)                          {}
func (singleLevel) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {}
func (singleLevel) jacMul(dst, x, y, v []float64)                           { clear(dst) }
func (singleLevel) hess(dst *mat.SymDense, x, y []float64)                  {}
func (singleLevel) jac(dst *mat.Dense, x, y []float64)                      {}

type singleFormulas struct {
	singleLevel
	risk risk
	l2   float64
}

func (l *singleFormulas) counts() (val, train int)  { return l.risk.len(), 0 }
func (l *singleFormulas) setBatch(val, train []int) { l.risk.setBatch(val) }

func (l *singleFormulas) f(x, y []float64) float64 {
	return l.risk.value(x) + l.l2/2*dot(x, x)
}

func (l *singleFormulas) fx(dst, x, y []float64) {
	l.risk.grad(dst, x)
	blas64.Axpy(l.l2, vec(x), vec(dst))
}

// flops counts, for m samples, m(2p + 3) + 2p + 2 for a value and m(4p + 3) + 2p for a
// gradient, 22 more per sample for the logistic loss, and nothing for g.
func (l *singleFormulas) flops(n sizes) costs {
	m, p := n.samples, n.p
	return costs{
		metrics.CallValue: m*l.risk.flops().value + 2*p + 2,
		metrics.CallGradF: m*l.risk.flops().grad + 2*p,
	}
}
