package algorithms_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
)

// primalDual is the recursion v⁺ = A (C v - a d) - B u, u⁺ = u + B v⁺. The program uses a form
// without u.
type primalDual struct {
	a, b, c *mat.Dense
	v, u    *mat.Dense
	step    float64
}

// newPrimalDual returns the matrices of a strategy on a network W. Trackers begin
// with u = -W v, so that their first step is W v instead of W² v.
func newPrimalDual(s algorithms.Strategy, w *mat.Dense, lazy bool, step float64, v *mat.Dense) *primalDual {
	n, _ := w.Dims()
	if s == algorithms.ExactDiffusion || s == algorithms.ExactFirstOrder {
		if lazy {
			w = times(.5, sum(eye(n), w))
		}
		root := squareRoot(minus(eye(n), w))
		if s == algorithms.ExactDiffusion {
			return &primalDual{w, root, eye(n), v, times(0, v), step}
		}
		return &primalDual{eye(n), root, w, v, times(0, v), step}
	}
	w2, away, u := mul(w, w), minus(eye(n), w), times(-1, mul(w, v))
	switch s {
	case algorithms.ATCTracking:
		return &primalDual{w2, away, eye(n), v, u, step}
	case algorithms.SemiATCTracking:
		return &primalDual{w, away, w, v, u, step}
	}
	return &primalDual{eye(n), away, w2, v, u, step}
}

func (r *primalDual) move(d *mat.Dense) {
	r.v = minus(mul(r.a, sum(mul(r.c, r.v), times(-r.step, d))), mul(r.b, r.u))
	r.u = sum(r.u, mul(r.b, r.v))
}

// squareRoot returns the root of a symmetric positive semidefinite matrix.
func squareRoot(m *mat.Dense) *mat.Dense {
	n, _ := m.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			sym.SetSym(i, j, m.At(i, j))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, true) {
		panic("no eigenvalues")
	}
	var u mat.Dense
	eigen.VectorsTo(&u)
	d := mat.NewDense(n, n, nil)
	for i, v := range eigen.Values(nil) {
		d.Set(i, i, math.Sqrt(max(v, 0)))
	}
	return mul(mul(&u, d), u.T())
}

// sparkleTwin is SPARKLE by primal-dual recursions on the whole network.
func sparkleTwin(a algorithms.SPARKLE, s stacked) (tr trajectory) {
	y := newPrimalDual(a.Lower, s.wy, a.Lazy, a.Beta, s.y0)
	z := newPrimalDual(a.Adjoint, s.wy, a.Lazy, a.Gamma, times(0, s.y0))
	x := newPrimalDual(a.Upper, s.wx, a.Lazy, a.Alpha, s.x0)
	r := times(0, s.x0)
	tr.add(x.v, y.v)
	for range a.Outer {
		oldY, oldZ := y.v, z.v
		y.move(s.gradGy(x.v, oldY))
		if a.Order == algorithms.Sequential {
			oldY = y.v
		}
		z.move(minus(mul(s.h, oldZ), s.gradFy(x.v, oldY)))
		if a.Order == algorithms.Sequential {
			oldZ = z.v
		}
		r = sum(times(1-a.Theta, r), times(a.Theta, s.implicit(x.v, oldY, oldZ)))
		x.move(r)
		tr.add(x.v, y.v)
	}
	return tr
}

// sparkles returns SPARKLE with each strategy for all three variables, and mixed.
func sparkles(a algorithms.SPARKLE) map[string]algorithms.SPARKLE {
	all := map[string]algorithms.SPARKLE{}
	for _, s := range []algorithms.Strategy{algorithms.ExactDiffusion, algorithms.ExactFirstOrder, algorithms.ATCTracking,
		algorithms.SemiATCTracking, algorithms.NonATCTracking} {
		a.Upper, a.Lower, a.Adjoint, a.Lazy = s, s, s, true
		all[string(s)] = a
	}
	a.Upper, a.Lower = algorithms.ATCTracking, algorithms.ExactDiffusion
	a.Adjoint, a.Lazy = algorithms.ExactFirstOrder, true
	all["mixed"] = a
	a.Order = algorithms.Sequential
	all["mixed, sequential"] = a
	return all
}

func TestSPARKLETwin(t *testing.T) {
	cases := sparkles(algorithms.SPARKLE{Outer: twinIterations, Alpha: .03, Beta: .06, Gamma: .05, Theta: .6})
	for _, s := range []string{"ed", "extra"} {
		plain := cases[s]
		plain.Lazy = false
		cases[s+" with W"] = plain
	}
	for name, a := range cases {
		t.Run(name, func(t *testing.T) {
			everyTwin(t, false, a, func(s stacked) trajectory { return sparkleTwin(a, s) })
		})
	}
}

// All strategies end at the optimum of the shared problem with different nodes.
func TestSPARKLELimit(t *testing.T) {
	s := stack(ring(4), fourNodes(), waveStart(3, 5))
	xs, _, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range sparkles(algorithms.SPARKLE{Outer: 1000, Alpha: .03, Beta: .05, Gamma: .05, Theta: .5}) {
		x, _ := limit(t, ring(4), s.split(), a)
		closeTo(t, name, x, repeat(xs, 4), 1e-9)
	}
}

// By hand: a ring of 4, 8 directed links, p = 2, q = 3, 10 iterations.
func TestSPARKLECostByHand(t *testing.T) {
	rounds := map[string][2]int64{ // and the elements that a node sends in an iteration
		"ed": {1, 8}, "extra": {1, 8}, "atc-gt": {2, 16}, "semi-atc-gt": {1, 16}, "non-atc-gt": {1, 16},
		"mixed": {2, 10}, "mixed, sequential": {4, 10}, // x twice, y and z once; the tracker of x goes on its own
	}
	all := sparkles(algorithms.SPARKLE{Outer: 10, Alpha: .01, Beta: .01, Gamma: .01, Theta: .5})
	if got, want := slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(rounds)); !slices.Equal(got, want) {
		t.Fatalf("there are %v, counted by hand are %v", got, want)
	}
	for name, a := range all {
		r, n := rounds[name][0], rounds[name][1]
		want := metrics.Cost{Rounds: 10 * r, Messages: 80 * r, Broadcast: metrics.Elements{Vector: 40 * n},
			Wire:   metrics.Elements{Vector: 80 * n},
			Oracle: metrics.OracleCounts{GradF: 80, GradG: 40, HVP: 40, JVP: 40}}
		got := counted(finish(t, world{w: ring(4), on: generated(t, 4, 2, 3)}, a).last())
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s counted (- by hand, + counted)\n%s", name, d)
		}
		if d := cmp.Diff(want, predicted(a, 10, algorithms.Dims{P: 2, Q: 3, Nodes: 4, Links: 8})); d != "" {
			t.Errorf("%s predicted (- by hand, + predicted)\n%s", name, d)
		}
	}
}
