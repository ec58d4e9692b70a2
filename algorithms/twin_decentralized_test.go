package algorithms_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
)

func (s stacked) gradGx(y mat.Matrix) *mat.Dense { return mul(s.pm, y) }

// minus returns a - b.
func minus(a, b mat.Matrix) *mat.Dense { return sum(a, times(-1, b)) }

// implicit returns ∇_x f - P v on every node.
func (s stacked) implicit(x, y, v mat.Matrix) *mat.Dense {
	return minus(s.gradFx(x, y), mul(s.pm, v))
}

// series returns eta times the sum of (I - eta H)^m over m = 0 ... products.
func (s stacked) series(eta float64, products int) *mat.Dense {
	factor := minus(eye(s.n*s.q), times(eta, s.h))
	total, power := eye(s.n*s.q), eye(s.n*s.q)
	for range products {
		power = mul(factor, power)
		total = sum(total, power)
	}
	return times(eta, total)
}

// withZ applies the Z of JHIP: ∇_x f - Z' ∇_y f on every node.
func (s stacked) withZ(z *mat.Dense, x, y mat.Matrix) *mat.Dense {
	dir, fy := s.gradFx(x, y), s.gradFy(x, y)
	for i := range s.n {
		implicit := mul(part(z, i, s.q).T(), part(fy, i, s.q))
		for c := range s.p {
			dir.Set(i*s.p+c, 0, dir.At(i*s.p+c, 0)-implicit.At(c, 0))
		}
	}
	return dir
}

// tracked makes steps of gradient tracking on y with a fresh tracker.
func (s stacked) tracked(x, y *mat.Dense, steps int, eta float64) *mat.Dense {
	v := s.gradGy(x, y)
	for range steps {
		next := sum(mul(s.wy, y), times(-eta, v))
		v = sum(mul(s.wy, v), minus(s.gradGy(x, next), s.gradGy(x, y)))
		y = next
	}
	return y
}

// krylov minimizes 1/2 v'Hv - b'v on v0 + span{r, Hr, ...}, r = b - H v0, as conjugate
// gradients do.
func (s stacked) krylov(v0, b *mat.Dense, steps int) *mat.Dense {
	v := mat.DenseCopyOf(v0)
	for i := range s.n {
		h := part(s.hRows, i, s.q)
		r := minus(part(b, i, s.q), mul(h, part(v0, i, s.q)))
		norm := mat.Norm(r, 2)
		if norm < 1e-13 {
			continue
		}
		k := mat.NewDense(s.q, steps, nil)
		column := times(1/norm, r)
		for c := range steps {
			k.SetCol(c, values(column))
			column = mul(h, column)
			column = times(1/mat.Norm(column, 2), column)
		}
		step := mul(k, mul(inverse(mul(k.T(), mul(h, k))), mul(k.T(), r)))
		for c := range s.q {
			v.Set(i*s.q+c, 0, v.At(i*s.q+c, 0)+step.At(c, 0))
		}
	}
	return v
}

func TestDBOTwinHomogeneous(t *testing.T) {
	for name, a := range map[string]algorithms.DBO{"T=3 N=2": {Inner: 3, JHIP: 2}, "T=1 N=1": {Inner: 1, JHIP: 1},
		"N beyond q": {Inner: 2, JHIP: 12}} {
		a.Outer, a.EtaX, a.EtaY, a.Mode = twinIterations, .05, .1, algorithms.Homogeneous
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.dbogt(algorithms.DBOGT(a), false) })
		})
	}
}

func TestDBOGTTwin(t *testing.T) {
	for name, a := range map[string]algorithms.DBOGT{
		"T=4 N=5": {Inner: 4, JHIP: 5}, "T=1 N=1": {Inner: 1, JHIP: 1},
		"homogeneous T=1 N=1": {Inner: 1, JHIP: 1, Mode: algorithms.Homogeneous},
		"homogeneous T=3 N=2": {Inner: 3, JHIP: 2, Mode: algorithms.Homogeneous},
	} {
		a.Outer, a.EtaX, a.EtaY, a.Gamma = twinIterations, .03, .02, .03
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.dbogt(a, true) })
		})
	}
}

