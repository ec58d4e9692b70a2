package topologies

import (
	"fmt"
	"iter"
	"slices"
)

// Graph is a simple undirected graph on the nodes 0, ..., n-1. It is immutable, so that goroutines can share
// it.
type Graph struct {
	name       string
	nodes      int
	edges      int
	outline    bool // adj is unknown; see Size.Outline
	ring       bool // an outline of a ring
	adj        adjacency
	shape      shape      // how to draw it
	positions  []Position // of the nodes of a geometric graph; else nil
	transitive bool       // vertex-transitive: the eccentricity of node 0 is the diameter
	draws      int
}

// Position is a point in the plane.
type Position struct{ X, Y float64 }

// adjacency holds the sorted neighbour lists of all nodes, one after the other. That of node i is
// list[start[i]:start[i+1]].
type adjacency struct {
	start []int // n+1
	list  []int
}

func (a adjacency) of(i int) []int { return a.list[a.start[i]:a.start[i+1]:a.start[i+1]] }

// maxEdges makes a slip, such as a complete graph of a million nodes, an error rather than an exhausted
// machine. 1e8 edges take 1.6 GB.
const maxEdges = 100_000_000

// Name returns the family and its parameters, as in "torus 4 x 5".
func (g *Graph) Name() string { return g.name }

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return g.nodes }

// Edges returns the number of undirected edges; there are twice as many directed links.
func (g *Graph) Edges() int { return g.edges }

// Neighbors returns the neighbours of node i, sorted. The caller must not modify the slice.
func (g *Graph) Neighbors(i int) []int {
	if g.outline {
		panic("topologies: the outline of " + g.name + " knows no neighbours")
	}
	return g.adj.of(i)
}

// Degree returns the number of neighbours of node i.
func (g *Graph) Degree(i int) int { return len(g.Neighbors(i)) }

// IsRing reports whether the graph, which must be connected, is a ring. Two nodes are a ring.
func (g *Graph) IsRing() bool {
	if g.nodes < 3 || g.outline {
		return g.nodes < 3 || g.ring
	}
	for i := range g.nodes {
		if g.Degree(i) != 2 {
			return false
		}
	}
	return true
}

// HasEdge reports whether i and j are neighbours.
func (g *Graph) HasEdge(i, j int) bool {
	_, found := slices.BinarySearch(g.Neighbors(i), j)
	return found
}

// MayHaveEdge is HasEdge. For an outline, which does not know its edges, it returns true for any two nodes.
func (g *Graph) MayHaveEdge(i, j int) bool {
	return g.outline && i != j && min(i, j) >= 0 && max(i, j) < g.nodes || !g.outline && g.HasEdge(i, j)
}

// EdgeSeq yields every undirected edge (i, j) once, i < j, in ascending order.
func (g *Graph) EdgeSeq() iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		for i := range g.Nodes() {
			for _, j := range g.Neighbors(i) {
				if i < j && !yield(i, j) {
					return
				}
			}
		}
	}
}

// Draws returns how often a random graph was drawn until it was connected: 1 if the first draw was connected, 0
// if the graph is not random.
func (g *Graph) Draws() int { return g.draws }

// EdgeError is an error in one edge of a list.
type EdgeError struct {
	Edge     int // its index
	Repeated bool
	Message  string
}

func (e *EdgeError) Error() string { return fmt.Sprintf("edges[%d]: %s", e.Edge, e.Message) }

func edgeError(edge int, format string, args ...any) *EdgeError {
	return &EdgeError{Edge: edge, Message: fmt.Sprintf(format, args...)}
}

// FromEdges returns the graph on n nodes with the given undirected edges, in any order. A self-loop, a node
// outside 0..n-1 and an edge that is given twice (also as (j, i)) are each an *EdgeError. The graph may be
// disconnected; see CheckConnected. MergeEdges removes repeated edges.
func FromEdges(n int, edges [][2]int) (*Graph, error) {
	if n < 1 {
		return nil, fmt.Errorf("edges: a graph needs at least 1 node, not %d", n)
	}
	if n > maxEdges || len(edges) > maxEdges {
		return nil, fmt.Errorf("edges: %d nodes with %d edges are more than the %d that fit", n, len(edges), maxEdges)
	}
	for k, e := range edges {
		for _, i := range e {
			if i < 0 || i >= n {
				return nil, edgeError(k, "(%d, %d): there is no node %d; nodes are 0 to %d", e[0], e[1], i, n-1)
			}
		}
		if e[0] == e[1] {
			return nil, edgeError(k, "(%d, %d) joins a node to itself; a node's own weight needs no edge", e[0], e[1])
		}
	}
	g := fromSimple(fmt.Sprintf("edges n=%d", n), n, edges)
	for i := range n {
		row := g.Neighbors(i)
		for k := 1; k < len(row); k++ {
			if row[k] == row[k-1] {
				return nil, duplicateEdge(edges, i, row[k])
			}
		}
	}
	return g, nil
}

// pair returns the edge between two nodes with the lower one first.
func pair(i, j int) [2]int { return [2]int{min(i, j), max(i, j)} }

// MergeEdges returns the edges without repetitions, in order of first occurrence. (i, j) and (j, i) are one
// edge.
func MergeEdges(edges [][2]int) [][2]int {
	seen := make(map[[2]int]bool, len(edges))
	return slices.DeleteFunc(slices.Clone(edges), func(e [2]int) bool {
		again := seen[pair(e[0], e[1])]
		seen[pair(e[0], e[1])] = true
		return again
	})
}

// duplicateEdge returns the error for the edge (i, j), which is given twice.
func duplicateEdge(edges [][2]int, i, j int) error {
	first := -1
	for k, e := range edges {
		if e != [2]int{i, j} && e != [2]int{j, i} {
			continue
		}
		if first >= 0 {
			wrong := edgeError(k, "(%d, %d) is already edges[%d]; an undirected edge is given once", e[0], e[1], first)
			wrong.Repeated = true
			return wrong
		}
		first = k
	}
	panic("topologies: no duplicate edge")
}

// fromSimple makes a graph of edges that are simple and in range.
func fromSimple(name string, n int, edges [][2]int) *Graph {
	a := adjacency{start: make([]int, n+1), list: make([]int, 2*len(edges))}
	for _, e := range edges {
		a.start[e[0]+1]++
		a.start[e[1]+1]++
	}
	for i := range n {
		a.start[i+1] += a.start[i]
	}
	next := slices.Clone(a.start[:n])
	for _, e := range edges {
		i, j := e[0], e[1]
		a.list[next[i]] = j
		next[i]++
		a.list[next[j]] = i
		next[j]++
	}
	for i := range n {
		slices.Sort(a.of(i))
	}
	return &Graph{name: name, nodes: n, edges: len(edges), adj: a}
}
