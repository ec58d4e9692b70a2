package topologies

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
)

// maxDraws is the number of times a random graph is drawn until it is connected.
const maxDraws = 1000

// untilConnected returns a Plan that draws edges until they connect all nodes. Its error gives the advice.
func (s Size) untilConnected(drawing shape, advice string, draw func() [][2]int) Plan {
	return Plan{s, func() (*Graph, error) {
		for d := 1; d <= maxDraws; d++ {
			if g := fromSimple(s.Name, s.Nodes, draw()); g.Connected() {
				g.shape, g.draws = drawing, d
				return g, nil
			}
		}
		return nil, fmt.Errorf("%s: not connected in any of %d draws; %s", s.Name, maxDraws, advice)
	}}
}

// ErdosRenyi plans the random graph G(n, p): each of the n(n-1)/2 possible edges of n >= 2 nodes is present
// with probability p, independently. It is drawn until it is connected, at most 1000 times; Draws returns how
// often. A draw takes O(n + edges).
//
// Errors: n < 2, p outside [0, 1], too many edges, never connected.
func ErdosRenyi(n int, p float64, rng *rand.Rand) (Plan, error) {
	if err := cmp.Or(limits("erdos-renyi", n, 2, float64(n)), probability("erdos-renyi: p", p)); err != nil {
		return Plan{}, err
	}
	edges := p * float64(n) * float64(n-1) / 2
	if edges > 0.99*maxEdges {
		return Plan{}, fmt.Errorf("erdos-renyi: n = %d with p = %g has about %.0f edges, more than the %d that fit",
			n, p, edges, maxEdges)
	}
	size := Size{Name: fmt.Sprintf("erdos-renyi n=%d, p=%g", n, p), Nodes: n, Edges: int(math.Round(edges)),
		Drawn: p < 1}
	threshold := math.Log(float64(n)) / float64(n)
	advice := fmt.Sprintf("raise p: connected graphs become likely near ln(n)/n = %.3g", threshold)
	return size.untilConnected(shape{}, advice, func() [][2]int { return bernoulliPairs(n, p, rng) }), nil
}

// ConnectingProbability returns 2 ln(n) / n, rounded to three digits and at most 1. That is twice the
// probability at which G(n, p) becomes likely to be connected (Erdős and Rényi, On random graphs I, 1959), so
// that nearly every draw is connected, while a node has only about 2 ln(n) neighbours.
func ConnectingProbability(n int) float64 {
	if n < 2 {
		return 1
	}
	p := 2 * math.Log(float64(n)) / float64(n)
	digit := math.Pow10(2 - int(math.Floor(math.Log10(p))))
	return min(math.Round(p*digit)/digit, 1)
}

// bernoulliPairs takes each pair j < i with probability p. It visits the pairs in order and draws how many to
// skip, which is geometrically distributed (Batagelj and Brandes, Physical Review E 71, 2005).
func bernoulliPairs(n int, p float64, rng *rand.Rand) [][2]int {
	if p == 0 {
		return nil
	}
	edges := make([][2]int, 0, int(p*float64(n)*float64(n-1)/2*1.01)+16)
	logMiss := math.Log1p(-p) // -Inf for p = 1: nothing is skipped
	for i, j := 1, -1; ; {
		skip := math.Floor(math.Log(1-rng.Float64()) / logMiss)
		if skip > float64(n)*float64(n) {
			return edges
		}
		j += 1 + int(skip)
		for j >= i {
			j -= i
			i++
			if i >= n {
				return edges
			}
		}
		edges = append(edges, [2]int{j, i})
	}
}

// Geometric plans the random geometric graph: n >= 2 nodes are dropped uniformly on the unit square, and two
// are neighbours if they are at most radius > 0 apart. It is drawn, with new positions, until it is connected,
// at most 1000 times; Draws returns how often. Layout returns the positions.
//
// Errors: n < 2, radius not positive, too many edges, never connected.
func Geometric(n int, radius float64, rng *rand.Rand) (Plan, error) {
	pairs := float64(n) * float64(n) / 2
	if err := limits("geometric", n, 2, pairs*min(1, math.Pi*radius*radius)); err != nil {
		return Plan{}, err
	}
	if !(radius > 0) || math.IsInf(radius, 1) {
		return Plan{}, fmt.Errorf("geometric: radius must be positive, in sides of the unit square, not %g", radius)
	}
	edges := withinRadius(radius) * float64(n) * float64(n-1) / 2
	size := Size{Name: fmt.Sprintf("geometric n=%d, radius=%g", n, radius), Nodes: n, Edges: int(math.Round(edges)),
		Drawn: true}
	threshold := math.Sqrt(math.Log(float64(n)) / (math.Pi * float64(n)))
	advice := fmt.Sprintf("raise radius: connected graphs become likely near sqrt(ln(n)/(pi n)) = %.3g", threshold)
	return Plan{size, func() (*Graph, error) {
		pos := make([]Position, n)
		g, err := size.untilConnected(shape{kind: atPosition}, advice, func() [][2]int {
			for i := range pos {
				pos[i] = Position{rng.Float64(), rng.Float64()}
			}
			return nearPairs(pos, radius)
		}).Make()
		if err != nil {
			return nil, err
		}
		g.positions = pos
		return g, nil
	}}, nil
}

// withinRadius is the probability that two points of the unit square are at most r apart.
//
// Source: the distribution of the distance of two points in a rectangle, Ghosh, Bulletin of the Calcutta
// Mathematical Society 43, 1951.
func withinRadius(r float64) float64 {
	s := r * r
	switch {
	case r <= 1:
		return s * (math.Pi - 8*r/3 + s/2)
	case r < math.Sqrt2:
		return 1./3 + s*(math.Pi-2-4*math.Acos(1/r)) + 4*math.Sqrt(s-1)*(2*s+1)/3 - s*s/2
	}
	return 1
}

