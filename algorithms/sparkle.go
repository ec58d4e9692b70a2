package algorithms

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// Sequence selects where SPARKLE takes its derivatives.
type Sequence string

// The sequences of SPARKLE.
const (
	Simultaneous Sequence = "simultaneous" // all at the old point; also the zero value
	Sequential   Sequence = "sequential"   // those of z at the new y, and those of x at the new y and z
)

// SPARKLE is a single-loop family that corrects each of x, y and z for the differences between nodes with a
// strategy of its own: Upper for x, Lower for y, Adjoint for z. All strategies are primal-dual recursions
//
//	v⁺ = A (C v - a d) - B u,  u⁺ = u + B v⁺
//
// for the matrices A, B and C that Strategy lists, so nodes agree on the optimum, also where they differ.
// SPARKLE-ED-GT and similar names have one strategy for y and z and another for x.
type SPARKLE struct {
	Outer                     int
	Alpha, Beta, Gamma, Theta float64
	Upper, Lower, Adjoint     Strategy
	Lazy                      bool
	Order                     Sequence
	Batch                     int
}

func (SPARKLE) Declare() declare.Method {
	return declare.Method{
		Name: "sparkle", Label: "SPARKLE",
		Summary: "single loop of primal-dual steps, with a strategy for each variable; exact",
		Aliases: []declare.Alias{
			{Name: "sparkle-extra", Label: "SPARKLE-EXTRA", Summary: "with EXTRA for all",
				Preset: forAll(ExactFirstOrder)},
			{Name: "sparkle-gt", Label: "SPARKLE-GT", Summary: "with gradient tracking for all, adapt then combine",
				Preset: forAll(ATCTracking)},
		},
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step of x"),
			declare.Step("beta", "the step of y"),
			declare.Step("gamma", "the step of z"),
			declare.Weight("theta", "the weight of the new hypergradient in the moving average"),
			strategy("upper", "x"),
			strategy("lower", "y"),
			strategy("adjoint", "z"),
			declare.Flag("lazy", true, "whether ed and extra mix with (I + W) / 2; with W they need eigenvalues "+
				"above -1/3").Like("false"),
			declare.Enum("order", "whether all derivatives are at the old point, or those of z at the new y and "+
				"that of x at the new y and z", "simultaneous", "sequential").
				From("not stated in the sources at hand; D-SOBA, by some of the authors, has one point"),
			declare.Batch(),
		},
		Updates: `z = r = 0;  for k = 1 ... outer, with the directions
  d^y = ∇_y g_i,  d^z = ∇²_yy g_i z_i - ∇_y f_i,  d^x = r_i,  r_i <- (1 - theta) r_i + theta (∇_x f_i - ∇²_xy g_i z_i)
each variable s of x, y and z moves by its strategy, with its step a:
  ed:           s⁺ = W (2 s - s_old - a (d - d_old));  s¹ = W (s⁰ - a d⁰)
  extra:        s⁺ = W (2 s - s_old) - a (d - d_old);  s¹ = W s⁰ - a d⁰
  atc-gt:       t <- W (t + d - d_old);  s⁺ = W (s - a t)
  semi-atc-gt:  t <- W t + d - d_old;    s⁺ = W (s - a t)
  non-atc-gt:   t <- W t + d - d_old;    s⁺ = W s - a t`,
		Source: "Zhu, Kong, Lu, Huang, Yuan: SPARKLE: A Unified Single-Loop Primal-Dual Framework for " +
			"Decentralized Bilevel Optimization. NeurIPS 2024; arXiv 2411.14166",
		Departures: fromDescription + ` Each recursion is run without its dual variable, which is the same.
The first step of gradient tracking mixes s⁰ once. x moves along the r of the same iteration.`,
	}
}

// Needs says that SPARKLE is bilevel, with a symmetric W. Only with one W are exact diffusion and EXTRA, which run
// without their dual variables, the same as with them.
func (a SPARKLE) Needs() Requirements {
	one := slices.ContainsFunc([]Strategy{a.Upper, a.Lower, a.Adjoint}, func(s Strategy) bool {
		return s == ExactDiffusion || s == ExactFirstOrder
	})
	return Requirements{Bilevel: true, SymmetricW: true, FixedW: one}
}

// Run is the method as described above.
func (a SPARKLE) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := start(p, o)
	z, fy, fx, jz := zeros(d2), zeros(d2), zeros(d1), zeros(d1)
	byX := newCorrected("x", a.Upper, a.Lazy, a.Alpha, x)
	byY := newCorrected("y", a.Lower, a.Lazy, a.Beta, y)
	byZ := newCorrected("z", a.Adjoint, a.Lazy, a.Gamma, z)
	byX.derive = func() {
		implicitGradient(o.On(o.Draw(a.Batch, "outer")), fx, jz, x, y, z)
		moveTo(byX.d, a.Theta, fx) // r <- (1 - theta) r + theta (∇_x f - J z)
	}
	byY.derive = func() { o.On(o.Draw(a.Batch, "inner")).GradGy(byY.d, x, y) }
	byZ.derive = func() {
		on := o.On(o.Draw(a.Batch, "adjoint"))
		on.GradFy(fy, x, y)
		on.HessGyyMul(byZ.d, x, y, z)
		floats.Sub(byZ.d, fy)
	}
	rounds := []*correctedRound{newCorrectedRound(p, byY, byZ, byX)}
	if a.Order == Sequential {
		rounds = []*correctedRound{newCorrectedRound(p, byY), newCorrectedRound(p, byZ), newCorrectedRound(p, byX)}
	}
	for k := 1; k <= a.Outer; k++ {
		for _, r := range rounds {
			r.run()
		}
		p.Report(k, x, y)
	}
}

// Cost has a second round for ATCTracking, and rounds of its own for each variable with Sequential.
func (a SPARKLE) Cost(_ int, d Dims) metrics.Cost {
	c := ownGradients(1, 1).Cost(d)
	levels := []struct {
		strategy Strategy
		length   int
	}{{a.Lower, d.Q}, {a.Adjoint, d.Q}, {a.Upper, d.P}}
	groups := [][]int{{0, 1, 2}}
	if a.Order == Sequential {
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