// dbogt is DBOGT, or DBO if x is not tracked.
func (s stacked) dbogt(a algorithms.DBOGT, track bool) (tr trajectory) {
	x, y, v := s.x0, s.y0, times(0, s.y0)
	var u, before *mat.Dense
	z := s.jhip(a.JHIP, a.Gamma)
	tr.add(x, y)
	for range a.Outer {
		var d *mat.Dense
		if a.Mode == algorithms.Homogeneous {
			for range a.Inner {
				y = sum(y, times(-a.EtaY, s.gradGy(x, y)))
			}
			if a.JHIP > s.q {
				v = mul(inverse(s.h), s.gradFy(x, y))
			} else {
				v = s.krylov(v, s.gradFy(x, y), a.JHIP)
			}
			d = s.implicit(x, y, v)
		} else {
			y = s.tracked(x, y, a.Inner, a.EtaY)
			d = s.withZ(z, x, y)
		}
		switch {
		case !track || u == nil:
			u = d
		default:
			u = sum(mul(s.wx, u), minus(d, before))
		}
		before = d
		x = sum(mul(s.wx, x), times(-a.EtaX, u))
		tr.add(x, y)
	}
	return tr
}

func TestDSBOTwin(t *testing.T) {
	for name, a := range map[string]algorithms.DSBO{
		"T=4 N=5": {Inner: 4, JHIP: 5}, "T=1 N=1": {Inner: 1, JHIP: 1},
		"homogeneous T=1 N=1": {Inner: 1, JHIP: 1, Mode: algorithms.Homogeneous},
		"homogeneous T=3 N=4": {Inner: 3, JHIP: 4, Mode: algorithms.Homogeneous},
	} {
		a.Outer, a.EtaX, a.EtaY, a.Gamma = twinIterations, .05, .06, .07
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.dsbo(a) })
		})
	}
}

// decayingJHIP returns Z after steps gamma, gamma/2, gamma/3, ...
func (s stacked) decayingJHIP(steps int, gamma float64) *mat.Dense {
	jt := mat.NewDense(s.n*s.q, s.p, nil)
	for i := range s.n {
		block(jt, i*s.q, 0, rowsOf(part(s.pRows, i, s.p).T()))
	}
	z := mat.NewDense(s.n*s.q, s.p, nil)
	track := times(-1, jt)
	for t := range steps {
		next := sum(mul(s.wy, z), times(-gamma/float64(1+t), track))
		track = sum(mul(s.wy, track), mul(s.h, minus(next, z)))
		z = next
	}
	return z
}

func (s stacked) dsbo(a algorithms.DSBO) (tr trajectory) {
	z := s.decayingJHIP(a.JHIP, a.Gamma)
	x, y := s.x0, s.y0
	tr.add(x, y)
	for range a.Outer {
		var d *mat.Dense
		if a.Mode != algorithms.Homogeneous {
			for t := range a.Inner {
				y = sum(mul(s.wy, y), times(-a.EtaY/float64(1+t), s.gradGy(x, y)))
			}
			d = s.withZ(z, x, y)
		} else {
			for range a.Inner { // all equal, as in Theorem 3.3
				y = sum(y, times(-a.EtaY, s.gradGy(x, y)))
			}
			d = s.implicit(x, y, mul(s.series(a.Gamma, a.JHIP-1), s.gradFy(x, y)))
		}
		x = sum(mul(s.wx, x), times(-a.EtaX, d))
		tr.add(x, y)
	}
	return tr
}

func rowsOf(m mat.Matrix) [][]float64 {
	d := mat.DenseCopyOf(m)
	r, _ := d.Dims()
	rows := make([][]float64, r)
	for i := range rows {
		rows[i] = d.RawRowView(i)
	}
	return rows
}

