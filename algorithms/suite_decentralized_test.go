package algorithms_test

import "tallynet/algorithms"

// decentralizedSuite is the decentralized bilevel methods, for suiteOf: s = 0.03 is
// stable as a step of y.
func decentralizedSuite(outer int, s float64) map[string]algorithms.Method {
	a := 2. / 3 * s
	mdbo := algorithms.MDBO{Outer: outer, Alpha1: 1.5, Alpha2: 1.5, Beta1: 2 * a, Beta2: 2 * s, Eta: .5, Neumann: 3,
		Lipschitz: 7}
	return map[string]algorithms.Method{
		"dbo-homogeneous": algorithms.DBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s,
			Mode: algorithms.Homogeneous},
		"dbogt": algorithms.DBOGT{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s},
		"dbogt-homogeneous": algorithms.DBOGT{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s,
			Mode: algorithms.Homogeneous},
		"dsbo": algorithms.DSBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s},
		"dsbo-homogeneous": algorithms.DSBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: 0.02, EtaY: s, Gamma: s,
			Mode: algorithms.Homogeneous},
		"ma-dbo": algorithms.MADBO{Outer: outer, Inner: 2, HIGP: 3, Alpha: 0.02, EtaY: s, Gamma: s, Theta: .5, Tracking: true},
		"ma-dbo-plain": algorithms.MADBO{Outer: outer, Inner: 2, HIGP: 3, Alpha: 0.02, EtaY: s, Gamma: s,
			Theta: .5},
		"l-pdbo":   algorithms.LPDBO{Outer: outer, Alpha: 0.02, Beta: s, Lambda: s},
		"spdb":     algorithms.SPDB{Outer: outer, Beta: s, Rho: 4, Eta: .1},
		"interact": algorithms.INTERACT{Outer: outer, Alpha: 0.02, Beta: s},
		"prometheus": algorithms.Prometheus{Outer: outer, Alpha: .8, Beta: s, Tau: 40, Neumann: 3,
			Lipschitz: 7, Period: 4},
		"mdbo":  mdbo,
		"vrdbo": algorithms.VRDBO(mdbo),
		"sldbo": algorithms.SLDBO{Outer: outer, Alpha: 0.02, Beta: s, Eta: s},
		"sparkle-ed": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5, Lazy: true,
			Upper: algorithms.ExactDiffusion, Lower: algorithms.ExactDiffusion, Adjoint: algorithms.ExactDiffusion},
		"sparkle-extra": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5, Lazy: true,
			Upper: algorithms.ExactFirstOrder, Lower: algorithms.ExactFirstOrder, Adjoint: algorithms.ExactFirstOrder},
		"sparkle-gt": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5,
			Upper: algorithms.ATCTracking, Lower: algorithms.ATCTracking, Adjoint: algorithms.ATCTracking},
		"sparkle-mixed": algorithms.SPARKLE{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5, Order: algorithms.Sequential,
			Upper: algorithms.NonATCTracking, Lower: algorithms.ExactDiffusion, Adjoint: algorithms.SemiATCTracking,
			Lazy: true},
		"d-soba": algorithms.DSOBA{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5},
		"d-soba-fo": algorithms.DSOBA{Outer: outer, Alpha: 0.02, Beta: s, Gamma: s, Theta: .5,
			Order: algorithms.FirstOrder, Delta: .1},
		"penalty-gt": algorithms.PenaltyGT{Outer: outer, Lambda: 10, EtaX: a, EtaY: s / 20, EtaZ: s / 10},
		"c2dfb": algorithms.C2DFB{Outer: outer, Inner: 2, Lambda: 10, EtaX: a, EtaY: s / 10, EtaZ: s, GammaX: .5,
			GammaD: .5},
		"c-soba":  algorithms.CSOBA{Outer: outer, Alpha: a, Beta: s, Gamma: s},
		"ef-soba": algorithms.CSOBA{Outer: outer, Alpha: a, Beta: s, Gamma: s, Theta: .5, Delta: .5, Clip: 50},
		"fednest": algorithms.FedNest{Outer: outer, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 3,
			Alpha: 0.02, Beta: s, Lipschitz: 7},
		"fednest-whole": algorithms.FedNest{Outer: outer, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 3,
			Alpha: 0.02, Beta: s, Lipschitz: 7, Correction: algorithms.CorrectWhole},
		"lfednest": algorithms.LFedNest{Outer: outer, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 3,
			Alpha: 0.01, Beta: s, Lipschitz: 7},
		"centralized-dagm": algorithms.CentralizedDAGM{Outer: outer, Inner: 2, Neumann: 3, Alpha: 0.02, Beta: s},
	}
}

// enough gives a method so much inner work that its hypergradient is exact on one
// node. It reports false where no parameter does.
func enough(m algorithms.Method) (algorithms.Method, bool) {
	switch a := m.(type) {
	case algorithms.DGBO:
		a.Terms = 150
		return a, true
	case algorithms.DBO:
		a.JHIP = 400
		return a, true
	case algorithms.DBOGT:
		a.JHIP = 400
		return a, true
	case algorithms.DSBO:
		a.JHIP = 400
		return a, a.Mode == algorithms.Homogeneous // the steps of JHIP decay
	case algorithms.Prometheus:
		a.Neumann = 150
		return a, true
	case algorithms.MDBO:
		a.Neumann = 150
		return a, true
	case algorithms.VRDBO:
		a.Neumann = 150
		return a, true
	case algorithms.FedNest:
		a.Neumann = 150
		return a, true
	case algorithms.LFedNest:
		a.Neumann = 150
		return a, true
	case algorithms.SPDB: // the number of products is the method's own
		return a, false
	case algorithms.PenaltyGT: // biased by 1/lambda
		return a, false
	case algorithms.C2DFB: // likewise
		return a, false
	}
	return m, true
}
