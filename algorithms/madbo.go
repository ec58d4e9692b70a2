package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// MADBO is the moving-average method of Chen, Huang, Ma and Balasubramanian (2023),
// MA-DSBO, and its deterministic form MA-DBO: vectors only. For k = 1 ... Outer:
//
//	Inner steps eta_y on y, by gradient tracking or plain
//	z ~ H̄⁻¹ ∇_y f̄ by HIGP steps gamma from the last z
//	x⁺ = mix(x) - alpha m
//	m <- (1 - theta) m + theta (∇_x f_i - J_i z)            (at the old x; m = 0 at first)
//
// As x is not tracked, nodes differ on x by O(alpha) in the limit.
//
// Source: Chen, Huang, Ma, Balasubramanian, "Decentralized Stochastic Bilevel
// Optimization with Improved per-Iteration Complexity", ICML 2023, arXiv 2210.12839.
//
// Departure: written from the published description, not from the paper's box. Whether
// its inner steps are tracked is not certain: the catalog takes plain ones, as others
// call the tracked form MA-DSBO-GT. x uses
// the old m; z is kept and the trackers are restarted in each outer iteration; x, known
// before the inner loop, is sent with the first y.
type MADBO struct {
	Outer int     // outer iterations K
	Inner int     // T, at least 1
	HIGP  int     // N, at least 1
	Alpha float64 // step of x
	EtaY  float64 // step of y
	Gamma float64 // step of HIGP
	Theta float64 // weight of the new hypergradient, in (0, 1]
	Plain bool    // inner steps without gradient tracking
	Batch int     // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a MADBO) Iterations() int { return a.Outer }

// Needs says that MADBO is bilevel.
func (a MADBO) Needs() Requirements { return Requirements{Bilevel: true} }

func (a MADBO) inner() innerLoop {
	kind := innerTracked
	if a.Plain {
		kind = innerPlain
	}
	return innerLoop{kind: kind, steps: a.Inner, eta: a.EtaY, batch: a.Batch}
}

// Run is the method as described above.
func (a MADBO) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := zeros(d1), zeros(d2)
	mx, m, u, jz := zeros(d1), zeros(d1), zeros(d1), zeros(d1)
	inner, oracle := a.inner(), newHIGP(p, o, a.HIGP, a.Gamma, a.Batch)
	inner.start(p, own(o), x, y, node.MixVec("x", mx, x))
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		inner.run()
		z := oracle.run(x, y)
		implicitGradient(o.On(o.Draw(a.Batch, "outer")), u, jz, x, y, z) // u = ∇_x f - J z
		descend(x, mx, a.Alpha, m)                                       // x <- mix(x) - alpha m
		moveTo(m, a.Theta, u)                                            // m <- (1 - theta) m + theta u
		p.Report(k, x, y)
	}
}

// Cost is Inner + HIGP rounds and p + 2 (Inner + HIGP) q vector elements per node, or
// p + (Inner + 2 HIGP) q where the inner steps are plain. The last tracker of each
// loop is sent, as described, and could stay home.
func (a MADBO) Cost(k int, d Dims) (c metrics.Cost) {
	if k == 0 {
		return c
	}
	inner := a.inner()
	inner.cost(&c, d, int64(d.P))
	higpCost(&c, d, a.HIGP)
	AddCalls(&c, d, Calls{GradF: 1, JVP: 1})
	return c
}
