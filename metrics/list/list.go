// Package list makes slices from slices.
package list

import "slices"

// Map returns f of each element, in order; nil if there are none.
func Map[S ~[]E, E, R any](of S, f func(E) R) []R {
	var all []R
	for _, e := range of {
		all = append(all, f(e))
	}
	return all
}

// Add appends the values that a slice does not have yet.
func Add[E comparable](to []E, values ...E) []E {
	for _, v := range values {
		if !slices.Contains(to, v) {
			to = append(to, v)
		}
	}
	return to
}
