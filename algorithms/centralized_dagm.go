package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// CentralizedDAGM is DAGM with W = 11'/n on a star: n clients, and a server that
// averages what DAGM mixes. For k = 1 ... Outer, bars being averages over the clients:
//
//	Inner times: y_i <- ȳ - beta ∇_y g_i(x_i, y_i)
//	h_i ~ -[((I - 11'/n) + beta H)⁻¹ ∇_y f]_i by Neumann steps (DIHGP)
//	x_i <- x̄ - alpha (∇_x f_i + beta J_i h_i)
//
// A DIHGP step contracts by about 1 - beta mu / (2 (1 - 1/n)) even here: a complete
// graph does not make it exact in a few rounds.
//
// Source: Nazari, Mousavi, Tarzanagh, Michailidis, "A Penalty-Based Method for
// Communication-Efficient Decentralized Bilevel Programming", Automatica,
// arXiv 2211.04088.
//
// Departure: the paper names centralized DAGM and does not define it; this is one
// reading. The other is DAGM on a network of one node that holds all data.
type CentralizedDAGM struct {
	Outer   int     // outer iterations K
	Inner   int     // y-steps M per outer iteration, at least 1
	Neumann int     // DIHGP exchanges U, at least 0
	Local   int     // y-steps for each average of y; 0 and 1: one
	Period  int     // iterations from one with averages to the next; 0 and 1: each has them
	Alpha   float64 // outer step
	Beta    float64 // inner step
	Solve   Solve   // how a client solves with D_i
	// Of SolveCG: relative residual and most iterations of one solve.
	CGTolerance  float64
	CGIterations int
}

// Iterations returns Outer.
func (a CentralizedDAGM) Iterations() int { return a.Outer }

// Needs says that the method is bilevel and for a server with clients.
func (a CentralizedDAGM) Needs() Requirements {
	return Requirements{Bilevel: true, Server: ServerRequired}
}

// Run is DAGM on a client, and its averages on the server.
func (a CentralizedDAGM) Run(p *node.Proc, o Oracle) {
	if p.Role() == node.Server {
		a.serve(p, o)
		return
	}
	DAGM(a).run(p, o, p.Average, 1/float64(p.Nodes()-1))
}

// serve averages what the clients send. It reports the last averages.
func (a CentralizedDAGM) serve(p *node.Proc, o Oracle) {
	d1, d2 := o.Dims()
	x, y, h := zeros(d1), zeros(d2), zeros(d2)
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		if !DAGM(a).exchanges(k) {
			p.Report(k, x, y)
			continue
		}
		for t := range a.Inner {
			if t == 0 {
				p.Average("inner", node.MixVec("y", y, y), node.MixVec("x", x, x))
			} else {
				p.Average("inner", node.MixVec("y", y, y))
			}
		}
		for range a.Neumann {
			p.Average("dihgp", node.MixVec("dihgp", h, h))
		}
		p.Report(k, x, y)
	}
}

// Cost is that of DAGM: Inner + Neumann rounds, in each of which every client sends
// one message up and gets one down; none in an iteration without averages.
func (a CentralizedDAGM) Cost(k int, d Dims) metrics.Cost {
	c := DAGM(a).Cost(k, d)
	c.Paper = nil
	return c
}
