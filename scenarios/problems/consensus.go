package problems

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// ConsensusConfig describes average consensus as a problem,
//
//	f_i(x) = 1/2 ‖x - b_i‖²,  b_i from N(0, I),
//
// whose solution is the mean of all b_i. Node i starts at b_i. The problem is single-level.
type ConsensusConfig struct {
	Nodes int
	Dim   int // p
	Seed  uint64
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized.
func (c ConsensusConfig) Size() Size {
	need := budget.Float64s(float64(c.Nodes), float64(c.Dim))
	need.Flops = drawing * float64(c.Nodes) * float64(c.Dim)
	return newSize(c.Nodes, float64(c.Dim), 0, need)
}

// Consensus is the problem that ConsensusConfig describes.
type Consensus struct {
	frame
	b [][]float64 // of each node
}

// NewConsensus draws the problem. b_i depends only on the seed and i.
func NewConsensus(c ConsensusConfig) (*Consensus, error) {
	if err := fits(c, c.Budget, "consensus"); err != nil {
		return nil, err
	}
	out := &Consensus{frame: frame{p: c.Dim, nodes: c.Nodes}}
	for i := range c.Nodes {
		out.b = append(out.b, gaussian(1, c.Dim, sim.Stream(c.Seed, "data", i)).Data)
	}
	return out, nil
}

// Start implements Problem: b_i.
func (c *Consensus) Start(i int) (x0, y0 []float64) {
	mustNode(i, c.nodes)
	return slices.Clone(c.b[i]), nil
}

// About implements Problem.
func (c *Consensus) About() string {
	return fmt.Sprintf("consensus: mean of %d standard normal vectors, p = %d", len(c.b), c.p)
}

// Local implements Problem.
func (c *Consensus) Local(i int) Local {
	mustNode(i, c.nodes)
	return &oracle{formulas: &consensusFormulas{b: c.b[i]}, p: c.p}
}

// Solution implements Solved: the mean of all b_i.
func (c *Consensus) Solution() (x, y []float64, err error) {
	x = make([]float64, c.p)
	for _, b := range c.b {
		blas64.Axpy(1/float64(len(c.b)), vec(b), vec(x))
	}
	return x, nil, nil
}

type consensusFormulas struct {
	singleLevel
	noSamples
	b []float64
}

func (l *consensusFormulas) f(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += (v - l.b[j]) * (v - l.b[j])
	}
	return sum / 2
}

func (l *consensusFormulas) fx(dst, x, y []float64) {
	for j, v := range x {
		dst[j] = v - l.b[j]
	}
}

// flops counts 3p + 1 for a value, p for a gradient and nothing for g.
func (l *consensusFormulas) flops(n sizes) costs {
	return costs{
		metrics.CallValue: 3*n.p + 1,
		metrics.CallGradF: n.p,
	}
}
