package catalog

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"tallynet/scenarios/keys"
	"tallynet/topologies"
)

// Topologies returns the table of graph families.
func Topologies() []TopologyEntry {
	return []TopologyEntry{
		fixedTopology("complete", "every two nodes are neighbours; a single node is the centralized baseline", 1,
			topologies.Complete),
		fixedTopology("ring", "the cycle 0, 1, ..., n-1, 0", 3, topologies.Ring),
		fixedTopology("path", "the line 0, 1, ..., n-1", 2, topologies.Path),
		family("star", "one node in the middle of all others", 2, "",
			func(_ keys.Args, n int, _ *rand.Rand) (topologies.Plan, error) { return topologies.Star(n, 0) },
			keys.Param{Name: "center", Kind: keys.Enum, Default: "peer", Enum: []string{"peer", "server"},
				About: "the role of the middle, node 0: a node like the others, or a server without data, for methods with " +
					"clients"}),
		lattice("grid", "a lattice of rows and columns", 2, topologies.NearSquare, topologies.Grid),
		lattice("torus", "a lattice whose opposite borders are joined: every node has 4 neighbours", 9,
			topologies.TorusSides, topologies.Torus),
		fixedTopology("hypercube", "n = 2, 4, 8, ...: neighbours differ in one bit of their number", 2,
			topologies.Hypercube),
		fixedTopology("exponential", "i is the neighbour of i ± 1, i ± 2, i ± 4, ... modulo n", 2,
			topologies.Exponential),
		family("tree", "a balanced tree, filled level by level from node 0", 2, "",
			func(a keys.Args, n int, _ *rand.Rand) (topologies.Plan, error) {
				return topologies.Tree(n, a.Int("arity"))
			},
			keys.Param{Name: "arity", Kind: keys.Int, Default: 2, Example: "2", Range: keys.AtLeast(2),
				About: "children of a node"}),
		family("regular", "a random graph in which every node has the same degree", 2, "degree",
			func(a keys.Args, n int, rng *rand.Rand) (topologies.Plan, error) {
				return topologies.Regular(n, a.Int("degree"), rng)
			},
			keys.Param{Name: "degree", Kind: keys.Int, Required: true, Example: "4", Range: keys.AtLeast(1),
				About: "neighbours of each node; degree times nodes is even"}),
		family("erdos-renyi", "each pair of nodes is an edge with probability p; drawn again until connected", 2, "p",
			func(a keys.Args, n int, rng *rand.Rand) (topologies.Plan, error) {
				p := topologies.ConnectingProbability(n)
				if a.Has("p") {
					p = a.Float("p")
				}
				return topologies.ErdosRenyi(n, p, rng)
			},
			keys.Param{Name: "p", Title: "edge probability", Kind: keys.Float, Example: "0.5", Range: keys.AboveUpTo(0, 1),
				About: "the probability of an edge; by default twice ln(nodes) / nodes, above which most draws are connected"}),
		family("watts-strogatz", "a ring of k nearest neighbours, some edges moved: a small world; drawn again until "+
			"connected", 3, "k",
			func(a keys.Args, n int, rng *rand.Rand) (topologies.Plan, error) {
				return topologies.WattsStrogatz(n, a.Int("k"), a.Float("beta"), rng)
			},
			keys.Param{Name: "k", Kind: keys.Int, Required: true, Example: "4", Range: keys.AtLeast(2),
				About: "neighbours on the ring, an even number below the number of nodes"},
			keys.Param{Name: "beta", Kind: keys.Float, Required: true, Example: "0.1", Range: keys.Between(0, 1),
				About: "the probability that an edge is moved"}),
		family("barabasi-albert", "each new node is joined to m others, preferably ones with many neighbours", 2, "m",
			func(a keys.Args, n int, rng *rand.Rand) (topologies.Plan, error) {
				return topologies.BarabasiAlbert(n, a.Int("m"), rng)
			},
			keys.Param{Name: "m", Kind: keys.Int, Required: true, Example: "2", Range: keys.AtLeast(1),
				About: "edges of each new node"}),
		family("geometric", "nodes dropped on the unit square, neighbours if near; drawn again until connected", 2,
			"radius",
			func(a keys.Args, n int, rng *rand.Rand) (topologies.Plan, error) {
				return topologies.Geometric(n, a.Float("radius"), rng)
			},
			keys.Param{Name: "radius", Kind: keys.Float, Required: true, Example: "0.3", Range: keys.AboveUpTo(0, 2),
				About: "the largest distance of neighbours"}),
		{
			Entry: keys.Entry{Name: "edges", Summary: "the edges as given", Params: []keys.Param{
				{Name: "edges", Kind: keys.Edges, Required: true, Example: "[[0, 1], [1, 2]]",
					About: "the pairs of neighbours, in any order"},
				{Name: "repeated", Kind: keys.Enum, Default: "error", Enum: []string{"error", "merge"},
					About: "an edge that is listed twice, in either direction: an error, or the same edge"},
			}},
			MinNodes: 1,
			List: func(a keys.Args, n int) (*topologies.Graph, error) {
				return givenEdges(n, keys.Get[[][2]int](a, "edges"), a.String("repeated") == "merge")
			},
		},
	}
}

// givenEdges returns the graph with the given edges. It merges repeated edges if merge is set; otherwise they are
// an error that suggests merging.
func givenEdges(n int, edges [][2]int, merge bool) (*topologies.Graph, error) {
	g, err := topologies.FromEdges(n, edges)
	var wrong *topologies.EdgeError
	switch {
	case !errors.As(err, &wrong):
		return g, keys.About("edges", err)
	case !wrong.Repeated:
		return nil, keys.Wrong(fmt.Sprintf("edges[%d]", wrong.Edge), "%s", wrong.Message)
	case !merge:
		return nil, keys.Wrong(fmt.Sprintf("edges[%d]", wrong.Edge), "%s, unless topology has repeated: merge",
			wrong.Message)
	}
	return givenEdges(n, topologies.MergeEdges(edges), false)
}

