package problems

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// ClosedForm gives exact quantities of a quadratic problem,
//
//	y*(x)  = -H⁻¹(P'x + q)
//	v*(x)  = H⁻¹(B'x + C y* + c)
//	Φ(x)   = f(x, y*(x))
//	∇Φ(x)  = A x + B y* + a - P v*
//	∇²Φ    = A - B H⁻¹P' - P H⁻¹B' + P H⁻¹C H⁻¹P'
//
// either for the shared inner problem, where every matrix is the mean over the nodes,
// or for personal ones, where each node has its own y_i* and Φ, ∇Φ and ∇²Φ are means
// over the nodes. Its methods allocate; they are meant for measurements and tests.
type ClosedForm struct {
	p     int
	units []closedUnit // one if shared, else one for each node
}

// closedUnit is one inner problem.
type closedUnit struct {
	local *quadraticFormulas
	h     mat.Cholesky
	hess  *mat.SymDense // p x p, this unit's ∇²Φ
}

// ClosedForm returns the closed forms for the inner problem shared by all nodes or, if
// personal, for one inner problem per node. It fails if H cannot be inverted to working
// precision.
func (qp *Quadratic) ClosedForm(personal bool) (*ClosedForm, error) {
	nodes := qp.data
	if !personal {
		nodes = []quadraticNode{qp.mean()}
	}
	cf := &ClosedForm{p: qp.p, units: make([]closedUnit, len(nodes))}
	for i := range nodes {
		if err := cf.units[i].build(&nodes[i], qp.p, qp.q); err != nil {
			return nil, fmt.Errorf("closed form, node %d: %w", i, err)
		}
	}
	return cf, nil
}

// mean returns the node whose every matrix and vector is the mean over all nodes.
func (qp *Quadratic) mean() quadraticNode {
	p, q := qp.p, qp.q
	m := quadraticNode{
		newGeneral(q, q), newGeneral(p, q), newGeneral(p, p), newGeneral(p, q), newGeneral(q, q),
		make([]float64, q), make([]float64, p), make([]float64, q),
	}
	sums, w := slices.Concat(m.inner(), m.outer()), 1/float64(len(qp.data))
	for i := range qp.data {
		for k, v := range slices.Concat(qp.data[i].inner(), qp.data[i].outer()) {
			blas64.Axpy(w, vec(v), vec(sums[k]))
		}
	}
	return m
}

func (u *closedUnit) build(n *quadraticNode, p, q int) error {
	u.local = newQuadraticFormulas(n)
	if !u.h.Factorize(mat.NewSymDense(q, slices.Clone(n.h.Data))) {
		return fmt.Errorf("matrix H is not positive definite")
	}
	var z mat.Dense // Z = H⁻¹P', so that ∂y*/∂x = -Z
	if err := u.h.SolveTo(&z, dense(n.pm).T()); err != nil {
		return fmt.Errorf("matrix H is close to singular: %w", err)
	}
	var bz, cz, zcz mat.Dense
	bz.Mul(dense(n.bm), &z)
	cz.Mul(dense(n.cm), &z)
	zcz.Mul(z.T(), &cz)
	u.hess = mat.NewSymDense(p, nil)
	for i := range p {
		for j := i; j < p; j++ {
			u.hess.SetSym(i, j, n.am.Data[i*p+j]-bz.At(i, j)-bz.At(j, i)+(zcz.At(i, j)+zcz.At(j, i))/2)
		}
	}
	return nil
}

// solve returns H⁻¹ rhs.
func (u *closedUnit) solve(rhs []float64) []float64 {
	var out mat.VecDense
	if err := u.h.SolveVecTo(&out, mat.NewVecDense(len(rhs), rhs)); err != nil {
		panic("problems: " + err.Error()) // build has solved with the same factor
	}
	return out.RawVector().Data
}

func (u *closedUnit) inner(x []float64) []float64 {
	rhs := slices.Clone(u.local.n.qv)
	gemvT(rhs, 1, u.local.n.pm, x, 1)
	y := u.solve(rhs)
	blas64.Scal(-1, vec(y))
	return y
}

func (u *closedUnit) adjoint(x, y []float64) []float64 {
	rhs := make([]float64, len(u.local.n.qv))
	u.local.fy(rhs, x, y)
	return u.solve(rhs)
}

// Inner returns y*(x) of the shared problem, or y_i*(x) of node i.
func (cf *ClosedForm) Inner(i int, x []float64) []float64 {
	mustLen("x", x, cf.p)
	return cf.unit(i).inner(x)
}

// unit is the inner problem that node i has.
func (cf *ClosedForm) unit(i int) *closedUnit {
	if len(cf.units) == 1 {
		return &cf.units[0]
	}
	mustNode(i, len(cf.units))
	return &cf.units[i]
}

// Objective returns Φ(x).
func (cf *ClosedForm) Objective(x []float64) float64 {
	mustLen("x", x, cf.p)
	sum := 0.0
	for i := range cf.units {
		u := &cf.units[i]
		sum += u.local.f(x, u.inner(x))
	}
	return sum / float64(len(cf.units))
}

// Hypergradient sets dst (p) = ∇Φ(x).
func (cf *ClosedForm) Hypergradient(dst, x []float64) {
	mustLen("dst", dst, cf.p)
	mustLen("x", x, cf.p)
	clear(dst)
	grad := make([]float64, cf.p)
	for i := range cf.units {
		u := &cf.units[i]
		y := u.inner(x)
		u.local.fx(grad, x, y)
		gemv(grad, -1, u.local.n.pm, u.adjoint(x, y), 1)
		blas64.Axpy(1/float64(len(cf.units)), vec(grad), vec(dst))
	}
}

// Hessian sets dst (p x p) = ∇²Φ, which is constant.
func (cf *ClosedForm) Hessian(dst *mat.SymDense) {
	mustDims("dst", dst, cf.p, cf.p)
	dst.Zero()
	for i := range cf.units {
		dst.AddSym(dst, cf.units[i].hess)
	}
	dst.ScaleSym(1/float64(len(cf.units)), dst)
}

// Minimizer returns x* = -(∇²Φ)⁻¹∇Φ(0). It is an error if ∇²Φ is not positive
// definite: then Φ has no unique minimizer.
func (cf *ClosedForm) Minimizer() ([]float64, error) {
	hess := mat.NewSymDense(cf.p, nil)
	cf.Hessian(hess)
	var chol mat.Cholesky
	if !chol.Factorize(hess) {
		return nil, fmt.Errorf("problems: the Hessian of Φ is not positive definite%s, so Φ has no unique minimizer; "+
			"change A, B or C", smallestEigenvalue(hess))
	}
	grad := make([]float64, cf.p)
	cf.Hypergradient(grad, make([]float64, cf.p))
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, mat.NewVecDense(cf.p, grad)); err != nil {
		return nil, fmt.Errorf("problems: the Hessian of Φ is close to singular: %w", err)
	}
	x.ScaleVec(-1, &x)
	return x.RawVector().Data, nil
}

// Solution implements Solved: x* and y*(x*) of the shared inner problem.
func (qp *Quadratic) Solution() (x, y []float64, err error) {
	cf, err := qp.ClosedForm(false)
	if err != nil {
		return nil, nil, err
	}
	if x, err = cf.Minimizer(); err != nil {
		return nil, nil, err
	}
	return x, cf.Inner(0, x), nil
}
