package scenarios

import (
	"fmt"
	"math/rand/v2"

	"tallynet/topologies"
)

// Topologies returns the table of graph families.
func Topologies() []TopologyEntry {
	return []TopologyEntry{
		fixedTopology("complete", "every two nodes are neighbours; a single node is the centralized baseline", 1, topologies.Complete),
		fixedTopology("ring", "the cycle 0, 1, ..., n-1, 0", 3, topologies.Ring),
		fixedTopology("path", "the line 0, 1, ..., n-1", 2, topologies.Path),
		{
			Entry: Entry{Name: "star", Summary: "one node in the middle of all others", Params: []Param{
				{Name: "center", Kind: Enum, Default: "peer", Enum: []string{"peer", "server"},
					About: "what the middle, node 0, is: a node like the others, or a server that holds no data, for methods with clients"},
			}},
			MinNodes: 2,
			New:      func(_ Args, n int, _ *rand.Rand) (*topologies.Graph, error) { return topologies.Star(n, 0) },
		},
		lattice("grid", "a lattice of rows and columns", 2, topologies.NearSquare, topologies.Grid),
		lattice("torus", "a lattice whose opposite borders are joined: every node has 4 neighbours", 9, topologies.TorusSides, topologies.Torus),
		fixedTopology("hypercube", "n = 2, 4, 8, ...: neighbours differ in one bit of their number", 2, topologies.Hypercube),
		fixedTopology("exponential", "i is the neighbour of i ± 1, i ± 2, i ± 4, ... modulo n", 2, topologies.Exponential),
		{
			Entry: Entry{Name: "tree", Summary: "a balanced tree, filled level by level from node 0", Params: []Param{
				{Name: "arity", Kind: Int, Default: 2, Example: "2", Range: AtLeast(2), About: "children of a node"},
			}},
			MinNodes: 2,
			New: func(a Args, n int, _ *rand.Rand) (*topologies.Graph, error) {
				return topologies.Tree(n, a.Int("arity"))
			},
		},
		{
			Entry: Entry{Name: "regular", Summary: "a random graph in which every node has the same degree", Params: []Param{
				{Name: "degree", Kind: Int, Required: true, Example: "4", Range: AtLeast(1), About: "neighbours of each node; degree times nodes is even"},
			}},
			MinNodes: 2, Random: true,
			New: func(a Args, n int, rng *rand.Rand) (*topologies.Graph, error) {
				g, err := topologies.Regular(n, a.Int("degree"), rng)
				return about("degree", g, err)
			},
		},
		{
			Entry: Entry{Name: "erdos-renyi", Summary: "each pair of nodes is an edge with probability p; drawn again until connected", Params: []Param{
				{Name: "p", Kind: Float, Example: "0.5", Range: AboveUpTo(0, 1), About: "the probability of an edge. Twice ln(nodes) / nodes, from where on most draws are connected, where left out"},
			}},
			MinNodes: 2, Random: true,
			New: func(a Args, n int, rng *rand.Rand) (*topologies.Graph, error) {
				p := topologies.ConnectingProbability(n)
				if a.Has("p") {
					p = a.Float("p")
				}
				g, err := topologies.ErdosRenyi(n, p, rng)
				return about("p", g, err)
			},
		},
		{
			Entry: Entry{Name: "watts-strogatz", Summary: "a ring of k nearest neighbours, some edges moved: a small world; drawn again until connected", Params: []Param{
				{Name: "k", Kind: Int, Required: true, Example: "4", Range: AtLeast(2), About: "neighbours on the ring, an even number below the number of nodes"},
				{Name: "beta", Kind: Float, Required: true, Example: "0.1", Range: Between(0, 1), About: "the probability that an edge is moved"},
			}},
			MinNodes: 3, Random: true,
			New: func(a Args, n int, rng *rand.Rand) (*topologies.Graph, error) {
				g, err := topologies.WattsStrogatz(n, a.Int("k"), a.Float("beta"), rng)
				return about("k", g, err)
			},
		},
		{
			Entry: Entry{Name: "barabasi-albert", Summary: "each new node is joined to m others, popular ones preferred", Params: []Param{
				{Name: "m", Kind: Int, Required: true, Example: "2", Range: AtLeast(1), About: "edges of each new node"},
			}},
			MinNodes: 2, Random: true,
			New: func(a Args, n int, rng *rand.Rand) (*topologies.Graph, error) {
				g, err := topologies.BarabasiAlbert(n, a.Int("m"), rng)
				return about("m", g, err)
			},
		},
		{
			Entry: Entry{Name: "geometric", Summary: "nodes dropped on the unit square, neighbours if near; drawn again until connected", Params: []Param{
				{Name: "radius", Kind: Float, Required: true, Example: "0.3", Range: AboveUpTo(0, 2), About: "the largest distance of neighbours"},
			}},
			MinNodes: 2, Random: true,
			New: func(a Args, n int, rng *rand.Rand) (*topologies.Graph, error) {
				g, err := topologies.Geometric(n, a.Float("radius"), rng)
				return about("radius", g, err)
			},
		},
		{
			Entry: Entry{Name: "edges", Summary: "the edges as given", Params: []Param{
				{Name: "edges", Kind: Edges, Required: true, Example: "[[0, 1], [1, 2]]", About: "the pairs of neighbours, each once, in any order"},
			}},
			MinNodes: 1,
			New: func(a Args, n int, _ *rand.Rand) (*topologies.Graph, error) {
				return topologies.FromEdges(n, a.Edges("edges"))
			},
		},
	}
}

