package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// SPARKLE is the single-loop family of Zhu, Kong, Lu, Huang and Yuan (2024). It moves the
// three variables x, y and z at once along
//
//	d_y = ∇_y g_i,  d_z = H_i z - ∇_y f_i,  d_x = r,  r <- (1 - Theta) r + Theta (∇_x f_i - J_i z)
//
// and corrects each for the differences between nodes with a strategy of its own: Upper for x, Lower
// for y, Adjoint for z. All of them are primal-dual recursions
//
//	v⁺ = A (C v - a d) - B u,  u⁺ = u + B v⁺
//
// for the matrices A, B and C that Strategy lists, so that the limit is exact: nodes agree
// on the optimum, also where they differ. Exact diffusion and EXTRA send one vector for
// each variable; gradient tracking sends two.
//
// SPARKLE-ED, -EXTRA and -GT have one strategy for all; SPARKLE-ED-GT and similar names have one
// for y and z and another for x.
//
// Source: Zhu, Kong, Lu, Huang, Yuan, "SPARKLE: A Unified Single-Loop Primal-Dual Framework
// for Decentralized Bilevel Optimization", NeurIPS 2024, arXiv 2411.14166.
//
// Departure: written from the published description, not from the paper's box. Whether the
// derivatives of z and x are taken at the old y and z or at the new ones is not stated there:
// Sequential takes the new ones, and then each variable has an exchange of its own. x moves
// along the r of the same iteration. r and z start at 0.
type SPARKLE struct {
	Outer                 int      // outer iterations K
	Alpha, Beta, Gamma    float64  // steps of x, y and z
	Theta                 float64  // weight of the new hypergradient, in (0, 1]
	Upper, Lower, Adjoint Strategy // of x, y and z
	Lazy                  bool     // exact diffusion and EXTRA mix with (I + W) / 2 instead of W
	Sequential            bool     // y, then z at the new y, then x at the new y and z
	Batch                 int      // samples of each derivative; 0 is the full batch
}

// Iterations returns Outer.
func (a SPARKLE) Iterations() int { return a.Outer }

// Needs says that SPARKLE is bilevel, with a symmetric W.
func (a SPARKLE) Needs() Requirements { return Requirements{Bilevel: true, SymmetricW: true} }

// Run is the method as described above.
func (a SPARKLE) Run(p *node.Proc, o Oracle) {
	s := newSparkleState(a, o)
	groups := [][]*corrected{{s.y, s.z, s.x}}
	if a.Sequential {
		groups = [][]*corrected{{s.y}, {s.z}, {s.x}}
	}
	var rounds []*correctedRound
	for _, g := range groups {
		rounds = append(rounds, newCorrectedRound(p, g))
	}
	p.Report(0, s.x.v, s.y.v)
	for k := 1; k <= a.Outer; k++ {
		for _, r := range rounds {
			for _, c := range r.variables {
				s.derive(c)
			}
			r.run()
		}
		p.Report(k, s.x.v, s.y.v)
	}
}

// Cost is what the exchanges carry, and 1 gradient of g, 2 of f, 1 HVP and 1 JVP. One round,
// and one more where a strategy is ATCTracking; three times as many where variables move one
// after the other.
func (a SPARKLE) Cost(k int, d Dims) metrics.Cost {
	c := sobaCost(k, d)
	if k == 0 {
		return c
	}
	levels := []struct {
		strategy Strategy
		length   int
	}{{a.Lower, d.Q}, {a.Adjoint, d.Q}, {a.Upper, d.P}}
	groups := [][]int{{0, 1, 2}}
	if a.Sequential {
		groups = [][]int{{0}, {1}, {2}}
	}
	for _, g := range groups {
		var early, late int64
		for _, i := range g {
			e, l := levels[i].strategy.vectors()
			early, late = early+e*int64(levels[i].length), late+l*int64(levels[i].length)
		}
		if early > 0 {
			AddExchanges(&c, d, 1, metrics.Elements{Vector: early})
		}
		AddExchanges(&c, d, 1, metrics.Elements{Vector: late})
	}
	return c
}

// sparkleState is what a node of SPARKLE holds.
type sparkleState struct {
	method    SPARKLE
	o         Oracle
	x, y, z   *corrected
	fy        []float64 // (q)
	fx, jz, r []float64 // (p)
}

func newSparkleState(a SPARKLE, o Oracle) *sparkleState {
	d1, d2 := o.Dims()
	x, y, z := make([]float64, d1), make([]float64, d2), make([]float64, d2)
	o.Start(x, y)
	s := &sparkleState{method: a, o: o, fy: make([]float64, d2), fx: make([]float64, d1), jz: make([]float64, d1)}
	s.x = newCorrected("x", a.Upper, a.Lazy, a.Alpha, x)
	s.y = newCorrected("y", a.Lower, a.Lazy, a.Beta, y)
	s.z = newCorrected("z", a.Adjoint, a.Lazy, a.Gamma, z)
	s.r = s.x.d
	return s
}

// derive sets the direction of one of the variables at the present point.
func (s *sparkleState) derive(c *corrected) {
	x, y, z, batch := s.x.v, s.y.v, s.z.v, s.method.Batch
	switch c {
	case s.y:
		s.o.On(s.o.Draw(batch, "inner")).GradGy(s.y.d, x, y)
	case s.z:
		on := s.o.On(s.o.Draw(batch, "adjoint"))
		on.GradFy(s.fy, x, y)
		on.HessGyyMul(s.z.d, x, y, z)
		floats.Sub(s.z.d, s.fy)
	default:
		implicitGradient(s.o.On(s.o.Draw(batch, "outer")), s.fx, s.jz, x, y, z)
		moveTo(s.r, s.method.Theta, s.fx) // r <- (1 - theta) r + theta (∇_x f - J z)
	}
}
