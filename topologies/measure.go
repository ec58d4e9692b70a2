package topologies

import (
	"fmt"
	"slices"
)

// Connected reports whether there is a path between every two nodes.
func (g *Graph) Connected() bool {
	return len(g.search().from(0).queue) == g.Nodes()
}

// Components returns the connected components, each sorted, in ascending order of their first node.
func (g *Graph) Components() [][]int {
	var parts [][]int
	s := g.search()
	for i := range g.Nodes() {
		if s.dist[i] < 0 {
			part := slices.Clone(s.spread(i))
			slices.Sort(part)
			parts = append(parts, part)
		}
	}
	return parts
}

// CheckConnected returns an error if the graph is not connected. The error names a node of each of two
// components.
func (g *Graph) CheckConnected() error {
	parts := g.Components()
	if len(parts) == 1 {
		return nil
	}
	return fmt.Errorf("the graph is not connected: it has %d parts; "+
		"nodes %d (in a part of %s) and %d (in a part of %s) cannot reach each other; add edges",
		len(parts), parts[0][0], count(len(parts[0]), "node"), parts[1][0], count(len(parts[1]), "node"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// DegreeStats summarizes the degrees of a graph.
type DegreeStats struct {
	Min, Max int
	Mean     float64
}

// Degrees returns the degree statistics.
func (g *Graph) Degrees() DegreeStats {
	n := g.Nodes()
	d := DegreeStats{Min: n, Mean: 2 * float64(g.Edges()) / float64(n)}
	for i := range n {
		k := g.Degree(i)
		d.Min, d.Max = min(d.Min, k), max(d.Max, k)
	}
	return d
}

// diameterWork bounds the number of links that Diameter visits, in about a second.
const diameterWork = 300_000_000

// Diameter returns the largest distance between two nodes, in hops, and whether it is exact. For a disconnected
// graph it is -1. It is exact for vertex-transitive families and for trees of any size, for every graph of up
// to a few thousand nodes, and for most larger ones. If the search would take more than about a second, the
// result is a lower bound.
//
// The method is iFUB (Crescenzi, Grossi, Habib, Lanzi and Marino, Theoretical Computer Science 514, 2013):
// starting from a node in the middle of a long path, it tries the nodes farthest from that first, until no
// remaining pair can be farther apart than the longest distance found.
func (g *Graph) Diameter() (hops int, exact bool) { return g.diameter(diameterWork) }

// diameter is Diameter with a bound on the number of visited links.
func (g *Graph) diameter(most int) (hops int, exact bool) {
	s := g.search()
	if len(s.from(0).queue) < g.Nodes() {
		return -1, true
	}
	if g.transitive {
		return s.eccentricity(), true
	}
	far := s.last()
	longest := s.from(far).eccentricity()
	if g.Edges() == g.Nodes()-1 {
		return longest, true // in a tree, the farthest node of any node ends a longest path
	}
	middle := s.last()
	for s.dist[middle] > longest/2 {
		middle = s.closer(middle)
	}
	byDistance := slices.Clone(s.from(middle).queue)
	level := slices.Clone(s.dist)

	work := g.Nodes() + len(g.adj.list)
	for k, spent := len(byDistance)-1, 0; k >= 0; k-- {
		i := byDistance[k]
		if longest >= 2*level[i] { // any two remaining nodes are at most 2 level[i] apart
			return longest, true
		}
		if spent += work; spent > most {
			return longest, false
		}
		longest = max(longest, s.from(i).eccentricity())
	}
	return longest, true
}

// search is a breadth-first search that reuses its memory.
type search struct {
	next  func(i int) []int // the neighbours of a node
	dist  []int             // -1 where not reached
	queue []int             // the nodes that were reached, in order of distance
}

func newSearch(nodes int, next func(i int) []int) *search {
	return &search{next: next, dist: slices.Repeat([]int{-1}, nodes), queue: make([]int, 0, nodes)}
}

// search returns a search of the graph.
func (g *Graph) search() *search { return newSearch(g.Nodes(), g.Neighbors) }

// from searches from node i.
func (s *search) from(i int) *search {
	for j := range s.dist {
		s.dist[j] = -1
	}
	s.spread(i)
	return s
}

// spread searches from node i over the nodes that earlier calls did not reach. It returns the nodes that it
// reaches, in order of distance.
func (s *search) spread(i int) []int {
	q := append(s.queue[:0], i)
	s.dist[i] = 0
	for k := 0; k < len(q); k++ {
		d := s.dist[q[k]] + 1
		for _, j := range s.next(q[k]) {
			if s.dist[j] < 0 {
				s.dist[j] = d
				q = append(q, j)
			}
		}
	}
	s.queue = q
	return q
}

// last returns a node farthest from the start.
func (s *search) last() int { return s.queue[len(s.queue)-1] }

func (s *search) eccentricity() int { return s.dist[s.last()] }

// closer returns the first neighbour of i that is one step nearer to the start.
func (s *search) closer(i int) int {
	for _, j := range s.next(i) {
		if s.dist[j] == s.dist[i]-1 {
			return j
		}
	}
	panic("topologies: no step back to the start of a search")
}
