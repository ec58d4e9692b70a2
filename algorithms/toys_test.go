package algorithms_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
)

// toy is a Local made of functions; nil functions must not be called.
type toy struct {
	p, q              int
	f, g              func(x, y []float64) float64
	fx, fy, gx, gy    func(dst, x, y []float64)
	hessian, jacobian func(dst, x, y, v []float64)
	algorithms.Local  // nil
	startX, startY    []float64
}

func (l *toy) Dims() (p, q int)                  { return l.p, l.q }
func (l *toy) F(x, y []float64) float64          { return l.f(x, y) }
func (l *toy) G(x, y []float64) float64          { return l.g(x, y) }
func (l *toy) GradFx(dst, x, y []float64)        { l.fx(dst, x, y) }
func (l *toy) GradFy(dst, x, y []float64)        { l.fy(dst, x, y) }
func (l *toy) GradGx(dst, x, y []float64)        { l.gx(dst, x, y) }
func (l *toy) GradGy(dst, x, y []float64)        { l.gy(dst, x, y) }
func (l *toy) HessGyyMul(dst, x, y, v []float64) { l.hessian(dst, x, y, v) }
func (l *toy) JacGxyMul(dst, x, y, v []float64)  { l.jacobian(dst, x, y, v) }
func (l *toy) Samples() (val, train int)         { return 0, 0 }
func (l *toy) SetBatch(val, train []int)         {}
func (l *toy) Flops(metrics.Call, int) float64   { return 1 }
func (l *toy) split() split {
	return split{l.p, l.q, func(int) algorithms.Local { return l },
		func(int) (x, y []float64) { return l.startX, l.startY }}
}

// minimax is min over x and max over y of x y, as f = x y and g = -x y.
func minimax(x, y float64) *toy {
	return &toy{
		p: 1, q: 1, startX: []float64{x}, startY: []float64{y},
		f:        func(x, y []float64) float64 { return x[0] * y[0] },
		g:        func(x, y []float64) float64 { return -x[0] * y[0] },
		fx:       func(d, _, y []float64) { d[0] = y[0] },
		fy:       func(d, x, _ []float64) { d[0] = x[0] },
		gx:       func(d, _, y []float64) { d[0] = -y[0] },
		gy:       func(d, x, _ []float64) { d[0] = -x[0] },
		hessian:  func(d, _, _, _ []float64) { d[0] = 0 },
		jacobian: func(d, _, _, v []float64) { d[0] = -v[0] },
	}
}

// degenerate has an inner problem that leaves y_2 free:
//
//	f = 1/2 (x - y_2)² + 1/2 (y_1 - 1)²,  g = 1/2 y_1² - x y_1.
//
// The solution is x = 1, y = (1, 1).
func degenerate(x float64, y ...float64) *toy {
	return &toy{
		p: 1, q: 2, startX: []float64{x}, startY: y,
		f:        func(x, y []float64) float64 { return ((x[0]-y[1])*(x[0]-y[1]) + (y[0]-1)*(y[0]-1)) / 2 },
		g:        func(x, y []float64) float64 { return y[0]*y[0]/2 - x[0]*y[0] },
		fx:       func(d, x, y []float64) { d[0] = x[0] - y[1] },
		fy:       func(d, x, y []float64) { d[0], d[1] = y[0]-1, y[1]-x[0] },
		gx:       func(d, _, y []float64) { d[0] = -y[0] },
		gy:       func(d, x, y []float64) { d[0], d[1] = y[0]-x[0], 0 },
		hessian:  func(d, _, _, v []float64) { d[0], d[1] = v[0], 0 },
		jacobian: func(d, _, _, v []float64) { d[0] = -v[0] },
	}
}

