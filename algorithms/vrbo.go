package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// Estimates is when VRBO makes its estimates.
type Estimates string

// The readings of VRBO.
const (
	EstimateBefore Estimates = "before" // before each y-step; also the zero value
	EstimateAfter  Estimates = "after"  // and once more after the last
)

// VRBO is the variance-reduced bilevel optimizer of Yang, Ji and Liang (2021), on one
// node: SPIDER for both levels. For k = 1 ... Outer:
//
//	every Period iterations: d_y = ∇_y g(x, y), d_x = the hypergradient at (x, y), on all samples
//	x <- x - alpha d_x
//	Inner times, with samples S that are used at two points, the new one and that of the last estimate:
//	    d_y <- d_y + ∇_y g(new; S) - ∇_y g(old; S), d_x likewise
//	    y <- y - beta d_y
//	EstimateAfter:  d_y and d_x once more, at the last y
//
// The hypergradient is ∇_x f - J v with v = eta times Q + 1 terms of the Neumann series
// of ∇_y f. With full batches the estimates are exact at the point that they belong to.
//
// Source: Yang, Ji, Liang, "Provably faster algorithms for bilevel optimization",
// NeurIPS 2021, and its public program.
//
// Departure: written from the published description and public programs; the paper's box
// was not at hand. The authors' program and that of a public benchmark estimate before
// each y-step, so that x moves by a d_x that is one y-step late: EstimateBefore. In the
// other reading, EstimateAfter, d_x belongs to the point that x leaves. The old point is
// the one that the estimate was made at, so that the sum of differences telescopes; the
// authors' program leaves the last y-step out of it, the benchmark the step of x. Each
// factor of a series has its own samples.
type VRBO struct {
	Outer     int     // outer iterations K
	Inner     int     // y-steps m, at least 1
	Period    int     // iterations from one full estimate to the next, at least 1
	Q         int     // factors of the Neumann series, at least 0
	Alpha     float64 // step of x
	Beta      float64 // step of y
	Eta       float64 // step of the series
	Batch     int     // samples of each draw; 0: all
	Estimates Estimates
}

// Iterations returns Outer.
func (a VRBO) Iterations() int { return a.Outer }

// Needs says that VRBO is a method of one node.
func (a VRBO) Needs() Requirements { return oneNode() }

// Run is the double loop of VRBO.
func (a VRBO) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	e := newVarianceReduced(o, a.Eta, a.Batch, a.Q)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		if a.restarts(k) {
			e.full()
			e.restart(x, y)
		}
		descend(x, x, a.Alpha, e.dx) // x <- x - alpha d_x
		for range a.Inner {
			e.draw()
			e.move(x, y, 0)
			descend(y, y, a.Beta, e.dy) // y <- y - beta d_y
		}
		if a.Estimates == EstimateAfter {
			e.draw()
			e.move(x, y, 0)
		}
		p.Report(k, x, y)
	}
}

func (a VRBO) restarts(k int) bool { return (k-1)%a.Period == 0 }

// Cost is 2 Inner times a gradient of g, 2 of f, Q HVPs and 1 JVP, or 2 (Inner + 1) times with
// EstimateAfter; and once more where the estimates are computed again, in iterations 1, 1 + Period, ...
func (a VRBO) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	times := 2 * a.Inner
	if a.Estimates == EstimateAfter {
		times += 2
	}
	if a.restarts(k) {
		times++
	}
	varianceReducedCost(&c, d, times, a.Q)
	return c
}
