package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// Order says which derivatives of g a method takes.
type Order string

// The orders.
const (
	SecondOrder Order = "second" // products with H and J; also the zero value
	FirstOrder  Order = "first"  // differences of gradients
)

// DSOBA is the single-loop method D-SOBA of Kong, Zhu, Lu, Huang and Yuan (2024): each
// node combines what its neighbours have already moved. With everything at the old
// point and h = z = 0 at first, for k = 1 ... Outer:
//
//	y⁺ = mix(y - beta ∇_y g_i)
//	z⁺ = mix(z - gamma (H_i z - ∇_y f_i))
//	x⁺ = mix(x - alpha h)
//	h <- (1 - theta) h + theta (∇_x f_i - J_i z)
//
// This is D-SOBA-SO. D-SOBA-FO takes differences of gradients instead of products:
//
//	H z ~ (∇_y g(x, y + delta z) - ∇_y g(x, y - delta z)) / (2 delta),  J z likewise with ∇_x g
//
// Where nodes differ, the limit has a bias of the order of the steps.
//
// Source: Kong, Zhu, Lu, Huang, Yuan, "Decentralized Bilevel Optimization: A
// Perspective from Transient Iteration Complexity", Journal of Machine Learning
// Research 26, 2025, arXiv 2402.03167.
//
// Departure: written from the published description, not from the paper's box. h takes
// the old z. The differences are central.
type DSOBA struct {
	Outer int     // outer iterations K
	Alpha float64 // step of x
	Beta  float64 // step of y
	Gamma float64 // step of z
	Theta float64 // weight of the new hypergradient, in (0, 1]
	Order Order   // -SO or -FO
	Delta float64 // of the differences, for FirstOrder
	Batch int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a DSOBA) Iterations() int { return a.Outer }

// Needs says that D-SOBA is bilevel.
func (a DSOBA) Needs() Requirements { return Requirements{Bilevel: true} }

// Run is the method as described above.
func (a DSOBA) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, z, h := zeros(d1), zeros(d2), zeros(d2), zeros(d1)
	gy, fy, hz := zeros(d2), zeros(d2), zeros(d2)
	fx, jz := zeros(d1), zeros(d1)
	product := products{order: a.Order, delta: a.Delta, at: zeros(d2), gx: zeros(d1),
		gy: zeros(d2)}
	objects := []node.Mixed{node.MixVec("y", y, y), node.MixVec("z", z, z), node.MixVec("x", x, x)}
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, y)
		adjoint := o.On(o.Draw(a.Batch, "adjoint"))
		adjoint.GradFy(fy, x, y)
		product.hess(adjoint, hz, x, y, z)
		outer := o.On(o.Draw(a.Batch, "outer"))
		outer.GradFx(fx, x, y)
		product.jac(outer, jz, x, y, z)

		floats.AddScaled(y, -a.Beta, gy)
		floats.Sub(hz, fy)
		floats.AddScaled(z, -a.Gamma, hz)
		floats.AddScaled(x, -a.Alpha, h)
		p.MixAll("gossip", objects...)
		floats.Sub(fx, jz)
		moveTo(h, a.Theta, fx) // h <- (1 - theta) h + theta (∇_x f - J z)
		p.Report(k, x, y)
	}
}

// products are those of H and J with a vector, or the differences that stand for them.
type products struct {
	order  Order
	delta  float64
	at, gy []float64 // (q)
	gx     []float64 // (p)
}

// hess sets dst (q) to H z.
func (d *products) hess(o Oracle, dst, x, y, z []float64) {
	if d.order != FirstOrder {
		o.HessGyyMul(dst, x, y, z)
		return
	}
	floats.AddScaledTo(d.at, y, d.delta, z)
	o.GradGy(dst, x, d.at)
	floats.AddScaledTo(d.at, y, -d.delta, z)
	o.GradGy(d.gy, x, d.at)
	floats.Sub(dst, d.gy)
	floats.Scale(1/(2*d.delta), dst)
}

// jac sets dst (p) to J z.
func (d *products) jac(o Oracle, dst, x, y, z []float64) {
	if d.order != FirstOrder {
		o.JacGxyMul(dst, x, y, z)
		return
	}
	floats.AddScaledTo(d.at, y, d.delta, z)
	o.GradGx(dst, x, d.at)
	floats.AddScaledTo(d.at, y, -d.delta, z)
	o.GradGx(d.gx, x, d.at)
	floats.Sub(dst, d.gx)
	floats.Scale(1/(2*d.delta), dst)
}

// Cost is one round of p + 2 q vector elements. Each product becomes two gradients of
// g where the order is the first.
func (a DSOBA) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P) + 2*int64(d.Q)})
	AddCalls(&c, d, Calls{GradF: 2})
	if a.Order == FirstOrder {
		AddCalls(&c, d, Calls{GradG: 5})
		return c
	}
	AddCalls(&c, d, Calls{GradG: 1, HVP: 1, JVP: 1})
	return c
}
