package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Order selects the derivatives of g that a method takes.
type Order string

// The orders.
const (
	SecondOrder Order = "second" // products with H and J; also the zero value
	FirstOrder  Order = "first"  // differences of gradients
)

// DSOBA is the single-loop method D-SOBA: each node combines what its neighbours have already moved. Where
// nodes differ, the limit has a bias of the order of the steps.
type DSOBA struct {
	bilevel
	Outer                     int
	Alpha, Beta, Gamma, Theta float64
	Order                     Order
	Delta                     float64
	Batch                     int
}

func (DSOBA) Declare() declare.Method {
	return declare.Method{
		Name: "d-soba", Label: "D-SOBA",
		Summary: "single loop without trackers: each node mixes what its neighbours have already moved",
		Aliases: []declare.Alias{
			{Name: "d-soba-so", Label: "D-SOBA-SO", Summary: "with products of Hessian and Jacobian",
				Preset: []declare.Preset{{Param: "order", Value: "second"}}},
			{Name: "d-soba-fo", Label: "D-SOBA-FO", Summary: "with differences of gradients",
				Preset: []declare.Preset{{Param: "order", Value: "first"}}},
		},
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", "the step of y; stable below 2/L"),
			declare.Step("gamma", "the step of z; stable below 2/L"),
			declare.Weight("theta", "the weight of the new hypergradient in the moving average"),
			declare.Enum("order", "of the derivatives of g: products, or differences of gradients", "second", "first"),
			declare.Number("delta", 0.001, declare.Above(0), "the gradients are taken at y ± delta z").Like("1e-3").
				OnlyIf("order: first").
				From("none: error of the order delta² |z|³, rounding 1e-16 / delta"),
			declare.Batch(),
		},
		Updates: `z = h = 0;  for k = 1 ... outer, everything at the old point:
  y_i <- Σ_j w_ij (y_j - beta ∇_y g_j)
  z_i <- Σ_j w_ij (z_j - gamma (∇²_yy g_j z_j - ∇_y f_j))
  x_i <- Σ_j w_ij (x_j - alpha h_j)
  h_i <- (1 - theta) h_i + theta (∇_x f_i - ∇²_xy g_i z_i)
order: first takes (∇_y g(x, y + delta z) - ∇_y g(x, y - delta z)) / (2 delta) for ∇²_yy g z,
and the same with ∇_x g for ∇²_xy g z`,
		Source: "Kong, Zhu, Lu, Huang, Yuan: Decentralized Bilevel Optimization: A Perspective from Transient " +
			"Iteration Complexity. Journal of Machine Learning Research 26, 2025; arXiv 2402.03167",
		Departures: fromDescription + " h takes the old z; the differences are central.",
	}
}

// Run is the method as described above.
func (a DSOBA) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	z, h := zeros(d2), zeros(d1)
	gy, fy, hz := zeros(d2), zeros(d2), zeros(d2)
	fx, jz := zeros(d1), zeros(d1)
	product := products{order: a.Order, delta: a.Delta, at: zeros(d2), gx: zeros(d1),
		gy: zeros(d2)}
	objects := []node.Mixed{node.MixVec("y", y, y), node.MixVec("z", z, z), node.MixVec("x", x, x)}
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
	d.differ(o.GradGy, dst, d.gy, x, y, z)
}

// jac sets dst (p) to J z.
func (d *products) jac(o Oracle, dst, x, y, z []float64) {
	if d.order != FirstOrder {
		o.JacGxyMul(dst, x, y, z)
		return
	}
	d.differ(o.GradGx, dst, d.gx, x, y, z)
}

// differ sets dst to the central difference of a gradient along z. below is scratch.
func (d *products) differ(gradient func(dst, x, y []float64), dst, below, x, y, z []float64) {
	floats.AddScaledTo(d.at, y, d.delta, z)
	gradient(dst, x, d.at)
	floats.AddScaledTo(d.at, y, -d.delta, z)
	gradient(below, x, d.at)
	floats.Sub(dst, below)
	floats.Scale(1/(2*d.delta), dst)
}

// Cost has two gradients of g in place of each product with FirstOrder.
func (a DSOBA) Cost(k int, d Dims) (c metrics.Cost) {
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P) + 2*int64(d.Q)})
	AddCalls(&c, d, Calls{GradF: 2})
	if a.Order == FirstOrder {
		AddCalls(&c, d, Calls{GradG: 5})
		return c
	}
	AddCalls(&c, d, Calls{GradG: 1, HVP: 1, JVP: 1})
	return c
}
