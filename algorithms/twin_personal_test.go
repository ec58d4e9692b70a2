package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
)

func TestLPDBOTwin(t *testing.T) {
	a := algorithms.LPDBO{Outer: twinIterations, Alpha: .05, Beta: .1, Lambda: .07}
	everyTwin(t, false, a, func(s stacked) (tr trajectory) {
		x, y, v, d := s.x0, s.y0, times(0, s.y0), times(0, s.x0)
		tr.add(x, y)
		for range a.Outer {
			v2 := sum(v, times(-a.Lambda, mul(s.h, v)), times(a.Lambda, s.gradFy(x, y)))
			y2 := sum(y, times(-a.Beta, s.gradGy(x, y)))
			x = sum(mul(s.wx, x), times(-a.Alpha, d))
			y, v = y2, v2
			d = s.implicit(x, y, v)
			tr.add(x, y)
		}
		return tr
	})
}

// laplacian returns the graph's Laplacian and the inverse degrees, for columns of x.
func (s stacked) laplacian() (laplacian, perDegree *mat.Dense) {
	laplacian, perDegree = mat.NewDense(s.n*s.p, s.n*s.p, nil), mat.NewDense(s.n*s.p, s.n*s.p, nil)
	for i := range s.n {
		degree := 0.0
		for j := range s.n {
			if j != i && s.wx.At(i*s.p, j*s.p) != 0 {
				degree++
				for c := range s.p {
					laplacian.Set(i*s.p+c, j*s.p+c, -1)
				}
			}
		}
		for c := range s.p {
			laplacian.Set(i*s.p+c, i*s.p+c, degree)
			perDegree.Set(i*s.p+c, i*s.p+c, 1/degree)
		}
	}
	return laplacian, perDegree
}

// x⁺ = x - D⁻¹L x / 2 - D⁻¹ (d + pi) / (2 rho), pi⁺ = pi + rho L x⁺.
func TestSPDBTwin(t *testing.T) {
	a := algorithms.SPDB{Outer: 60, Beta: .1, Decay: .4, Rho: 4, Eta: .1} // two products from iteration 54
	everyTwin(t, false, a, func(s stacked) (tr trajectory) {
		l, di := s.laplacian()
		x, y, pi := s.x0, s.y0, times(0, s.x0)
		tr.add(x, y)
		for k := 1; k <= a.Outer; k++ {
			products := 1
			if k > 53 {
				products = 2
			}
			d := s.implicit(x, y, mul(s.series(a.Eta, products), s.gradFy(x, y)))
			y2 := sum(y, times(-a.Beta*math.Pow(float64(k), -a.Decay), s.gradGy(x, y)))
			x = sum(x, times(-.5, mul(di, mul(l, x))), times(-1/(2*a.Rho), mul(di, sum(d, pi))))
			y = y2
			pi = sum(pi, times(a.Rho, mul(l, x)))
			tr.add(x, y)
		}
		return tr
	})
}

func TestINTERACTTwin(t *testing.T) {
	a := algorithms.INTERACT{Outer: twinIterations, Alpha: .03, Beta: .1}
	everyTwin(t, false, a, func(s stacked) (tr trajectory) {
		inv := inverse(s.h)
		hyper := func(x, y *mat.Dense) *mat.Dense { return s.implicit(x, y, mul(inv, s.gradFy(x, y))) }
		x, y := s.x0, s.y0
		u := hyper(x, y)
		tr.add(x, y)
		for range a.Outer {
			x2, y2 := sum(mul(s.wx, x), times(-a.Alpha, u)), sum(y, times(-a.Beta, s.gradGy(x, y)))
			u = sum(mul(s.wx, u), minus(hyper(x2, y2), hyper(x, y)))
			x, y = x2, y2
			tr.add(x, y)
		}
		return tr
	})
}

func TestPrometheusTwin(t *testing.T) {
	for name, a := range map[string]algorithms.Prometheus{
		"free": {Alpha: .6, Neumann: 3}, "ball": {Alpha: 1, Neumann: 0, Radius: .4},
		"recursive": {Alpha: .5, Neumann: 2, Period: 4, Batch: 1},
	} {
		a.Outer, a.Beta, a.Tau, a.Lipschitz = twinIterations, .1, 20, 7
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) (tr trajectory) {
				inv := s.series(1/a.Lipschitz, a.Neumann)
				hyper := func(x, y *mat.Dense) *mat.Dense { return s.implicit(x, y, mul(inv, s.gradFy(x, y))) }
				x, y := s.x0, s.y0
				u := hyper(x, y)
				tr.add(x, y)
				for range a.Outer {
					z := sum(x, times(-1/a.Tau, u))
					for i := range s.n {
						norm := mat.Norm(part(z, i, s.p), 2)
						if a.Radius > 0 && norm > a.Radius {
							for c := range s.p {
								z.Set(i*s.p+c, 0, z.At(i*s.p+c, 0)*a.Radius/norm)
							}
						}
					}
					x2, y2 := sum(mul(s.wx, x), times(a.Alpha, minus(z, x))), sum(y, times(-a.Beta, s.gradGy(x, y)))
					u = sum(mul(s.wx, u), minus(hyper(x2, y2), hyper(x, y)))
					x, y = x2, y2
					tr.add(x, y)
				}
				return tr
			})
		})
	}
}
