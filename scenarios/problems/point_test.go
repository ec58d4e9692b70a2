package problems_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
)

// everyCall lists the calls of an oracle. Each returns its output for a direction v (q).
func everyCall(p, q int) map[string]func(l problems.Local, x, y, v []float64) []float64 {
	type local = problems.Local
	vector := func(n int, f func(l local, dst, x, y, v []float64)) func(l local, x, y, v []float64) []float64 {
		return func(l local, x, y, v []float64) []float64 {
			dst := make([]float64, n)
			f(l, dst, x, y, v)
			return dst
		}
	}
	all := map[string]func(l local, x, y, v []float64) []float64{
		"F":      func(l local, x, y, _ []float64) []float64 { return []float64{l.F(x, y)} },
		"GradFx": vector(p, func(l local, dst, x, y, _ []float64) { l.GradFx(dst, x, y) }),
	}
	if q == 0 {
		return all
	}
	all["G"] = func(l local, x, y, _ []float64) []float64 { return []float64{l.G(x, y)} }
	all["GradFy"] = vector(q, func(l local, dst, x, y, _ []float64) { l.GradFy(dst, x, y) })
	all["GradGx"] = vector(p, func(l local, dst, x, y, _ []float64) { l.GradGx(dst, x, y) })
	all["GradGy"] = vector(q, func(l local, dst, x, y, _ []float64) { l.GradGy(dst, x, y) })
	all["HessGyyMul"] = vector(q, func(l local, dst, x, y, v []float64) { l.HessGyyMul(dst, x, y, v) })
	all["JacGxyMul"] = vector(p, func(l local, dst, x, y, v []float64) { l.JacGxyMul(dst, x, y, v) })
	all["HessGyy"] = func(l local, x, y, _ []float64) []float64 {
		h := mat.NewSymDense(q, nil)
		l.HessGyy(h, x, y)
		return slices.Clone(mat.DenseCopyOf(h).RawMatrix().Data)
	}
	all["JacGxy"] = func(l local, x, y, _ []float64) []float64 {
		j := mat.NewDense(p, q, nil)
		l.JacGxy(j, x, y)
		return j.RawMatrix().Data
	}
	return all
}

// TestCallsKnowTheirPoint: after gradients at one point, calls at another point return the same as a new
// oracle's.
func TestCallsKnowTheirPoint(t *testing.T) {
	for name, problem := range zoo(t) {
		p, q := problem.Dims()
		point := func(n int, phase float64) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = math.Sin(phase + float64(i))
			}
			return v
		}
		calls := everyCall(p, q)
		node, v := problem.Nodes()-1, point(q, 3)
		used := problem.Local(node)
		for call, of := range calls {
			for _, before := range []string{"GradFx", "GradGy"} {
				if first, ok := calls[before]; ok {
					first(used, point(p, 1), point(q, 2), v)
				}
			}
			x, y := point(p, 4), point(q, 5)
			if got, want := of(used, x, y, v), of(problem.Local(node), x, y, v); !slices.Equal(got, want) {
				t.Errorf("%s: %s after gradients at another point is %v, want %v", name, call, got, want)
			}
		}
	}
}
