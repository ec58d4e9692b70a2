package topologies

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Round lists the senders and receivers of one round, by node, ascending.
type Round struct {
	Out, In [][]int
	// Weights holds the weights of In in the mixing matrix W_k of the round, and Self its diagonal. W_k is
	// doubly stochastic. Both are nil if the round has no such matrix, as on a directed graph.
	Weights [][]float64
	Self    []float64
}

// Dynamics is a graph that changes from round to round. Its edges are among those of a fixed graph.
type Dynamics struct {
	name      string
	graph     *Graph
	period    int // in rounds; 0: not periodic
	most      int // the most messages in a round
	symmetric bool
	directed  bool // no W_k is doubly stochastic
	sampling  bool
	make      func(k int) *Round
}

// Name returns the kind with its parameters.
func (d *Dynamics) Name() string { return d.name }

// Symmetric reports whether every W_k is symmetric.
func (d *Dynamics) Symmetric() bool { return d.symmetric }

// Directed reports whether rounds have no doubly stochastic W_k.
func (d *Dynamics) Directed() bool { return d.directed }

// Sampling reports whether d is a ClientSampling.
func (d *Dynamics) Sampling() bool { return d.sampling }

// Period returns the number of rounds after which the graphs repeat; 0 if they do not.
func (d *Dynamics) Period() int { return d.period }

// Connects reports whether the graphs of those rounds of a period that are true together connect all nodes.
func (d *Dynamics) Connects(rounds []bool) bool {
	_, _, ok := d.unconnected(rounds)
	return ok
}

// unconnected returns two nodes of which nothing leads from the first to the second in the given rounds of a period.
// Every node reaches every other one if node 0 reaches all, and all reach node 0.
func (d *Dynamics) unconnected(rounds []bool) (from, to int, ok bool) {
	n := d.graph.Nodes()
	out, in := make([][]int, n), make([][]int, n)
	for k, on := range rounds {
		if !on {
			continue
		}
		for r, i := d.make(k), 0; i < n; i++ {
			out[i], in[i] = append(out[i], r.Out[i]...), append(in[i], r.In[i]...)
		}
	}
	if to = unreached(out, 0); to >= 0 {
		return 0, to, false
	}
	from = unreached(in, 0)
	return from, 0, from < 0
}

// MostMessages returns an upper bound of the messages in a round.
func (d *Dynamics) MostMessages() int { return d.most }

// Rounds returns a function that returns round k, from 0. It caches some rounds and must not be called from
// several goroutines at a time.
func (d *Dynamics) Rounds() func(k int) *Round {
	const kept = 64
	var memory [kept]*Round
	var of [kept]int
	return func(k int) *Round {
		if d.period > 0 {
			k %= d.period
		}
		if memory[k%kept] == nil || of[k%kept] != k {
			memory[k%kept], of[k%kept] = d.make(k), k
		}
		return memory[k%kept]
	}
}

// OnePeerExponential lets node i send to i + 2^k and hear i - 2^k in round k, modulo n, with k modulo ceil(log2
// n) and weights of 1/2. If n is a power of two, ceil(log2 n) rounds average exactly. The graph must have these
// edges, as Exponential does.
//
// Source: Assran, Loizou, Ballas, Rabbat, "Stochastic gradient push for distributed deep learning", ICML 2019;
// Ying et al., "Exponential graph is provably efficient for decentralized deep training", NeurIPS 2021.
func OnePeerExponential(g *Graph) (*Dynamics, error) {
	n := g.Nodes()
	if n < 2 {
		return nil, fmt.Errorf("one-peer-exponential: want at least 2 nodes, got %d", n)
	}
	period := bits.Len(uint(n - 1))
	for k := range period {
		if g.outline {
			break // the caller has checked that it is an exponential graph
		}
		for i := range n {
			if j := (i + 1<<k) % n; !g.HasEdge(i, j) {
				return nil, fmt.Errorf("one-peer-exponential: node %d sends to node %d, and %s has no such edge; write topology: "+
					"{kind: exponential, nodes: %d}", i, j, g.Name(), n)
			}
		}
	}
	return &Dynamics{name: "one-peer-exponential", graph: g, period: period, most: n, symmetric: n == 2,
		make: func(k int) *Round {
			r := newRound(n)
			for i := range n {
				r.Out[i], r.In[i] = []int{(i + 1<<k) % n}, []int{(i - 1<<k%n + n) % n}
				r.Weights[i], r.Self[i] = []float64{.5}, .5
			}
			return r
		}}, nil
}