func TestMADBOTwin(t *testing.T) {
	for name, a := range map[string]algorithms.MADBO{
		"tracked": {Inner: 3, HIGP: 4, Theta: .4, Tracking: true}, "plain": {Inner: 2, HIGP: 1, Theta: 1},
		"T=1 N=1": {Inner: 1, HIGP: 1, Theta: .7, Tracking: true},
	} {
		a.Outer, a.Alpha, a.EtaY, a.Gamma = twinIterations, .05, .02, .03
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return s.madbo(a) })
		})
	}
}

func (s stacked) madbo(a algorithms.MADBO) (tr trajectory) {
	x, y, z, m := s.x0, s.y0, times(0, s.y0), times(0, s.x0)
	tr.add(x, y)
	for range a.Outer {
		if !a.Tracking {
			for range a.Inner {
				y = sum(mul(s.wy, y), times(-a.EtaY, s.gradGy(x, y)))
			}
		} else {
			y = s.tracked(x, y, a.Inner, a.EtaY)
		}
		z = s.higp(z, s.gradFy(x, y), a.HIGP, a.Gamma)
		u := s.implicit(x, y, z)
		x = sum(mul(s.wx, x), times(-a.Alpha, m))
		m = sum(times(1-a.Theta, m), times(a.Theta, u))
		tr.add(x, y)
	}
	return tr
}

func TestMDBOTwin(t *testing.T) {
	a := algorithms.MDBO{Outer: twinIterations, Alpha1: 1.5, Alpha2: 1, Beta1: .05, Beta2: .06, Eta: .5, Neumann: 3,
		Lipschitz: 7}
	v := algorithms.VRDBO(a)
	t.Run("MDBO", func(t *testing.T) {
		everyTwin(t, false, a, func(s stacked) trajectory { return s.mdbo(a, false) })
	})
	t.Run("VRDBO", func(t *testing.T) {
		everyTwin(t, false, v, func(s stacked) trajectory { return s.mdbo(a, true) })
	})
}

func (s stacked) mdbo(a algorithms.MDBO, storm bool) (tr trajectory) {
	inv := s.series(1/a.Lipschitz, a.Neumann)
	hyper := func(x, y *mat.Dense) *mat.Dense { return s.implicit(x, y, mul(inv, s.gradFy(x, y))) }
	x, y := s.x0, s.y0
	u, v := hyper(x, y), s.gradGy(x, y)
	su, sv := u, v
	tr.add(x, y)
	for range a.Outer {
		x2 := sum(times(1-a.Eta, x), times(a.Eta, mul(s.wx, x)), times(-a.Eta*a.Beta1, su))
		y2 := sum(times(1-a.Eta, y), times(a.Eta, mul(s.wy, y)), times(-a.Eta*a.Beta2, sv))
		var u2, v2 *mat.Dense
		if storm {
			u2 = sum(times(1-a.Alpha1*a.Eta*a.Eta, minus(u, hyper(x, y))), hyper(x2, y2))
			v2 = sum(times(1-a.Alpha2*a.Eta*a.Eta, minus(v, s.gradGy(x, y))), s.gradGy(x2, y2))
		} else {
			u2 = sum(times(1-a.Alpha1*a.Eta, u), times(a.Alpha1*a.Eta, hyper(x2, y2)))
			v2 = sum(times(1-a.Alpha2*a.Eta, v), times(a.Alpha2*a.Eta, s.gradGy(x2, y2)))
		}
		su, sv = sum(mul(s.wx, su), minus(u2, u)), sum(mul(s.wy, sv), minus(v2, v))
		x, y, u, v = x2, y2, u2, v2
		tr.add(x, y)
	}
	return tr
}

