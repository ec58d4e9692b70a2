package stats

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Explained is how much of the variance of observations their factors explain. Shares are
// NaN if there is no variance or an observation is not finite.
type Explained struct {
	// First is the share of each factor by itself, the variance between the means at its
	// levels: eta squared, or the first-order index of a functional ANOVA.
	First []float64
	// Total is the share of each factor with all its interactions: what all factors explain
	// minus what the others explain without it; the total index.
	Total []float64
	// Within is the share that no factor explains: the variance within cells.
	Within float64
	// Balanced means that all combinations of levels have equally many observations. If
	// not, factors that vary together explain the same variance and their shares overlap.
	Balanced bool
	Method   string // BetweenMeans, or why there are no shares
}

// BetweenMeans is the method by which Explain computes shares.
const BetweenMeans = "variance between means"

// Explain splits the variance of y, where levels[i][j] >= 0 is the level of factor j in
// observation i. It panics if the shapes do not match.
func Explain(levels [][]int, y []float64) Explained {
	if len(levels) != len(y) {
		panic(fmt.Sprintf("stats: %d rows of levels for %d observations", len(levels), len(y)))
	}
	if len(y) == 0 {
		return Explained{Within: math.NaN(), Method: noObservations}
	}
	factors := len(levels[0])
	for i, l := range levels {
		if len(l) != factors {
			panic(fmt.Sprintf("stats: observation %d has %d factors, want %d", i, len(l), factors))
		}
	}
	e := Explained{
		First: make([]float64, factors), Total: make([]float64, factors),
		Balanced: balanced(levels), Method: BetweenMeans,
	}
	sum, why := squares(y)
	if why != "" {
		sum, e.Method = math.NaN(), why
	}
	share := func(of func(factor int) bool) float64 { return betweenMeans(levels, y, of) / sum }
	full := share(func(int) bool { return true })
	e.Within = rounded(1 - full)
	for j := range factors {
		e.First[j] = rounded(share(func(factor int) bool { return factor == j }))
		e.Total[j] = rounded(full - share(func(factor int) bool { return factor != j }))
	}
	return e
}

// rounded returns a share without rounding errors near 0.
func rounded(share float64) float64 {
	if share < 1e-12 {
		return 0
	}
	return share
}

// squares returns the sum of squared deviations from the mean, or why there is none.
func squares(y []float64) (sum float64, why string) {
	if !finite(y...) {
		return 0, notFinite
	}
	mean := stat.Mean(y, nil)
	for _, v := range y {
		sum += (v - mean) * (v - mean)
	}
	switch {
	case !finite(mean, sum):
		return 0, tooLarge
	case slices.Min(y) == slices.Max(y) || sum == 0:
		return 0, "the observations do not differ"
	}
	return sum, ""
}

// betweenMeans returns the sum of squares between the means of the cells that the factors
// selected by of define.
func betweenMeans(levels [][]int, y []float64, of func(factor int) bool) float64 {
	cells := cellsOf(levels, of)
	mean := stat.Mean(y, nil)
	sum := 0.0
	for _, cell := range cells {
		m := 0.0
		for _, i := range cell {
			m += y[i]
		}
		d := m/float64(len(cell)) - mean
		sum += float64(len(cell)) * d * d
	}
	return sum
}

// cellsOf groups the observations that agree in the factors selected by of, in order of
// first appearance.
func cellsOf(levels [][]int, of func(factor int) bool) [][]int {
	var cells [][]int
	index := map[string]int{}
	for i, l := range levels {
		var key []byte
		for j, level := range l {
			if of(j) {
				key = binary.AppendVarint(key, int64(level))
			}
		}
		c, ok := index[string(key)]
		if !ok {
			c = len(cells)
			index[string(key)] = c
			cells = append(cells, nil)
		}
		cells[c] = append(cells[c], i)
	}
	return cells
}

// balanced reports whether all combinations of the factors' levels have equally many
// observations.
func balanced(levels [][]int) bool {
	combinations := 1
	for j := range levels[0] {
		combinations *= len(cellsOf(levels, func(factor int) bool { return factor == j }))
		if combinations > len(levels) {
			return false
		}
	}
	cells := cellsOf(levels, func(int) bool { return true })
	for _, cell := range cells {
		if len(cell) != len(cells[0]) {
			return false
		}
	}
	return len(cells) == combinations
}
