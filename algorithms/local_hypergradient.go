package algorithms

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// implicitGradient sets dst (p) = ∇_x f - J v, the hypergradient if v = H⁻¹ ∇_y f.
// jv (p) is scratch.
func implicitGradient(o derivatives, dst, jv, x, y, v []float64) {
	if a, ok := o.(*averaged); ok {
		a.implicitGradient(dst, jv, x, y, v)
		return
	}
	o.GradFx(dst, x, y)
	o.JacGxyMul(jv, x, y, v)
	floats.Sub(dst, jv)
}

// localHypergradient is a node's own hypergradient, with its own inverse Hessian by a
// Neumann series,
//
//	∇_x f - J v,  v = eta * sum over s = 0 ... products of (I - eta H_1) ... (I - eta H_s) ∇_y f.
//
// Each H_j has its own samples, so the mean over all samples is the full value.
type localHypergradient struct {
	eta   float64
	batch int

	sample   sampler
	outer    derivatives   // of ∇f and J
	factors  []derivatives // of H_1, H_2, ...
	purposes []string
	system   *linearSystem
	fy, v    []float64 // (q)
	jv       []float64 // (p)
}

// newLocalHypergradient returns one with at most the given number of products.
func newLocalHypergradient(o Oracle, sample sampler, eta float64, batch, products int) *localHypergradient {
	p, q := o.Dims()
	h := &localHypergradient{
		eta: eta, batch: batch, sample: sample, factors: make([]derivatives, products), system: newLinearSystem(q),
		fy: zeros(q), v: zeros(q), jv: zeros(p),
	}
	for j := range h.factors {
		h.purposes = append(h.purposes, fmt.Sprintf("hessian-%d", j+1))
	}
	h.full()
	return h
}

// full selects all samples.
func (h *localHypergradient) full() {
	h.outer = h.sample(0, "")
	for j := range h.factors {
		h.factors[j] = h.outer
	}
}

// draw selects fresh samples, which are used until the next draw.
func (h *localHypergradient) draw() {
	h.outer = h.sample(h.batch, "outer")
	for j, purpose := range h.purposes {
		h.factors[j] = h.sample(h.batch, purpose)
	}
}

// at sets dst (p) to the hypergradient at (x, y), with the given number of products.
func (h *localHypergradient) at(dst, x, y []float64, products int) {
	h.outer.GradFy(h.fy, x, y)
	h.system.neumann(h.v, h.factor, x, y, h.fy, h.eta, products+1)
	implicitGradient(h.outer, dst, h.jv, x, y, h.v)
}

func (h *localHypergradient) factor(j int) derivatives { return h.factors[j-1] }
