package algorithms_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// sampled is a Local whose samples are quadratics, shared by f and g.
type sampled struct {
	of         []algorithms.Local
	val, train []int // nil: all
}

// sampledQuadratic has two samples with p = 2 and q = 3.
func sampledQuadratic() *sampled {
	qp := problems.InstanceV()
	return &sampled{of: []algorithms.Local{qp.Local(0), qp.Local(2)}}
}

func (l *sampled) mean(dst []float64, chosen []int, of func(l algorithms.Local, dst []float64)) {
	if chosen == nil {
		chosen = []int{0, 1}
	}
	clear(dst)
	part := make([]float64, len(dst))
	for _, i := range chosen {
		of(l.of[i], part)
		floats.AddScaled(dst, 1/float64(len(chosen)), part)
	}
}

func (l *sampled) Dims() (p, q int)                { return l.of[0].Dims() }
func (l *sampled) Samples() (val, train int)       { return len(l.of), len(l.of) }
func (l *sampled) SetBatch(val, train []int)       { l.val, l.train = val, train }
func (l *sampled) Flops(metrics.Call, int) float64 { return 1 }
func (l *sampled) F(x, y []float64) float64        { panic("not used") }
func (l *sampled) G(x, y []float64) float64        { panic("not used") }
func (l *sampled) GradFx(dst, x, y []float64) {
	l.mean(dst, l.val, func(l algorithms.Local, dst []float64) { l.GradFx(dst, x, y) })
}
func (l *sampled) GradFy(dst, x, y []float64) {
	l.mean(dst, l.val, func(l algorithms.Local, dst []float64) { l.GradFy(dst, x, y) })
}
func (l *sampled) GradGx(dst, x, y []float64) {
	l.mean(dst, l.train, func(l algorithms.Local, dst []float64) { l.GradGx(dst, x, y) })
}
func (l *sampled) GradGy(dst, x, y []float64) {
	l.mean(dst, l.train, func(l algorithms.Local, dst []float64) { l.GradGy(dst, x, y) })
}
func (l *sampled) HessGyyMul(dst, x, y, v []float64) {
	l.mean(dst, l.train, func(l algorithms.Local, dst []float64) { l.HessGyyMul(dst, x, y, v) })
}
func (l *sampled) JacGxyMul(dst, x, y, v []float64) {
	l.mean(dst, l.train, func(l algorithms.Local, dst []float64) { l.JacGxyMul(dst, x, y, v) })
}
func (l *sampled) HessGyy(dst *mat.SymDense, x, y []float64) {
	q := dst.SymmetricDim()
	full := make([]float64, q*q)
	l.mean(full, l.train, func(l algorithms.Local, dst []float64) { l.HessGyy(mat.NewSymDense(q, dst), x, y) })
	dst.CopySym(mat.NewSymDense(q, full))
}
func (l *sampled) JacGxy(dst *mat.Dense, x, y []float64) {
	p, q := dst.Dims()
	full := make([]float64, p*q)
	l.mean(full, l.train, func(l algorithms.Local, dst []float64) { l.JacGxy(mat.NewDense(p, q, dst), x, y) })
	dst.Copy(mat.NewDense(p, q, full))
}

// choosing is an oracle with chosen draws: draws number skip ... skip+len(digits)-1 are
// one validation and one training sample, two bits of a digit; all others are full.
type choosing struct {
	algorithms.Oracle
	skip   int
	digits []int
	draws  int
}

func (c *choosing) Draw(size int, purpose string) algorithms.Batch {
	if size == 0 {
		return algorithms.Batch{}
	}
	k := c.draws - c.skip
	c.draws++
	if k < 0 || k >= len(c.digits) {
		return algorithms.Batch{}
	}
	return algorithms.BatchOf([]int{c.digits[k] / 2}, []int{c.digits[k] % 2})
}