// coreset is min scale ||y - (3, -2)||² over weights s = softmax(x) of four points; y
// minimizes ||y - c||², c = sum of s_j point_j.
func coreset(points [4][2]float64, scale float64, y ...float64) *toy {
	target := [2]float64{3, -2}
	weights := func(x []float64) (s [4]float64, c [2]float64) {
		total := 0.
		for j := range s {
			s[j] = math.Exp(x[j] - floats.Max(x))
			total += s[j]
		}
		for j := range s {
			s[j] /= total
			c[0] += s[j] * points[j][0]
			c[1] += s[j] * points[j][1]
		}
		return s, c
	}
	// slope returns -2 s_j <v, point_j - c>: the derivative by x_j of 2 <v, y - c>.
	slope := func(d, x []float64, v [2]float64) {
		s, c := weights(x)
		for j := range d {
			d[j] = -2 * s[j] * (v[0]*(points[j][0]-c[0]) + v[1]*(points[j][1]-c[1]))
		}
	}
	return &toy{
		p: 4, q: 2, startX: make([]float64, 4), startY: y,
		f: func(_, y []float64) float64 {
			return scale * (math.Pow(y[0]-target[0], 2) + math.Pow(y[1]-target[1], 2))
		},
		g: func(x, y []float64) float64 {
			_, c := weights(x)
			return math.Pow(y[0]-c[0], 2) + math.Pow(y[1]-c[1], 2)
		},
		fx: func(d, _, _ []float64) { clear(d) },
		fy: func(d, _, y []float64) { d[0], d[1] = 2*scale*(y[0]-target[0]), 2*scale*(y[1]-target[1]) },
		gx: func(d, x, y []float64) {
			_, c := weights(x)
			slope(d, x, [2]float64{y[0] - c[0], y[1] - c[1]})
		},
		gy: func(d, x, y []float64) {
			_, c := weights(x)
			d[0], d[1] = 2*(y[0]-c[0]), 2*(y[1]-c[1])
		},
		hessian:  func(d, _, _, v []float64) { d[0], d[1] = 2*v[0], 2*v[1] },
		jacobian: func(d, x, _, v []float64) { slope(d, x, [2]float64{v[0], v[1]}) },
	}
}

var paperPoints = [4][2]float64{{1, 3}, {3, 1}, {-2, 2}, {-3, 2}}

// onToy returns x and y of each iteration.
func onToy(t *testing.T, l *toy, m algorithms.Method) (x, y [][]float64) {
	t.Helper()
	for _, s := range finish(t, world{w: single(), on: l.split()}, m).at {
		x, y = append(x, s.X[0]), append(y, s.Y[0])
	}
	return x, y
}

// An independent program prints this trajectory for xi = alpha = 0.05, T = 10,
// eta = 0.5 from (4, 4): a spiral into 0.
func TestBOMEOnMinimax(t *testing.T) {
	x, y := onToy(t, minimax(4, 4), algorithms.BOME{Outer: 400, Inner: 10, Alpha: .05, Xi: .05, Eta: .5})
	for _, c := range []struct {
		k    int
		x, y float64
		to   float64 // half a unit of the last printed digit
	}{
		{1, 3.71, 3.98, .005}, {10, 1.54, 3.65, .005}, {50, -1.71, 1.33, .005},
		{200, .0492, -.0161, .00005}, {400, -3.0e-5, -1.6e-4, .5e-5},
	} {
		if !(math.Abs(x[c.k][0]-c.x) <= c.to) || !(math.Abs(y[c.k][0]-c.y) <= c.to) {
			t.Errorf("iteration %d: (%g, %g), want (%g, %g)", c.k, x[c.k][0], y[c.k][0], c.x, c.y)
		}
	}
}

// In closed form, with c = T alpha: ∇q = (c x, -x), so lambda = eta + (1 - c y/x)/(1 + c²).
// The direction is linear in (x, y) while lambda is positive, and (y, x) otherwise.
func TestBOMERecursionOnMinimax(t *testing.T) {
	const xi, alpha, inner = .05, .05, 10
	const c = alpha * inner
	for _, eta := range []float64{.1, .5, .9} {
		for _, start := range [][2]float64{{4, 4}, {-1, 7}, {.1, 3}} {
			xs, ys := onToy(t, minimax(start[0], start[1]),
				algorithms.BOME{Outer: 300, Inner: inner, Alpha: alpha, Xi: xi, Eta: eta})
			x, y, free := start[0], start[1], 0
			for k := 1; k <= 300; k++ {
				dx := x*(c*eta+c/(1+c*c)) + y/(1+c*c)
				dy := x*(1-eta-1/(1+c*c)) + y*c/(1+c*c)
				if eta+(1-c*y/x)/(1+c*c) < 0 {
					dx, dy = y, x
					free++
				}
				x, y = x-xi*dx, y-xi*dy
				if !(math.Abs(xs[k][0]-x) <= 1e-12) || !(math.Abs(ys[k][0]-y) <= 1e-12) {
					t.Fatalf("eta = %g, iteration %d: (%g, %g), want (%g, %g)", eta, k, xs[k][0], ys[k][0], x, y)
				}
			}
			if start[0] == .1 && free == 0 {
				t.Errorf("eta = %g: lambda was never cut off at 0", eta)
			}
		}
	}
}

