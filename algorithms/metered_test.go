package algorithms_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/sim"
	"tallynet/topologies"
)

// spy is a Local (p = 2, q = 3) that records its calls and their batches.
type spy struct {
	samplesVal, samplesTrain int
	val, train               []int
	calls                    []string
	batches                  [][2][]int // one per call
}

func (s *spy) note(name string) {
	s.calls = append(s.calls, name)
	s.batches = append(s.batches, [2][]int{slices.Clone(s.val), slices.Clone(s.train)})
}

func (s *spy) Dims() (p, q int)                        { return 2, 3 }
func (s *spy) Samples() (val, train int)               { return s.samplesVal, s.samplesTrain }
func (s *spy) SetBatch(val, train []int)               { s.val, s.train = val, train }
func (s *spy) F(_, _ []float64) float64                { s.note("F"); return 1 }
func (s *spy) G(_, _ []float64) float64                { s.note("G"); return 2 }
func (s *spy) GradFx(_, _, _ []float64)                { s.note("GradFx") }
func (s *spy) GradFy(_, _, _ []float64)                { s.note("GradFy") }
func (s *spy) GradGx(_, _, _ []float64)                { s.note("GradGx") }
func (s *spy) GradGy(_, _, _ []float64)                { s.note("GradGy") }
func (s *spy) JacGxyMul(_, _, _, _ []float64)          { s.note("JacGxyMul") }
func (s *spy) HessGyy(_ *mat.SymDense, _, _ []float64) { s.note("HessGyy") }
func (s *spy) JacGxy(_ *mat.Dense, _, _ []float64)     { s.note("JacGxy") }
func (s *spy) HessGyyMul(dst, _, _, v []float64) {
	s.note("HessGyyMul")
	for i := range dst {
		dst[i] = float64(i+1) * v[i]
	}
}

// Flops returns a different number for each kind of call, times samples.
func (s *spy) Flops(c metrics.Call, samples int) float64 {
	return float64(100*(int(c)+1)) * float64(max(samples, 1))
}

// oracleCalls lists each call of an Oracle with its expected count.
var oracleCalls = []struct {
	name       string
	do         func(o algorithms.Oracle)
	kind       metrics.Call
	count      int64
	validation bool // uses the samples of f, not g
	reaches    []string
}{
	{"F", func(o algorithms.Oracle) { o.F(nil, nil) }, metrics.CallValue, 1, true, []string{"F"}},
	{"G", func(o algorithms.Oracle) { o.G(nil, nil) }, metrics.CallValue, 1, false, []string{"G"}},
	{"GradFx", func(o algorithms.Oracle) { o.GradFx(nil, nil, nil) }, metrics.CallGradF, 1, true, []string{"GradFx"}},
	{"GradFy", func(o algorithms.Oracle) { o.GradFy(nil, nil, nil) }, metrics.CallGradF, 1, true, []string{"GradFy"}},
	{"GradGx", func(o algorithms.Oracle) { o.GradGx(nil, nil, nil) }, metrics.CallGradG, 1, false, []string{"GradGx"}},
	{"GradGy", func(o algorithms.Oracle) { o.GradGy(nil, nil, nil) }, metrics.CallGradG, 1, false, []string{"GradGy"}},
	{"HessGyyMul", func(o algorithms.Oracle) { o.HessGyyMul(nil, nil, nil, nil) }, metrics.CallHVP, 1, false,
		[]string{"HessGyyMul"}},
	{"JacGxyMul", func(o algorithms.Oracle) { o.JacGxyMul(nil, nil, nil, nil) }, metrics.CallJVP, 1, false,
		[]string{"JacGxyMul"}},
	{"HessGyy", func(o algorithms.Oracle) { o.HessGyy(nil, nil, nil) }, metrics.CallHessian, 1, false,
		[]string{"HessGyy"}},
	{"JacGxy", func(o algorithms.Oracle) { o.JacGxy(nil, nil, nil) }, metrics.CallJacobian, 1, false, []string{"JacGxy"}},
	{"HessGyyMulMat", func(o algorithms.Oracle) {
		o.HessGyyMulMat(mat.NewDense(3, 2, nil), nil, nil, mat.NewDense(3, 2, nil))
	}, metrics.CallHVP, 2, false, []string{"HessGyyMul", "HessGyyMul"}},
	{"Solve", func(o algorithms.Oracle) {
		var c mat.Cholesky
		c.Factorize(mat.NewDiagDense(3, []float64{1, 2, 4}))
		x := make([]float64, 3)
		o.Solve(x, &c, []float64{1, 2, 4})
		for _, v := range x {
			if math.Abs(v-1) > 1e-14 {
				panic(fmt.Sprint("A x = b solved as ", x, ", want ones"))
			}
		}
	}, metrics.CallSolve, 1, false, nil},
}

