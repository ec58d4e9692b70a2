package topologies

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/sim"
)

// versine returns 1 - cos(x) without cancellation.
func versine(x float64) float64 { s := math.Sin(x / 2); return 2 * s * s }

// known is a mixing matrix with closed forms of its extreme eigenvalues: low is 1 - λ2, high is 1 + λn.
type known struct {
	m         *Mixing
	low, high float64
}

func knownSpectra(n int) []known {
	f := float64(n)
	turn := 2 * math.Pi / f
	far := turn * math.Floor(f/2) // the angle of the ring's least eigenvalue
	cube := 1 << int(math.Log2(f))
	dim := math.Log2(float64(cube))
	ring, side := made(Ring(n)), int(math.Sqrt(f))
	around := 2 * math.Pi / float64(side)
	across := around * float64(side/2)
	return []known{
		{Metropolis(ring), versine(turn) * 2 / 3, 2 - versine(far)*2/3},
		{LazyMetropolis(ring), versine(turn) / 2, 2 - versine(far)/2},
		{must(RingA(ring, 0.4)), versine(turn) * 0.6, 2 - versine(far)*0.6},
		{must(RingA(ring, 0)), versine(turn), 2 - versine(far)}, // no gap for n even
		{Metropolis(made(Path(n))), versine(math.Pi/f) * 2 / 3, 2 - versine(math.Pi*(f-1)/f)*2/3},
		{Metropolis(made(Complete(min(n, 700)))), 1, 1},
		// Every leaf keeps 1 - 1/n, the eigenvalue of vectors that are 0 outside the leaves.
		{Metropolis(made(Star(n, n/3))), 1 / f, 1},
		{Metropolis(made(Hypercube(cube))), 2 / (dim + 1), 2 - 2*dim/(dim+1)},
		{Metropolis(made(Torus(side, side))), versine(around) * 2 / 5, 2 - versine(across)*4/5},
	}
}

func checkSpectrum(t *testing.T, k known, s Spectrum, tolerance float64) {
	t.Helper()
	name := k.m.Rule() + " on " + k.m.Graph().Name()
	near := func(what string, got, want, tol float64) {
		if !(math.Abs(got-want) <= tol) {
			t.Errorf("%s: %s = %.17g, want %.17g", name, what, got, want)
		}
	}
	gap := min(k.low, k.high)
	near("gap", s.Gap, gap, tolerance*gap+2e-15)
	near("gap within its stated tolerance", s.Gap, gap, s.Tolerance)
	near("λ2", s.Lambda2, 1-k.low, 1e-8)
	near("λn", s.LambdaN, k.high-1, 1e-8)
	if s.Tolerance > 1.1e-8*gap+1e-13 {
		t.Errorf("%s: tolerance %g for a gap of %g", name, s.Tolerance, gap)
	}
}

// TestDenseSpectrum and TestLanczosSpectrum compare both solvers with closed forms. The sizes
// for Lanczos start where the graphs are degenerate and the Krylov space is soon exhausted.
func TestDenseSpectrum(t *testing.T) {
	for _, n := range []int{9, 10, 101, 200} {
		for _, k := range knownSpectra(n) {
			checkSpectrum(t, k, must(k.m.denseSpectrum(), nil), 1e-9)
		}
	}
}

func TestLanczosSpectrum(t *testing.T) {
	for _, n := range []int{9, 10, 64, 257, 1000} {
		for _, k := range knownSpectra(n) {
			checkSpectrum(t, k, must(k.m.lanczosSpectrum(1_000_000)), 1e-9)
		}
	}
}

// TestSpectrumLarge covers gaps of 1e-7, which must keep their digits.
func TestSpectrumLarge(t *testing.T) {
	for _, k := range knownSpectra(10_000) {
		if k.m.Graph().shape.kind == onSnake {
			continue // the ring covers this gap in half the steps
		}
		checkSpectrum(t, k, must(k.m.Spectrum()), 1e-8)
	}
}

// TestLanczosAgainstDense compares the two solvers on graphs without closed forms.
func TestLanczosAgainstDense(t *testing.T) {
	rng := sim.Stream(2, "graph")
	graphs := append(families(), made(ErdosRenyi(150, 0.05, rng)), made(BarabasiAlbert(180, 1, rng)),
		made(Geometric(150, 0.16, rng)), made(WattsStrogatz(200, 4, 0.05, rng)), made(Regular(200, 3, rng)),
		made(Tree(190, 2)))
	for _, g := range graphs {
		if g.Nodes() == 1 {
			continue
		}
		for _, m := range []*Mixing{Metropolis(g), LazyMetropolis(g), MaxDegree(g)} {
			d := m.denseSpectrum()
			checkSpectrum(t, known{m, 1 - d.Lambda2, 1 + d.LambdaN}, must(m.lanczosSpectrum(1_000_000)), 1e-9)
		}
	}
}

