package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Pareto reports which points are on the Pareto front: those for which no other point is
// at least as good in every objective and better in one. more[k] means that more of
// objective k is better. Equal points are on the front together. A point with a value
// that is not finite is off the front and beats no other. It panics unless each point has
// one value per objective.
func Pareto(points [][]float64, more []bool) []bool {
	var order []int
	for i, p := range points {
		if len(p) != len(more) {
			panic(fmt.Sprintf("stats: point %d has %d values, want one for each of %d objectives",
				i, len(p), len(more)))
		}
		if finite(p...) {
			order = append(order, i)
		}
	}
	// In this order only earlier points can beat a point, and if any does, one on the front does.
	slices.SortStableFunc(order, func(i, j int) int {
		for k := range more {
			if c := compare(points[i][k], points[j][k], more[k]); c != 0 {
				return c
			}
		}
		return 0
	})
	best := make([]bool, len(points))
	var front []int
	for _, i := range order {
		if !slices.ContainsFunc(front, func(j int) bool { return beats(points[j], points[i], more) }) {
			best[i] = true
			front = append(front, i)
		}
	}
	return best
}

// compare is negative if a is better than b.
func compare(a, b float64, more bool) int {
	if more {
		a, b = b, a
	}
	return cmp.Compare(a, b)
}

// beats reports whether q is nowhere worse than p, and somewhere better.
func beats(q, p []float64, more []bool) bool {
	better := false
	for k := range more {
		switch c := compare(q[k], p[k], more[k]); {
		case c > 0:
			return false
		case c < 0:
			better = true
		}
	}
	return better
}
