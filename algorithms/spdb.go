package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
)

// SPDB is a primal-dual method for personal inner problems: the consensus of the x_i is a constraint, with a
// multiplier π_i on each node. NeumannAt gives the N_k factors of the Neumann series.
type SPDB struct {
	Outer                 int
	Beta, Rho, Eta, Decay float64
	Base                  float64 // 0 is e
	Batch                 int
}

func (SPDB) Declare() declare.Method {
	return declare.Method{
		Name:    "spdb",
		Summary: "primal-dual, for personal inner problems: consensus by multipliers, a Neumann series that grows",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("beta", "the step of y; stable below 2/L"),
			declare.Positive("rho", "10", "the penalty on disagreement; 1/(2 rho deg) is the step of x"),
			declare.Step("eta", "the step of the Neumann series; 1/L at most"),
			declare.Number("decay", 0, declare.AtLeast(0), "e in the step of y, beta / k^e").Like("0.4").
				From("0 keeps it constant; TTSA, whose N_k it is, has 2/5"),
			declare.Number("base", math.E, declare.AtLeast(1.5), "the base of the logarithm in N_k").
				From("none: it is not stated"),
			declare.Batch(),
		},
		Updates: `for k = 1 ... outer, with deg_i neighbours N_i and N_k = ceil(1/2 log √(k+1)), at least 1:
  d_i = ∇_x f_i - ∇²_xy g_i v_i,  v_i = eta Σ_{s=0..N_k} (I - eta ∇²_yy g_i)^s ∇_y f_i
  x_i⁺ = x_i/2 + Σ_{j in N_i} x_j / (2 deg_i) - (d_i + π_i) / (2 rho deg_i)
  y_i <- y_i - beta / k^decay ∇_y g_i
  π_i <- π_i + rho Σ_{j in N_i} (x_i⁺ - x_j⁺)`,
		Source: "Lu, Cui, Squillante, Kingsbury, Horesh: Decentralized Bilevel Optimization for Personalized " +
			"Client Learning. ICASSP 2022; N_k as in Niu et al., CDC 2023",
		Departures: fromDescription + ` It is a linearized proximal primal-dual method.
x⁺ serves the multiplier in the message of the next iteration, in which it is sent anyway. The base of the logarithm is not stated: the products of Table I of Niu et al. fit base 10, and neither e nor 2. A node without neighbours takes steps 1/(2 rho).`,
	}
}

// Needs says that SPDB is bilevel, with a y of each node's own.
func (a SPDB) Needs() Requirements {
	return Requirements{Bilevel: true, PersonalY: true, AllNeighbors: true, FixedW: true}
}

// NeumannAt returns N_k = ceil(1/2 log sqrt(k+1)), the products with Hessians in
// iteration k, from 1. With base e that is one up to k = 53 and two up to k = 2979, with
// base 10 one up to k = 9999.
func (a SPDB) NeumannAt(k int) int {
	n := 1
	for power := a.fourth(); power < float64(k+1); power *= a.fourth() {
		n++
	}
	return n
}

// fourth is the fourth power of the base: N_k grows by one where k+1 goes past a power of it.
func (a SPDB) fourth() float64 {
	if a.Base == 0 {
		return math.Exp(4)
	}
	return a.Base * a.Base * a.Base * a.Base
}

// Run is the method as described above.
func (a SPDB) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	d, pi, around := zeros(d1), zeros(d1), zeros(d1)
	gy := zeros(d2)
	hyper := newLocalHypergradient(o, own(o), a.Eta, a.Batch, a.NeumannAt(a.Outer))
	parts := []channel.Part{channel.Vec("x", x)}
	degree := float64(len(p.Neighbors()))
	for k := 1; k <= a.Outer; k++ {
		clear(around)
		for _, m := range p.Exchange("x", parts...) {
			floats.Add(around, m.Vec(0))
		}
		p.Work(4 * degree * float64(d1))
		if k > 1 {
			for i := range pi {
				pi[i] += a.Rho * (degree*x[i] - around[i]) // pi <- pi + rho Σ (x_i - x_j)
			}
		}
		o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, y)
		hyper.draw()
		hyper.at(d, x, y, a.NeumannAt(k))
		if degree > 0 {
			for i := range x { // x <- x/2 + Σ x_j / (2 deg) - (d + pi) / (2 rho deg)
				x[i] = x[i]/2 + around[i]/(2*degree) - (d[i]+pi[i])/(2*a.Rho*degree)
			}
		} else {
			floats.AddScaled(x, -1/(2*a.Rho), d)
		}
		floats.AddScaled(y, -a.Beta/math.Pow(float64(k), a.Decay), gy) // y <- y - beta / k^decay ∇_y g
		p.Report(k, x, y)
	}
}

// Cost is one round of p vector elements. The products grow slowly with k.
func (a SPDB) Cost(k int, d Dims) metrics.Cost {
	c := ownGradients(1, a.NeumannAt(k)).Cost(d)
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P)})
	return c
}

// CostPeriod returns 0: the number of products grows.
func (a SPDB) CostPeriod() int { return 0 }
