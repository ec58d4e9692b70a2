package topologies

import (
	"fmt"
	"math/rand/v2"
)

// Regular plans a random connected graph in which each of the n nodes has k neighbours. For k = 2 it is
// uniform: a random ring. For larger k it follows Steger and Wormald (Combinatorics, Probability and Computing
// 8, 1999), which tends to uniform as n grows (on 6 nodes with k = 3 some graphs are twice as likely as
// others): free ends are paired at random, pairs that would make a loop or a double edge are put back, and a
// dead end starts over. For k > (n-1)/2 it is the complement of such a graph. Draws returns how many regular
// graphs were drawn until one was connected.
//
// Errors: k outside 1..n-1; n k odd; k = 1 with more than 2 nodes (never connected).
func Regular(n, k int, rng *rand.Rand) (Plan, error) {
	if err := limits("regular", n, 2, float64(n)*float64(k)/2); err != nil {
		return Plan{}, err
	}
	switch {
	case k < 1 || k >= n:
		return Plan{}, fmt.Errorf("regular: the degree must be at least 1 and below nodes = %d, not %d", n, k)
	case n%2 == 1 && k%2 == 1:
		return Plan{}, fmt.Errorf("regular: %d nodes cannot all have %d neighbours, since each edge has two ends; "+
			"make the degree or the number of nodes even", n, k)
	case k == 1 && n > 2:
		return Plan{}, fmt.Errorf("regular: with degree 1 only 2 nodes are connected, not %d; take a degree of at "+
			"least 2", n)
	}
	size := Size{Name: fmt.Sprintf("regular n=%d, k=%d", n, k), Nodes: n, Edges: n * k / 2, Degree: k}
	return size.untilConnected(shape{}, "raise the degree", func() [][2]int {
		switch sparse := n - 1 - k; {
		case k == 2:
			return randomCycle(n, rng)
		case sparse < k:
			return complement(n, regularPairs(n, sparse, rng))
		}
		return regularPairs(n, k, rng)
	}), nil
}

func randomCycle(n int, rng *rand.Rand) [][2]int {
	order := rng.Perm(n)
	edges := make([][2]int, n)
	for i, node := range order {
		edges[i] = [2]int{node, order[(i+1)%n]}
	}
	return edges
}

// regularPairs returns the edges of a random k-regular graph, connected or not.
func regularPairs(n, k int, rng *rand.Rand) [][2]int {
	for {
		if edges, ok := tryRegularPairs(n, k, rng); ok {
			return edges
		}
	}
}

// idlePasses is the number of consecutive shuffles of the free ends that may fail to give a pair before they
// count as a dead end.
const idlePasses = 20

func tryRegularPairs(n, k int, rng *rand.Rand) (edges [][2]int, ok bool) {
	free := make([]int, 0, n*k) // each node once per missing neighbour
	for i := range n {
		for range k {
			free = append(free, i)
		}
	}
	edges = make([][2]int, 0, n*k/2)
	taken := make(map[[2]int]bool, n*k/2)
	for idle := 0; len(free) > 0; {
		rng.Shuffle(len(free), func(a, b int) { free[a], free[b] = free[b], free[a] })
		left := free[:0]
		for e := 0; e < len(free); e += 2 {
			i, j := free[e], free[e+1]
			if i == j || taken[pair(i, j)] {
				left = append(left, i, j)
				continue
			}
			taken[pair(i, j)] = true
			edges = append(edges, [2]int{i, j})
		}
		if idle++; len(left) < len(free) {
			idle = 0
		}
		if idle == idlePasses {
			return nil, false
		}
		free = left
	}
	return edges, true
}

// complement returns the pairs of n nodes that are not edges.
func complement(n int, edges [][2]int) [][2]int {
	taken := make(map[[2]int]bool, len(edges))
	for _, e := range edges {
		taken[pair(e[0], e[1])] = true
	}
	rest := make([][2]int, 0, n*(n-1)/2-len(edges))
	for i := range n {
		for j := i + 1; j < n; j++ {
			if !taken[pair(i, j)] {
				rest = append(rest, [2]int{i, j})
			}
		}
	}
	return rest
}