func TestSpectrumOfOneAndTwo(t *testing.T) {
	if s := must(Metropolis(made(Complete(1))).Spectrum()); s.Gap != 1 || s.Sigma() != 0 || s.Rounds(1e-6) != 1 {
		t.Errorf("one node: %+v", s)
	}
	// W = [1/2 1/2; 1/2 1/2]
	if s := must(Metropolis(made(Complete(2))).Spectrum()); !(math.Abs(s.Gap-1) <= 1e-15) {
		t.Errorf("a pair: %+v", s)
	}
	// W = [0 1; 1 0]: values swap for ever
	swap := must(FromMatrix(made(Path(2)), [][]float64{{0, 1}, {1, 0}}))
	if s := must(swap.Spectrum()); s.LambdaN != -1 || s.Gap != 0 || !math.IsInf(s.Rounds(0.5), 1) {
		t.Errorf("a swap: %+v", s)
	}
}

// TestRoundsByMultiplying compares with multiplying sigma by itself, also where sigma^k is the factor.
func TestRoundsByMultiplying(t *testing.T) {
	for _, c := range []struct {
		sigma float64
		want  float64
	}{{0.1, 6}, {0.01, 3}, {0.001, 2}, {1e-6, 1}, {1e-9, 1}, {0.5, 20}, {0.9, 132}, {1.0 / 3, 13}} {
		if got := (Spectrum{Gap: 1 - c.sigma}).Rounds(1e-6); got != c.want {
			t.Errorf("sigma = %g: %g rounds, want %g", c.sigma, got, c.want)
		}
	}
	for i := 1; i < 1000; i++ {
		s := Spectrum{Gap: float64(i) / 1000}
		k, product := 1.0, s.Sigma()
		for product > 1e-6*(1+1e-9) {
			k++
			product *= s.Sigma()
		}
		if got := s.Rounds(1e-6); got != k {
			t.Errorf("gap %g: %g rounds, %g by multiplication", s.Gap, got, k)
		}
	}
}

// TestUnconnected has a second eigenvalue 1, by both solvers.
func TestUnconnected(t *testing.T) {
	m := Metropolis(must(FromEdges(300, [][2]int{{0, 1}, {5, 6}})))
	for _, s := range []Spectrum{m.denseSpectrum(), must(m.lanczosSpectrum(1000))} {
		if s.Gap > 1e-14 || !(math.Abs(s.Lambda2-1) <= 1e-14) {
			t.Errorf("%+v", s)
		}
	}
}

// TestRounds lets a ring average its slowest vector, the cosine, which shrinks by exactly
// sigma in each round.
func TestRounds(t *testing.T) {
	const n, factor = 20, 1e-6
	m := Metropolis(made(Ring(n)))
	v := mat.NewVecDense(n, nil)
	for i := range n {
		v.SetVec(i, math.Cos(2*math.Pi*float64(i)/n))
	}
	rounds := 0
	for ; v.AtVec(0) > factor; rounds++ {
		v.MulVec(m.Dense(), v)
	}
	if got := must(m.Spectrum()).Rounds(factor); got != float64(rounds) {
		t.Errorf("Rounds(%g) = %g, counted %d", factor, got, rounds)
	}
}

// TestSolverOfSpectra checks that up to 200 nodes the dense solver is used.
func TestSolverOfSpectra(t *testing.T) {
	for n, dense := range map[int]bool{denseNodes: true, denseNodes + 1: false} {
		m := Metropolis(made(Star(n, 0)))
		want := m.denseSpectrum()
		if !dense {
			want = must(m.lanczosSpectrum(1000))
		}
		if got := must(m.Spectrum()); got != want || m.denseSpectrum() == must(m.lanczosSpectrum(1000)) {
			t.Errorf("%d nodes: %+v, want %+v", n, got, want)
		}
	}
}

// TestRoundsOfGaps: by hand, 0.5^3 is 0.125. A factor at an end of (0, 1) is refused.
func TestRoundsOfGaps(t *testing.T) {
	for _, c := range []struct{ gap, factor, want float64 }{
		{0.5, 0.125, 3}, {0.5, 0.124, 4}, {0.5, 0.126, 3}, {0.9, 0.99, 1}, {0, 0.5, math.Inf(1)}, {1, 0.5, 1},
	} {
		if got := (Spectrum{Gap: c.gap}).Rounds(c.factor); got != c.want {
			t.Errorf("gap %g, factor %g: %g rounds, want %g", c.gap, c.factor, got, c.want)
		}
	}
	for _, factor := range []float64{-1, 0, 1, 2, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("factor %g is taken", factor)
				}
			}()
			(Spectrum{Gap: 0.5}).Rounds(factor)
		}()
	}
}

