package algorithms

import (
	"math"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Schedule says how many inner steps BA takes in iteration k.
type Schedule string

// The schedules of BA.
const (
	QuarterSchedule Schedule = "quarter" // ceil(k^(1/4) / 2); also the zero value
	LinearSchedule  Schedule = "linear"  // ceil(k / 2)
)

// BA is the deterministic bilevel approximation method of Ghadimi and Wang. It inverts a q x q matrix in each
// outer iteration. The quarter schedule is for convex and nonconvex Φ; the linear one makes the log² of
// Nazari et al., Table 1.
type BA struct {
	onOneNode
	Outer       int
	Alpha, Beta float64
	Warm        bool
	Schedule    Schedule
}

func (BA) Declare() declare.Method {
	return declare.Method{
		Name: "ba", Summary: "slowly growing numbers of inner steps, and the inner Hessian inverted exactly",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Flag("warm", true, "whether y starts at the last one, or at the starting point in each outer "+
				"iteration"),
			declare.Enum("schedule", "N_k, the inner steps of iteration k: ⌈k^{1/4} / 2⌉, or ⌈k / 2⌉", "quarter", "linear").
				From("linear is for strongly convex Φ, from memory; the other is as Ji et al. state it"),
		},
		Updates: `for k = 1 ... outer:
  N_k times:  y <- y - alpha ∇_y g(x, y)
  H v = ∇_y f, solved by Cholesky
  x <- x - beta (∇_x f - J v)`,
		Source:     "Ghadimi, Wang: Approximation methods for bilevel programming. arXiv 1802.02246",
		Departures: fromDescription + " k counts from 1. y goes on from the last one unless warm is false.",
	}
}

// slowlyMore is N_k = ceil(k^(1/4) / 2), the inner steps of BA and BSA in outer iteration k:
// the least n with (2n)^4 >= k, which no rounding of a root moves.
func slowlyMore(k int) int {
	n := max(1, int(math.Sqrt(math.Sqrt(float64(k)))/2)-1) // at most the least
	for fourth(2*n) < uint64(k) {
		n++
	}
	return n
}

// fourth returns n^4, for n below 65,536.
func fourth(n int) uint64 {
	square := uint64(n) * uint64(n)
	return square * square
}

func (a BA) innerSteps(k int) int {
	if a.Schedule == LinearSchedule {
		return (k + 1) / 2
	}
	return slowlyMore(k)
}

// Run is the method of Ghadimi and Wang.
func (a BA) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	y0 := zeros(d2)
	fy, v, d := zeros(d2), zeros(d2), zeros(d1)
	inner := innerLoop{kind: innerAlone, eta: a.Alpha}
	inner.start(p, own(o), x, y)
	jv := zeros(d1)
	var chol Factor
	copy(y0, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		if !a.Warm {
			copy(y, y0)
		}
		inner.steps = a.innerSteps(k)
		inner.run() // y <- y - alpha ∇_y g
		o.GradFy(fy, x, y)
		factorGyy(p, o, &chol, x, y, 1, 0, "ba"+notConvex)
		o.Solve(v, &chol, fy)
		implicitGradient(o, d, jv, x, y, v)
		descend(x, x, a.Beta, d) // x <- x - beta (∇_x f - J v)
		p.Report(k, x, y)
	}
}

// Cost is N_k gradients of g, 2 of f, a Hessian, a solve and a JVP. It grows with k.
func (a BA) Cost(k int, d Dims) metrics.Cost {
	return Calls{GradG: a.innerSteps(k), GradF: 2, Hessian: 1, Solve: 1, JVP: 1}.Cost(d)
}

// CostPeriod returns 0: the number of inner steps grows.
func (a BA) CostPeriod() int { return 0 }
