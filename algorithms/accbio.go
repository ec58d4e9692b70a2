package algorithms

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// AccBiO is the accelerated bilevel optimizer of Ji and Liang (2021), on one node: all
// three problems, the outer one, the inner one and the linear system, are solved with
// momentum. With kappa = LY / MuY, H = ∇²_yy g, J = ∇²_xy g and z = x at first,
// for k = 1 ... Outer:
//
//	u = s x + (1 - s) z,  s = sqrt(Alpha MuX) / (sqrt(Alpha MuX) + 2)
//	y: Inner steps of Nesterov's method on g(u, .), from y0:
//	   y⁺ = w - ∇_y g(u, w) / LY,  w = y⁺ + m (y⁺ - y),  m = (sqrt(kappa) - 1) / (sqrt(kappa) + 1)
//	v: Linear steps of the heavy-ball method on H v = ∇_y f(u, y), from v = 0:
//	   v⁺ = v - lambda (H v - ∇_y f) + m² (v - v_old),  lambda = 4 / (sqrt(LY) + sqrt(MuY))²
//	G = ∇_x f(u, y) - J v + Regularize u
//	x <- t u + (1 - t) x - sqrt(Alpha / MuX) G,  t = sqrt(Alpha MuX) / 2
//	z <- u - Alpha G
//
// z is what is reported. With BoundedGradient it is AccBiO-BG, the form for problems where
// ∇_y f is bounded. Its outer steps are Nesterov's, with u = x:
//
//	z⁺ = x - Alpha G,  x = z⁺ + (1 - r) / (1 + r) (z⁺ - z),  r = sqrt(Alpha MuX)
//
// and y goes on from the last one.
//
// Where Φ is convex but not strongly, the method is applied to Φ + Regularize/2 ||x||²,
// and MuX is Regularize. For an error of epsilon Regularize is about epsilon / ||x*||².
//
// Source: Ji, Liang, "Lower bounds and accelerated algorithms for bilevel optimization",
// Journal of Machine Learning Research 24, 2023, arXiv 2102.03926.
//
// Departure: written from memory of the published description; the paper's boxes could not
// be seen. The least certain parts are where the loops begin: with Warm, v and the y of
// both forms go on from the last ones. k counts from 1.
type AccBiO struct {
	Outer           int     // outer iterations K
	Inner           int     // y-steps N, at least 1
	Linear          int     // v-steps M, at least 1
	Alpha           float64 // step of x, the paper's at most 1 / (2 L_Φ); with BoundedGradient 1 / L_Φ
	MuX             float64 // strong convexity of Φ, or of what Regularize makes of it
	MuY             float64 // least eigenvalue of H
	LY              float64 // largest eigenvalue of H
	Regularize      float64 // weight of ||x||²/2; 0: none
	BoundedGradient bool    // AccBiO-BG
	Warm            bool    // y and v go on from the last ones
}

// Iterations returns Outer.
func (a AccBiO) Iterations() int { return a.Outer }

// Needs says that AccBiO is a method of one node, or of a star.
func (a AccBiO) Needs() Requirements { return oneNodeOrStar() }

// Run is the method as described above.
func (a AccBiO) Run(p *node.Proc, o Oracle) {
	on := pooled(p, o)(0, "")
	d1, d2 := o.Dims()
	x, y := make([]float64, d1), make([]float64, d2)
	o.Start(x, y)
	outer := newAcceleratedStep(a, x)
	inner := newMomentumLoops(a, on, y)
	fy, v := make([]float64, d2), make([]float64, d2)
	d, jv := make([]float64, d1), make([]float64, d1)
	p.Report(0, outer.z, y)
	for k := 1; k <= a.Outer; k++ {
		u := outer.point()
		inner.nesterov(u, y)
		on.GradFy(fy, u, y)
		inner.heavyBall(v, u, y, fy)
		implicitGradient(on, d, jv, u, y, v)
		floats.AddScaled(d, a.Regularize, u)
		outer.step(d)
		p.Report(k, outer.z, y)
	}
}

