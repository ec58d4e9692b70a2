package algorithms

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms/cholesky"
	"tallynet/algorithms/share"
	"tallynet/node"
)

// Factored is a matrix A that can solve A x = b, such as mat.Cholesky or Factor.
type Factored interface {
	SolveVecTo(x *mat.VecDense, b mat.Vector) error
}

// Factor solves with scale ∇²_yy g + shift I at one point of one node; see
// Oracle.FactorGyy. The zero value is ready to be set. It holds two q x q matrices, unless
// the problem's Hessian has structure.
type Factor struct {
	solve func(dst, b []float64) // by structure; nil: by chol
	hess  *mat.SymDense
	chol  cholesky.Factor
}

// The reasons why a matrix cannot be factored.
var (
	errNotFinite   = errors.New("the inner Hessian is not finite")
	errNotPositive = errors.New("the matrix is not positive definite")
)

func (f *Factor) set(l Local, x, y []float64, scale, shift float64) error {
	f.solve = nil
	if s, ok := l.(share.StructuredGyy); ok {
		f.solve = s.FactorGyy(x, y, scale, shift)
	}
	if f.solve != nil {
		return nil
	}
	if _, q := l.Dims(); f.hess == nil {
		f.hess = mat.NewSymDense(q, nil)
	}
	l.HessGyy(f.hess, x, y)
	if scale != 1 {
		f.hess.ScaleSym(scale, f.hess)
	}
	for i := range f.hess.SymmetricDim() {
		f.hess.SetSym(i, i, f.hess.At(i, i)+shift)
	}
	if f.chol.Set(f.hess) {
		return nil
	}
	if slices.ContainsFunc(f.hess.RawSymmetric().Data, func(v float64) bool { return v-v != 0 }) {
		return errNotFinite
	}
	return errNotPositive
}

// SolveVecTo implements Factored. x does not alias b. The error is always nil: an ill-conditioned matrix has
// a solution too.
func (f *Factor) SolveVecTo(x *mat.VecDense, b mat.Vector) error {
	rhs, ok := b.(*mat.VecDense)
	if ok && rhs.RawVector().Inc == 1 && x.RawVector().Inc == 1 {
		f.solveTo(x.RawVector().Data, rhs.RawVector().Data)
		return nil
	}
	rhs = mat.VecDenseCopyOf(b)
	out := mat.NewVecDense(rhs.Len(), nil)
	f.solveTo(out.RawVector().Data, rhs.RawVector().Data)
	if x.IsEmpty() {
		x.CloneFromVec(out)
	} else {
		x.CopyVec(out)
	}
	return nil
}

func (f *Factor) solveTo(dst, b []float64) {
	if f.solve != nil {
		f.solve(dst, b)
		return
	}
	f.chol.Solve(dst, b)
}

// notConvex follows the name of a method that solves a node's own inner Hessian.
const notConvex = ": the inner Hessian is not positive definite, so the node's inner problem is not strongly convex " +
	"here; regularize it"

// factorGyy sets f by the oracle. It charges the 2q² FLOPs of a scale and a shift, if there are any, and the
// q³/3 of a dense factorization. If the matrix is not positive definite, the run fails with the given
// message.
func factorGyy(p *node.Proc, o Oracle, f *Factor, x, y []float64, scale, shift float64, advice string) {
	_, d2 := o.Dims()
	q := float64(d2)
	err := o.FactorGyy(f, x, y, scale, shift)
	if scale != 1 || shift != 0 {
		p.Work(2 * q * q)
	}
	p.Work(q * q * q / 3)
	if errors.Is(err, errNotFinite) {
		p.Fail(fmt.Errorf("%w: %w", node.ErrDiverged, err))
	}
	if err != nil {
		p.Fail(errors.New(advice))
	}
}
