package algorithms

import "gonum.org/v1/gonum/floats"

// linearSystem approximates v = H⁻¹ b, H = ∇²_yy g at a point, by products with H on one node. Each product
// is one HVP of the oracle that is passed, so the caller chooses the batch.
type linearSystem struct {
	hv, r []float64 // scratch (q)
}

func newLinearSystem(q int) *linearSystem {
	return &linearSystem{hv: zeros(q), r: zeros(q)}
}

// descend improves v (q) by steps of gradient descent on 1/2 v'Hv - b'v:
// v <- v - eta (H v - b). It takes one product per step. From v = 0 it gives
// eta times the sum of (I - eta H)^s b over s = 0 ... steps-1.
func (s *linearSystem) descend(v []float64, o derivatives, x, y, b []float64, eta float64, steps int) {
	for range steps {
		o.HessGyyMul(s.hv, x, y, v)
		floats.Sub(s.hv, b)
		floats.AddScaled(v, -eta, s.hv)
	}
}

// neumann sets v (q) = eta times the sum of the products of (I - eta H_j) over
// j = 1 ... s, applied to b, over s = 0 ... terms-1: the truncated Neumann series.
// on(j) is the oracle of factor j, counted from 1, so that each may have its own
// sample. It takes terms-1 products.
func (s *linearSystem) neumann(v []float64, on func(j int) derivatives, x, y, b []float64, eta float64, terms int) {
	copy(s.r, b)
	copy(v, b)
	for j := 1; j < terms; j++ {
		on(j).HessGyyMul(s.hv, x, y, s.r)
		floats.AddScaled(s.r, -eta, s.hv)
		floats.Add(v, s.r)
	}
	floats.Scale(eta, v)
}