func TestSLDBOTwin(t *testing.T) {
	for name, a := range map[string]algorithms.SLDBO{"free": {}, "ball": {Radius: .1}} {
		a.Outer, a.Alpha, a.Beta, a.Eta = twinIterations, .02, .03, .04
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) (tr trajectory) {
				x, y, v := s.x0, s.y0, times(0, s.y0)
				dv := func() *mat.Dense { return minus(mul(s.h, v), s.gradFy(x, y)) }
				tx, ty, tv := s.implicit(x, y, v), s.gradGy(x, y), dv()
				tr.add(x, y)
				for range a.Outer {
					oldX, oldY, oldV := s.implicit(x, y, v), s.gradGy(x, y), dv()
					y = sum(mul(s.wy, y), times(-a.Beta, ty))
					v = sum(mul(s.wy, v), times(-a.Eta, tv))
					x = sum(mul(s.wx, x), times(-a.Alpha, tx))
					for i := range s.n {
						if norm := mat.Norm(part(v, i, s.q), 2); a.Radius > 0 && norm > a.Radius {
							for c := range s.q {
								v.Set(i*s.q+c, 0, v.At(i*s.q+c, 0)*a.Radius/norm)
							}
						}
					}
					tx = sum(mul(s.wx, tx), minus(s.implicit(x, y, v), oldX))
					ty = sum(mul(s.wy, ty), minus(s.gradGy(x, y), oldY))
					tv = sum(mul(s.wy, tv), minus(dv(), oldV))
					tr.add(x, y)
				}
				return tr
			})
		})
	}
}

// Differences of gradients are exact on a quadratic up to rounding.
func TestDSOBATwin(t *testing.T) {
	for _, order := range []algorithms.Order{algorithms.SecondOrder, algorithms.FirstOrder} {
		a := algorithms.DSOBA{Outer: twinIterations, Alpha: .05, Beta: .1, Gamma: .08, Theta: .6, Order: order, Delta: .1}
		t.Run(string(order), func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) (tr trajectory) {
				x, y, z, h := s.x0, s.y0, times(0, s.y0), times(0, s.x0)
				tr.add(x, y)
				for range a.Outer {
					h2 := sum(times(1-a.Theta, h), times(a.Theta, s.implicit(x, y, z)))
					y2 := mul(s.wy, sum(y, times(-a.Beta, s.gradGy(x, y))))
					z = mul(s.wy, sum(z, times(-a.Gamma, minus(mul(s.h, z), s.gradFy(x, y)))))
					x = mul(s.wx, sum(x, times(-a.Alpha, h)))
					y, h = y2, h2
					tr.add(x, y)
				}
				return tr
			})
		})
	}
}

func TestPenaltyGTTwin(t *testing.T) {
	a := algorithms.PenaltyGT{Outer: twinIterations, Lambda: 10, EtaX: .02, EtaY: .003, EtaZ: .004}
	everyTwin(t, false, a, func(s stacked) (tr trajectory) {
		x, y, z := s.x0, s.y0, s.y0
		dx := func() *mat.Dense { return sum(s.gradFx(x, y), times(a.Lambda, s.gradGx(minus(y, z)))) }
		dy := func() *mat.Dense { return sum(s.gradFy(x, y), times(a.Lambda, s.gradGy(x, y))) }
		dz := func() *mat.Dense { return times(a.Lambda, s.gradGy(x, z)) }
		tx, ty, tz := dx(), dy(), dz()
		tr.add(x, y)
		for range a.Outer {
			ox, oy, oz := dx(), dy(), dz()
			x = sum(mul(s.wx, x), times(-a.EtaX, tx))
			y = sum(mul(s.wy, y), times(-a.EtaY, ty))
			z = sum(mul(s.wy, z), times(-a.EtaZ, tz))
			tx = sum(mul(s.wx, tx), minus(dx(), ox))
			ty = sum(mul(s.wy, ty), minus(dy(), oy))
			tz = sum(mul(s.wy, tz), minus(dz(), oz))
			tr.add(x, y)
		}
		return tr
	})
}
