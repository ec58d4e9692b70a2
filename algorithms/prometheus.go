package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// Prometheus is the method of Liu, Zhang, Lu and Liu (2023) for personal inner
// problems with x in a convex set X, here a ball: variance-reduced estimates of the
// gradients, tracking, and a step towards a projected point. With v and d estimates of
// ∇_y g_i and of node i's own hypergradient, u = d at first, for k = 1 ... Outer:
//
//	z  = projection on X of x - u/tau
//	x⁺ = mix(x) + alpha (z - x)
//	y⁺ = y - beta v
//	every Period iterations:  v and d on all samples at (x⁺, y⁺)
//	otherwise:                v <- v + ∇_y g_i(x⁺, y⁺) - ∇_y g_i(x, y), d likewise, on one batch (SPIDER)
//	u <- mix(u) + d⁺ - d
//
// x⁺ is a mean of points of X, and so in X, only where alpha <= w_ii and x began in X.
// Without a constraint and with alpha = 1 it is SVR-INTERACT with steps 1/tau (see
// INTERACT). The hypergradient is ∇_x f - J v with v = (1/L) Σ_{s=0}^{Neumann} Π_{j<=s} (I - H_j/L) ∇_y f.
//
// Source: Liu, Zhang, Lu, Liu, "Prometheus: Taming Sample and Communication
// Complexities in Constrained Decentralized Stochastic Bilevel Learning", ICML 2023.
//
// Departure: written from the published description, not from the paper's box. The
// step of y takes the gradient at the old x. With full batches the recursion gives the
// full value itself, which is taken directly.
type Prometheus struct {
	Outer     int     // outer iterations K
	Alpha     float64 // step of x towards the projected point, in (0, 1]
	Beta      float64 // step of y
	Tau       float64 // of the proximal term: u/tau is the step that is projected
	Radius    float64 // of the ball X around 0; 0: no constraint
	Neumann   int     // products with Hessians; the series has one term more
	Lipschitz float64 // L: an upper bound of the largest eigenvalue of the H_i
	Period    int     // iterations from one full gradient to the next, at least 1
	Batch     int     // samples of the estimates between; 0 is the full batch
}

// Iterations returns Outer.
func (a Prometheus) Iterations() int { return a.Outer }

// Needs says that Prometheus is bilevel, with a y of each node's own.
func (a Prometheus) Needs() Requirements { return Requirements{Bilevel: true, PersonalY: true} }

// full reports whether iteration k takes all samples, at one point.
func (a Prometheus) full(k int) bool { return a.Batch == 0 || k%a.Period == 0 }

// Run is the method as described above.
func (a Prometheus) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, oldX, oldY := zeros(d1), zeros(d2), zeros(d1), zeros(d2)
	mx, d, z, oldD := zeros(d1), zeros(d1), zeros(d1), zeros(d1)
	v, oldV, nowV, nowD := zeros(d2), zeros(d2), zeros(d2), zeros(d1)
	hyper := newLocalHypergradient(o, 1/a.Lipschitz, a.Batch, a.Neumann)
	u := newTracker(d1)
	objects := []node.Mixed{node.MixVec("x", mx, x), u.mix("u")}
	o.Start(x, y)
	o.GradGy(v, x, y)
	hyper.at(d, x, y, a.Neumann)
	u.start(d)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("outer", objects...)
		copy(oldX, x)
		copy(oldY, y)
		descend(z, x, 1/a.Tau, u.t)
		projectOnBall(z, a.Radius)
		for i := range x { // x <- mix(x) + alpha (z - x)
			x[i] = mx[i] + a.Alpha*(z[i]-x[i])
		}
		floats.AddScaled(y, -a.Beta, v) // y <- y - beta v
		if a.full(k) {
			o.GradGy(v, x, y)
			hyper.full()
			hyper.at(d, x, y, a.Neumann)
		} else {
			inner := o.On(o.Draw(a.Batch, "inner"))
			inner.GradGy(oldV, oldX, oldY)
			inner.GradGy(nowV, x, y)
			refine(v, 0, nowV, oldV)
			hyper.draw()
			hyper.at(oldD, oldX, oldY, a.Neumann)
			hyper.at(nowD, x, y, a.Neumann)
			refine(d, 0, nowD, oldD)
		}
		u.follow(d) // u <- mix(u) + d⁺ - d
		p.Report(k, x, y)
	}
}

// projectOnBall moves v to the nearest point with a norm of at most radius; 0 leaves it.
func projectOnBall(v []float64, radius float64) {
	if n := floats.Norm(v, 2); radius > 0 && n > radius {
		floats.Scale(radius/n, v)
	}
}

// Cost is one round of 2 p vector elements, and derivatives at two points, or at one in
// the iterations with all samples.
func (a Prometheus) Cost(k int, d Dims) (c metrics.Cost) {
	points := 2
	if k == 0 || a.full(k) {
		points = 1
	}
	AddCalls(&c, d, Calls{GradG: points})
	localHypergradientCost(&c, d, points, a.Neumann)
	if k > 0 {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P)})
	}
	return c
}
