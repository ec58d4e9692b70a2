package algorithms

import (
	"gonum.org/v1/gonum/mat"

	"tallynet/node"
)

// jhip is the Jacobian-Hessian-inverse product oracle, Algorithm 1 of Chen, Huang and Ma: decentralized
// gradient tracking on
//
//	min over Z (q x p) of (1/n) sum of 1/2 tr(Z' H_i Z) - tr(J_i Z),
//
// whose solution is Z' = J̄ H̄⁻¹. It starts at Z = 0 in every call.
//
// Departure: the paper drops J' from the tracker, since it cancels in differences. Without J' in the
// tracker's first value Z would stay 0, so it is kept there.
type jhip struct {
	steps int
	gamma float64
	// sampled takes fresh samples of H and J in each step, batch of them, and steps
	// gamma / (1 + t): the stochastic form.
	sampled bool
	batch   int

	p            *node.Proc
	o            Oracle
	jac          *mat.Dense // p x q
	z            *mat.Dense // q x p, the iterate
	y, my        *mat.Dense // the tracker of its gradient
	grad, before *mat.Dense // H Z at the new and the old Z
}

func newJHIP(p *node.Proc, o Oracle, steps int, gamma float64) *jhip {
	d1, d2 := o.Dims()
	m := func() *mat.Dense { return mat.NewDense(d2, d1, nil) }
	return &jhip{steps: steps, gamma: gamma, p: p, o: o, jac: mat.NewDense(d1, d2, nil),
		z: m(), y: m(), my: m(), grad: m(), before: m()}
}

// run returns Z at the point (x, y). It is overwritten by the next call.
func (j *jhip) run(x, y []float64) *mat.Dense {
	o := j.sample()
	o.JacGxy(j.jac, x, y)
	j.z.Zero()
	j.y.Zero()
	subtractTransposed(j.y, j.jac) // Y = H Z - J', where H Z = 0 needs no product
	j.before.Zero()
	if j.sampled {
		j.before.Copy(j.y)
	}
	gamma := j.gamma
	for t := range j.steps {
		if j.sampled {
			gamma = j.gamma / float64(1+t)
		}
		last := t == j.steps-1
		j.exchange(last)
		descend(raw(j.z), raw(j.z), gamma, raw(j.y)) // Z <- mix(Z) - gamma Y
		if last {
			break
		}
		o = j.sample()
		o.HessGyyMulMat(j.grad, x, y, j.z)
		if j.sampled { // J' differs from step to step, and does not cancel
			o.JacGxy(j.jac, x, y)
			subtractTransposed(j.grad, j.jac)
		}
		j.track()
	}
	return j.z
}

// exchange replaces Z by its mix and mixes its tracker Y. The last mix of Y is charged, though nothing reads it.
func (j *jhip) exchange(last bool) {
	y := node.MixMat("Y", j.my, j.y)
	if last {
		y = y.Unread()
	}
	j.p.MixAll("jhip", node.MixMat("Z", j.z, j.z), y)
}

// track sets Y <- mix(Y) + H Z⁺ - H Z.
func (j *jhip) track() {
	y, grad, old := raw(j.y), raw(j.grad), raw(j.before)
	for i, m := range raw(j.my) {
		y[i] = m + grad[i] - old[i]
	}
	j.grad, j.before = j.before, j.grad
}

// sample returns the oracle of one step.
func (j *jhip) sample() Oracle {
	if !j.sampled {
		return j.o
	}
	return j.o.On(j.o.Draw(j.batch, "jhip"))
}

// subtractTransposed sets dst (q x p) = dst - m', m (p x q).
func subtractTransposed(dst, m *mat.Dense) {
	p, q := m.Dims()
	to, from := raw(dst), raw(m)
	for a := range p {
		for b := range q {
			to[b*p+a] -= from[a*q+b]
		}
	}
}
