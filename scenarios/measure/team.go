package measure

import (
	"slices"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// Each calls f(0) ... f(n-1), possibly concurrently.
type Each func(n int, f func(i int))

// team evaluates a function for every node, concurrently if that is worthwhile. It adds the results in the order of
// the nodes, so that sums are reproducible bit for bit.
type team struct {
	each   Each
	width  int         // number of vectors held at the same time
	parts  [][]float64 // scratch of vectors
	values []float64   // scratch of numbers
}

// worthwhile is the number of FLOPs in a gradient of all nodes above which goroutines share the work.
const worthwhile = 1e6

// newTeam returns a team for the nodes with the given oracles. each may be nil.
func newTeam(each Each, locals []problems.Local) *team {
	t := &team{each: each, width: 8}
	if len(locals) == 0 || each == nil || float64(len(locals))*gradientFlops(locals[0]) < worthwhile {
		t.each, t.width = inOrder, 1
	}
	return t
}

func gradientFlops(l problems.Local) float64 {
	_, train := l.Samples()
	return l.Flops(metrics.CallGradG, train)
}

func inOrder(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// sum returns f(0) + ... + f(n-1).
func (t *team) sum(n int, f func(i int) float64) float64 {
	t.values = slices.Grow(t.values[:0], n)[:n]
	t.each(n, func(i int) { t.values[i] = f(i) })
	sum := 0.0
	for _, v := range t.values {
		sum += v
	}
	return sum
}

// vectors calls add(i, v) for i = 0 ... n-1 in order, where f(i, v) has filled the vector v of the given size.
func (t *team) vectors(n, size int, f, add func(i int, v []float64)) {
	for len(t.parts) < min(t.width, n) {
		t.parts = append(t.parts, nil)
	}
	for k := range t.parts {
		t.parts[k] = slices.Grow(t.parts[k][:0], size)[:size]
	}
	for lo := 0; lo < n; lo += t.width {
		hi := min(lo+t.width, n)
		t.each(hi-lo, func(k int) { f(lo+k, t.parts[k]) })
		for i := lo; i < hi; i++ {
			add(i, t.parts[i-lo])
		}
	}
}
