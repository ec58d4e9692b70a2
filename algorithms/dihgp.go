package algorithms

import (
	"gonum.org/v1/gonum/floats"

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
	a        DAGM
	p        *node.Proc
	o        Oracle
	mix      mixer
	self     float64 // w_ii
	shift    float64 // 2 (1 - w_ii)
	chol     Factor
	cg       *conjugateGradient
	fy, b, m []float64
	objects  []node.Mixed
	x, y     []float64 // where the products are taken
	apply    func(dst, v []float64)
}

const dihgpAdvice = "dihgp: beta H + 2(1-w)I is not positive definite, so the inner problem is not strongly convex " +
	"here; regularize it, or take a smaller beta"

// mixer averages objects over the network, as Proc.MixAll or Proc.Average does.
type mixer func(phase string, m ...node.Mixed)

func newDIHGP(p *node.Proc, o Oracle, mix mixer, self float64, a DAGM) *dihgp {
	_, q := o.Dims()
	d := &dihgp{
		a: a, p: p, o: o, mix: mix, self: self, shift: 2 * (1 - self),
		fy: zeros(q), b: zeros(q), m: zeros(q),
	}
	if a.Solve == SolveCG {
		d.cg = newConjugateGradient(p, q, a.CGTolerance, a.CGIterations, dihgpAdvice)
	}
	d.apply = func(dst, v []float64) { // D v
		d.o.HessGyyMul(dst, d.x, d.y, v)
		floats.Scale(d.a.Beta, dst)
		floats.AddScaled(dst, d.shift, v)
	}
	return d
}

// run sets h (q) at the point (x, y), with one exchange of h per term.
func (d *dihgp) run(h, x, y []float64) {
	d.x, d.y = x, y
	d.o.GradFy(d.fy, x, y)
	if d.a.Solve != SolveCG {
		factorGyy(d.p, d.o, &d.chol, x, y, d.a.Beta, d.shift, dihgpAdvice) // D
	}
	floats.ScaleTo(d.b, -1, d.fy)
	d.local(h, false) // D h_0 = -∇_y f, DIHGP line 4
	d.objects = append(d.objects[:0], node.MixVec("dihgp", d.m, h))
	w := d.self
	for range d.a.Neumann {
		d.mix("dihgp", d.objects...)
		// b = -∇_y f + (1 - w_ii) h_i + sum over neighbours of w_ij h_j; the mixed value
		// also holds w_ii h_i, so one more w_ii is taken off.
		for i := range d.b {
			d.b[i] = -d.fy[i] + (1-2*w)*h[i] + d.m[i]
		}
		d.local(h, true) // D h_{s+1} = b, DIHGP line 8
	}
}

// local solves D h = b.
func (d *dihgp) local(h []float64, warm bool) {
	if d.a.Solve == SolveCG {
		d.cg.solve(h, d.b, warm, d.apply)
		return
	}
	d.o.Solve(h, &d.chol, d.b)
}