// about begins an error with the parameter that it is most likely about, which places it.
func about(param string, g *topologies.Graph, err error) (*topologies.Graph, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", param, err)
	}
	return g, nil
}

func fixedTopology(name, summary string, min int, f func(int) (*topologies.Graph, error)) TopologyEntry {
	return TopologyEntry{
		Entry:    Entry{Name: name, Summary: summary},
		MinNodes: min,
		New: func(_ Args, n int, _ *rand.Rand) (*topologies.Graph, error) {
			g, err := f(n)
			return about("nodes", g, err)
		},
	}
}

func lattice(name, summary string, min int, sides func(n int) (rows, cols int, err error), f func(rows, cols int) (*topologies.Graph, error)) TopologyEntry {
	return TopologyEntry{
		Entry: Entry{Name: name, Summary: summary, Params: []Param{
			{Name: "rows", Kind: Int, Example: "4", Range: AtLeast(1), About: "rows; rows times columns is the number of nodes. As near to a square as can be, where left out"},
		}},
		MinNodes: min,
		New: func(a Args, n int, _ *rand.Rand) (*topologies.Graph, error) {
			rows := a.Int("rows")
			if rows == 0 {
				r, c, err := sides(n)
				if err != nil {
					return nil, fmt.Errorf("nodes: %w", err)
				}
				return f(r, c)
			}
			if n%rows != 0 {
				below := n / rows * rows
				if below == 0 {
					return nil, fmt.Errorf("rows: %d nodes do not make %d equal rows; %d do", n, rows, rows)
				}
				return nil, fmt.Errorf("rows: %d nodes do not make %d equal rows; %d and %d do", n, rows, below, below+rows)
			}
			return f(rows, n/rows)
		},
	}
}

// WeightsRules returns the table of mixing matrices.
func WeightsRules() []WeightsEntry {
	rule := func(f func(*topologies.Graph) *topologies.Mixing) func(Args, *topologies.Graph) (*topologies.Mixing, error) {
		return func(_ Args, g *topologies.Graph) (*topologies.Mixing, error) { return f(g), nil }
	}
	return []WeightsEntry{
		{
			Entry:   Entry{Name: "metropolis", Summary: "Metropolis-Hastings weights"},
			Formula: "w_ij = 1 / (1 + max(deg i, deg j))",
			Source:  "Xiao, Boyd, Lall, Distributed average consensus with time-varying Metropolis weights, 2006",
			New:     rule(topologies.Metropolis),
		},
		{
			Entry:   Entry{Name: "lazy-metropolis", Summary: "lazy Metropolis weights: no negative eigenvalue"},
			Formula: "w_ij = 1 / (2 max(deg i, deg j))",
			Source:  "Olshevsky, Linear time average consensus and distributed optimization on fixed graphs, SIAM J. Control Optim. 55, 2017",
			New:     rule(topologies.LazyMetropolis),
		},
		{
			Entry:   Entry{Name: "max-degree", Summary: "one weight for all edges, from the largest degree"},
			Formula: "w_ij = 1 / (1 + max deg)",
			New:     rule(topologies.MaxDegree),
		},
		{
			Entry:   Entry{Name: "uniform-neighbor", Summary: "the plain average over a node and its neighbours; the graph must be regular"},
			Formula: "w_ij = 1 / (1 + deg i)",
			New: func(_ Args, g *topologies.Graph) (*topologies.Mixing, error) {
				return topologies.UniformNeighbor(g)
			},
		},
		{
			Entry: Entry{Name: "ring-a", Summary: "a ring's own weight a, the rest shared by its two neighbours", Params: []Param{
				{Name: "a", Kind: Float, Required: true, Example: "0.4", Range: FromBelow(0, 1), About: "w_ii"},
			}},
			Formula: "w_ii = a, w_ij = (1 - a) / 2",
			Source:  "Chen, Huang, Ma, Decentralized bilevel optimization, 2022",
			New: func(a Args, g *topologies.Graph) (*topologies.Mixing, error) {
				return topologies.RingA(g, a.Float("a"))
			},
		},
		{
			Entry: Entry{Name: "explicit", Summary: "the matrix as given: symmetric, doubly stochastic, zero outside the graph", Params: []Param{
				{Name: "matrix", Kind: Matrix, Required: true, Example: "[[0.5, 0.5], [0.5, 0.5]]", About: "w_ij by rows, nodes x nodes"},
			}},
			New: func(a Args, g *topologies.Graph) (*topologies.Mixing, error) {
				return topologies.FromMatrix(g, a.Matrix("matrix"))
			},
		},
	}
}
