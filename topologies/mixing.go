package topologies

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Mixing is a mixing matrix W on a graph: symmetric, nonnegative, with rows and columns that sum to 1, and w_ij
// = 0 unless i = j or i and j are neighbours. It is immutable.
type Mixing struct {
	graph *Graph
	rule  string
	self  []float64 // w_ii
	w     []float64 // w_ij, in the order of graph.adj.list
}

// Graph returns the graph of W.
func (m *Mixing) Graph() *Graph { return m.graph }

// Rule returns the name of the rule that made W, as in the weights of a scenario.
func (m *Mixing) Rule() string { return m.rule }

// Nodes returns the order of W.
func (m *Mixing) Nodes() int { return len(m.self) }

// Self returns w_ii.
func (m *Mixing) Self(i int) float64 { return m.self[i] }

// Weights returns w_ij for the neighbours j of i, in the order of Graph().Neighbors(i). The caller must not
// modify the slice.
func (m *Mixing) Weights(i int) []float64 {
	a, b := m.graph.adj.start[i], m.graph.adj.start[i+1]
	return m.w[a:b:b]
}

// At returns w_ij.
func (m *Mixing) At(i, j int) float64 {
	if i == j {
		return m.self[i]
	}
	row := m.graph.Neighbors(i)
	if k, found := slices.BinarySearch(row, j); found {
		return m.Weights(i)[k]
	}
	return 0
}

// Dense returns a copy of W as an n x n matrix.
func (m *Mixing) Dense() *mat.SymDense {
	d := mat.NewSymDense(m.Nodes(), nil)
	for i, w := range m.self {
		d.SetSym(i, i, w)
		for k, j := range m.graph.Neighbors(i) {
			if j > i {
				d.SetSym(i, j, m.Weights(i)[k])
			}
		}
	}
	return d
}

// Metropolis returns the Metropolis-Hastings weights,
//
//	w_ij = 1 / (1 + max(deg i, deg j)) for neighbours, w_ii = 1 - sum_j w_ij
//
// (Xiao, Boyd and Lall, "Distributed average consensus with time-varying Metropolis
// weights", 2006). A single node has W = [1].
func Metropolis(g *Graph) *Mixing {
	return fromEdgeWeights(g, "metropolis", func(di, dj int) float64 { return 1 / float64(1+max(di, dj)) })
}

// LazyMetropolis returns the lazy Metropolis weights of Olshevsky ("Linear time average consensus and
// distributed optimization on fixed graphs", SIAM Journal on Control and Optimization 55, 2017),
//
//	w_ij = 1 / (2 max(deg i, deg j)) for neighbours, w_ii = 1 - sum_j w_ij,
//
// where the degree does not count the node itself. W is positive semidefinite and its gap is at least 1/(71
// n²). Some authors use the name for (I + W)/2 with the Metropolis weights W, which has 1 + max(deg i, deg j)
// in place of max(deg i, deg j).
func LazyMetropolis(g *Graph) *Mixing {
	return fromEdgeWeights(g, "lazy-metropolis", func(di, dj int) float64 { return 1 / float64(2*max(di, dj)) })
}

// MaxDegree returns the maximum-degree weights, w_ij = 1 / (1 + d_max) for neighbours,
// where d_max is the largest degree of the graph, and w_ii = 1 - sum_j w_ij.
func MaxDegree(g *Graph) *Mixing {
	most := g.Degrees().Max
	return fromEdgeWeights(g, "max-degree", func(int, int) float64 { return 1 / float64(1+most) })
}

// UniformNeighbor returns the plain average over a node and its neighbours, w_ij = 1 / (1 + deg i). It is
// doubly stochastic only if all degrees are equal; any other graph is an error that names two nodes.
func UniformNeighbor(g *Graph) (*Mixing, error) {
	for i := range g.Nodes() {
		if g.Degree(i) != g.Degree(0) {
			return nil, fmt.Errorf("uniform-neighbor is doubly stochastic only on a regular graph, "+
				"but node 0 has degree %d and node %d has %d; take metropolis, which is the same on regular graphs",
				g.Degree(0), i, g.Degree(i))
		}
	}
	m := fromEdgeWeights(g, "uniform-neighbor", func(di, _ int) float64 { return 1 / float64(1+di) })
	for i := range m.self {
		m.self[i] = 1 / float64(1+g.Degree(i)) // not 1 minus a sum: all weights are the same number
	}
	return m, nil
}

// RingA returns the weights w_ii = a and (1-a)/2 for both neighbours on a ring
// (Chen, Huang and Ma, "Decentralized bilevel optimization", 2022). The eigenvalues are
// a + (1-a) cos(2 pi k/n). Errors: the graph is not a ring; a outside [0, 1).
func RingA(g *Graph, a float64) (*Mixing, error) {
	if !(a >= 0 && a < 1) {
		return nil, fmt.Errorf("ring-a: "+
			"a must be at least 0 and below 1 (at 1 no node hears another), not %g", a)
	}
	for i := range g.Nodes() {
		if g.Degree(i) != 2 {
			return nil, fmt.Errorf("ring-a needs a ring, but node %d has %s; take metropolis",
				i, count(g.Degree(i), "neighbour"))
		}
	}
	if err := g.CheckConnected(); err != nil {
		return nil, fmt.Errorf("ring-a needs one ring: %w", err)
	}
	m := fromEdgeWeights(g, fmt.Sprintf("ring-a a=%g", a), func(int, int) float64 { return (1 - a) / 2 })
	for i := range m.self {
		m.self[i] = a
	}
	return m, nil
}

// fromEdgeWeights gives each edge a weight that depends on the degrees of its ends, and each node the rest up
// to 1.
func fromEdgeWeights(g *Graph, rule string, weight func(di, dj int) float64) *Mixing {
	m := &Mixing{graph: g, rule: rule, self: make([]float64, g.Nodes()), w: make([]float64, len(g.adj.list))}
	for i := range m.self {
		w := m.Weights(i)
		left, lost := 1.0, 0.0 // Kahan's sum: a hub of 10,000 neighbours must not lose four digits
		for k, j := range g.Neighbors(i) {
			w[k] = weight(g.Degree(i), g.Degree(j))
			part := -w[k] - lost
			sum := left + part
			lost = (sum - left) - part
			left = sum
		}
		m.self[i] = left
	}
	return m
}
