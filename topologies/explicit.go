package topologies

import (
	"fmt"
	"math"
)

// stochasticTolerance bounds the asymmetry of an explicit matrix, and the difference of its row sums from 1.
const stochasticTolerance = 1e-12

// FromMatrix returns an explicit mixing matrix on g; w has one row per node. It must be finite, nonnegative,
// zero outside the graph, and symmetric, with rows (and so columns) that sum to 1, the last two to within
// 1e-12. Any other matrix is an error that names row and column, counted from 0 as nodes are. The weight of an
// edge may be zero: its nodes still communicate.
func FromMatrix(g *Graph, w [][]float64) (*Mixing, error) {
	n := g.Nodes()
	if len(w) != n {
		return nil, fmt.Errorf("has %s, but the graph has %s", count(len(w), "row"), count(n, "node"))
	}
	for i, row := range w {
		if len(row) != n {
			return nil, fmt.Errorf("row %d has %d entries, not %d", i, len(row), n)
		}
	}
	for i := range n {
		for j := range n {
			if err := checkEntry(g, w, i, j); err != nil {
				return nil, err
			}
		}
	}
	for i, row := range w {
		if err := checkSum(row, i); err != nil {
			return nil, err
		}
	}
	m := &Mixing{graph: g, rule: "explicit", self: make([]float64, n), w: make([]float64, len(g.adj.list))}
	for i := range n {
		m.self[i] = w[i][i]
		own := m.Weights(i)
		for k, j := range g.Neighbors(i) {
			own[k] = w[min(i, j)][max(i, j)] // the upper half, so that W is symmetric exactly
		}
	}
	return m, nil
}

func checkEntry(g *Graph, w [][]float64, i, j int) error {
	v := w[i][j]
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("row %d, column %d is %g, not a finite number", i, j, v)
	case v < 0:
		return fmt.Errorf("row %d, column %d is %g; a doubly stochastic matrix has no negative entry",
			i, j, v)
	case v != 0 && i != j && !g.HasEdge(i, j):
		return fmt.Errorf("row %d, column %d is %g, but nodes %d and %d are not neighbours; "+
			"add the edge or make it 0", i, j, v, i, j)
	case j < i && math.Abs(v-w[j][i]) > stochasticTolerance:
		return fmt.Errorf("not symmetric: row %d, column %d is %g, but row %d, column %d is %g",
			j, i, w[j][i], i, j, v)
	}
	return nil
}

func checkSum(row []float64, i int) error {
	var sum float64
	for _, v := range row {
		sum += v
	}
	if off := sum - 1; math.Abs(off) > stochasticTolerance {
		return fmt.Errorf("row %d sums to %.15g, not 1 (off by %.2g; the tolerance is %g): "+
			"adding %.15g to column %d corrects it", i, sum, off, stochasticTolerance, -off, i)
	}
	return nil
}