// Every stochastic method has unbiased estimators: the mean of x over all choices of
// the samples of an iteration equals the result with full batches. On a quadratic
// every iterate is linear in each of the independent samples.
func TestEstimatorsAreUnbiased(t *testing.T) {
	const s = .05
	mdbo := algorithms.MDBO{Outer: 2, Alpha1: .5, Alpha2: .5, Beta1: s, Beta2: s, Eta: .9, Neumann: 2, Lipschitz: 7,
		Batch: 1}
	for _, c := range []struct {
		m          algorithms.Method
		skip, vary int // the draws that vary, those of one iteration
		total      int // draws in the whole run
	}{
		{algorithms.DGBO{Outer: 2, Terms: 2, Alpha: s, Gamma: s, Beta: .5, Lipschitz: 7, Batch: 1}, 0, 3, 11},
		{algorithms.DSBO{Outer: 2, Inner: 2, JHIP: 2, EtaX: s, EtaY: s, Gamma: s, Batch: 1}, 5, 5, 10},
		{algorithms.DSBO{Outer: 2, Inner: 1, JHIP: 3, EtaX: s, EtaY: s, Gamma: s, Mode: algorithms.Homogeneous,
			Batch: 1}, 5, 5, 10},
		{algorithms.MADBO{Outer: 3, Inner: 2, HIGP: 2, Alpha: s, EtaY: s, Gamma: s, Theta: .5, Batch: 1,
			Tracking: true}, 6, 6, 18},
		{algorithms.MADBO{Outer: 3, Inner: 1, HIGP: 2, Alpha: s, EtaY: s, Gamma: s, Theta: .5,
			Batch: 1}, 5, 5, 15},
		{algorithms.LPDBO{Outer: 4, Alpha: s, Beta: s, Lambda: s, Batch: 1}, 6, 3, 12},
		{algorithms.SPDB{Outer: 2, Beta: s, Rho: 5, Eta: .1, Batch: 1}, 3, 3, 6},
		{algorithms.Prometheus{Outer: 3, Alpha: .5, Beta: s, Tau: 10, Neumann: 2, Lipschitz: 7, Period: 4,
			Batch: 1}, 4, 4, 12},
		{mdbo, 4, 4, 12}, {algorithms.VRDBO(mdbo), 4, 4, 12},
		{algorithms.DSOBA{Outer: 4, Alpha: s, Beta: s, Gamma: s, Theta: .5, Batch: 1}, 6, 3, 12},
		{algorithms.DSOBA{Outer: 4, Alpha: s, Beta: s, Gamma: s, Theta: .5, Batch: 1, Order: algorithms.FirstOrder,
			Delta: .1}, 6, 3, 12},
		{algorithms.PenaltyGT{Outer: 4, Lambda: 5, EtaX: s, EtaY: s / 5, EtaZ: s / 5, Batch: 1}, 2, 1, 5},
		{algorithms.FedNest{Outer: 2, Inner: 1, InnerSteps: 2, OuterSteps: 2, Neumann: 1, Alpha: s, Beta: s,
			Lipschitz: 7, Batch: 1}, 6, 6, 12},
		{algorithms.FedNest{Outer: 2, Inner: 1, InnerSteps: 2, OuterSteps: 2, Neumann: 1, Alpha: s, Beta: s,
			Lipschitz: 7, Correction: algorithms.CorrectWhole, Batch: 1}, 6, 6, 12},
		{algorithms.StocBiO{Outer: 2, Inner: 1, Q: 2, Alpha: s, Beta: s, Eta: s, Batch: 1}, 4, 4, 8},
		{algorithms.VRBO{Outer: 3, Inner: 1, Period: 3, Q: 1, Alpha: s, Beta: s, Eta: s, Batch: 1}, 3, 3, 9},
		{algorithms.MRBO{Outer: 3, Q: 1, Alpha: s, Beta: s, Eta: s, Weight: .3, Batch: 1}, 3, 3, 9},
		{algorithms.AmIGO{Outer: 2, Inner: 1, Linear: 2, Alpha: s, Beta: s, Eta: s, Batch: 1}, 4, 4, 8},
		{algorithms.SOBA{Outer: 4, Rho: s, Gamma: s, DecayInner: .4, Batch: 1}, 1, 2, 4},
		{algorithms.F2SA{Outer: 2, Inner: 2, EtaX: s, EtaY: s / 5, EtaZ: s, Lambda: 4, Batch: 1}, 3, 3, 6},
		{algorithms.LFedNest{Outer: 2, Inner: 1, InnerSteps: 2, OuterSteps: 2, Neumann: 1, Alpha: s, Beta: s,
			Lipschitz: 7, Batch: 1}, 6, 6, 12},
		{algorithms.LFedNest{Outer: 2, Inner: 1, InnerSteps: 2, OuterSteps: 2, Neumann: 1, Alpha: s, Beta: s,
			Lipschitz: 7, KeepSeries: true, Batch: 1}, 5, 5, 10},
	} {
		t.Run(fmt.Sprintf("%T", c.m), func(t *testing.T) {
			on := split{p: 2, q: 3, local: func(int) algorithms.Local { return sampledQuadratic() },
				start: func(int) (x, y []float64) { return []float64{1, -1}, []float64{.5, 1, -1} }}
			w := world{w: single(), on: on, every: algorithms.Iterations(c.m)}
			if c.m.Needs().Server == algorithms.ServerRequired {
				w.w, w.server = star(2), true
			}
			var o *choosing
			last := func(digits []int) []float64 { // nil: all batches are full
				w.wrap = func(inner algorithms.Oracle) algorithms.Oracle {
					o = &choosing{Oracle: inner, skip: c.skip, digits: digits}
					return o
				}
				x := finish(t, w, c.m).last().X
				return x[len(x)-1]
			}
			// Every call uses a batch of one sample of two; Prometheus and VRBO start with all.
			out := finish(t, w, c.m).last()
			calls := int64(0)
			for kind := range metrics.NumCalls {
				calls += out.Oracle.Of(kind)
			}
			switch m := c.m.(type) {
			case algorithms.Prometheus:
				calls += int64(4 + m.Neumann)
			case algorithms.VRBO:
				calls += int64(4 + m.Q)
			}
			if out.Oracle.Samples != calls {
				t.Errorf("%d calls touched %d samples", calls, out.Oracle.Samples)
			}
			full := last(nil)
			if o.draws != c.total {
				t.Fatalf("%d draws, want %d", o.draws, c.total)
			}
			choose := func(n int) []float64 {
				digits := make([]int, c.vary)
				for k := range digits {
					digits[k] = n >> (2 * k) & 3
				}
				return last(digits)
			}
			// A choice that never changes x selects samples that no call uses: most draws are for f or for g only.
			var matter []int
			for bit := range 2 * c.vary {
				if slices.ContainsFunc([]int{0, 0x555, 0xaaa, 0xfff, 0x3c9}, func(n int) bool {
					return !slices.Equal(choose(n), choose(n^1<<bit))
				}) {
					matter = append(matter, bit)
				}
			}
			mean, spread := make([]float64, 2), 0.0
			choices := 1 << len(matter)
			for k := range choices {
				n := 0
				for i, bit := range matter {
					n |= k >> i & 1 << bit
				}
				x := choose(n)
				floats.AddScaled(mean, 1/float64(choices), x)
				spread = max(spread, floats.Distance(x, full, math.Inf(1)))
			}
			closeTo(t, "the mean of x", mean, full, 1e-12)
			if spread < 1e-4 {
				t.Errorf("samples move x by %g only: the test shows nothing", spread)
			}
		})
	}
}