// nearPairs returns the pairs of points of the unit square that are at most radius apart. It sorts the points
// into square cells no smaller than radius, so that only adjacent cells matter.
func nearPairs(pos []Position, radius float64) [][2]int {
	side := max(1, min(int(1/radius), int(math.Sqrt(float64(len(pos))))))
	cellOf := func(p Position) (row, col int) {
		return min(int(p.Y*float64(side)), side-1), min(int(p.X*float64(side)), side-1)
	}
	cells := make([][]int, side*side)
	for i, p := range pos {
		r, c := cellOf(p)
		cells[r*side+c] = append(cells[r*side+c], i)
	}
	var edges [][2]int
	for i, p := range pos {
		row, col := cellOf(p)
		for r := max(0, row-1); r <= min(side-1, row+1); r++ {
			for c := max(0, col-1); c <= min(side-1, col+1); c++ {
				for _, j := range cells[r*side+c] {
					if i < j && math.Hypot(p.X-pos[j].X, p.Y-pos[j].Y) <= radius {
						edges = append(edges, [2]int{i, j})
					}
				}
			}
		}
	}
	return edges
}

// WattsStrogatz plans the small-world graph of Watts and Strogatz (Nature 393, 1998): a ring of n nodes, each
// joined to its k nearest (k even, 2 <= k < n). Each edge is moved with probability beta: it keeps its first
// end and gets another second end, uniform among the nodes that are not neighbours yet. It is drawn until it is
// connected, at most 1000 times; Draws returns how often. It has n k/2 edges.
//
// Errors: n < 3, k odd or out of range, beta outside [0, 1], never connected.
func WattsStrogatz(n, k int, beta float64, rng *rand.Rand) (Plan, error) {
	err := cmp.Or(limits("watts-strogatz", n, 3, float64(n)*float64(k)/2), probability("watts-strogatz: beta", beta))
	if err != nil {
		return Plan{}, err
	}
	if k < 2 || k >= n || k%2 != 0 {
		return Plan{}, fmt.Errorf("watts-strogatz: k must be even, at least 2 and below nodes = %d, not %d", n, k)
	}
	size := Size{Name: fmt.Sprintf("watts-strogatz n=%d, k=%d, beta=%g", n, k, beta), Nodes: n, Edges: n * k / 2}
	if beta == 0 {
		size.Degree = k
	}
	return size.untilConnected(shape{kind: onCircle}, "raise k or lower beta", func() [][2]int {
		return smallWorld(n, k, beta, rng)
	}), nil
}

func smallWorld(n, k int, beta float64, rng *rand.Rand) [][2]int {
	edges := make([][2]int, 0, n*k/2)
	degree := make([]int, n)
	taken := make(map[[2]int]bool, n*k/2)
	for s := 1; s <= k/2; s++ {
		for i := range n {
			j := (i + s) % n
			edges = append(edges, [2]int{i, j})
			taken[pair(i, j)] = true
			degree[i]++
			degree[j]++
		}
	}
	for e, ij := range edges {
		i, j := ij[0], ij[1]
		if rng.Float64() >= beta || degree[i] == n-1 { // node i is joined to all others
			continue
		}
		to := rng.IntN(n)
		for to == i || taken[pair(i, to)] {
			to = rng.IntN(n)
		}
		delete(taken, pair(i, j))
		taken[pair(i, to)] = true
		degree[j]--
		degree[to]++
		edges[e][1] = to
	}
	return edges
}

// BarabasiAlbert plans the preferential-attachment graph of Barabási and Albert (Science 286, 1999) on n nodes.
// It starts as a star of the nodes 0, ..., m with centre 0. Each further node is joined to m others, drawn one
// by one with probability proportional to their degrees, without repetition. It is connected and has m (n-m)
// edges.
//
// Errors: n < 2, m outside 1..n-1.
func BarabasiAlbert(n, m int, rng *rand.Rand) (Plan, error) {
	if err := limits("barabasi-albert", n, 2, float64(m)*float64(n-m)); err != nil {
		return Plan{}, err
	}
	if m < 1 || m >= n {
		return Plan{}, fmt.Errorf("barabasi-albert: m must be at least 1 and below nodes = %d, not %d", n, m)
	}
	size := Size{Name: fmt.Sprintf("barabasi-albert n=%d, m=%d", n, m), Nodes: n, Edges: m * (n - m)}
	return size.untilConnected(shape{}, "", func() [][2]int { return preferential(n, m, rng) }), nil
}

// preferential draws the edges of BarabasiAlbert.
func preferential(n, m int, rng *rand.Rand) [][2]int {
	edges := make([][2]int, 0, m*(n-m))
	ends := make([]int, 0, 2*m*(n-m)) // each node once per neighbour
	join := func(i, j int) {
		edges = append(edges, [2]int{i, j})
		ends = append(ends, i, j)
	}
	for i := 1; i <= m; i++ {
		join(0, i)
	}
	chosenBy := make([]int, n) // the last node that chose this one
	chosen := make([]int, 0, m)
	for i := m + 1; i < n; i++ {
		chosen = chosen[:0]
		for len(chosen) < m {
			j := ends[rng.IntN(len(ends))]
			if chosenBy[j] != i {
				chosenBy[j] = i
				chosen = append(chosen, j)
			}
		}
		for _, j := range chosen {
			join(j, i)
		}
	}
	return edges
}

func probability(what string, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("%s must be between 0 and 1, not %g", what, p)
	}
	return nil
}
