package algorithms_test

import (
	"testing"

	"tallynet/algorithms"
)

func TestCurvedDecentralizedTwins(t *testing.T) {
	const outer = 8
	s := curve{path(3)}
	net := func(name string, m algorithms.Method, step curvedStep) {
		compareCurved(t, name, world{w: s.w}, s, m, step)
	}

	dagm := algorithms.DAGM{Outer: outer, Inner: 2, Neumann: 2, Alpha: .05, Beta: .1}
	net("dagm", dagm, func(_ int, x, y vec) (x2, y2 vec) {
		for range dagm.Inner {
			y = line(s.mix(y), -dagm.Beta, s.gy(x, y))
		}
		away, shift := s.zero(), s.zero() // 1 - w_ii, 2 (1 - w_ii)
		for i := range away {
			away[i] = 1 - s.w.At(i, i)
			shift[i] = 2 * away[i]
		}
		big := line(shift, dagm.Beta, s.h(x, y))
		h := quot(line(s.zero(), -1, s.fy(x, y)), big)
		for range dagm.Neumann { // D h⁺ = D h - (I - W) h - beta H h - ∇_y f, and D - beta H = shift
			h = quot(line(line(prod(shift, h), -1, line(h, -1, s.mix(h))), -1, s.fy(x, y)), big)
		}
		return line(s.mix(x), -dagm.Alpha, s.d(x, y, line(s.zero(), -dagm.Beta, h))), y
	})

	dgbo := algorithms.DGBO{Outer: outer, Terms: 2, Alpha: .05, Gamma: .06, Beta: .3, Lipschitz: 5}
	var as, ah, au, av vec
	net("dgbo", dgbo, func(k int, x, y vec) (x2, y2 vec) {
		if k == 1 {
			as, ah, au, av = s.fx(x, y), s.fy(x, y), s.j(x, y), s.h(x, y)
		}
		r := ah
		for range dgbo.Terms {
			r = line(line(ah, 1, r), -1/dgbo.Lipschitz, prod(av, r))
		}
		x2 = line(s.mix(x), -dgbo.Alpha, line(as, -1/dgbo.Lipschitz, prod(au, r)))
		y2 = line(s.mix(y), -dgbo.Gamma, s.gy(x, y))
		average := func(old, now vec) vec { return line(line(s.zero(), 1-dgbo.Beta, s.mix(old)), dgbo.Beta, now) }
		as, ah, au, av = average(as, s.fx(x, y)), average(ah, s.fy(x, y)), average(au, s.j(x, y)), average(av, s.h(x, y))
		return x2, y2
	})

	dbogt := algorithms.DBOGT{Outer: outer, Inner: 2, JHIP: 3, EtaX: .05, EtaY: .03, Gamma: .04}
	jhip := func(x, y vec) vec {
		z := s.tracked(s.zero(), dbogt.JHIP, dbogt.Gamma, func(z vec) vec { return line(prod(s.h(x, y), z), -1, s.j(x, y)) })
		return line(s.fx(x, y), -1, prod(z, s.fy(x, y)))
	}
	inner := func(x, y vec) vec {
		return s.tracked(y, dbogt.Inner, dbogt.EtaY, func(y vec) vec { return s.gy(x, y) })
	}
	net("dbo", algorithms.DBO(dbogt), func(_ int, x, y vec) (x2, y2 vec) {
		y = inner(x, y)
		return line(s.mix(x), -dbogt.EtaX, jhip(x, y)), y
	})
	var u, before vec
	net("dbogt", dbogt, func(k int, x, y vec) (x2, y2 vec) {
		y = inner(x, y)
		d := jhip(x, y)
		if k == 1 {
			u = d
		} else {
			u = line(line(s.mix(u), 1, d), -1, before)
		}
		before = d
		return line(s.mix(x), -dbogt.EtaX, u), y
	})
	alone := algorithms.DBO{Outer: outer, Inner: 2, JHIP: 2, EtaX: .05, EtaY: .1, Mode: algorithms.Homogeneous}
	net("dbo, homogeneous", alone, func(_ int, x, y vec) (x2, y2 vec) {
		for range alone.Inner {
			y = line(y, -alone.EtaY, s.gy(x, y))
		}
		return line(s.mix(x), -alone.EtaX, s.d(x, y, quot(s.fy(x, y), s.h(x, y)))), y
	})
	dsbo := algorithms.DSBO{Outer: outer, Inner: 2, JHIP: 3, EtaX: .05, EtaY: .1, Gamma: .1,
		Mode: algorithms.Homogeneous}
	net("dsbo, homogeneous", dsbo, func(_ int, x, y vec) (x2, y2 vec) {
		for range dsbo.Inner {
			y = line(y, -dsbo.EtaY, s.gy(x, y))
		}
		return line(s.mix(x), -dsbo.EtaX, s.own(dsbo.Gamma, dsbo.JHIP-1, x, y)), y
	})
	dsbo.Mode = algorithms.Heterogeneous
	net("dsbo", dsbo, func(_ int, x, y vec) (x2, y2 vec) {
		for t := range dsbo.Inner {
			y = line(s.mix(y), -dsbo.EtaY/float64(1+t), s.gy(x, y))
		}
		z, track := s.zero(), line(s.zero(), -1, s.j(x, y))
		for t := range dsbo.JHIP {
			next := line(s.mix(z), -dsbo.Gamma/float64(1+t), track)
			track = line(s.mix(track), 1, prod(s.h(x, y), line(next, -1, z)))
			z = next
		}
		return line(s.mix(x), -dsbo.EtaX, line(s.fx(x, y), -1, prod(z, s.fy(x, y)))), y
	})

	ma := algorithms.MADBO{Outer: outer, Inner: 2, HIGP: 3, Alpha: .05, EtaY: .03, Gamma: .04, Theta: .4, Tracking: true}
	z, m := s.zero(), s.zero()
	net("ma-dbo", ma, func(_ int, x, y vec) (x2, y2 vec) {
		y = s.tracked(y, ma.Inner, ma.EtaY, func(y vec) vec { return s.gy(x, y) })
		z = s.tracked(z, ma.HIGP, ma.Gamma, func(z vec) vec { return line(prod(s.h(x, y), z), -1, s.fy(x, y)) })
		x2 = line(s.mix(x), -ma.Alpha, m)
		m = line(line(s.zero(), 1-ma.Theta, m), ma.Theta, s.d(x, y, z))
		return x2, y
	})
}

