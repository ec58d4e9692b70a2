package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// EXTRA is the exact first-order algorithm of Shi et al.: its limit is exact though it sends one vector only.
// The paper shows that it is stable if alpha L < 2 λ_min(V) = 1 + λ_min(W). Where all f_i are quadratics of
// curvature L, it is stable exactly if alpha L < min(2, (5 + 3 λ_min(W)) / 4).
type EXTRA struct {
	Outer int
	Alpha float64
}

func (EXTRA) Declare() declare.Method {
	return declare.Method{
		Name: "extra", Summary: "exact first-order method with a correction from the step before",
		Fields: declare.Fields{declare.Outer(), declare.Step("alpha", "the step; "+plainStable)},
		Updates: `x¹ = W x⁰ - alpha ∇f(x⁰);  V = (I + W)/2
x^{k+1} = (I + W) x^k - V x^{k-1} - alpha (∇f(x^k) - ∇f(x^{k-1}))`,
		Source: "Shi, Ling, Wu, Yin: EXTRA: An exact first-order algorithm for decentralized consensus " +
			"optimization. SIAM Journal on Optimization 25, 2015",
	}
}

// Needs says that EXTRA has no inner problem and wants a symmetric W.
func (a EXTRA) Needs() Requirements {
	return Requirements{SingleLevel: true, SymmetricW: true, FixedW: true}
}

// Run is the method's recursion. W x of the last step is kept, so each step sends one vector.
func (a EXTRA) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := start(p, o)
	mx, old, mold, g, gold := zeros(d), zeros(d), zeros(d), zeros(d), zeros(d)
	for k := 1; k <= a.Outer; k++ {
		p.Mix(mx, "outer", x)
		o.GradFx(g, x, nil)
		next := old // its last use is in the loop below, element by element
		for i := range x {
			if k == 1 { // x¹ = W x⁰ - alpha ∇f(x⁰)
				next[i] = mx[i] - a.Alpha*g[i]
			} else { // x⁺ = (I + W) x - V x_old - alpha (∇f(x) - ∇f(x_old))
				next[i] = x[i] + mx[i] - (old[i]+mold[i])/2 - a.Alpha*(g[i]-gold[i])
			}
		}
		x, old = next, x
		mx, mold = mold, mx
		g, gold = gold, g
		p.Report(k, x, nil)
	}
}

// Cost is one round of one vector and one gradient per node.
func (a EXTRA) Cost(_ int, d Dims) metrics.Cost { return singleLevelCost(d, 1) }
