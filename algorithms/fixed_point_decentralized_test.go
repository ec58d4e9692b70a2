package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/scenarios/problems"
	"tallynet/topologies"
)

// generatedStack is a generated quadratic with kappa = 10, stacked on a network. It
// reads its numbers from the problem's oracles.
func generatedStack(w *topologies.Mixing, p, q int) stacked {
	qp := must(problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: w.Nodes(), P: p, Q: q, Condition: 10,
		Heterogeneity: .5, Seed: 11}))
	var spec problems.QuadraticSpec
	for i := range w.Nodes() {
		spec.Nodes = append(spec.Nodes, explicit(qp.Local(i)))
	}
	return stack(w, spec, zeroStart(p, q))
}

// explicit reads the numbers of a quadratic from its oracle.
func explicit(l problems.Local) (node problems.QuadraticNode) {
	p, q := l.Dims()
	zx, zy := make([]float64, p), make([]float64, q)
	column := func(n int, at func(dst []float64)) []float64 {
		dst := make([]float64, n)
		at(dst)
		return dst
	}
	node.LinearG = column(q, func(dst []float64) { l.GradGy(dst, zx, zy) })
	node.LinearFx = column(p, func(dst []float64) { l.GradFx(dst, zx, zy) })
	node.LinearFy = column(q, func(dst []float64) { l.GradFy(dst, zx, zy) })
	h, j := mat.NewSymDense(q, nil), mat.NewDense(p, q, nil)
	l.HessGyy(h, zx, zy)
	l.JacGxy(j, zx, zy)
	node.H, node.P = rowsOf(h), rowsOf(j)
	for c := range p { // A is symmetric, so its columns are its rows
		e := make([]float64, p)
		e[c] = 1
		a := column(p, func(dst []float64) { l.GradFx(dst, e, zy) })
		floats.Sub(a, node.LinearFx)
		node.A = append(node.A, a)
		b := column(q, func(dst []float64) { l.GradFy(dst, e, zy) }) // a column of B'
		floats.Sub(b, node.LinearFy)
		node.B = append(node.B, b)
	}
	for c := range q {
		e := make([]float64, q)
		e[c] = 1
		a := column(q, func(dst []float64) { l.GradFy(dst, zx, e) })
		floats.Sub(a, node.LinearFy)
		node.C = append(node.C, a)
	}
	return node
}

// root solves r(z) = 0 for an affine r of n unknowns in as many equations.
func root(n int, r func(z *mat.Dense) *mat.Dense) *mat.Dense {
	at0 := r(mat.NewDense(n, 1, nil))
	m := mat.NewDense(n, n, nil)
	for c := range n {
		e := mat.NewDense(n, 1, nil)
		e.Set(c, 0, 1)
		m.SetCol(c, values(minus(r(e), at0)))
	}
	return times(-1, mul(inverse(m), at0))
}

// cut takes columns of the given lengths, one after the other, out of z.
func cut(z *mat.Dense, lengths ...int) []*mat.Dense {
	var out []*mat.Dense
	from := 0
	for _, n := range lengths {
		out = append(out, mat.DenseCopyOf(z.Slice(from, from+n, 0, 1)))
		from += n
	}
	return out
}

func join(columns ...*mat.Dense) *mat.Dense {
	var all []float64
	for _, c := range columns {
		all = append(all, values(c)...)
	}
	return mat.NewDense(len(all), 1, all)
}

// every returns n copies of v; total returns the sum over the nodes.
func (s stacked) every(v *mat.Dense) *mat.Dense {
	return mat.NewDense(s.n*len(values(v)), 1, repeat(values(v), s.n))
}

func (s stacked) total(m *mat.Dense) *mat.Dense {
	rows, _ := m.Dims()
	t := part(m, 0, rows/s.n)
	for i := 1; i < s.n; i++ {
		t = sum(t, part(m, i, rows/s.n))
	}
	return t
}

// restarted returns the fixed point of an iteration whose only state is (x, y).
func (s stacked) restarted(step func(x, y *mat.Dense) (x2, y2 *mat.Dense)) *mat.Dense {
	return root(s.n*(s.p+s.q), func(z *mat.Dense) *mat.Dense {
		c := cut(z, s.n*s.p, s.n*s.q)
		x, y := step(c[0], c[1])
		return minus(join(x, y), z)
	})
}

