package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// higp is the Hessian-inverse-gradient product oracle of Chen, Huang, Ma and
// Balasubramanian (2023): decentralized gradient tracking on
//
//	min over z (q) of (1/n) sum of 1/2 z'H_i z - z'∇_y f_i,
//
// whose solution is z = H̄⁻¹ ∇_y f̄. With s_i = H_i z_i - ∇_y f_i and d = s at first,
//
//	z⁺ = mix(z) - gamma d,  d <- mix(d) + s⁺ - s.
//
// z is kept from one call to the next; the tracker is restarted.
type higp struct {
	steps int
	gamma float64
	batch int

	p            *node.Proc
	o            Oracle
	z, mz, s, fy []float64
	d            *tracker
	objects      []node.Mixed
}

func newHIGP(p *node.Proc, o Oracle, steps int, gamma float64, batch int) *higp {
	_, q := o.Dims()
	v := func() []float64 { return zeros(q) }
	h := &higp{steps: steps, gamma: gamma, batch: batch, p: p, o: o, z: v(), mz: v(), s: v(), fy: v(), d: newTracker(q)}
	h.objects = []node.Mixed{node.MixVec("z", h.mz, h.z), h.d.mix("d")}
	return h
}

// run returns z (q) at the point (x, y). It is the start of the next call.
func (h *higp) run(x, y []float64) []float64 {
	h.o.On(h.o.Draw(h.batch, "higp-gradient")).GradFy(h.fy, x, y)
	h.residual(x, y)
	h.d.start(h.s)
	for t := range h.steps {
		h.p.MixAll("higp", h.objects...)
		descend(h.z, h.mz, h.gamma, h.d.t) // z <- mix(z) - gamma d
		if t < h.steps-1 {                 // the last tracker is not needed
			h.residual(x, y)
			h.d.follow(h.s)
		}
	}
	return h.z
}

// residual sets s = H z - ∇_y f, with fresh samples of H.
func (h *higp) residual(x, y []float64) {
	h.o.On(h.o.Draw(h.batch, "higp-hessian")).HessGyyMul(h.s, x, y, h.z)
	floats.Sub(h.s, h.fy)
}

// higpCost adds one call.
func higpCost(c *metrics.Cost, d Dims, steps int) {
	AddExchanges(c, d, steps, metrics.Elements{Vector: 2 * int64(d.Q)})
	AddCalls(c, d, Calls{GradF: 1, HVP: steps})
}