func newRound(n int) *Round {
	return &Round{Out: make([][]int, n), In: make([][]int, n), Weights: make([][]float64, n), Self: make([]float64, n)}
}

// Matchings lets pairs of neighbours average in each round: those of a random maximal matching of the graph,
// drawn from the stream of the round.
//
// Source: Boyd, Ghosh, Prabhakar, Shah, "Randomized gossip algorithms", IEEE Transactions on Information Theory
// 2006, in rounds.
func Matchings(g *Graph, stream func(k int) *rand.Rand) *Dynamics {
	return &Dynamics{name: "matching", graph: g, most: g.Nodes() / 2 * 2, symmetric: true, make: func(k int) *Round {
		edges := allEdges(g)
		stream(k).Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		free := slices.Repeat([]bool{true}, g.Nodes())
		edges = slices.DeleteFunc(edges, func(e [2]int) bool {
			if !free[e[0]] || !free[e[1]] {
				return true
			}
			free[e[0]], free[e[1]] = false, false
			return false
		})
		return undirected(g.Nodes(), edges)
	}}
}

// RandomEdges includes each edge of the graph in a round with probability p. Weights are Metropolis weights.
func RandomEdges(g *Graph, p float64, stream func(k int) *rand.Rand) *Dynamics {
	return &Dynamics{name: fmt.Sprintf("random-edges p=%g", p), graph: g, most: 2 * g.Edges(), symmetric: true,
		make: func(k int) *Round {
			r := stream(k)
			return undirected(g.Nodes(), slices.DeleteFunc(allEdges(g), func([2]int) bool { return r.Float64() >= p }))
		}}
}

// ClientSampling connects the centre of a star, node 0, with a share of the other nodes in each round, at least
// one. They are drawn anew after the given number of rounds.
//
// Source: McMahan, Moore, Ramage, Hampson, Agüera y Arcas, "Communication-efficient learning of deep networks
// from decentralized data", AISTATS 2017.
func ClientSampling(g *Graph, share float64, rounds int, stream func(k int) *rand.Rand) *Dynamics {
	clients := g.Nodes() - 1
	heard := min(clients, max(1, int(math.Round(share*float64(clients)))))
	return &Dynamics{
		name:     fmt.Sprintf("%d of %d clients in a round", heard, clients),
		graph:    g,
		most:     2 * heard,
		directed: true,
		sampling: true,
		make: func(k int) *Round {
			chosen := stream(k / rounds).Perm(clients)[:heard]
			var edges [][2]int
			for _, i := range chosen {
				edges = append(edges, [2]int{0, i + 1}, [2]int{i + 1, 0})
			}
			return oriented(g.Nodes(), edges)
		},
	}
}

// Cycle colours the edges so that no two edges of a colour meet, and takes the colours in turn, one per round.
// Each edge gets the first colour that is free, so that there are fewer than twice the largest degree of
// colours.
func Cycle(g *Graph) *Dynamics {
	if g.outline {
		return &Dynamics{name: "cycle", graph: g, symmetric: true, most: g.nodes / 2 * 2} // pairs, at most
	}
	var colors [][][2]int
	used := make([]map[int]bool, g.Nodes())
	for i := range used {
		used[i] = map[int]bool{}
	}
	for i, j := range g.EdgeSeq() {
		c := 0
		for used[i][c] || used[j][c] {
			c++
		}
		if c == len(colors) {
			colors = append(colors, nil)
		}
		used[i][c], used[j][c] = true, true
		colors[c] = append(colors[c], [2]int{i, j})
	}
	d := &Dynamics{
		name:      fmt.Sprintf("cycle of %d rounds", len(colors)),
		graph:     g,
		period:    max(1, len(colors)),
		symmetric: true,
		make: func(k int) *Round {
			if len(colors) == 0 {
				return undirected(g.Nodes(), nil)
			}
			return undirected(g.Nodes(), colors[k])
		},
	}
	for _, c := range colors {
		d.most = max(d.most, 2*len(c))
	}
	return d
}

