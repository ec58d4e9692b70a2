package algorithms_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
)

// pushing returns C with columns of 1 / (1 + degree), and pulling its transpose.
func (s stacked) pushing() *mat.Dense {
	n := s.n * s.p
	c := mat.NewDense(n, n, nil)
	for col := range n {
		count := 0.
		for row := range n {
			if s.wx.At(row, col) != 0 || row == col {
				count++
			}
		}
		for row := range n {
			if s.wx.At(row, col) != 0 || row == col {
				c.Set(row, col, 1/count)
			}
		}
	}
	return c
}

func over(s, w *mat.Dense) *mat.Dense {
	var x mat.Dense
	x.DivElem(s, w)
	return &x
}

func ones(like *mat.Dense) *mat.Dense {
	r, c := like.Dims()
	v := mat.NewDense(r, c, nil)
	v.Apply(func(int, int, float64) float64 { return 1 }, v)
	return v
}

func TestPushSumTwin(t *testing.T) {
	everyTwin(t, true, algorithms.PushSum{Rounds: twinIterations}, func(s stacked) (tr trajectory) {
		c, sums, w := s.pushing(), s.x0, ones(s.x0)
		tr.add(s.x0, nil)
		for range twinIterations {
			sums, w = mul(c, sums), mul(c, w)
			tr.add(over(sums, w), nil)
		}
		return tr
	})
}

func TestSGPTwin(t *testing.T) {
	const alpha = 0.05
	everyTwin(t, true, algorithms.SGP{Outer: twinIterations, Alpha: alpha}, func(s stacked) (tr trajectory) {
		c, sums, w, x := s.pushing(), s.x0, ones(s.x0), s.x0
		tr.add(x, nil)
		for range twinIterations {
			sums, w = mul(c, sum(sums, times(-alpha, s.grad(x)))), mul(c, w)
			x = over(sums, w)
			tr.add(x, nil)
		}
		return tr
	})
}

func TestPushPullTwin(t *testing.T) {
	const alpha = 0.03
	everyTwin(t, true, algorithms.PushPull{Outer: twinIterations, Alpha: alpha}, func(s stacked) (tr trajectory) {
		c := s.pushing()
		r := mat.DenseCopyOf(c.T())
		x, track := s.x0, s.grad(s.x0)
		tr.add(x, nil)
		for range twinIterations {
			next := mul(r, sum(x, times(-alpha, track)))
			track = sum(mul(c, track), s.grad(next), times(-1, s.grad(x)))
			x = next
			tr.add(x, nil)
		}
		return tr
	})
}
