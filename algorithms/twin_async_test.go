package algorithms_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/node"
	"tallynet/sim"
)

// If all nodes are equally fast and messages arrive before the next step, no value is old: an asynchronous
// method does what its synchronous form does.
func TestAsyncInStep(t *testing.T) {
	t.Run("dgd", func(t *testing.T) {
		const alpha = 0.1
		m := algorithms.AsyncDGD{Outer: twinIterations, Alpha: alpha, Pause: sim.Second}
		inStep(t, true, m, func(s stacked) (tr trajectory) {
			x := s.x0
			tr.add(x, nil)
			for range twinIterations {
				x = sum(mul(s.wx, x), times(-alpha, s.grad(x)))
				tr.add(x, nil)
			}
			return tr
		})
	})
	t.Run("l-pdbo", func(t *testing.T) {
		a := algorithms.AsyncLPDBO{Outer: twinIterations, Alpha: .05, Beta: .1, Lambda: .07, Pause: sim.Second}
		inStep(t, false, a, func(s stacked) (tr trajectory) {
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
	})
}

// TestAsyncUnheard: before a node receives anything, it uses its own x for its neighbours': local gradient
// descent.
func TestAsyncUnheard(t *testing.T) {
	const alpha = 0.1
	m := algorithms.AsyncDGD{Outer: twinIterations, Alpha: alpha, Pause: sim.Second}
	for name, s := range twinCases() {
		late := func(cfg *node.Config) { cfg.Link = func(int, int) (sim.Time, int64) { return sim.Second << 20, 1e12 } }
		x, want := s.x0, trajectory{}
		want.add(x, nil)
		for range twinIterations {
			x = sum(x, times(-alpha, s.grad(x)))
			want.add(x, nil)
		}
		t.Run(name, func(t *testing.T) {
			compare(t, finish(t, world{w: networks()[name], on: s.single(), configure: late}, m), want, twinTolerance)
		})
	}
}

// TestAsyncUnheardOne: if one node is never heard, the others use their own x for it, and received values for the
// rest.
func TestAsyncUnheardOne(t *testing.T) {
	const alpha = 0.1
	m := algorithms.AsyncDGD{Outer: twinIterations, Alpha: alpha, Pause: sim.Second}
	for name, s := range twinCases() {
		late := func(cfg *node.Config) {
			cfg.Link = func(from, _ int) (sim.Time, int64) {
				if from == 0 {
					return sim.Second << 20, 1e12
				}
				return sim.Millisecond, 1e12
			}
		}
		w := mat.DenseCopyOf(s.wx)
		for r := s.p; r < s.n*s.p; r++ {
			w.Set(r, r, w.At(r, r)+w.At(r, r%s.p))
			w.Set(r, r%s.p, 0)
		}
		x, want := s.x0, trajectory{}
		want.add(x, nil)
		for range twinIterations {
			x = sum(mul(w, x), times(-alpha, s.grad(x)))
			want.add(x, nil)
		}
		t.Run(name, func(t *testing.T) {
			compare(t, finish(t, world{w: networks()[name], on: s.single(), configure: late}, m), want, twinTolerance)
		})
	}
}

// inStep is everyTwin with links of 1 ms, so that a message arrives after the step at which it was sent.
func inStep(t *testing.T, single bool, m algorithms.Method, twin func(s stacked) trajectory) {
	t.Helper()
	w := networks()
	for name, s := range twinCases() {
		t.Run(name, func(t *testing.T) {
			on := s.split()
			if single {
				on = s.single()
			}
			late := func(cfg *node.Config) {
				cfg.Link = func(int, int) (sim.Time, int64) { return sim.Millisecond, 1e12 }
			}
			compare(t, finish(t, world{w: w[name], on: on, configure: late}, m), twin(s), twinTolerance)
		})
	}
}

// averaging returns the matrix that takes the mean over the nodes.
func (s stacked) averaging() *mat.Dense {
	a := mat.NewDense(s.n*s.p, s.n*s.p, nil)
	for i := range s.n * s.p {
		for j := range s.n * s.p {
			if i%s.p == j%s.p {
				a.Set(i, j, 1/float64(s.n))
			}
		}
	}
	return a
}

// x⁺ = x - alpha mean ∇f(x), computed from the mean.
func TestAllReduceTwin(t *testing.T) {
	const alpha = 0.1
	m := algorithms.AllReduceGD{Outer: twinIterations, Alpha: alpha, Collective: algorithms.TreeCollective}
	everyTwin(t, true, m, func(s stacked) (tr trajectory) {
		mean := s.averaging()
		x := mul(mean, s.x0)
		tr.add(x, nil)
		for range twinIterations {
			x = sum(x, times(-alpha, mul(mean, s.grad(x))))
			tr.add(x, nil)
		}
		return tr
	})
}
