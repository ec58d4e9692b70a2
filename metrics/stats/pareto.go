package stats

import "fmt"

// Pareto reports which points are on the Pareto front: those that no other point is at
// least as good as in every objective and better than in one. more tells the objectives
// of which more is better. Equal points are on it together; a point with a value that
// is not finite is not on it, and keeps no other from it. It panics if a point has not
// one value for each objective.
func Pareto(points [][]float64, more []bool) []bool {
	best := make([]bool, len(points))
	for i, p := range points {
		if len(p) != len(more) {
			panic(fmt.Sprintf("stats: point %d has %d values for %d objectives", i, len(p), len(more)))
		}
		best[i] = finite(p...)
	}
	for i, p := range points {
		for _, q := range points {
			if best[i] && finite(q...) && beats(q, p, more) {
				best[i] = false
			}
		}
	}
	return best
}

// beats reports whether q is nowhere worse than p, and somewhere better.
func beats(q, p []float64, more []bool) bool {
	better := false
	for j := range more {
		a, b := q[j], p[j]
		if more[j] {
			a, b = b, a
		}
		if a > b {
			return false
		}
		better = better || a < b
	}
	return better
}
