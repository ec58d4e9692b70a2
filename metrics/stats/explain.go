package stats

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Explained tells how much of the variance of observations their factors explain.
// Shares are NaN if there is no variance, or an observation is not finite.
type Explained struct {
	// First is the share of each factor by itself, that of the variance between the means
	// at its levels: eta squared, or the first-order index of a functional ANOVA.
	First []float64
	// Total is the share with all interactions of the factor: what all factors explain
	// less what the others do without it; the total index.
	Total []float64
	// Within is the share that all factors together leave: the variance within cells.
	Within float64
	// Balanced says that each combination of levels has equally many observations. If
	// not, the shares of factors overlap: those that vary together explain the same.
	Balanced bool
	Method   string // "variance between means", or why there are no shares
}

// BetweenMeans is the method of Explained.
const BetweenMeans = "variance between means"

// Explain splits the variance of y, where levels[i][j] >= 0 is the level of factor j in
// observation i. It panics if the shapes do not fit.
func Explain(levels [][]int, y []float64) Explained {
	if len(levels) != len(y) {
		panic(fmt.Sprintf("stats: levels of %d observations for %d numbers", len(levels), len(y)))
	}
	if len(y) == 0 {
		return Explained{Within: math.NaN(), Method: "no observations"}
	}
	factors := len(levels[0])
	for i, l := range levels {
		if len(l) != factors {
			panic(fmt.Sprintf("stats: observation %d has %d factors, not %d", i, len(l), factors))
		}
	}
	e := Explained{First: make([]float64, factors), Total: make([]float64, factors), Balanced: balanced(levels),
		Method: BetweenMeans}
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

// rounded returns a share without the rounding of the sums that it comes from.
func rounded(share float64) float64 {
	if share < 1e-12 {
		return 0
	}
	return share
}

// squares returns the sum of squares about the mean, or why there is none.
func squares(y []float64) (sum float64, why string) {
	if !finite(y...) {
		return 0, "an observation is not finite"
	}
	mean := stat.Mean(y, nil)
	for _, v := range y {
		sum += (v - mean) * (v - mean)
	}
	switch {
	case !finite(mean, sum):
		return 0, "the numbers are too large to be computed with"
	case slices.Min(y) == slices.Max(y) || sum == 0:
		return 0, "the observations do not differ"
	}
	return sum, ""
}

// betweenMeans returns the sum of squares between the means of the cells that some of
// the factors make.
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

// cellsOf gathers the observations that agree in some of the factors, in the order of
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

// balanced reports whether each combination of the factors' levels has equally many
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