// TestEnds: [[d, o], [o, d]] has the eigenvalues d - o and d + o, with eigenvectors whose entries are 1 / sqrt(2).
// They have converged if beta / sqrt(2) is within 1e-8 of their distances from 0 and 2, or 1e-14.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		d, o, beta float64
		converged  bool
	}{
		{1, 0.5, 7.0e-9, true}, {1, 0.5, 7.2e-9, false}, // both distances are 0.5
		{0.5, 0.25, 3.5e-9, true}, {0.5, 0.25, 3.6e-9, false}, // 0.25 and 1.25
		{1.5, 0.25, 3.5e-9, true}, {1.5, 0.25, 3.6e-9, false}, // 1.25 and 0.25
		{0.5, 0.5, 1.4e-14, true}, {0.5, 0.5, 1.5e-14, false}, // 0 and 1
	} {
		m := tridiagonal{diag: []float64{c.d, c.d}, off: []float64{c.o}}
		e := m.ends(c.beta)
		if math.Abs(e.low-(c.d-c.o)) > 1e-15 || math.Abs(e.high-(c.d+c.o)) > 1e-15 || e.steps != 2 ||
			e.converged != c.converged {
			t.Errorf("%v: %+v", c, e)
		}
		for _, r := range []float64{e.lowResidual, e.highResidual} {
			if math.Abs(r-c.beta/math.Sqrt2) > 1e-9*c.beta {
				t.Errorf("%v: residual %g, want %g", c, r, c.beta/math.Sqrt2)
			}
		}
	}
	// [[1, 1, 0], [1, 0, 1], [0, 1, 1]] has the eigenvalues -1, 1 and 2, with eigenvectors (1, -2, 1), (1, 0, -1) and
	// (1, 1, 1). If a number is an eigenvalue, or makes the first pivot 0, the count below it is still right, give or
	// take the number itself.
	m := tridiagonal{diag: []float64{1, 0, 1}, off: []float64{1, 1}}
	for i, want := range []struct{ value, last float64 }{
		{-1, 1 / math.Sqrt(6)}, {1, math.Sqrt(0.5)}, {2, 1 / math.Sqrt(3)},
	} {
		if x := m.eigenvalue(i); math.Abs(x-want.value) > 1e-15 || m.below(want.value-0.1) != i ||
			m.below(want.value+0.1) != i+1 {
			t.Errorf("eigenvalue %d is %g, %d are below %g", i, x, m.below(want.value+0.1), want.value+0.1)
		}
		if last := m.lastEntry(want.value); math.Abs(last-want.last) > 1e-12 {
			t.Errorf("eigenvalue %d: last entry %g, want %g", i, last, want.last)
		}
	}
	if one := (&tridiagonal{diag: []float64{0.7}}).ends(0.1); math.Abs(one.low-0.7) > 1e-15 || one.low != one.high ||
		one.lowResidual != 0.1 || one.highResidual != 0.1 {
		t.Errorf("a single number: %+v", one)
	}
}

func TestSpectrumStopped(t *testing.T) {
	s, err := Metropolis(made(Ring(5000))).lanczosSpectrum(200)
	want := "spectral gap: not converged after 200 steps on 5000 nodes: the gap is at most"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	if truth := versine(2*math.Pi/5000) * 2 / 3; s.Gap < truth || s.Tolerance < s.Gap-truth {
		t.Errorf("%+v, want at least %g within the tolerance", s, truth)
	}
}

func TestSpectrumDeterministic(t *testing.T) {
	m := Metropolis(made(Torus(20, 30)))
	if a, b := must(m.Spectrum()), must(m.Spectrum()); a != b {
		t.Errorf("%+v and %+v", a, b)
	}
}

// TestLazyMetropolisBound checks the bounds that the rule's paper proves.
func TestLazyMetropolisBound(t *testing.T) {
	for _, g := range families() {
		s := must(LazyMetropolis(g).Spectrum())
		if n := float64(g.Nodes()); g.Connected() && (s.LambdaN < -1e-14 || s.Gap < 1/(71*n*n)) {
			t.Errorf("%s: %+v", g.Name(), s)
		}
	}
}
