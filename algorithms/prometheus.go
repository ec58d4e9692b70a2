package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Prometheus solves personal inner problems with x in a ball X: variance-reduced estimates of the gradients
// (SPIDER), tracking, and a step towards a projected point. The new x is a mean of points of X, and so in X,
// only where alpha <= w_ii and x began in X.
type Prometheus struct {
	personal
	Outer                    int
	Alpha, Beta, Tau, Radius float64
	Neumann                  int
	Lipschitz                float64
	Period, Batch            int
}

func (Prometheus) Declare() declare.Method {
	return declare.Method{
		Name: "prometheus", Label: "Prometheus",
		Summary: "for personal inner problems and x in a ball: variance-reduced, tracked, with a projected step",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Weight("alpha", "the step of x towards the projected point"),
			declare.Step("beta", "the step of y; stable below 2/L"),
			declare.Positive("tau", "10", "of the proximal term: u/tau is the step that is projected"),
			declare.Number("radius", 0, declare.AtLeast(0), "of the ball around 0 that steps are projected on; x "+
				"itself stays in it if it starts there and alpha ≤ w_ii; 0: unconstrained").Like("10"),
			declare.Neumann(),
			declare.Lipschitz("each node's inner Hessian"),
			declare.Batch(),
			declare.Count("period", 1, "10", "iterations from one gradient on all samples to the next").
				In(declare.AtLeast(1)).Beside("batch").
				Or(10, "none: SPIDER has the square root of the number of samples (Fang et al. 2018)"),
		},
		Updates: `v_i = ∇_y g_i;  d_i = ∇_x f_i - ∇²_xy g_i (1/L) Σ_{s=0..neumann} (I - ∇²_yy g_i / L)^s ∇_y f_i
u_i = d_i;  for k = 1 ... outer:
  z_i = projection of x_i - u_i/tau on the ball
  x_i⁺ = Σ_j w_ij x_j + alpha (z_i - x_i);  y_i⁺ = y_i - beta v_i
  every period iterations:  v_i and d_i on all samples
  otherwise:  v_i <- v_i + ∇_y g_i⁺ - ∇_y g_i on one batch, d_i likewise
  u_i <- Σ_j w_ij u_j + d_i⁺ - d_i`,
		Source: "Liu, Zhang, Lu, Liu: Prometheus: Taming Sample and Communication Complexities in Constrained " +
			"Decentralized Stochastic Bilevel Learning. ICML 2023",
		Departures: fromDescription + ` The step of y takes the gradient at the old x.
Without a radius and with alpha: 1 it is SVR-INTERACT with steps 1/tau.
The series is counted by its products. With full batches the recursion gives the full value itself, which is taken directly.`,
	}
}

// full reports whether iteration k takes all samples, at one point.
func (a Prometheus) full(k int) bool { return a.Batch == 0 || k%a.Period == 0 }

// Run is the method as described above.
func (a Prometheus) Run(p *node.Proc, o Oracle) {
	x, y, d1, _ := origin(o)
	mx, z := zeros(d1), zeros(d1)
	e := newVarianceReduced(o, 1/a.Lipschitz, a.Batch, a.Neumann) // of v and d
	u := newTracker(d1)
	objects := []node.Mixed{node.MixVec("x", mx, x), u.mix("u")}
	e.restart(x, y)
	u.start(e.dx)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		p.MixAll("outer", objects...)
		descend(z, x, 1/a.Tau, u.t)
		projectOnBall(z, a.Radius)
		for i := range x { // x <- mix(x) + alpha (z - x)
			x[i] = mx[i] + a.Alpha*(z[i]-x[i])
		}
		floats.AddScaled(y, -a.Beta, e.dy) // y <- y - beta v
		if a.full(k) {
			e.full()
			e.restart(x, y)
		} else {
			e.draw()
			e.move(x, y, 0, 0)
		}
		u.follow(e.dx) // u <- mix(u) + d⁺ - d
		p.Report(k, x, y)
	}
}

// projectOnBall moves v to the nearest point with a norm of at most radius; 0 leaves it.
func projectOnBall(v []float64, radius float64) {
	if n := floats.Norm(v, 2); radius > 0 && n > radius {
		floats.Scale(radius/n, v)
	}
}

// StartCost is that of the derivatives at one point.
func (a Prometheus) StartCost(d Dims) metrics.Cost { return ownGradients(1, a.Neumann).Cost(d) }

// Cost has derivatives at two points, or at one in the iterations with all samples.
func (a Prometheus) Cost(k int, d Dims) metrics.Cost {
	points := 2
	if a.full(k) {
		points = 1
	}
	c := ownGradients(points, a.Neumann).Cost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * int64(d.P)})
	return c
}

// CostPeriod returns the period of the full gradients.
func (a Prometheus) CostPeriod() int { return max(1, a.Period) }
