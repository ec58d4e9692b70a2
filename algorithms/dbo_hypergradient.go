package algorithms

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// Mode says whether nodes have one inner problem or different ones, by which
// Chen, Huang and Ma choose between the branches of their methods.
type Mode string

// The branches.
const (
	Heterogeneous Mode = "heterogeneous" // nodes solve the inner problem together; also the zero value
	Homogeneous   Mode = "homogeneous"   // each node solves its own, which should be that of all
)

// dboHypergradient is Algorithm 2 of Chen, Huang and Ma: a node's estimate of its part of the hypergradient.
//
//	heterogeneous:                 ∇_x f - Z' ∇_y f,  Z by JHIP
//	homogeneous:                   ∇_x f - J v,  v from H v = ∇_y f by conjugate gradients from the last v
//	homogeneous and stochastic:    v = 0, then v <- v - gamma (H v - ∇_y f) with fresh samples of H
type dboHypergradient struct {
	mode       Mode
	stochastic bool
	steps      int
	gamma      float64
	batch      int

	p      *node.Proc
	o      Oracle
	jhip   *jhip
	cg     *conjugateGradient
	system *linearSystem
	x, y   []float64
	fy, v  []float64
	scrap  []float64 // (p)
	apply  func(dst, v []float64)
}

// cgEnough is the relative residual at which conjugate gradients stop early. Further steps would only move
// rounding errors.
const cgEnough = 1e-15

func (h *dboHypergradient) start(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	h.p, h.o = p, o
	h.fy, h.v, h.scrap = zeros(d2), zeros(d2), zeros(d1)
	switch {
	case h.mode != Homogeneous:
		h.jhip = newJHIP(p, o, h.steps, h.gamma)
		h.jhip.sampled, h.jhip.batch = h.stochastic, h.batch
	case h.stochastic:
		h.system = newLinearSystem(d2)
	default:
		h.cg = newConjugateGradient(p, d2, cgEnough, h.steps, "dbo"+notConvex)
		h.apply = func(dst, v []float64) { h.o.HessGyyMul(dst, h.x, h.y, v) }
	}
}

// run sets dst (p) to the estimate at (x, y).
func (h *dboHypergradient) run(dst, x, y []float64) {
	outer := h.o.On(h.o.Draw(h.batch, "outer"))
	if h.jhip != nil {
		z := h.jhip.run(x, y)
		outer.GradFx(dst, x, y)
		outer.GradFy(h.fy, x, y)
		blas64.Gemv(blas.Trans, 1, z.RawMatrix(), vector(h.fy), 0, vector(h.scrap)) // Z' ∇_y f
		h.p.Work(2 * float64(len(x)) * float64(len(y)))
		floats.Sub(dst, h.scrap)
		return
	}
	outer.GradFy(h.fy, x, y)
	if h.cg != nil {
		h.x, h.y = x, y
		h.cg.solve(h.v, h.fy, true, h.apply)
	} else {
		clear(h.v)
		for range h.steps {
			h.system.descend(h.v, h.o.On(h.o.Draw(h.batch, "hessian")), x, y, h.fy, h.gamma, 1)
		}
	}
	implicitGradient(outer, dst, h.scrap, x, y, h.v)
}

// cost adds one call.
func (h *dboHypergradient) cost(c *metrics.Cost, d Dims) {
	AddCalls(c, d, Calls{GradF: 2})
	switch {
	case h.mode != Homogeneous:
		AddExchanges(c, d, h.steps, metrics.Elements{Matrix: 2 * int64(d.P) * int64(d.Q)})
		AddCalls(c, d, Calls{HVP: (h.steps - 1) * d.P})
		jacobians := 1
		if h.stochastic {
			jacobians = h.steps
		}
		AddCalls(c, d, Calls{Jacobian: jacobians})
	case h.stochastic:
		AddCalls(c, d, Calls{HVP: h.steps, JVP: 1})
	default:
		AddCalls(c, d, Calls{HVP: h.steps + 1, JVP: 1}) // and the first residual
		c.Bound = true
	}
}
