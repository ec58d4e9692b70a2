package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// C2DFB is a compressed, fully first-order method. Node i descends on
//
//	min over x, y, max over z of  f(x, y) + lambda (g(x, y) - g(x, z)).
//
// Its inner loops mix reference points: all neighbours know ^d and ^s^d of each d = y, z and its tracker s^d,
// and receive the changes to add to them. Nodes agree in the limit, which does not depend on the compression:
// it is the minimizer of the penalized problem.
type C2DFB struct {
	Outer, Inner     int
	Lambda           float64
	EtaX, EtaY, EtaZ float64
	GammaX, GammaD   float64
}

func (C2DFB) Declare() declare.Method {
	return declare.Method{
		Name: "c2dfb", Label: "C2DFB",
		Summary: "fully first-order: a penalized problem, whose inner loops mix by compressed differences",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "steps of y and z per outer iteration, the paper's K"),
			declare.Positive("lambda", "10", "the penalty; the limit is O(1/lambda) from the optimum"),
			declare.Step("eta_x", "the step of x"),
			declare.Positive("eta_y", "0.002", "the step of y; its direction grows like lambda, so it is about "+
				"1/(lambda L)"),
			declare.Step("eta_z", "the step of z, about 1 / L"),
			declare.Number("gamma_x", 0.5, declare.AboveUpTo(0, 1), "the mixing step of x and its tracker, which "+
				"are not compressed").Like("0.3"),
			declare.Number("gamma_d", 0.5, declare.AboveUpTo(0, 1), "the mixing step of y, z and their trackers; "+
				"the coarser the compression, the smaller").Like("0.3"),
		},
		Updates: `for k = 1 ... outer:
  x_i <- x_i + gamma_x (Σ_j w_ij x_j - x_i) - eta_x s^x_i
  inner times, for d = y and z, with r_y = f_i + lambda g_i and r_z = g_i, s^d being ∇_d r_d at first:
    d_i <- d_i + gamma_d (Σ_j w_ij ^d_j - ^d_i) - eta_d s^d_i
    s^d_i <- s^d_i + gamma_d (Σ_j w_ij ^s^d_j - ^s^d_i) + ∇_d r_d(x_i, d_i) - its last value
    ^d_i <- ^d_i + C(d_i - ^d_i);  ^s^d_i <- ^s^d_i + C(s^d_i - ^s^d_i)
  u_i = ∇_x f_i(x_i, y_i) + lambda (∇_x g_i(x_i, y_i) - ∇_x g_i(x_i, z_i))
  s^x_i <- s^x_i + gamma_x (Σ_j w_ij s^x_j - s^x_i) + u_i - its last value
C is what wire.compress says; x and s^x are sent as they are.`,
		Source: "Wen, Liu, Abdelmoniem, Zhou, Xu: A Communication and Computation Efficient Fully First-order " +
			"Method for Decentralized Bilevel Optimization. arXiv 2410.14115",
		Departures: fromDescription + ` Open is how an inner loop begins: here y, z, their trackers and all reference points go on from the last iteration, and reference points start at 0.
The two loops run side by side: y, z and their trackers travel in one message, x and its tracker in another.`,
	}
}

// Needs says that the method is bilevel and keeps a memory of its own.
func (a C2DFB) Needs() Requirements {
	return Requirements{Bilevel: true, AllNeighbors: true, OwnMemory: true, FixedW: true}
}