func TestCurvedSingleLoopTwins(t *testing.T) {
	const outer = 8
	s := curve{path(3)}
	net := func(name string, m algorithms.Method, step curvedStep) {
		compareCurved(t, name, world{w: s.w}, s, m, step)
	}

	mdbo := algorithms.MDBO{Outer: outer, Alpha1: .9, Alpha2: .7, Beta1: .05, Beta2: .06, Eta: .5, Neumann: 2,
		Lipschitz: 5}
	momentum := func(storm bool) curvedStep {
		var eu, ev, tu, tv vec
		weight := mdbo.Eta
		if storm {
			weight *= mdbo.Eta
		}
		d := func(x, y vec) vec { return s.own(1/mdbo.Lipschitz, mdbo.Neumann, x, y) }
		renew := func(e vec, a float64, old, now vec) vec {
			if storm {
				return line(now, 1-a*weight, line(e, -1, old))
			}
			return line(line(s.zero(), 1-a*weight, e), a*weight, now)
		}
		return func(k int, x, y vec) (x2, y2 vec) {
			if k == 1 {
				eu, ev = d(x, y), s.gy(x, y)
				tu, tv = eu, ev
			}
			x2 = line(x, mdbo.Eta, line(line(s.mix(x), -mdbo.Beta1, tu), -1, x))
			y2 = line(y, mdbo.Eta, line(line(s.mix(y), -mdbo.Beta2, tv), -1, y))
			nu, nv := renew(eu, mdbo.Alpha1, d(x, y), d(x2, y2)), renew(ev, mdbo.Alpha2, s.gy(x, y), s.gy(x2, y2))
			tu, tv = line(line(s.mix(tu), 1, nu), -1, eu), line(line(s.mix(tv), 1, nv), -1, ev)
			eu, ev = nu, nv
			return x2, y2
		}
	}
	net("mdbo", mdbo, momentum(false))
	net("vrdbo", algorithms.VRDBO(mdbo), momentum(true))

	var v, tx, ty, tv vec
	net("sldbo", algorithms.SLDBO{Outer: outer, Alpha: .03, Beta: .04, Eta: .05}, func(k int, x, y vec) (x2, y2 vec) {
		dv := func(x, y, v vec) vec { return line(prod(s.h(x, y), v), -1, s.fy(x, y)) }
		if k == 1 {
			v = s.zero()
			tx, ty, tv = s.d(x, y, v), s.gy(x, y), dv(x, y, v)
		}
		x2, y2 = line(s.mix(x), -.03, tx), line(s.mix(y), -.04, ty)
		v2 := line(s.mix(v), -.05, tv)
		tx = line(line(s.mix(tx), 1, s.d(x2, y2, v2)), -1, s.d(x, y, v))
		ty = line(line(s.mix(ty), 1, s.gy(x2, y2)), -1, s.gy(x, y))
		tv = line(line(s.mix(tv), 1, dv(x2, y2, v2)), -1, dv(x, y, v))
		v = v2
		return x2, y2
	})

	sz, sh := s.zero(), s.zero()
	net("d-soba", algorithms.DSOBA{Outer: outer, Alpha: .05, Beta: .1, Gamma: .08, Theta: .6},
		func(_ int, x, y vec) (x2, y2 vec) {
			x2, y2 = s.mix(line(x, -.05, sh)), s.mix(line(y, -.1, s.gy(x, y)))
			sh = line(line(s.zero(), 1-.6, sh), .6, s.d(x, y, sz))
			sz = s.mix(line(sz, -.08, line(prod(s.h(x, y), sz), -1, s.fy(x, y))))
			return x2, y2
		})
}