// derivatives returns ∇_x f - J v with one product in the Neumann series of v, and ∇_y g, of
// the sampled quadratic, on the samples that three digits choose.
func (l *sampled) derivatives(x, y []float64, lipschitz float64, inner, outer, hess int) (hyper, gy []float64) {
	on := func(digit int) { l.SetBatch([]int{digit / 2}, []int{digit % 2}) }
	fx, fy, jv, v, hv, gy := make([]float64, 2), make([]float64, 3), make([]float64, 2), make([]float64, 3),
		make([]float64, 3), make([]float64, 3)
	on(inner)
	l.GradGy(gy, x, y)
	on(outer)
	l.GradFx(fx, x, y)
	l.GradFy(fy, x, y)
	on(hess)
	l.HessGyyMul(hv, x, y, fy)
	for i := range v { // (1/L) (f + (I - H/L) f)
		v[i] = (2*fy[i] - hv[i]/lipschitz) / lipschitz
	}
	on(outer)
	l.JacGxyMul(jv, x, y, v)
	floats.Sub(fx, jv)
	return fx, gy
}

// The recursions of variance reduction on chosen samples, step by step on one node,
// where trackers equal the values they track: SPIDER keeps its error, STORM forgets
// part of it, momentum averages.
func TestRecursionsOnChosenSamples(t *testing.T) {
	const lipschitz, outer = 7, 5
	digits := []int{1, 2, 3, 0, 2, 1, 3, 3, 0, 1, 0, 2, 2, 3, 1, 0, 3, 2}
	mdbo := algorithms.MDBO{Outer: outer, Alpha1: .6, Alpha2: .9, Beta1: .05, Beta2: .07, Eta: .8, Neumann: 1,
		Lipschitz: lipschitz, Batch: 1}
	const momentum, storm, spider = 0, 1, 2
	for name, c := range map[string]struct {
		m            algorithms.Method
		kind         int
		stepX, stepY float64
		a1, a2       float64 // forgotten shares
	}{
		"mdbo":  {mdbo, momentum, .8 * .05, .8 * .07, .6 * .8, .9 * .8},
		"vrdbo": {algorithms.VRDBO(mdbo), storm, .8 * .05, .8 * .07, .6 * .8 * .8, .9 * .8 * .8},
		"prometheus": {algorithms.Prometheus{Outer: outer, Alpha: .5, Beta: .07, Tau: 10, Neumann: 1,
			Lipschitz: lipschitz, Period: 100, Batch: 1}, spider, .05, .07, 0, 0},
	} {
		l := sampledQuadratic()
		on := split{p: 2, q: 3, local: func(int) algorithms.Local { return sampledQuadratic() },
			start: func(int) (x, y []float64) { return []float64{1, -1}, []float64{.5, 1, -1} }}
		at := finish(t, world{w: single(), on: on, wrap: func(o algorithms.Oracle) algorithms.Oracle {
			return &choosing{Oracle: o, digits: digits}
		}}, c.m).at

		x, y := on.start(0)
		draws := 0
		derive := func(k int, x, y []float64) (d, gy []float64) {
			return l.derivatives(x, y, lipschitz, digits[k], digits[k+1], digits[k+2])
		}
		var u, v []float64
		if c.kind == spider { // starts with all samples: the mean over the choices
			u, v = make([]float64, 2), make([]float64, 3)
			for k := range 64 {
				d, g := l.derivatives(x, y, lipschitz, k&3, k>>2&3, k>>4)
				floats.AddScaled(u, 1./64, d)
				floats.AddScaled(v, 1./64, g)
			}
		} else {
			u, v = derive(0, x, y)
			draws = 3
		}
		for k := 1; k <= outer; k++ {
			x2, y2 := append([]float64{}, x...), append([]float64{}, y...)
			floats.AddScaled(x2, -c.stepX, u)
			floats.AddScaled(y2, -c.stepY, v)
			oldU, oldV := derive(draws, x, y)
			newU, newV := derive(draws, x2, y2)
			draws += 3
			for i := range u {
				u[i] = map[int]float64{momentum: (1-c.a1)*u[i] + c.a1*newU[i],
					storm: (1-c.a1)*(u[i]-oldU[i]) + newU[i], spider: u[i] - oldU[i] + newU[i]}[c.kind]
			}
			for i := range v {
				v[i] = map[int]float64{momentum: (1-c.a2)*v[i] + c.a2*newV[i],
					storm: (1-c.a2)*(v[i]-oldV[i]) + newV[i], spider: v[i] - oldV[i] + newV[i]}[c.kind]
			}
			x, y = x2, y2
			closeTo(t, fmt.Sprintf("%s: x after %d", name, k), at[k].X[0], x, 1e-12)
			closeTo(t, fmt.Sprintf("%s: y after %d", name, k), at[k].Y[0], y, 1e-12)
		}
	}
}