// personal returns the point where nodes agree on x, each has its own y*, and the
// hypergradients ∇_x f - P inv ∇_y f sum to 0.
func (s stacked) personal(inv *mat.Dense) *mat.Dense {
	z := root(s.p+s.n*s.q, func(z *mat.Dense) *mat.Dense {
		c := cut(z, s.p, s.n*s.q)
		x, y := s.every(c[0]), c[1]
		return join(s.total(s.implicit(x, y, mul(inv, s.gradFy(x, y)))), s.gradGy(x, y))
	})
	c := cut(z, s.p, s.n*s.q)
	return join(s.every(c[0]), c[1])
}

// shared is personal with one y for all nodes, the minimizer of the mean of the g_i.
// With meanV, inv ∇_y f is averaged over the nodes as well.
func (s stacked) shared(inv *mat.Dense, meanV bool) *mat.Dense {
	z := root(s.p+s.q, func(z *mat.Dense) *mat.Dense {
		c := cut(z, s.p, s.q)
		x, y := s.every(c[0]), s.every(c[1])
		fy := s.gradFy(x, y)
		if meanV {
			fy = s.every(times(1/float64(s.n), s.total(fy)))
		}
		return join(s.total(s.implicit(x, y, mul(inv, fy))), s.total(s.gradGy(x, y)))
	})
	c := cut(z, s.p, s.q)
	return join(s.every(c[0]), s.every(c[1]))
}

// meanSeries is the Neumann series of the averaged Hessian, on every node.
func (s stacked) meanSeries(eta float64, products int) *mat.Dense {
	h := times(1/float64(s.n), s.total(s.hRows))
	same := s
	same.h = mat.NewDense(s.n*s.q, s.n*s.q, nil)
	for i := range s.n {
		block(same.h, i*s.q, i*s.q, rowsOf(h))
	}
	return same.series(eta, products)
}