func TestCurvedPersonalTwins(t *testing.T) {
	const outer = 8
	s := curve{path(3)}
	net := func(name string, m algorithms.Method, step curvedStep) {
		compareCurved(t, name, world{w: s.w}, s, m, step)
	}

	lp := algorithms.LPDBO{Outer: outer, Alpha: .05, Beta: .1, Lambda: .07}
	lv, ls := s.zero(), s.zero()
	net("l-pdbo", lp, func(_ int, x, y vec) (x2, y2 vec) {
		x2, y2 = line(s.mix(x), -lp.Alpha, ls), line(y, -lp.Beta, s.gy(x, y))
		lv = line(lv, -lp.Lambda, line(prod(s.h(x, y), lv), -1, s.fy(x, y)))
		ls = s.d(x2, y2, lv)
		return x2, y2
	})

	spdb := algorithms.SPDB{Outer: outer, Beta: .1, Rho: 4, Eta: .1}
	pi, degree := s.zero(), vec{1, 2, 1}
	around := func(v vec) vec { return vec{v[1], v[0] + v[2], v[1]} }
	net("spdb", spdb, func(_ int, x, y vec) (x2, y2 vec) {
		d := line(s.own(spdb.Eta, 1, x, y), 1, pi)
		x2 = line(line(s.zero(), .5, line(x, 1, quot(around(x), degree))), -1/(2*spdb.Rho), quot(d, degree))
		pi = line(pi, spdb.Rho, line(prod(degree, x2), -1, around(x2)))
		return x2, line(y, -spdb.Beta, s.gy(x, y))
	})

	// along runs a tracker of d along the given points.
	along := func(d func(x, y vec) vec, move func(x, y, u vec) (x2, y2 vec)) curvedStep {
		var u vec
		return func(k int, x, y vec) (x2, y2 vec) {
			if k == 1 {
				u = d(x, y)
			}
			x2, y2 = move(x, y, u)
			u = line(line(s.mix(u), 1, d(x2, y2)), -1, d(x, y))
			return x2, y2
		}
	}
	net("interact", algorithms.INTERACT{Outer: outer, Alpha: .05, Beta: .1},
		along(func(x, y vec) vec { return s.d(x, y, quot(s.fy(x, y), s.h(x, y))) }, func(x, y, u vec) (x2, y2 vec) {
			return line(s.mix(x), -.05, u), line(y, -.1, s.gy(x, y))
		}))
	net("prometheus", algorithms.Prometheus{Outer: outer, Alpha: .5, Beta: .1, Tau: 10, Neumann: 2, Lipschitz: 5},
		along(func(x, y vec) vec { return s.own(.2, 2, x, y) }, func(x, y, u vec) (x2, y2 vec) {
			return line(s.mix(x), -.05, u), line(y, -.1, s.gy(x, y))
		}))
}

// A single node has no neighbours to agree with: x moves by a step of 1 / (2 rho).
func TestCurvedTwinOfSPDBAlone(t *testing.T) {
	s := curve{mean(1)}
	spdb := algorithms.SPDB{Outer: 8, Beta: .1, Rho: 4, Eta: .1}
	compareCurved(t, "spdb", world{w: s.w}, s, spdb, func(_ int, x, y vec) (x2, y2 vec) {
		return line(x, -1/(2*spdb.Rho), s.own(spdb.Eta, 1, x, y)), line(y, -spdb.Beta, s.gy(x, y))
	})
}