// family returns a family of graphs with parameters. The graphs are random if errors are about one of them.
func family(name, summary string, least int, culprit string,
	plan func(a keys.Args, nodes int, rng *rand.Rand) (topologies.Plan, error), params ...keys.Param) TopologyEntry {
	return TopologyEntry{Entry: keys.Entry{Name: name, Summary: summary, Params: params}, MinNodes: least,
		Random: culprit != "", Culprit: culprit, Plan: plan}
}

func fixedTopology(name, summary string, least int, plan func(int) (topologies.Plan, error)) TopologyEntry {
	e := family(name, summary, least, "",
		func(_ keys.Args, n int, _ *rand.Rand) (topologies.Plan, error) { return plan(n) })
	e.Culprit = "nodes"
	return e
}

func lattice(name, summary string, least int, sides func(n int) (rows, cols int, err error),
	plan func(rows, cols int) (topologies.Plan, error)) TopologyEntry {
	return family(name, summary, least, "",
		func(a keys.Args, n int, _ *rand.Rand) (topologies.Plan, error) {
			rows, cols, err := latticeSides(a, n, sides)
			if err != nil {
				return topologies.Plan{}, err
			}
			return plan(rows, cols)
		},
		keys.Param{Name: "rows", Kind: keys.Int, Example: "4", Range: keys.AtLeast(1),
			About: "rows; rows times columns is the number of nodes. By default as close to a square as possible"})
}

// latticeSides returns the rows and columns of a lattice of n nodes.
func latticeSides(a keys.Args, n int, sides func(n int) (rows, cols int, err error)) (rows, cols int, err error) {
	rows = a.Int("rows")
	if rows == 0 {
		rows, cols, err = sides(n)
		return rows, cols, keys.About("nodes", err)
	}
	if n%rows == 0 {
		return rows, n / rows, nil
	}
	below := n / rows * rows
	if below == 0 {
		return 0, 0, keys.Wrong("rows", "%d nodes do not make %d equal rows; %d do", n, rows, rows)
	}
	return 0, 0, keys.Wrong("rows", "%d nodes do not make %d equal rows; %d and %d do", n, rows, below, below+rows)
}

// WeightsRules returns the table of mixing matrices.
func WeightsRules() []WeightsEntry {
	rule := func(f func(*topologies.Graph) *topologies.Mixing) func(keys.Args, *topologies.Graph) (*topologies.Mixing,
		error) {
		return func(_ keys.Args, g *topologies.Graph) (*topologies.Mixing, error) { return f(g), nil }
	}
	return []WeightsEntry{
		{
			Entry:   keys.Entry{Name: "metropolis", Summary: "Metropolis-Hastings weights"},
			Formula: "w_ij = 1 / (1 + max(deg i, deg j))",
			Source:  "Xiao, Boyd, Lall, Distributed average consensus with time-varying Metropolis weights, 2006",
			New:     rule(topologies.Metropolis),
		},
		{
			Entry:   keys.Entry{Name: "lazy-metropolis", Summary: "lazy Metropolis weights: no negative eigenvalue"},
			Formula: "w_ij = 1 / (2 max(deg i, deg j))",
			Source: "Olshevsky, Linear time average consensus and distributed optimization on fixed graphs, SIAM " +
				"J. Control Optim. 55, 2017",
			New: rule(topologies.LazyMetropolis),
		},
		{
			Entry:   keys.Entry{Name: "max-degree", Summary: "one weight for all edges, from the largest degree"},
			Formula: "w_ij = 1 / (1 + max deg)",
			New:     rule(topologies.MaxDegree),
		},
		{
			Entry: keys.Entry{Name: "uniform-neighbor",
				Summary: "the plain average over a node and its neighbours; the graph must be regular"},
			Formula: "w_ij = 1 / (1 + deg i)",
			New: func(_ keys.Args, g *topologies.Graph) (*topologies.Mixing, error) {
				return topologies.UniformNeighbor(g)
			},
		},
		{
			Entry: keys.Entry{Name: "ring-a", Summary: "a ring's own weight a, the rest shared by its two neighbours",
				Params: []keys.Param{
					{Name: "a", Title: "own weight", Kind: keys.Float, Required: true, Example: "0.4",
						Range: keys.FromBelow(0, 1), About: "w_ii"},
				}},
			Formula: "w_ii = a, w_ij = (1 - a) / 2",
			Source:  "Chen, Huang, Ma, Decentralized bilevel optimization, 2022",
			New: func(a keys.Args, g *topologies.Graph) (*topologies.Mixing, error) {
				return topologies.RingA(g, a.Float("a"))
			},
		},
		{
			Entry: keys.Entry{Name: "explicit",
				Summary: "the matrix as given: symmetric, doubly stochastic, zero outside the graph",
				Params: []keys.Param{
					{Name: "matrix", Kind: keys.Matrix, Required: true, Example: "[[0.5, 0.5], [0.5, 0.5]]",
						About: "w_ij by rows, nodes x nodes"},
				}},
			New: func(a keys.Args, g *topologies.Graph) (*topologies.Mixing, error) {
				w, err := topologies.FromMatrix(g, keys.Get[[][]float64](a, "matrix"))
				return w, keys.About("matrix", err)
			},
		},
	}
}

// LaterTopologies returns names of topologies of later versions, so that the reader does not report them as
// misspelt.
func LaterTopologies() []string { return []string{"file", "matrix", "caveman"} }

// LaterWeights returns names of mixing matrices of later versions.
func LaterWeights() []string { return []string{"fdla"} }