// Optimistic gradient descent converges slowly. Of the other methods one circles, one
// walks off along y, and one blows up.
func TestOthersOnMinimax(t *testing.T) {
	far := func(x, y []float64) float64 { return math.Hypot(x[0], y[0]) }
	x, y := onToy(t, minimax(4, 4), algorithms.OptimisticGD{Outer: 2000, Eta: .05})
	if a, b := far(x[200], y[200]), far(x[2000], y[2000]); a < 1 || b > .05 {
		t.Errorf("optimistic gradient descent is %g from 0 after 200 iterations and %g after 2000", a, b)
	}
	x, y = onToy(t, minimax(4, 4), algorithms.BSG1{Outer: 300, Inner: 10, Alpha: .05, Beta: .05})
	// The quotient is -1, so that x stays at 4; y grows by 10 * 0.05 * 4 = 2 an iteration.
	if k := 300; !(math.Abs(x[k][0]-4) <= 1e-9) || !(math.Abs(y[k][0]-(4+2*float64(k))) <= 1e-7) {
		t.Errorf("BSG-1 is at (%g, %g)", x[k][0], y[k][0])
	}
	x, y = onToy(t, minimax(4, 4), algorithms.F2SA{Outer: 2000, Inner: 10, EtaX: .01, EtaY: .01, EtaZ: .05, Lambda: 5})
	if d := far(x[2000], y[2000]); d < 1 {
		t.Errorf("F2SA is %g from 0, which it should miss", d)
	}
	x, y = onToy(t, minimax(4, 4), algorithms.Penalty{Outer: 1000, Inner: 10, Alpha: .05, Beta: .05, Gamma: .01,
		Lambda: .1, Epsilon: .01, Nu: 1e-4})
	if d := far(x[1000], y[1000]); d < 1e6 {
		t.Errorf("Penalty is %g from 0, which it should leave for good", d)
	}
}

// The optimum is y = (3, 1). With a constant xi the gap q stays at about (3 xi)², which
// keeps y away from it; a smaller f brings y near.
func TestBOMEOnCoreset(t *testing.T) {
	end := func(l *toy, a algorithms.BOME) (y []float64, q float64) {
		a.Alpha = .05
		x, y := limit(t, single(), l.split(), a)
		return y, l.g(x, y) // min g = 0
	}
	// An independent program prints this for xi = alpha = 0.05, T = 10, eta = 0.5.
	y, q := end(coreset(paperPoints, 1, 0, 3), algorithms.BOME{Outer: 10000, Inner: 10, Xi: .05, Eta: .5})
	closeTo(t, "y", y, []float64{2.975, .850}, 5e-4)
	closeTo(t, "q", []float64{q}, []float64{.0231}, 5e-5)
	y, q = end(coreset(paperPoints, .1, 0, 3), algorithms.BOME{Outer: 20000, Inner: 10, Xi: .05, Eta: .5})
	closeTo(t, "f scaled: y", y, []float64{2.995, .987}, 5e-4)
	closeTo(t, "f scaled: q", []float64{q}, []float64{2.3e-4}, 5e-6)
	for xi, want := range map[float64]float64{.02: 3.64e-3, .005: 2.26e-4} {
		_, q = end(coreset(paperPoints, 1, 0, 3), algorithms.BOME{Outer: 10000, Inner: 10, Xi: xi, Eta: .5})
		closeTo(t, "q", []float64{q}, []float64{want}, want/400)
	}
	// It converges from all starts of the paper, for any T and eta.
	for _, start := range [][]float64{{0, 3}, {-3, 1}, {3.5, 1}} {
		for _, a := range []algorithms.BOME{{Inner: 1, Eta: .1}, {Inner: 1, Eta: .9}, {Inner: 10, Eta: .5},
			{Inner: 100, Eta: .9}} {
			a.Outer, a.Xi = 2500, .05
			y, q := end(coreset(paperPoints, 1, start...), a)
			if !(floats.Distance(y, []float64{3, 1}, 2) <= .2) || q > .025 {
				t.Errorf("from %v with T = %d, eta = %g: y = %v, q = %g", start, a.Inner, a.Eta, y, q)
			}
		}
	}
}

