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
	x, sx, mx, ms, u, last := zeros(d1), zeros(d1), zeros(d1), zeros(d1), zeros(d1), zeros(d1)
	y, z := newReferenced(d2), newReferenced(d2)
	outer := []node.Mixed{node.MixVec("x", mx, x), node.MixVec("s_x", ms, sx)}
	inner := append(y.sent("y"), z.sent("z")...)
	gx, gy := zeros(d1), zeros(d2)
	derive := func() { // the gradients of r_y and r_z
		o.GradFy(y.now, x, y.v)
		o.GradGy(gy, x, y.v)
		floats.AddScaled(y.now, a.Lambda, gy)
		o.GradGy(z.now, x, z.v)
	}
	hyper := func() {
		o.GradFx(u, x, y.v)
		o.GradGx(gx, x, y.v)
		floats.AddScaled(u, a.Lambda, gx)
		o.GradGx(gx, x, z.v)
		floats.AddScaled(u, -a.Lambda, gx)
	}
	o.Start(x, y.v)
	copy(z.v, y.v)
	derive()
	y.follow()
	z.follow()
	hyper()
	copy(sx, u)
	copy(last, u)
	p.Report(0, x, y.v)
	for k := 1; k <= a.Outer; k++ {
		p.MixWhole("outer", outer...)
		towards(x, a.GammaX, mx, x) // x <- x + GammaX (mix(x) - x) - EtaX s_x
		floats.AddScaled(x, -a.EtaX, sx)
		for range a.Inner {
			y.move(a.GammaD, a.EtaY)
			z.move(a.GammaD, a.EtaZ)
			derive()
			y.track(a.GammaD)
			z.track(a.GammaD)
			y.differ()
			z.differ()
			p.MixAllSent("inner", inner...) // C(d - ^d), C(s_d - ^s_d)
			y.refer()
			z.refer()
		}
		hyper()
		towards(sx, a.GammaX, ms, sx) // s_x <- s_x + GammaX (mix(s_x) - s_x) + u - its last value
		floats.Add(sx, u)
		floats.Sub(sx, last)
		copy(last, u)
		p.Report(k, x, y.v)
	}
}

// towards adds gamma (to - from) to dst, which may be either.
func towards(dst []float64, gamma float64, to, from []float64) {
	for i := range dst {
		dst[i] += gamma * (to[i] - from[i])
	}
}

// referenced is a variable of the inner loops with its tracker, and what all neighbours know of both.
type referenced struct {
	v, s       []float64 // the variable and its tracker
	now, last  []float64 // its gradient
	hatV, hatS []float64 // the reference points
	mixV, mixS []float64 // the weighted sums of those of all neighbours and the node itself
	difV, difS []float64 // what is sent
	ownV, ownS []float64 // what of it arrives
	gotV, gotS []float64 // the weighted sums of what arrives
}

func newReferenced(n int) *referenced {
	r := &referenced{}
	for _, v := range []*[]float64{&r.v, &r.s, &r.now, &r.last, &r.hatV, &r.hatS, &r.mixV, &r.mixS,
		&r.difV, &r.difS, &r.ownV, &r.ownS, &r.gotV, &r.gotS} {
		*v = zeros(n)
	}
	return r
}

// sent are the objects that are exchanged.
func (r *referenced) sent(name string) []node.Sent {
	return []node.Sent{node.SentVec(name, r.ownV, r.gotV, r.difV), node.SentVec("s_"+name, r.ownS, r.gotS, r.difS)}
}

// follow adds the change of the gradient to the tracker.
func (r *referenced) follow() {
	floats.Add(r.s, r.now)
	floats.Sub(r.s, r.last)
	copy(r.last, r.now)
}

// move is v <- v + gamma (mix(^v) - ^v) - eta s.
func (r *referenced) move(gamma, eta float64) {
	towards(r.v, gamma, r.mixV, r.hatV)
	floats.AddScaled(r.v, -eta, r.s)
}

// track is s <- s + gamma (mix(^s) - ^s) + the change of the gradient.
func (r *referenced) track(gamma float64) {
	towards(r.s, gamma, r.mixS, r.hatS)
	r.follow()
}

// differ takes the differences to the reference points.
func (r *referenced) differ() {
	floats.SubTo(r.difV, r.v, r.hatV)
	floats.SubTo(r.difS, r.s, r.hatS)
}

// refer moves the reference points by what arrived.
func (r *referenced) refer() {
	floats.Add(r.hatV, r.ownV)
	floats.Add(r.hatS, r.ownS)
	floats.Add(r.mixV, r.gotV)
	floats.Add(r.mixS, r.gotS)
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
