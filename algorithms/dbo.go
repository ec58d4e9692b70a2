package algorithms

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// DBO is decentralized bilevel optimization with a shared, heterogeneous inner
// problem, Algorithm 3 of Chen, Huang and Ma (2022) with the JHIP oracle of its
// Algorithm 1. Nazari et al. call it DGTBO. For k = 1 ... Outer:
//
//	v = ∇_y g_i(x, y), and Inner times: y⁺ = mix(y) - eta_y v,
//	    v <- mix(v) + ∇_y g_i(x, y⁺) - ∇_y g_i(x, y)                (gradient tracking)
//	Z ~ (J̄ H̄⁻¹)' by JHIP steps of gradient tracking on matrices
//	x <- mix(x) - eta_x (∇_x f_i - Z' ∇_y f_i)
//
// Where all nodes have one H, tracking is stable exactly if eta_y and gamma times its
// largest eigenvalue are below (1 + lambda_min(W))² / 2.
//
// Source: Chen, Huang, Ma, "Decentralized bilevel optimization", Optimization
// Letters, arXiv 2206.05670.
//
// Departure: x, known before the inner loop, is sent with the first y and v. The
// tracker is restarted in each outer iteration; the text leaves that open. The step
// 1/(mu + L) that the paper prescribes for eta_y is outside the stable region of
// most W, so it is no default here.
type DBO struct {
	Outer int     // outer iterations K
	Inner int     // T, at least 1
	JHIP  int     // N, at least 1
	EtaX  float64 // step of x
	EtaY  float64 // step of y
	Gamma float64 // step of JHIP
}

// Iterations returns Outer.
func (a DBO) Iterations() int { return a.Outer }

// Needs says that DBO is bilevel.
func (a DBO) Needs() Requirements { return Requirements{Bilevel: true} }

// Run is Algorithm 3 of the paper.
func (a DBO) Run(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y := make([]float64, d1), make([]float64, d2)
	mx, my, mv := make([]float64, d1), make([]float64, d2), make([]float64, d2)
	v, g, before := make([]float64, d2), make([]float64, d2), make([]float64, d2)
	fx, fy, zf := make([]float64, d1), make([]float64, d2), make([]float64, d1)
	oracle := newJHIP(p, o, a.JHIP, a.Gamma)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		o.GradGy(before, x, y)
		copy(v, before)
		for t := range a.Inner {
			if t == 0 {
				p.MixAll("inner", node.MixVec("y", my, y), node.MixVec("v", mv, v), node.MixVec("x", mx, x))
			} else {
				p.MixAll("inner", node.MixVec("y", my, y), node.MixVec("v", mv, v))
			}
			descend(y, my, a.EtaY, v) // y <- mix(y) - eta_y v
			if t == a.Inner-1 {
				break // the last tracker is not needed
			}
			o.GradGy(g, x, y)
			floats.AddTo(v, mv, g)
			floats.Sub(v, before) // v <- mix(v) + ∇_y g(y⁺) - ∇_y g(y)
			g, before = before, g
		}
		z := oracle.run(x, y)
		o.GradFx(fx, x, y)
		o.GradFy(fy, x, y)
		blas64.Gemv(blas.Trans, 1, z.RawMatrix(), vector(fy), 0, vector(zf)) // Z' ∇_y f
		p.Work(2 * float64(d1) * float64(d2))
		floats.Sub(fx, zf)
		descend(x, mx, a.EtaX, fx) // x <- mix(x) - eta_x (∇_x f - Z' ∇_y f)
		p.Report(k, x, y)
	}
}

// Cost is Inner + JHIP rounds, p + 2 Inner q vector and 2 JHIP p q matrix elements
// per node. What the boxes print is sent: the last tracker of each loop could stay home.
func (a DBO) Cost(k int, d Dims) metrics.Cost {
	var c metrics.Cost
	if k == 0 {
		return c
	}
	p, q := int64(d.P), int64(d.Q)
	exchanges(&c, d, 1, metrics.Elements{Vector: p + 2*q})
	exchanges(&c, d, a.Inner-1, metrics.Elements{Vector: 2 * q})
	exchanges(&c, d, a.JHIP, metrics.Elements{Matrix: 2 * p * q})
	calls(&c, d, metrics.CallGradG, a.Inner)
	calls(&c, d, metrics.CallGradF, 2)
	calls(&c, d, metrics.CallHVP, (a.JHIP-1)*d.P)
	calls(&c, d, metrics.CallJacobian, 1)
	t, n := float64(a.Inner), float64(a.JHIP)
	c.Paper = &metrics.PaperCount{
		ElementsPerNode: t*float64(q) + float64(p) + float64(d.Nodes)*n*float64(p*q),
		Formula:         "M d2 + d1 + n N d1 d2",
		Source:          "Nazari et al., Supplement S1, whose M is the T of Chen et al.",
		Note:            "counts n twice for JHIP and one of the two objects of each exchange: d1 + 2 T d2 + 2 N d1 d2; without the last trackers it would be d1 + (2T-1) d2 + 2 (N-1) d1 d2",
	}
	return c
}
