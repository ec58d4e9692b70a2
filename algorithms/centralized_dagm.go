package algorithms

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// CentralizedDAGM is DAGM with W = 11'/n on a star: n clients, and a server that averages what DAGM mixes. A
// DIHGP step contracts by about 1 - beta mu / (2 (1 - 1/n)): a complete graph does not make it exact in a few
// rounds.
type CentralizedDAGM DAGM

func (CentralizedDAGM) Declare() declare.Method {
	return declare.Method{
		Name: "centralized-dagm", Label: "Centralized DAGM",
		Summary: "DAGM for a star with a server, which averages what DAGM mixes: W = 11'/n over the clients",
		Fields:  DAGM{}.Declare().Fields,
		Updates: "those of dagm with w_ij = 1/n for all of the n clients i, j",
		Source:  DAGM{}.Declare().Source,
		Departures: "The paper names centralized DAGM and does not define it. This is one reading; the other is " +
			"dagm on one node that holds all data (topology: {kind: complete, nodes: 1}).",
	}
}

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
	x, y, _, d2 := start(p, o)
	h := zeros(d2)
	for k := 1; k <= a.Outer; k++ {
		if DAGM(a).exchanges(k) {
			p.Average("inner", node.MixVec("y", y, y), node.MixVec("x", x, x))
			for range a.Inner - 1 {
				p.Average("inner", node.MixVec("y", y, y))
			}
			for range a.Neumann {
				p.Average("dihgp", node.MixVec("dihgp", h, h))
			}
		}
		p.Report(k, x, y)
	}
}

// Cost is that of DAGM, without its paper's count.
func (a CentralizedDAGM) Cost(k int, d Dims) metrics.Cost {
	c := DAGM(a).Cost(k, d)
	c.Paper = nil
	return c
}

// CostPeriod returns the period of the averages.
func (a CentralizedDAGM) CostPeriod() int { return max(1, a.Period) }