// Every method ends where its own equations predict, on 8 different nodes.
func TestDecentralizedFixedPoints(t *testing.T) {
	w := ring(6)
	s := generatedStack(w, 3, 4)
	xs, ys, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	optimum := join(s.every(mat.NewDense(3, 1, xs)), s.every(mat.NewDense(4, 1, ys)))
	cf := must(s.problemOfMethods.ClosedForm(true))
	own := s.every(mat.NewDense(3, 1, must(cf.Minimizer())))
	personal := join(own, mul(inverse(s.h), times(-1, sum(mul(s.pm.T(), own), s.qv))))
	inv := inverse(s.h)
	nx := s.n * s.p

	// On every node x balances mixing against the node's hypergradient, and y is the node's own.
	balanced := func(alpha float64) *mat.Dense {
		return root(s.n*(s.p+s.q), func(z *mat.Dense) *mat.Dense {
			c := cut(z, s.n*s.p, s.n*s.q)
			d := s.implicit(c[0], c[1], mul(inv, s.gradFy(c[0], c[1])))
			return join(sum(c[0], times(-1, mul(s.wx, c[0])), times(alpha, d)), s.gradGy(c[0], c[1]))
		})
	}
	dbo := algorithms.DBO{Outer: 700, Inner: 5, JHIP: 10, EtaX: .02, EtaY: .02, Gamma: .02}
	dbogt := algorithms.DBOGT(dbo)
	alone := algorithms.DBO{Outer: 700, Inner: 1, JHIP: 2, EtaX: .02, EtaY: .1, Mode: algorithms.Homogeneous}
	dsbo := algorithms.DSBO{Outer: 700, Inner: 3, JHIP: 10, EtaX: .02, EtaY: .05, Gamma: .1}
	dsboAlone := dsbo
	dsboAlone.Mode = algorithms.Homogeneous
	ma := algorithms.MADBO{Outer: 600, Inner: 2, HIGP: 3, Alpha: .02, EtaY: .02, Gamma: .02, Theta: .3, Tracking: true}
	plain := ma
	plain.Tracking = false
	mdbo := algorithms.MDBO{Outer: 800, Alpha1: .8, Alpha2: .8, Beta1: .02, Beta2: .03, Eta: .9, Neumann: 5,
		Lipschitz: 10}
	soba := algorithms.DSOBA{Outer: 600, Alpha: .02, Beta: .05, Gamma: .05, Theta: .3}
	first := soba
	first.Order, first.Delta = algorithms.FirstOrder, .1
	penalty := algorithms.PenaltyGT{Outer: 1400, Lambda: 10, EtaX: .01, EtaY: .001, EtaZ: .001}
	c2dfb := algorithms.C2DFB{Outer: 1300, Inner: 3, Lambda: 10, EtaX: .01, EtaY: .008, EtaZ: .05, GammaX: .6, GammaD: .6}
	jhip := s.jhip(dbo.JHIP, dbo.Gamma)
	dsboJHIP := s.decayingJHIP(dsbo.JHIP, dsbo.Gamma)
	madbo := func(a algorithms.MADBO) *mat.Dense {
		z := root(s.n*(s.p+2*s.q), func(z *mat.Dense) *mat.Dense {
			c := cut(z, s.n*s.p, s.n*s.q, s.n*s.q)
			x, y, v := c[0], c[1], c[2]
			y2 := s.tracked(x, y, a.Inner, a.EtaY)
			if !a.Tracking {
				y2 = y
				for range a.Inner {
					y2 = sum(mul(s.wy, y2), times(-a.EtaY, s.gradGy(x, y2)))
				}
			}
			v2 := s.higp(v, s.gradFy(x, y2), a.HIGP, a.Gamma)
			x2 := sum(mul(s.wx, x), times(-a.Alpha, s.implicit(x, y2, v2)))
			return minus(join(x2, y2, v2), z)
		})
		return join(cut(z, s.n*s.p, s.n*s.q)...)
	}
	for name, c := range map[string]struct {
		m      algorithms.Method
		want   *mat.Dense
		exact  *mat.Dense // the limit that it approximates; nil: none
		within float64    // distance from exact; 0: equal
	}{
		"dbo": {dbo, s.restarted(func(x, y *mat.Dense) (x2, y2 *mat.Dense) {
			y2 = s.tracked(x, y, dbo.Inner, dbo.EtaY)
			return sum(mul(s.wx, x), times(-dbo.EtaX, s.withZ(jhip, x, y2))), y2
		}), nil, 0},
		"dbogt": {dbogt, func() *mat.Dense {
			z := root(s.p+s.n*s.q, func(z *mat.Dense) *mat.Dense {
				c := cut(z, s.p, s.n*s.q)
				x := s.every(c[0])
				y2 := s.tracked(x, c[1], dbogt.Inner, dbogt.EtaY)
				return join(s.total(s.withZ(jhip, x, y2)), minus(y2, c[1]))
			})
			c := cut(z, s.p, s.n*s.q)
			return join(s.every(c[0]), c[1])
		}(), nil, 0},
		"dbo, homogeneous":   {alone, balanced(alone.EtaX), personal, .5},
		"dbogt, homogeneous": {algorithms.DBOGT(alone), s.personal(inv), personal, 0},
		"dsbo": {dsbo, s.restarted(func(x, y *mat.Dense) (x2, y2 *mat.Dense) {
			y2 = y
			for t := range dsbo.Inner {
				y2 = sum(mul(s.wy, y2), times(-dsbo.EtaY/float64(1+t), s.gradGy(x, y2)))
			}
			return sum(mul(s.wx, x), times(-dsbo.EtaX, s.withZ(dsboJHIP, x, y2))), y2
		}), nil, 0},
		"dsbo, homogeneous": {dsboAlone, s.restarted(func(x, y *mat.Dense) (x2, y2 *mat.Dense) {
			y2 = y
			for t := range dsbo.Inner {
				y2 = sum(y2, times(-dsbo.EtaY/float64(1+t), s.gradGy(x, y2)))
			}
			d := s.implicit(x, y2, mul(s.series(dsbo.Gamma, dsbo.JHIP-1), s.gradFy(x, y2)))
			return sum(mul(s.wx, x), times(-dsbo.EtaX, d)), y2
		}), nil, 0},
		"ma-dbo":        {ma, madbo(ma), optimum, 1},
		"ma-dbo, plain": {plain, madbo(plain), optimum, 1},
		"l-pdbo":        {algorithms.LPDBO{Outer: 700, Alpha: .02, Beta: .1, Lambda: .1}, balanced(.02), personal, .5},
		"spdb":          {algorithms.SPDB{Outer: 300, Beta: .1, Rho: 5, Eta: .1}, s.personal(s.series(.1, 2)), nil, 0},
		"interact":      {algorithms.INTERACT{Outer: 700, Alpha: .02, Beta: .1}, s.personal(inv), personal, 0},
		"prometheus": {algorithms.Prometheus{Outer: 700, Alpha: .8, Beta: .1, Tau: 40, Neumann: 5, Lipschitz: 10,
			Period: 1},
			s.personal(s.series(.1, 5)), nil, 0},
		"mdbo":       {mdbo, s.shared(s.series(.1, 5), false), nil, 0},
		"vrdbo":      {algorithms.VRDBO(mdbo), s.shared(s.series(.1, 5), false), nil, 0},
		"sldbo":      {algorithms.SLDBO{Outer: 1300, Alpha: .01, Beta: .02, Eta: .02}, optimum, optimum, 0},
		"d-soba":     {soba, s.soba(soba), optimum, 1},
		"d-soba, fo": {first, s.soba(soba), optimum, 1},
		"penalty-gt": {penalty, s.penalized(penalty.Lambda), optimum, 1},
		"c2dfb":      {c2dfb, s.penalized(c2dfb.Lambda), optimum, 1},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := limit(t, w, s.split(), c.m)
			closeTo(t, "x", x, values(c.want)[:nx], 1e-8)
			closeTo(t, "y", y, values(c.want)[nx:], 1e-8)
			if c.exact == nil {
				return
			}
			d := floats.Distance(x, values(c.exact)[:nx], math.Inf(1))
			if c.within == 0 && !(d < 1e-8) || c.within > 0 && !(d > 1e-6 && d < c.within) {
				t.Errorf("x is %g from the limit that it approximates, want within %g", d, c.within)
			}
		})
	}
}