// onOneNode runs f on one node with the given machine and local problem.
func onOneNode(t *testing.T, l algorithms.Local, m node.Machine, f func(o algorithms.Oracle)) node.NodeOutcome {
	t.Helper()
	cfg := configOf(single())
	cfg.Machines = []node.Machine{m}
	net := program(t, cfg, func(p *node.Proc) {
		f(algorithms.Metered(p.Context, l, make([]float64, 2), make([]float64, 3)))
	})
	return net.Outcome(0)
}

// byFlops is a machine of 1 GFLOP/s: a FLOP is a nanosecond.
func byFlops() node.Machine {
	m := node.Machine{FlopsPerSecond: 1e9}
	for c := range m.Calls {
		m.Calls[c] = node.ByFlops
	}
	return m
}

// Each call counts once, with its samples, and takes its FLOPs or fixed duration; on
// the full batch of 5 validation and 7 training samples, and on a batch of 4.
func TestEveryCallIsCharged(t *testing.T) {
	fixed := byFlops()
	for c := range fixed.Calls {
		fixed.Calls[c] = sim.Time(c+1) * sim.Millisecond
	}
	for _, c := range oracleCalls {
		for _, size := range []int{0, 4} {
			for _, m := range []node.Machine{byFlops(), fixed} {
				l := &spy{samplesVal: 5, samplesTrain: 7}
				got := onOneNode(t, l, m, func(o algorithms.Oracle) { c.do(o.On(o.Draw(size, "test"))) })
				samples := int64(7)
				if c.validation {
					samples = 5
				}
				if size > 0 {
					samples = 4
				}
				var want metrics.OracleCounts
				want.Add(c.kind, c.count, c.count*samples)
				if d := cmp.Diff(want, got.Oracle); d != "" {
					t.Errorf("%s, batch %d (- want, + counted)\n%s", c.name, size, d)
				}
				if !slices.Equal(l.calls, c.reaches) {
					t.Errorf("%s reaches the problem as %v", c.name, l.calls)
				}
				took := sim.Time(c.count * 100 * int64(c.kind+1) * samples)
				if m.Calls[0] != node.ByFlops {
					took = sim.Time(c.count) * sim.Time(c.kind+1) * sim.Millisecond
				}
				if got.Clock != took || got.Compute != took {
					t.Errorf("%s, batch %d: took %v, want %v", c.name, size, got.Clock, took)
				}
			}
		}
	}
}

func TestHessGyyMulMatMultipliesColumns(t *testing.T) {
	v := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	dst := mat.NewDense(3, 2, nil)
	onOneNode(t, &spy{}, node.Machine{}, func(o algorithms.Oracle) { o.HessGyyMulMat(dst, nil, nil, v) })
	if want := mat.NewDense(3, 2, []float64{1, 2, 6, 8, 15, 18}); !mat.Equal(dst, want) {
		t.Errorf("got %v, want %v", mat.Formatted(dst), mat.Formatted(want))
	}
}