func TestCurvedServerTwins(t *testing.T) {
	s := curve{mean(3)}
	served := func(name string, m algorithms.Method, step curvedStep) {
		compareCurved(t, name, world{w: star(4), server: true}, s, m, step)
	}
	a := algorithms.FedNest{Outer: 8, Inner: 2, InnerSteps: 3, OuterSteps: 3, Neumann: 2, Alpha: .05, Beta: .1,
		Lipschitz: 5}
	for _, a.Correction = range []algorithms.Correction{algorithms.CorrectDirect, algorithms.CorrectWhole} {
		corrected := func(x, y, _ vec) vec { return s.fx(x, y) }
		if a.Correction == algorithms.CorrectWhole {
			corrected = s.d
		}
		served("fednest, "+string(a.Correction), a, func(_ int, x, y vec) (x2, y2 vec) {
			for range a.Inner {
				q, own := s.mix(s.gy(x, y)), y
				for range a.InnerSteps {
					own = line(own, -a.Beta, line(line(s.gy(x, own), -1, s.gy(x, y)), 1, q))
				}
				y = s.mix(own)
			}
			r := s.mix(s.fy(x, y))
			v := r
			for range a.Neumann {
				r = s.mix(line(r, -1/a.Lipschitz, prod(s.h(x, y), r)))
				v = line(v, 1, r)
			}
			v = line(s.zero(), 1/a.Lipschitz, v)
			h, own := s.mix(s.d(x, y, v)), x
			for range a.OuterSteps {
				own = line(own, -a.Alpha, line(line(corrected(own, y, v), -1, corrected(x, y, v)), 1, h))
			}
			return s.mix(own), y
		})
	}
	light := algorithms.LFedNest{Outer: 8, Inner: 2, InnerSteps: 3, OuterSteps: 3, Neumann: 2, Alpha: .05, Beta: .1,
		Lipschitz: 5}
	served("lfednest", light, func(_ int, x, y vec) (x2, y2 vec) {
		for range a.Inner {
			for range a.InnerSteps {
				y = line(y, -a.Beta, s.gy(x, y))
			}
			y = s.mix(y)
		}
		for range a.OuterSteps {
			v := s.neumann(1/a.Lipschitz, a.Neumann, x, y)
			x = line(x, -a.Alpha, s.d(x, y, v))
		}
		return s.mix(x), y
	})
}

