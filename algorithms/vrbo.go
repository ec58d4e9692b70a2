package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Estimates selects when VRBO makes its estimates.
type Estimates string

// The readings of VRBO.
const (
	EstimateBefore Estimates = "before" // before each y-step; also the zero value
	EstimateAfter  Estimates = "after"  // and once more after the last
)

const fasterSource = "Yang, Ji, Liang: Provably faster algorithms for bilevel optimization. NeurIPS 2021; and its " +
	"public program"

// VRBO is the variance-reduced bilevel optimizer: SPIDER on both levels. With full batches the estimates are
// exact at the point that they belong to. In the reading EstimateBefore, x moves by a d_x that is one y-step
// late; in EstimateAfter, d_x belongs to the point that x leaves.
type VRBO struct {
	onOneNode
	Outer, Inner, Period, Q int
	Alpha, Beta, Eta        float64
	Batch                   int
	Estimates               Estimates
}

func (VRBO) Declare() declare.Method {
	return declare.Method{
		Name: "vrbo", Summary: "variance reduction by SPIDER on both levels, in two loops",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "5", "y-steps per outer iteration, the paper's m"),
			declare.Count("period", 1, "10", "outer iterations between estimates on all samples"),
			series(),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", stepOfY),
			declare.Step("eta", stepOfSystem),
			declare.Enum("estimates", "when d_y and d_x are estimated: before each y-step, so x moves by a d_x "+
				"that is one y-step late; or once more after the last", "before", "after").
				From("the authors' program; the paper's algorithm box was not available"),
			declare.Batch(),
		},
		Updates: `∇̂Φ = ∇_x f - J v with v = eta Σ_{s = 0 ... q} (I - eta H)^s ∇_y f;  for k = 1 ... outer:
  every period iterations:  d_y = ∇_y g(x, y), d_x = ∇̂Φ(x, y), on all samples
  x <- x - alpha d_x
  inner times, on samples S at the new point and at that of the last estimate:
    d_y <- d_y + ∇_y g(new; S) - ∇_y g(old; S),  d_x <- d_x + ∇̂Φ(new; S) - ∇̂Φ(old; S)
    y <- y - beta d_y
  estimates: after makes d_y and d_x once more, at the last y`,
		Source: fasterSource,
		Departures: fromDescription + ` What is not certain is which point d_x belongs to: estimates has both readings.
The authors' program and a public benchmark estimate before each y-step, which is the default.
The old point is the one that the estimate was made at, so that the differences telescope; the authors' program leaves the last y-step out of them, the benchmark the step of x.
Each factor of a series has its own samples.`,
	}
}

// Run is the double loop of VRBO.
func (a VRBO) Run(p *node.Proc, o Oracle) {
	x, y, _, _ := start(p, o)
	e := newVarianceReduced(o, a.Eta, a.Batch, a.Q)
	for k := 1; k <= a.Outer; k++ {
		if a.restarts(k) {
			e.full()
			e.restart(x, y)
		}
		descend(x, x, a.Alpha, e.dx) // x <- x - alpha d_x
		for range a.Inner {
			e.draw()
			e.move(x, y, 0, 0)
			descend(y, y, a.Beta, e.dy) // y <- y - beta d_y
		}
		if a.Estimates == EstimateAfter {
			e.draw()
			e.move(x, y, 0, 0)
		}
		p.Report(k, x, y)
	}
}

func (a VRBO) restarts(k int) bool { return (k-1)%a.Period == 0 }

// Cost has one more estimate in the iterations that restart.
func (a VRBO) Cost(k int, d Dims) metrics.Cost {
	times := 2 * a.Inner
	if a.Estimates == EstimateAfter {
		times += 2
	}
	if a.restarts(k) {
		times++
	}
	return ownGradients(times, a.Q).Cost(d)
}

// CostPeriod returns the period of the restarts.
func (a VRBO) CostPeriod() int { return a.Period }