// penalized returns the minimizer of f(x, y) + lambda (g(x, y) - min over z of g(x, z)), on every node.
func (s stacked) penalized(lambda float64) *mat.Dense {
	z := root(s.p+2*s.q, func(z *mat.Dense) *mat.Dense {
		c := cut(z, s.p, s.q, s.q)
		x, y, v := s.every(c[0]), s.every(c[1]), s.every(c[2])
		dx := sum(s.gradFx(x, y), times(lambda, s.gradGx(minus(y, v))))
		dy := sum(s.gradFy(x, y), times(lambda, s.gradGy(x, y)))
		return join(s.total(dx), s.total(dy), s.total(s.gradGy(x, v)))
	})
	c := cut(z, s.p, s.q)
	return join(s.every(c[0]), s.every(c[1]))
}

func (s stacked) higp(z, fy *mat.Dense, steps int, gamma float64) *mat.Dense {
	d := minus(mul(s.h, z), fy)
	for range steps {
		next := sum(mul(s.wy, z), times(-gamma, d))
		d = sum(mul(s.wy, d), mul(s.h, minus(next, z)))
		z = next
	}
	return z
}

// soba returns the limit of D-SOBA: y = W (y - beta ∇_y g), z and x likewise.
func (s stacked) soba(a algorithms.DSOBA) *mat.Dense {
	z := root(s.n*(s.p+2*s.q), func(z *mat.Dense) *mat.Dense {
		c := cut(z, s.n*s.p, s.n*s.q, s.n*s.q)
		x, y, v := c[0], c[1], c[2]
		return minus(join(
			mul(s.wx, sum(x, times(-a.Alpha, s.implicit(x, y, v)))),
			mul(s.wy, sum(y, times(-a.Beta, s.gradGy(x, y)))),
			mul(s.wy, sum(v, times(-a.Gamma, minus(mul(s.h, v), s.gradFy(x, y)))))), z)
	})
	return join(cut(z, s.n*s.p, s.n*s.q)...)
}

// With a server, FedNest ends where the averaged hypergradient with a cut series is 0,
// whatever the number of local steps; centralized DAGM ends where DAGM with W = 11'/n does.
func TestServerFixedPoints(t *testing.T) {
	s := generatedStack(mean(5), 3, 4)
	at := func(m algorithms.Method) (x, y []float64) {
		last := finish(t, world{w: star(6), on: s.split(), server: true, every: algorithms.Iterations(m)}, m).last()
		for i := 1; i < 6; i++ {
			x, y = append(x, last.X[i]...), append(y, last.Y[i]...)
		}
		return x, y
	}
	nx := s.n * s.p
	want := s.shared(s.meanSeries(.1, 4), true)
	for _, steps := range []int{1, 3} { // with either correction
		for _, c := range []algorithms.Correction{algorithms.CorrectDirect, algorithms.CorrectWhole} {
			x, y := at(algorithms.FedNest{Outer: 1400 / steps, Inner: 2, InnerSteps: steps, OuterSteps: steps, Neumann: 4,
				Alpha: .01, Beta: .04, Lipschitz: 10, Correction: c})
			closeTo(t, "FedNest: x", x, values(want)[:nx], 1e-8)
			closeTo(t, "FedNest: y", y, values(want)[nx:], 1e-8)
		}
	}
	light := algorithms.LFedNest{Outer: 700, Inner: 2, InnerSteps: 3, OuterSteps: 2, Neumann: 4, Alpha: .01,
		Beta: .04, Lipschitz: 10}
	drifted := s.restarted(func(x, y *mat.Dense) (x2, y2 *mat.Dense) { return s.lfedNest(light, x, y) })
	lx, ly := at(light)
	closeTo(t, "LFedNest: x", lx, values(drifted)[:nx], 1e-8)
	closeTo(t, "LFedNest: y", ly, values(drifted)[nx:], 1e-8)
	if d := floats.Distance(ly, values(want)[nx:], math.Inf(1)); d < 1e-4 {
		t.Errorf("LFedNest ends only %g from FedNest: nodes do not differ enough", d)
	}
	a := algorithms.CentralizedDAGM{Outer: 700, Inner: 2, Neumann: 5, Alpha: .02, Beta: .05}
	ku := s.dihgpMatrix(a.Beta, a.Neumann)
	dagm := s.restarted(func(x, y *mat.Dense) (x2, y2 *mat.Dense) {
		for range a.Inner {
			y = sum(mul(s.wy, y), times(-a.Beta, s.gradGy(x, y)))
		}
		implicit := times(a.Beta, mul(s.pm, mul(ku, s.gradFy(x, y)))) // -beta P h
		return sum(mul(s.wx, x), times(-a.Alpha, minus(s.gradFx(x, y), implicit))), y
	})
	x, y := at(a)
	closeTo(t, "centralized DAGM: x", x, values(dagm)[:nx], 1e-8)
	closeTo(t, "centralized DAGM: y", y, values(dagm)[nx:], 1e-8)
}