func TestCurvedOneNodeTwins(t *testing.T) {
	const outer = 8
	s := curve{single()}
	one := func(name string, m algorithms.Method, step curvedStep) {
		compareCurved(t, name, world{w: s.w}, s, m, step)
	}
	inner := func(x, y vec, steps int) vec {
		for range steps {
			y = line(y, -.1, s.gy(x, y))
		}
		return y
	}
	exact := func(x, y vec) vec { return quot(s.fy(x, y), s.h(x, y)) }
	toward := func(v, x, y vec, eta float64) vec { return line(v, -eta, line(prod(s.h(x, y), v), -1, s.fy(x, y))) }

	var v vec
	warm := func(k int, x, y vec) (x2, y2 vec) {
		if k == 1 {
			v = s.zero()
		}
		y = inner(x, y, 2)
		for range 3 {
			v = toward(v, x, y, .15)
		}
		return line(x, -.05, s.d(x, y, v)), y
	}
	one("aid", algorithms.AID{Outer: outer, Inner: 2, Q: 3, Alpha: .1, Beta: .05, Eta: .15, Warm: true}, warm)
	one("amigo", algorithms.AmIGO{Outer: outer, Inner: 2, Linear: 3, Alpha: .1, Beta: .05, Eta: .15}, warm)
	series := func(_ int, x, y vec) (x2, y2 vec) {
		y = inner(x, y, 2)
		return line(x, -.05, s.own(.15, 3, x, y)), y
	}
	one("aid, neumann", algorithms.AID{Outer: outer, Inner: 2, Q: 3, Solve: algorithms.SolveNeumann, Alpha: .1,
		Beta: .05, Eta: .15}, series)
	one("stocbio", algorithms.StocBiO{Outer: outer, Inner: 2, Q: 3, Alpha: .1, Beta: .05, Eta: .15}, series)
	solved := func(_ int, x, y vec) (x2, y2 vec) {
		y = inner(x, y, 1)
		return line(x, -.05, s.d(x, y, exact(x, y))), y
	}
	one("aid, cg", algorithms.AID{Outer: outer, Inner: 1, Q: 1, Solve: algorithms.SolveCG, Alpha: .1, Beta: .05}, solved)
	one("ba", algorithms.BA{Outer: outer, Alpha: .1, Beta: .05, Warm: true}, solved)
	one("bsa", algorithms.BSA{Outer: outer, Q: 1, Alpha: .1, Beta: .05, Eta: .15}, func(_ int, x, y vec) (x2, y2 vec) {
		y = inner(x, y, 1)
		return line(x, -.05, s.own(.15, 0, x, y)), y
	})
	for name, a := range map[string]algorithms.ITD{"itd": {Inner: 4, Warm: true}, "reverse": {Inner: 4, Back: 3}} {
		a.Outer, a.Alpha, a.Beta = outer, .1, .05
		y0 := vec{-.9}
		one(name, a, func(_ int, x, y vec) (x2, y2 vec) {
			if !a.Warm {
				y = y0
			}
			dy := s.zero() // dy/dx, forwards: dy⁺ = (I - alpha H) dy - alpha J'
			for t := range a.Inner {
				if a.Back == 0 || t >= a.Inner-a.Back {
					dy = line(line(dy, -a.Alpha, prod(s.h(x, y), dy)), -a.Alpha, s.j(x, y))
				}
				y = line(y, -a.Alpha, s.gy(x, y))
			}
			return line(x, -a.Beta, line(s.fx(x, y), 1, prod(dy, s.fy(x, y)))), y
		})
	}
	// With full batches the estimates are exact at the point of their last update.
	vrbo := algorithms.VRBO{Outer: outer, Inner: 2, Period: 3, Q: 2, Alpha: .05, Beta: .1, Eta: .15}
	var at [2]vec
	one("vrbo", vrbo, func(k int, x, y vec) (x2, y2 vec) {
		if k%vrbo.Period == 1 {
			at = [2]vec{x, y}
		}
		x = line(x, -vrbo.Alpha, s.own(vrbo.Eta, vrbo.Q, at[0], at[1]))
		for range vrbo.Inner {
			at = [2]vec{x, y}
			y = line(y, -vrbo.Beta, s.gy(x, y))
		}
		return x, y
	})
	vrbo.Estimates = algorithms.EstimateAfter
	one("vrbo, after", vrbo, func(_ int, x, y vec) (x2, y2 vec) {
		x = line(x, -vrbo.Alpha, s.own(vrbo.Eta, vrbo.Q, x, y))
		for range vrbo.Inner {
			y = line(y, -vrbo.Beta, s.gy(x, y))
		}
		return x, y
	})
	one("mrbo", algorithms.MRBO{Outer: outer, Q: 2, Alpha: .05, Beta: .1, Eta: .15, Weight: .3},
		func(_ int, x, y vec) (x2, y2 vec) {
			return line(x, -.05, s.own(.15, 2, x, y)), line(y, -.1, s.gy(x, y))
		})
	soba := func(k int, x, y vec) (x2, y2 vec) {
		if k == 1 {
			v = s.zero()
		}
		x2, y2 = line(x, -.05, s.d(x, y, v)), line(y, -.1, s.gy(x, y))
		v = toward(v, x, y, .1)
		return x2, y2
	}
	one("soba", algorithms.SOBA{Outer: outer, Rho: .1, Gamma: .05}, soba)
	one("saba", algorithms.SABA{Outer: outer, Rho: .1, Gamma: .05}, soba)
	penalty := algorithms.Penalty{Outer: outer, Inner: 2, Alpha: .05, Beta: .03, Gamma: .2, Lambda: .3,
		Epsilon: 1e-9, Nu: .1}
	one("penalty", penalty, func(_ int, x, y vec) (x2, y2 vec) {
		u := func(y vec) vec { return line(vec{penalty.Nu}, penalty.Gamma, s.gy(x, y)) }
		for range penalty.Inner {
			y = line(y, -penalty.Alpha, line(line(s.fy(x, y), 1, prod(s.h(x, y), u(y))), penalty.Lambda, s.gy(x, y)))
		}
		return line(x, -penalty.Beta, line(s.fx(x, y), 1, prod(s.j(x, y), u(y)))), y
	})
}