// BVFSM and Penalty, with the settings of the BOME paper, end elsewhere.
func TestOthersOnCoreset(t *testing.T) {
	optimum := []float64{3, 1}
	for _, start := range [][]float64{{0, 3}, {-3, 1}, {3.5, 1}} {
		for name, m := range map[string]algorithms.Method{
			"bvfsm": algorithms.BVFSM{Outer: 5000, InnerZ: 10, InnerY: 10, AlphaZ: .01, AlphaY: .01, Beta: .01,
				L2Z: .1, L2Y: .1, Barrier: .1, Offset: 1e-4, Detached: true, Constant: true},
			"penalty": algorithms.Penalty{Outer: 5000, Inner: 10, Alpha: .01, Beta: .01, Gamma: .01, Lambda: .1,
				Epsilon: .01, Nu: 1e-4},
		} {
			_, y := limit(t, single(), coreset(paperPoints, 1, start...).split(), m)
			if d := floats.Distance(y, optimum, 2); d < .3 {
				t.Errorf("%s from %v ends at %v, %g from the optimum that it should miss", name, start, y, d)
			}
		}
	}
}

// If the inner problem has many solutions, BOME finds the right one: within 1e-5 by
// 100 iterations. With 1e-4 in the denominator it is within 2.2e-3 by 100 and 4.7e-4
// by 1000, as an independent program prints.
func TestBOMEOnDegenerate(t *testing.T) {
	a := algorithms.BOME{Outer: 1000, Inner: 10, Alpha: .5, Xi: .5, Eta: .5}
	for _, start := range [][3]float64{{0, 0, 0}, {3, 3, 3}, {-2, 1, 4}} {
		x, y := onToy(t, degenerate(start[0], start[1], start[2]), a)
		closeTo(t, "x", x[100], []float64{1}, 1e-5)
		closeTo(t, "y", y[100], []float64{1, 1}, 1e-5)
	}
	a.Epsilon = 1e-4
	x, _ := onToy(t, degenerate(0, 0, 0), a)
	closeTo(t, "1 - x", []float64{1 - x[100][0], 1 - x[1000][0]}, []float64{2.2e-3, 4.7e-4}, 5e-5)
}

// Other methods do not. BSG-1 does not move from a solution of the inner problem.
// AID's v grows along the flat direction without effect; it ends where
// x - y_2 + (x - 1) = 0, with y_2 at its start.
func TestOthersOnDegenerate(t *testing.T) {
	for _, start := range []float64{-1, 0, 3} {
		l := degenerate(start, start, start)
		x, y := onToy(t, l, algorithms.BSG1{Outer: 200, Inner: 10, Alpha: .1, Beta: .1})
		closeTo(t, "BSG-1", append(x[200], y[200]...), []float64{start, start, start}, 0)
		x, y = onToy(t, l, algorithms.AID{Outer: 1000, Inner: 10, Q: 10, Alpha: .1, Beta: .1, Eta: .1, Warm: true})
		closeTo(t, "AID", append(x[1000], y[1000]...), []float64{(1 + start) / 2, (1 + start) / 2, start}, 1e-9)
	}
}

// A run that leaves the domain of the barrier fails with an error; it has not diverged.
func TestBVFSMLeavesItsBarrier(t *testing.T) {
	a := algorithms.BVFSM{Outer: 10, InnerZ: 5, InnerY: 1, AlphaZ: .1, AlphaY: .1, Beta: .1, Barrier: .1, Offset: 2}
	out := run(t, world{w: single(), on: coreset(paperPoints, 1, -3, 1).split()}, a)
	if out.ending != node.Failed || errors.Is(out.err, node.ErrDiverged) ||
		!strings.Contains(out.err.Error(), "bvfsm: in iteration 1 the barrier has the logarithm of -") {
		t.Errorf("ended %d: %v", out.ending, out.err)
	}
	// Where z = y only the offset is left. Without it the barrier takes the logarithm of 0 and fails.
	a.InnerZ, a.InnerY, a.Offset = 0, 0, 0
	out = run(t, world{w: single(), on: coreset(paperPoints, 1, -3, 1).split()}, a)
	if out.ending != node.Failed || !strings.Contains(out.err.Error(), "the barrier has the logarithm of 0;") {
		t.Errorf("without an offset: ended %d: %v", out.ending, out.err)
	}
}
