package algorithms

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// AccBiO solves three problems with momentum: the outer one, the inner one and the linear system. It reports
// z. BoundedGradient selects AccBiO-BG, for problems where ∇_y f is bounded.
//
// Where Φ is convex but not strongly convex, the method is applied to Φ + Regularize/2 ||x||², and MuX is
// Regularize. For an error of epsilon, Regularize is about epsilon / ||x*||².
type AccBiO struct {
	onOneNodeOrStar
	Outer, Inner, Linear  int
	Alpha, MuX, MuY, LY   float64
	Regularize            float64
	BoundedGradient, Warm bool
}

func (AccBiO) Declare() declare.Method {
	return declare.Method{
		Name: "accbio", Label: "AccBiO",
		Summary: "implicit differentiation with momentum in x, in y and in the linear system",
		Aliases: []declare.Alias{
			{Name: "accbio-bg", Label: "AccBiO-BG", Summary: "for a bounded ∇_y f: Nesterov's steps of x, a warm y",
				Preset: []declare.Preset{{Param: "bounded_gradient", Value: "true"}}},
		},
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "Nesterov's steps of y per outer iteration, the paper's N; about "+
				"sqrt(L_y / mu_y) log(1/accuracy)"),
			declare.Count("linear", 1, "10", "heavy-ball steps of v per outer iteration, the paper's M; likewise"),
			declare.Step("alpha", "the step of x; the paper's are at most 1 / (2 L_Φ), and 1 / L_Φ for AccBiO-BG"),
			declare.Positive("mu_x", "1", "a lower bound of the curvature of Φ + regularize/2 ||x||², at most 1 "+
				"/ alpha"),
			declare.Positive("mu_y", "1", "the least eigenvalue of ∇²_yy g"),
			declare.Positive("l_y", "10", "the largest eigenvalue of ∇²_yy g, at least mu_y"),
			declare.Number("regularize", 0, declare.AtLeast(0), "the weight of ||x||²/2 that is added to f if Φ "+
				"is not strongly convex").Like("1e-4").
				From("the paper adds it for convex Φ, with a weight of the order of epsilon / ||x*||²"),
			declare.Flag("bounded_gradient", false, "AccBiO-BG instead of AccBiO"),
			declare.Flag("warm", false, "whether y and v continue from the last ones").
				From("from memory, y starts anew in AccBiO and continues in AccBiO-BG, v starts at 0 in both"),
		},
		Updates: `H = ∇²_yy g, J = ∇²_xy g, κ = l_y / mu_y, m = (√κ - 1) / (√κ + 1), r = √(alpha mu_x);  z = x;  for k = 1 ... outer:
  u = (r x + 2 z) / (r + 2);  y = w = y⁰
  inner times:   y⁺ = w - ∇_y g(u, w) / l_y;  w = y⁺ + m (y⁺ - y)
  v = 0;  linear times:  v⁺ = v - 4 / (√l_y + √mu_y)² (H v - ∇_y f(u, y)) + m² (v - v_old)
  G = ∇_x f(u, y) - J v + regularize u
  x <- (r/2) u + (1 - r/2) x - √(alpha / mu_x) G;  z <- u - alpha G
z is reported. AccBiO-BG has u = x, y from the last one, and
  z⁺ = x - alpha G;  x <- z⁺ + (1 - r) / (1 + r) (z⁺ - z)`,
		Source: "Ji, Liang: Lower bounds and accelerated algorithms for bilevel optimization. Journal of Machine " +
			"Learning Research 24, 2023; arXiv 2102.03926",
		Departures: `Written from memory of the published description; the paper's boxes could not be seen.
The least certain part is where the loops begin: warm offers the other reading.`,
	}
}

// Check finds curvatures that cannot be.
func (a AccBiO) Check() *declare.Wrong {
	switch {
	case a.LY < a.MuY:
		return &declare.Wrong{Field: "l_y", Message: "l_y is less than mu_y",
			Hint: "they are the largest and the least eigenvalue of one matrix"}
	case a.Alpha*a.MuX > 1:
		return &declare.Wrong{Field: "mu_x", Message: "mu_x is more than 1 / alpha",
			Hint: "a curvature cannot be more than L_Φ, of which 1 / alpha is a bound"}
	}
	return nil
}

// Run is the method as described above.
func (a AccBiO) Run(p *node.Proc, o Oracle) {
	on := pooled(p, o)(0, "")
	x, y, d1, d2 := origin(o)
	z, u, before := slices.Clone(x), slices.Clone(x), zeros(d1)
	w, y0, old := zeros(d2), slices.Clone(y), zeros(d2)
	gy, fy, v, hv, was := zeros(d2), zeros(d2), zeros(d2), zeros(d2), zeros(d2)
	d, jv := zeros(d1), zeros(d1)
	r, sqrtL, sqrtMu := math.Sqrt(a.Alpha*a.MuX), math.Sqrt(a.LY), math.Sqrt(a.MuY)
	m, ball := (sqrtL-sqrtMu)/(sqrtL+sqrtMu), 4/((sqrtL+sqrtMu)*(sqrtL+sqrtMu))
	p.Report(0, z, y)
	for k := range iterations(p, a.Outer, z, y, x, kept(a.Warm, v)) {
		if a.BoundedGradient {
			copy(u, x)
		} else {
			share := r / (r + 2)
			for i := range u { // u = (r x + 2 z) / (r + 2)
				u[i] = share*x[i] + (1-share)*z[i]
			}
		}
		if !a.Warm && !a.BoundedGradient {
			copy(y, y0)
		}
		copy(w, y)
		for range a.Inner {
			on.GradGy(gy, u, w)
			copy(old, y)
			descend(y, w, 1/a.LY, gy) // y⁺ = w - ∇_y g(u, w) / l_y
			extrapolate(w, y, old, m) // w = y⁺ + m (y⁺ - y)
		}
		on.GradFy(fy, u, y)
		if !a.Warm {
			clear(v)
		}
		copy(old, v)
		for range a.Linear {
			on.HessGyyMul(hv, u, y, v)
			floats.Sub(hv, fy)
			copy(was, v)
			for i, e := range v { // v⁺ = v - ball (H v - ∇_y f) + m² (v - v_old)
				v[i] = e - ball*hv[i] + m*m*(e-old[i])
			}
			copy(old, was)
		}
		implicitGradient(on, d, jv, u, y, v)
		floats.AddScaled(d, a.Regularize, u)
		copy(before, z)
		descend(z, u, a.Alpha, d) // z = u - alpha G
		if a.BoundedGradient {
			extrapolate(x, z, before, (1-r)/(1+r))
		} else {
			t, beta := r/2, math.Sqrt(a.Alpha/a.MuX)
			for i := range x { // x <- (r/2) u + (1 - r/2) x - √(alpha / mu_x) G
				x[i] = t*u[i] + (1-t)*x[i] - beta*d[i]
			}
		}
		p.Report(k, z, y)
	}
}

// extrapolate sets dst = now + m (now - old).
func extrapolate(dst, now, old []float64, m float64) {
	for i, e := range now {
		dst[i] = e + m*(e-old[i])
	}
}

// Cost is that of AID with Inner and Linear steps.
func (a AccBiO) Cost(k int, d Dims) metrics.Cost {
	c := AID{Inner: a.Inner, Q: a.Linear, Solve: SolveGD, Warm: a.Warm}.Cost(k, d)
	addDownload(&c, d, d.P) // both x and z
	return c
}
