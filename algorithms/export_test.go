package algorithms

import (
	"gonum.org/v1/gonum/mat"

	"tallynet/node"
)

// RunJHIP returns Z of one call of the JHIP oracle at (x, y).
func RunJHIP(p *node.Proc, o Oracle, steps int, gamma float64, x, y []float64) *mat.Dense {
	return mat.DenseCopyOf(newJHIP(p, o, steps, gamma).run(x, y))
}

// RunDIHGP sets h (q) to the result of one call of DIHGP at (x, y).
func RunDIHGP(p *node.Proc, o Oracle, a DAGM, h, x, y []float64) {
	newDIHGP(p, o, p.MixAll, p.SelfWeight(), a).run(h, x, y)
}

// GossipValue returns the value that a handler of RandomizedGossip holds.
func GossipValue(h node.Handler) []float64 { return h.(*randomizedGossip).x }

// BatchOf is a batch of chosen samples.
func BatchOf(val, train []int) Batch { return Batch{val: val, train: train} }

// FactorOf sets a Factor to scale ∇²_yy g + shift I of a problem.
func FactorOf(l Local, scale, shift float64) (*Factor, error) {
	f := new(Factor)
	return f, f.set(l, nil, nil, scale, shift)
}