// Cost is Inner gradients of g, 2 of f, Linear HVPs and 1 JVP. On a star each of these is
// a vector that goes up and down, but for ∇_x f - J v, which is one.
func (a AccBiO) Cost(k int, d Dims) metrics.Cost {
	return AID{Inner: a.Inner, Q: a.Linear, Solve: SolveGD}.Cost(k, d)
}

// momentumLoops are the two inner loops of AccBiO.
type momentumLoops struct {
	method       AccBiO
	on           derivatives
	momentum     float64   // m
	ball         float64   // lambda
	y0, w, g     []float64 // (q)
	hv, old, was []float64 // (q)
}

func newMomentumLoops(a AccBiO, on derivatives, y0 []float64) *momentumLoops {
	root, rootMu := math.Sqrt(a.LY), math.Sqrt(a.MuY)
	vec := func() []float64 { return make([]float64, len(y0)) }
	return &momentumLoops{method: a, on: on, momentum: (root - rootMu) / (root + rootMu),
		ball: 4 / ((root + rootMu) * (root + rootMu)), y0: append(vec()[:0], y0...), w: vec(), g: vec(),
		hv: vec(), old: vec(), was: vec()}
}

// nesterov moves y (q) towards y*(u).
func (l *momentumLoops) nesterov(u, y []float64) {
	if !l.method.Warm && !l.method.BoundedGradient {
		copy(y, l.y0)
	}
	copy(l.w, y)
	for range l.method.Inner {
		l.on.GradGy(l.g, u, l.w)
		copy(l.old, y)
		descend(y, l.w, 1/l.method.LY, l.g)
		extrapolate(l.w, y, l.old, l.momentum)
	}
}

// heavyBall moves v (q) towards H⁻¹ b at (u, y).
func (l *momentumLoops) heavyBall(v, u, y, b []float64) {
	if !l.method.Warm {
		clear(v)
	}
	copy(l.old, v)
	for range l.method.Linear {
		l.on.HessGyyMul(l.hv, u, y, v)
		floats.Sub(l.hv, b)
		copy(l.was, v)
		for i, e := range v {
			v[i] = e - l.ball*l.hv[i] + l.momentum*l.momentum*(e-l.old[i])
		}
		copy(l.old, l.was)
	}
}

// extrapolate sets dst = now + m (now - old).
func extrapolate(dst, now, old []float64, m float64) {
	for i, e := range now {
		dst[i] = e + m*(e-old[i])
	}
}

// acceleratedStep is the outer iteration of AccBiO and AccBiO-BG. All its vectors have p
// elements.
type acceleratedStep struct {
	method  AccBiO
	root    float64   // sqrt(Alpha MuX)
	x, z, u []float64 // u is where the next gradient is taken
	old     []float64
}

func newAcceleratedStep(a AccBiO, x []float64) *acceleratedStep {
	of := func() []float64 { return append([]float64{}, x...) }
	return &acceleratedStep{method: a, root: math.Sqrt(a.Alpha * a.MuX), x: x, z: of(), u: of(), old: of()}
}

// point returns where the gradient is taken; it is valid until the next call.
func (s *acceleratedStep) point() []float64 {
	if s.method.BoundedGradient {
		return s.x
	}
	share := s.root / (s.root + 2)
	for i := range s.u {
		s.u[i] = share*s.x[i] + (1-share)*s.z[i]
	}
	return s.u
}

// step moves x and z along the gradient d that was taken there.
func (s *acceleratedStep) step(d []float64) {
	a := s.method
	if a.BoundedGradient {
		copy(s.old, s.z)
		descend(s.z, s.x, a.Alpha, d)
		extrapolate(s.x, s.z, s.old, (1-s.root)/(1+s.root))
		return
	}
	t, beta := s.root/2, math.Sqrt(a.Alpha/a.MuX)
	for i, u := range s.u {
		s.x[i] = t*u + (1-t)*s.x[i] - beta*d[i]
	}
	descend(s.z, s.u, a.Alpha, d)
}
