package build_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/algorithms"
	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
)

// Each parameter of a method of one node reaches its own field: all values differ.
func TestOneNodeParameters(t *testing.T) {
	for _, c := range []struct {
		text string
		want algorithms.Method
	}{
		{"name: aid, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: "gd", Alpha: .1, Beta: .2, Eta: .1, Warm: true}},
		{"name: aid, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2, eta: 0.3, warm: false",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: "gd", Alpha: .1, Beta: .2, Eta: .3}},
		{"name: aid, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2, solve: neumann",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: "neumann", Alpha: .1, Beta: .2, Eta: .1}},
		{"name: aid, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2, solve: cg, cg_tolerance: 0.4",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: "cg", Alpha: .1, Beta: .2, Eta: .1, Warm: true,
				CGTolerance: .4}},
		{"name: aid-fp, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: "gd", Alpha: .1, Beta: .2, Eta: .1}},
		{"name: aid-cg, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2, cg_tolerance: 0.4",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: "cg", Alpha: .1, Beta: .2, CGTolerance: .4}},
		{"name: aid, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2, optimizer: adam",
			algorithms.AID{Outer: 7, Inner: 2, Q: 3, Solve: algorithms.SolveGD, Alpha: .1, Beta: .2, Eta: .1,
				Warm: true, Adam: true}},
		{"name: itd, outer: 7, inner: 2, alpha: 0.1, beta: 0.2, optimizer: adam",
			algorithms.ITD{Outer: 7, Inner: 2, Alpha: .1, Beta: .2, Adam: true}},
		{"name: reverse, outer: 7, inner: 2, alpha: 0.1, beta: 0.2, optimizer: adam",
			algorithms.ITD{Outer: 7, Inner: 2, Alpha: .1, Beta: .2, Cold: true, Adam: true}},
		{"name: itd, outer: 7, inner: 2, alpha: 0.1, beta: 0.2",
			algorithms.ITD{Outer: 7, Inner: 2, Alpha: .1, Beta: .2}},
		{"name: reverse, outer: 7, inner: 4, back: 3, alpha: 0.1, beta: 0.2",
			algorithms.ITD{Outer: 7, Inner: 4, Back: 3, Alpha: .1, Beta: .2, Cold: true}},
		{"name: reverse, outer: 7, inner: 4, alpha: 0.1, beta: 0.2, warm: true",
			algorithms.ITD{Outer: 7, Inner: 4, Alpha: .1, Beta: .2}},
		{"name: ba, outer: 7, alpha: 0.1, beta: 0.2",
			algorithms.BA{Outer: 7, Alpha: .1, Beta: .2}},
		{"name: ba, outer: 7, alpha: 0.1, beta: 0.2, schedule: linear",
			algorithms.BA{Outer: 7, Alpha: .1, Beta: .2, Linear: true}},
		{"name: ba, outer: 7, alpha: 0.1, beta: 0.2, warm: false",
			algorithms.BA{Outer: 7, Alpha: .1, Beta: .2, Cold: true}},
		{"name: bsa, outer: 7, q: 3, alpha: 0.1, beta: 0.2, eta: 0.3, batch: 4",
			algorithms.BSA{Outer: 7, Q: 3, Alpha: .1, Beta: .2, Eta: .3, Batch: 4}},
		{"name: stocbio, outer: 7, inner: 2, q: 3, alpha: 0.1, beta: 0.2, eta: 0.3, batch: 4",
			algorithms.StocBiO{Outer: 7, Inner: 2, Q: 3, Alpha: .1, Beta: .2, Eta: .3, Batch: 4}},
		{"name: vrbo, outer: 7, inner: 2, period: 5, q: 3, alpha: 0.1, beta: 0.2, eta: 0.3, batch: 4",
			algorithms.VRBO{Outer: 7, Inner: 2, Period: 5, Q: 3, Alpha: .1, Beta: .2, Eta: .3, Batch: 4,
				Estimates: "before"}},
		{"name: vrbo, outer: 7, inner: 2, period: 5, q: 3, alpha: 0.1, beta: 0.2, eta: 0.3, estimates: after",
			algorithms.VRBO{Outer: 7, Inner: 2, Period: 5, Q: 3, Alpha: .1, Beta: .2, Eta: .3, Estimates: "after"}},
		{"name: mrbo, outer: 7, q: 3, alpha: 0.1, beta: 0.2, eta: 0.3, weight: 0.4, batch: 4",
			algorithms.MRBO{Outer: 7, Q: 3, Alpha: .1, Beta: .2, Eta: .3, Weight: .4, Batch: 4}},
		{"name: amigo, outer: 7, inner: 2, linear: 3, alpha: 0.1, beta: 0.2, eta: 0.3, batch: 4",
			algorithms.AmIGO{Outer: 7, Inner: 2, Linear: 3, Alpha: .1, Beta: .2, Eta: .3, Batch: 4}},
		{"name: accbio, outer: 7, inner: 2, linear: 3, alpha: 0.1, mu_x: 0.2, mu_y: 0.3, l_y: 0.4, " +
			"regularize: 0.5, warm: true",
			algorithms.AccBiO{Outer: 7, Inner: 2, Linear: 3, Alpha: .1, MuX: .2, MuY: .3, LY: .4,
				Regularize: .5, Warm: true}},
		{"name: accbio-bg, outer: 7, inner: 2, linear: 3, alpha: 0.1, mu_x: 0.2, mu_y: 0.3, l_y: 0.4",
			algorithms.AccBiO{Outer: 7, Inner: 2, Linear: 3, Alpha: .1, MuX: .2, MuY: .3, LY: .4,
				BoundedGradient: true}},
		{"name: soba, outer: 7, rho: 0.1, gamma: 0.2, decay_inner: 0.3, decay_outer: 0.4, batch: 5",
			algorithms.SOBA{Outer: 7, Rho: .1, Gamma: .2, DecayInner: .3, DecayOuter: .4, Batch: 5}},
		{"name: saba, outer: 7, rho: 0.1, gamma: 0.2, batch: 5",
			algorithms.SABA{Outer: 7, Rho: .1, Gamma: .2, Batch: 5}},
		{"name: bome, outer: 7, alpha: 0.1, xi: 0.2",
			algorithms.BOME{Outer: 7, Inner: 10, Alpha: .1, Xi: .2, Eta: .5, Phi: "grad"}},
		{"name: bome, outer: 7, inner: 2, alpha: 0.1, xi: 0.2, eta: 0.3, phi: value, epsilon: 0.4",
			algorithms.BOME{Outer: 7, Inner: 2, Alpha: .1, Xi: .2, Eta: .3, Phi: "value", Epsilon: .4}},
		{"name: bsg-1, outer: 7, inner: 2, alpha: 0.1, beta: 0.2",
			algorithms.BSG1{Outer: 7, Inner: 2, Alpha: .1, Beta: .2}},
		{"name: f2sa, outer: 7, inner: 2, eta_x: 0.1, eta_y: 0.2, eta_z: 0.3, lambda: 4, growth: 0.5, " +
			"decay_outer: 0.6, decay_inner: 0.7, batch: 8",
			algorithms.F2SA{Outer: 7, Inner: 2, EtaX: .1, EtaY: .2, EtaZ: .3, Lambda: 4, Growth: .5,
				DecayOuter: .6, DecayInner: .7, Batch: 8}},
		{"name: penalty, outer: 7, inner: 2, alpha: 0.1, beta: 0.2, gamma: 0.3, lambda: 0.4, epsilon: 0.5, nu: 0.6",
			algorithms.Penalty{Outer: 7, Inner: 2, Alpha: .1, Beta: .2, Gamma: .3, Lambda: .4, Epsilon: .5, Nu: .6}},
		{"name: bvfsm, outer: 7, inner_z: 2, inner_y: 3, alpha_z: 0.1, alpha_y: 0.2, beta: 0.3, l2_z: 0.4, " +
			"l2_y: 0.5, barrier: 0.6, offset: 0.7, constant: true",
			algorithms.BVFSM{Outer: 7, InnerZ: 2, InnerY: 3, AlphaZ: .1, AlphaY: .2, Beta: .3, L2Z: .4,
				L2Y: .5, Barrier: .6, Offset: .7, Constant: true}},
		{"name: bvfsm, outer: 7, beta: 0.3, offset: 0.7, detached: true",
			algorithms.BVFSM{Outer: 7, InnerZ: 50, InnerY: 25, AlphaZ: .01, AlphaY: .01, Beta: .3, L2Z: .01,
				L2Y: .01, Barrier: .001, Offset: .7, Detached: true}},
		{"name: optimistic-gd, outer: 7, eta: 0.3",
			algorithms.OptimisticGD{Outer: 7, Eta: .3}},
	} {
		s := scenariotest.Parse(t, "version: 1\ntopology: {kind: complete, nodes: 1}\n"+
			"problem: {kind: quadratic, p: 2, q: 2}\nalgorithms: [{"+c.text+"}]\n")
		got, err := build.Method(s, s.Algorithms[0], s.Algorithms[0].Args)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (- want, + got)\n%s", c.text, d)
		}
	}
}