// A restricted oracle and the full one share a problem without side effects on each
// other, and one batch at two points counts once.
func TestBatchesDoNotLeak(t *testing.T) {
	l := &spy{samplesVal: 50, samplesTrain: 70}
	onOneNode(t, l, node.Machine{}, func(o algorithms.Oracle) {
		a, b := o.Draw(4, "a"), o.Draw(6, "a")
		o.On(a).GradGy(nil, nil, nil) // 0
		o.On(b).GradGy(nil, nil, nil)
		o.On(a).GradFx(nil, nil, nil) // 2: a once more
		o.GradGy(nil, nil, nil)       // 3: all
		o.On(a).On(b).GradGy(nil, nil, nil)
		o.On(b).On(algorithms.Batch{}).GradGy(nil, nil, nil) // 5: all
	})
	at := l.batches
	if len(at[0][0]) != 4 || len(at[0][1]) != 4 || len(at[1][1]) != 6 {
		t.Fatalf("batches of 4 and 6 have %v and %v", at[0], at[1])
	}
	if d := cmp.Diff(at[0], at[2]); d != "" {
		t.Errorf("the same batch at two points: %s", d)
	}
	if at[3][0] != nil || at[3][1] != nil || at[5][1] != nil {
		t.Errorf("the full oracle sees %v and %v", at[3], at[5])
	}
	if d := cmp.Diff(at[1], at[4]); d != "" {
		t.Errorf("a batch of a batch: %s", d)
	}
	for _, b := range at[:2] {
		for i := range b[0] {
			if v, tr := b[0][i], b[1][i]; v < 0 || v >= 50 || tr < 0 || tr >= 70 {
				t.Errorf("drew validation sample %d of 50, training sample %d of 70", v, tr)
			}
		}
	}
}

// draws returns the samples that a network's nodes draw for "a": twice 5. With noisy,
// other draws come first.
func draws(t *testing.T, nodes int, noisy bool) [][][2][]int {
	spies := make([]*spy, nodes)
	program(t, configOf(path(nodes)), func(p *node.Proc) {
		s := &spy{samplesVal: 1000, samplesTrain: 1000}
		spies[p.ID()] = s
		o := algorithms.Metered(p.Context, s, make([]float64, 2), make([]float64, 3))
		for range 2 {
			if noisy {
				o.Draw(1+p.ID(), "b")
			}
			o.On(o.Draw(5, "a")).GradGy(nil, nil, nil)
		}
	})
	out := make([][][2][]int, nodes)
	for i, s := range spies {
		out[i] = s.batches
	}
	return out
}

// A node's samples depend on the seed, the node and the purpose, not on other nodes
// or other draws.
func TestDrawsAreCommon(t *testing.T) {
	base := draws(t, 3, false)
	if d := cmp.Diff(base, draws(t, 3, true)); d != "" {
		t.Errorf("draws for another purpose shift these:\n%s", d)
	}
	if d := cmp.Diff(base, draws(t, 5, false)[:3]); d != "" {
		t.Errorf("more nodes shift these:\n%s", d)
	}
	// Nor do they depend on the number of validation samples.
	l := &spy{samplesVal: 0, samplesTrain: 1000}
	onOneNode(t, l, node.Machine{}, func(o algorithms.Oracle) { o.On(o.Draw(5, "a")).GradGy(nil, nil, nil) })
	if d := cmp.Diff(base[0][0][1], l.batches[0][1]); d != "" {
		t.Errorf("validation samples shift training samples:\n%s", d)
	}
	seen := map[string]bool{}
	for _, node := range base {
		for _, b := range node {
			for _, list := range b {
				seen[fmt.Sprint(list)] = true
			}
		}
	}
	if len(seen) != 3*2*2 {
		t.Errorf("%d different lists of samples, want 12: %v", len(seen), base)
	}
}

// A draw is uniform: over many draws, each of 4 samples is equally frequent.
func TestDrawsAreUniform(t *testing.T) {
	l := &spy{samplesVal: 4, samplesTrain: 4}
	onOneNode(t, l, node.Machine{}, func(o algorithms.Oracle) { o.On(o.Draw(40000, "a")).GradGy(nil, nil, nil) })
	var n [4]int
	for _, i := range l.batches[0][1] {
		n[i]++
	}
	for i, c := range n {
		if !(math.Abs(float64(c)-10000) <= 5*math.Sqrt(40000*.25*.75)) { // five standard deviations
			t.Errorf("sample %d was drawn %d times in 40000", i, c)
		}
	}
}

// A single-level problem has no training samples, and an empty node has no samples
// at all: their draws are empty and do not fail.
func TestDrawWithoutSamples(t *testing.T) {
	for _, c := range [][2]int{{5, 0}, {0, 7}, {0, 0}} {
		l := &spy{samplesVal: c[0], samplesTrain: c[1]}
		got := onOneNode(t, l, node.Machine{}, func(o algorithms.Oracle) {
			b := o.On(o.Draw(3, "a"))
			b.GradFx(nil, nil, nil)
			b.GradGy(nil, nil, nil)
		})
		want := int64(3)
		if c[0]+c[1] == 0 {
			want = 0
		}
		if got.Oracle.Samples != want {
			t.Errorf("%d validation and %d training samples: a batch of 3 touched %d, want %d", c[0], c[1],
				got.Oracle.Samples, want)
		}
	}
}

