// Package list makes slices from slices.
package list

// Map returns f of each element, in order; nil if there are none.
func Map[S ~[]E, E, R any](of S, f func(E) R) []R {
	var all []R
	for _, e := range of {
		all = append(all, f(e))
	}
	return all
}