// Run is the method as described above.
func (a C2DFB) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, sx, mx, ms, u, lastU := zeros(d1), zeros(d1), zeros(d1), zeros(d1), zeros(d1), zeros(d1)
	y, sy, z, sz := newReferenced(d2), newReferenced(d2), newReferenced(d2), newReferenced(d2)
	dy, lastY, dz, lastZ := zeros(d2), zeros(d2), zeros(d2), zeros(d2)
	outer := []node.Mixed{node.MixVec("x", mx, x), node.MixVec("s_x", ms, sx)}
	inner := []node.Sent{y.sent("y"), sy.sent("s_y"), z.sent("z"), sz.sent("s_z")}
	gx, gy := zeros(d1), zeros(d2)
	derive := func() { // the gradients of r_y and r_z
		o.GradFy(dy, x, y.v)
		o.GradGy(gy, x, y.v)
		floats.AddScaled(dy, a.Lambda, gy)
		o.GradGy(dz, x, z.v)
	}
	follow := func(tracker, now, last []float64) {
		floats.Add(tracker, now)
		floats.Sub(tracker, last)
		copy(last, now)
	}
	o.Start(x, y.v)
	copy(z.v, y.v)
	derive()
	follow(sy.v, dy, lastY)
	follow(sz.v, dz, lastZ)
	penaltyGradient(o, u, gx, x, y.v, z.v, a.Lambda)
	copy(sx, u)
	copy(lastU, u)
	p.Report(0, x, y.v)
	for k := 1; k <= a.Outer; k++ {
		p.MixWhole("outer", outer...)
		towards(x, a.GammaX, mx, x) // x <- x + GammaX (mix(x) - x) - EtaX s_x
		floats.AddScaled(x, -a.EtaX, sx)
		for range a.Inner {
			y.agree(a.GammaD) // d <- d + GammaD (mix(^d) - ^d) - EtaD s_d
			floats.AddScaled(y.v, -a.EtaY, sy.v)
			z.agree(a.GammaD)
			floats.AddScaled(z.v, -a.EtaZ, sz.v)
			derive()
			sy.agree(a.GammaD) // s_d <- s_d + GammaD (mix(^s_d) - ^s_d) + the change of the gradient
			follow(sy.v, dy, lastY)
			sz.agree(a.GammaD)
			follow(sz.v, dz, lastZ)
			for _, r := range []*referenced{y, sy, z, sz} {
				r.differ()
			}
			p.MixAllSent("inner", inner...) // C(d - ^d), C(s_d - ^s_d)
			for _, r := range []*referenced{y, sy, z, sz} {
				r.refer()
			}
		}
		penaltyGradient(o, u, gx, x, y.v, z.v, a.Lambda)
		towards(sx, a.GammaX, ms, sx) // s_x <- s_x + GammaX (mix(s_x) - s_x) + u - its last value
		follow(sx, u, lastU)
		p.Report(k, x, y.v)
	}
}

// penaltyGradient sets dst to ∇_x f(x, y) + lambda (∇_x g(x, y) - ∇_x g(x, z)). gx is scratch.
func penaltyGradient(o Oracle, dst, gx, x, y, z []float64, lambda float64) {
	o.GradFx(dst, x, y)
	o.GradGx(gx, x, y)
	floats.AddScaled(dst, lambda, gx)
	o.GradGx(gx, x, z)
	floats.AddScaled(dst, -lambda, gx)
}

// towards adds gamma (to - from) to dst, which may be either.
func towards(dst []float64, gamma float64, to, from []float64) {
	for i := range dst {
		dst[i] += gamma * (to[i] - from[i])
	}
}

// referenced is a vector v whose differences to a reference point are sent. All neighbours know the point.
type referenced struct {
	v         []float64
	hat, mix  []float64 // the point, and the weighted sum of those of all neighbours and the node itself
	sends     []float64
	own, gets []float64 // what of it arrives, and the weighted sum of what arrives
}

func newReferenced(n int) *referenced {
	return &referenced{zeros(n), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n)}
}

// sent is the object that is exchanged.
func (r *referenced) sent(name string) node.Sent { return node.SentVec(name, r.own, r.gets, r.sends) }

// agree is v <- v + gamma (mix(^v) - ^v).
func (r *referenced) agree(gamma float64) { towards(r.v, gamma, r.mix, r.hat) }

// differ takes the difference to the reference point.
func (r *referenced) differ() { floats.SubTo(r.sends, r.v, r.hat) }

// refer moves the reference points by what arrived.
func (r *referenced) refer() {
	floats.Add(r.hat, r.own)
	floats.Add(r.mix, r.gets)
}

// StartCost is that of the first directions.
func (a C2DFB) StartCost(d Dims) metrics.Cost { return Calls{GradF: 2, GradG: 4}.Cost(d) }

// Cost has x and its tracker uncompressed.
func (a C2DFB) Cost(_ int, d Dims) (c metrics.Cost) {
	AddWhole(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P)})
	AddExchanges(&c, d, a.Inner, metrics.Elements{Vector: 4 * int64(d.Q)})
	AddCalls(&c, d, Calls{GradF: a.Inner + 1, GradG: 2*a.Inner + 2})
	return c
}