// Schedule has the given edges in each round, and repeats the list. Undirected edges get Metropolis weights; a
// directed edge leads from its first node to its second. Errors: an edge that the graph does not have, an edge
// that is given twice in a round, and a node that never reaches another one.
func Schedule(g *Graph, rounds [][][2]int, directed bool) (*Dynamics, error) {
	if len(rounds) == 0 {
		return nil, fmt.Errorf("schedule: want at least one round")
	}
	d := &Dynamics{
		name:      fmt.Sprintf("schedule of %d rounds", len(rounds)),
		graph:     g,
		period:    len(rounds),
		symmetric: !directed,
		directed:  directed,
	}
	for k, edges := range rounds {
		before := make(map[[2]int]bool, len(edges))
		for _, e := range edges {
			back := [2]int{e[1], e[0]}
			switch {
			case e[0] < 0 || e[1] < 0 || e[0] >= g.Nodes() || e[1] >= g.Nodes() || !g.MayHaveEdge(e[0], e[1]):
				return nil, fmt.Errorf("schedule: round %d has the edge %v, and %s has not", k, e, g.Name())
			case before[e] || !directed && before[back]:
				return nil, fmt.Errorf("schedule: round %d has the edge %v twice", k, e)
			}
			before[e] = true
		}
		d.most = max(d.most, len(edges))
	}
	d.make = func(k int) *Round { return oriented(g.Nodes(), rounds[k]) }
	if !directed {
		d.most *= 2
		d.make = func(k int) *Round { return undirected(g.Nodes(), rounds[k]) }
	}
	if from, to, ok := d.unconnected(slices.Repeat([]bool{true}, len(rounds))); !ok {
		return nil, fmt.Errorf("schedule: nothing that node %d sends ever reaches node %d", from, to)
	}
	return d, nil
}

// unreached returns a node that cannot be reached from another one; -1 if there is none.
func unreached(out [][]int, from int) int {
	s := newSearch(len(out), func(i int) []int { return out[i] })
	return slices.Index(s.from(from).dist, -1)
}

func allEdges(g *Graph) [][2]int {
	edges := make([][2]int, 0, g.Edges())
	for i, j := range g.EdgeSeq() {
		edges = append(edges, [2]int{i, j})
	}
	return edges
}

// undirected returns the round with the given edges and Metropolis weights.
func undirected(n int, edges [][2]int) *Round {
	r := newRound(n)
	for _, e := range edges {
		r.Out[e[0]] = append(r.Out[e[0]], e[1])
		r.Out[e[1]] = append(r.Out[e[1]], e[0])
	}
	for i := range n {
		slices.Sort(r.Out[i])
		r.In[i], r.Self[i] = r.Out[i], 1
	}
	for i := range n {
		for _, j := range r.In[i] {
			w := 1 / float64(1+max(len(r.In[i]), len(r.In[j])))
			r.Weights[i] = append(r.Weights[i], w)
			r.Self[i] -= w
		}
	}
	return r
}

// oriented returns the round with the given directed edges and no weights.
func oriented(n int, edges [][2]int) *Round {
	r := &Round{Out: make([][]int, n), In: make([][]int, n)}
	for _, e := range edges {
		r.Out[e[0]] = append(r.Out[e[0]], e[1])
		r.In[e[1]] = append(r.In[e[1]], e[0])
	}
	for i := range n {
		slices.Sort(r.Out[i])
		slices.Sort(r.In[i])
	}
	return r
}
