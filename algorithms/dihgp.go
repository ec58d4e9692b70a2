package algorithms

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/node"
)

// Solve chooses how a node solves its own linear systems.
type Solve string

// The local solvers.
const (
	SolveCholesky Solve = "cholesky" // forms the Hessian and factors it; also the zero value
	SolveCG       Solve = "cg"       // products with the Hessian only
)

// dihgp is the decentralized inverse Hessian-gradient product of Nazari et al.: a
// truncated Neumann series for ((I - W) + beta H) h = -∇_y f, stacked over the nodes,
// split at D_i = beta H_i + 2 (1 - w_ii) I. As beta goes to 0 and the number of terms
// grows faster than 1/beta, beta h_i tends to -H̄⁻¹ ∇_y f̄.
type dihgp struct {
	terms int
	beta  float64
	solve Solve

	p        *node.Proc
	o        Oracle
	shift    float64 // 2 (1 - w_ii)
	hess     *mat.SymDense
	chol     mat.Cholesky
	cg       *conjugateGradient
	fy, b, m []float64
	x, y     []float64 // where the products are taken
	apply    func(dst, v []float64)
}

func newDIHGP(p *node.Proc, o Oracle, terms int, beta float64, solve Solve, tolerance float64, iterations int) *dihgp {
	_, q := o.Dims()
	d := &dihgp{
		terms: terms, beta: beta, solve: solve, p: p, o: o, shift: 2 * (1 - p.SelfWeight()),
		fy: make([]float64, q), b: make([]float64, q), m: make([]float64, q),
	}
	if solve == SolveCG {
		d.cg = newConjugateGradient(q, tolerance, iterations)
	} else {
		d.hess = mat.NewSymDense(q, nil)
	}
	d.apply = func(dst, v []float64) { // D v
		d.o.HessGyyMul(dst, d.x, d.y, v)
		floats.Scale(d.beta, dst)
		floats.AddScaled(dst, d.shift, v)
	}
	return d
}

// run sets h (q) at the point (x, y), with one exchange of h per term.
func (d *dihgp) run(h, x, y []float64) {
	d.x, d.y = x, y
	d.o.GradFy(d.fy, x, y)
	if d.solve != SolveCG {
		d.factor()
	}
	floats.ScaleTo(d.b, -1, d.fy)
	d.local(h, false) // D h_0 = -∇_y f, DIHGP line 4
	w := d.p.SelfWeight()
	for range d.terms {
		d.p.Mix(d.m, "dihgp", h)
		// b = -∇_y f + (1 - w_ii) h_i + sum over neighbours of w_ij h_j; the mixed value
		// holds w_ii h_i besides, so one more w_ii is taken off.
		for i := range d.b {
			d.b[i] = -d.fy[i] + (1-2*w)*h[i] + d.m[i]
		}
		d.local(h, true) // D h_{s+1} = b, DIHGP line 8
	}
}

// factor forms and factors D.
func (d *dihgp) factor() {
	d.o.HessGyy(d.hess, d.x, d.y)
	n := d.hess.SymmetricDim()
	d.hess.ScaleSym(d.beta, d.hess)
	for i := range n {
		d.hess.SetSym(i, i, d.hess.At(i, i)+d.shift)
	}
	q := float64(n)
	d.p.Work(q*q*q/3 + 2*q*q)
	if !d.chol.Factorize(d.hess) {
		if !finiteSym(d.hess) {
			d.p.Fail(fmt.Errorf("%w: the inner Hessian is not finite", node.ErrDiverged))
		}
		d.p.Fail(errors.New("dihgp: beta H + 2(1-w)I is not positive definite, so the inner problem is not strongly convex here; regularize it, or take a smaller beta"))
	}
}

// local solves D h = b.
func (d *dihgp) local(h []float64, warm bool) {
	if d.solve == SolveCG {
		d.cg.solve(h, d.b, warm, d.apply)
		return
	}
	d.o.Solve(h, &d.chol, d.b)
}

func finiteSym(m *mat.SymDense) bool {
	for i := range m.SymmetricDim() {
		for j := range i + 1 {
			if v := m.At(i, j); v-v != 0 {
				return false
			}
		}
	}
	return true
}