func TestMeteredRefusesAWrongStart(t *testing.T) {
	defer func() {
		p, _ := recover().(*node.Panic)
		if p == nil || p.Value != "algorithms: start of node 0 has 3 and 3 numbers, the problem 2 and 3" {
			t.Errorf("panic: %v", p)
		}
	}()
	program(t, configOf(single()), func(p *node.Proc) {
		algorithms.Metered(p.Context, &spy{}, make([]float64, 3), make([]float64, 3))
	})
}

// In an iteration DGBO computes ∇_x f, ∇_y f and J on one batch, and each
// Hessian estimate and ∇_y g on another.
func TestDGBOSamplesIndependently(t *testing.T) {
	const b, outer = 3, 4
	l := &spy{samplesVal: 1000, samplesTrain: 1000}
	m := algorithms.DGBO{Outer: outer, Terms: b, Alpha: .01, Gamma: .01, Beta: .5, Lipschitz: 10, Batch: 5}
	finish(t, world{w: single(), on: split{p: 2, q: 3, local: func(int) algorithms.Local { return l },
		start: zeroStart(2, 3)}}, m)
	seen := map[string]bool{}
	for i := 0; i < len(l.calls); i++ {
		if l.calls[i] == "GradFx" {
			for j := 1; j <= 2; j++ {
				if d := cmp.Diff(l.batches[i], l.batches[i+j]); d != "" {
					t.Errorf("call %d, %s, has not the batch of ∇_x f: %s", i+j, l.calls[i+j], d)
				}
			}
			i += 2
		}
		seen[fmt.Sprint(l.batches[i])] = true
	}
	// One and b batches at the start; one, b and one in each iteration.
	if want := (1 + b) + outer*(1+b+1); len(seen) != want {
		t.Errorf("%d different batches, want %d", len(seen), want)
	}
}

// More Hessian estimates do not change the other samples.
func TestDGBOSamplesAreCommon(t *testing.T) {
	sampled := func(b int) map[string][][2][]int {
		l := &spy{samplesVal: 1000, samplesTrain: 1000}
		m := algorithms.DGBO{Outer: 4, Terms: b, Alpha: .01, Gamma: .01, Beta: .5, Lipschitz: 10, Batch: 5}
		finish(t, world{w: single(), on: split{p: 2, q: 3, local: func(int) algorithms.Local { return l },
			start: zeroStart(2, 3)}}, m)
		out := map[string][][2][]int{}
		for i, c := range l.calls {
			if c != "HessGyy" || l.calls[i-1] != "HessGyy" { // the first estimate only
				out[c] = append(out[c], l.batches[i])
			}
		}
		return out
	}
	if d := cmp.Diff(sampled(1), sampled(3)); d != "" {
		t.Errorf("b = 1 and b = 3 differ:\n%s", d)
	}
}

// On mini-batches DGBO uses Batch samples per derivative, and the samples do not
// depend on the network.
func TestDGBOOnBatches(t *testing.T) {
	hyper, err := problems.NewTask(problems.TaskConfig{
		Kind: "hyper-logistic", Nodes: 4, Samples: problems.Samples{Train: 20, Val: 15},
		Synthetic: &problems.Synthetic{Dim: 3}, Seed: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	m := algorithms.DGBO{Outer: 10, Terms: 2, Alpha: .01, Gamma: .1, Beta: .5, Lipschitz: 10, Batch: 6}
	for _, w := range []*topologies.Mixing{ring(4), star(4)} {
		out := finish(t, world{w: w, on: splitOf(hyper)}, m)
		// ∇_x f, ∇_y f, J and two Hessians at the start and in each iteration, and ∇_y g.
		if got, want := out.last().Oracle.Samples, int64(4*6*(11*5+10)); got != want {
			t.Errorf("touched %d samples, want %d", got, want)
		}
		full := m
		full.Batch = 0
		if got, want := finish(t, world{w: w, on: splitOf(hyper)}, full).last().Oracle.Samples,
			int64(4*(11*(2*15+3*20)+10*20)); got != want {
			t.Errorf("full batches touched %d samples, want %d", got, want)
		}
	}
}