// The example of Chen, Huang and Ma, f_i = y²/2, g_i = i y²/2 - x y, has the local
// surrogate gradient x / i² where the true one is 4 x / (n+1)². DBO's homogeneous branch
// moves x by the average of the former, DBOGT's heterogeneous one by the latter.
func TestSurrogateOfTheMotivatingExample(t *testing.T) {
	var spec problems.QuadraticSpec
	for i := 1.0; i <= 4; i++ {
		spec.Nodes = append(spec.Nodes, problems.QuadraticNode{H: [][]float64{{i}}, P: [][]float64{{-1}},
			C: [][]float64{{1}}})
	}
	w := mean(4) // so that all x_i stay equal
	s := stack(w, spec, func(int) (x, y []float64) { return []float64{1}, []float64{0} })
	for name, c := range map[string]struct {
		m    algorithms.Method
		want float64
	}{
		"local": {algorithms.DBO{Outer: 2, Inner: 600, JHIP: 2, EtaX: .01, EtaY: .1,
			Mode: algorithms.Homogeneous}, (1 + 1./4 + 1./9 + 1./16) / 4},
		"shared": {algorithms.DBOGT{Outer: 2, Inner: 600, JHIP: 600, EtaX: .01, EtaY: .05, Gamma: .05}, 4. / 25},
	} {
		at := finish(t, world{w: w, on: s.split()}, c.m).at
		mean := 0.0
		for i := range 4 {
			mean += (at[0].X[i][0] - at[1].X[i][0]) / .01 / 4
		}
		if !(math.Abs(mean-c.want) <= 1e-9) {
			t.Errorf("%s: the average gradient at x = 1 is %.12g, want %.12g", name, mean, c.want)
		}
	}
}

// On instance V, whose optima were computed outside this repository, the exact methods
// end at the optimum; methods for personal problems end at the personal one.
func TestInstanceVOptima(t *testing.T) {
	w := ringA(4, .5)
	s := stack(w, instanceV(), zeroStart(2, 3))
	vPersonal := []float64{.479802198787, -.331313689156}
	for name, c := range map[string]struct {
		m    algorithms.Method
		want []float64
	}{
		"sldbo":    {algorithms.SLDBO{Outer: 500, Alpha: .02, Beta: .03, Eta: .03}, vMinimizer},
		"interact": {algorithms.INTERACT{Outer: 200, Alpha: .04, Beta: .1}, vPersonal},
		"dbogt, homogeneous": {algorithms.DBOGT{Outer: 200, Inner: 2, JHIP: 3, EtaX: .04, EtaY: .1,
			Mode: algorithms.Homogeneous}, vPersonal},
	} {
		x, _ := limit(t, w, s.split(), c.m)
		closeTo(t, name+": x", x, repeat(c.want, 4), 1e-9)
	}
	// The bias of the penalty is O(1/lambda).
	var before float64
	for _, lambda := range []float64{10, 100} {
		x, _ := limit(t, w, s.split(), algorithms.PenaltyGT{Outer: 500, Lambda: lambda, EtaX: .01,
			EtaY: .05 / lambda, EtaZ: .05 / lambda})
		d := floats.Distance(x, repeat(vMinimizer, 4), math.Inf(1))
		if before > 0 && !(before/d > 8 && before/d < 12) {
			t.Errorf("penalty-gt: %g from the optimum with lambda = %g, %g with a tenth", d, lambda, before)
		}
		before = d
	}
}
