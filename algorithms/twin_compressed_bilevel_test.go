package algorithms_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/node"
)

// half keeps the larger half of each node's n numbers in a column, as a network with TopK{0.5} does.
func half(column *mat.Dense, n int) *mat.Dense {
	kept := mat.DenseCopyOf(column)
	rows, _ := kept.Dims()
	for first := 0; first < rows; first += n {
		magnitudes := make([]float64, n)
		for i := range n {
			magnitudes[i] = math.Abs(column.At(first+i, 0))
		}
		order := slices.Clone(magnitudes)
		slices.Sort(order)
		for i, v := range magnitudes {
			if v < order[n-(n+1)/2] {
				kept.Set(first+i, 0, 0)
			}
		}
	}
	return kept
}

// everything leaves a column unchanged.
func everything(column *mat.Dense, _ int) *mat.Dense { return column }

// compressing lists ways to send, in the forms of networks and of twins.
func compressing() map[string]struct {
	configure func(*node.Config)
	c         func(*mat.Dense, int) *mat.Dense
} {
	type way = struct {
		configure func(*node.Config)
		c         func(*mat.Dense, int) *mat.Dense
	}
	return map[string]way{
		"whole": {nil, everything},
		"half": {func(cfg *node.Config) {
			cfg.Compress = &channel.Compression{Compressor: channel.TopK{Share: .5}, Width: 64, Step: 1, UpOnly: true}
		}, half},
	}
}

// A twin of C2DFB on whole networks, with and without compression.
func TestC2DFBTwin(t *testing.T) {
	a := algorithms.C2DFB{Outer: twinIterations, Inner: 3, Lambda: 4, EtaX: .02, EtaY: .01, EtaZ: .05, GammaX: .6,
		GammaD: .4}
	w := networks()
	for how, way := range compressing() {
		for name, s := range twinCases() {
			t.Run(how+"/"+name, func(t *testing.T) {
				out := finish(t, world{w: w[name], on: s.split(), configure: way.configure}, a)
				compare(t, out, s.c2dfb(a, way.c), twinTolerance)
			})
		}
	}
}

// reference is a column together with what neighbours know of it.
type reference struct{ at, hat *mat.Dense }

// mixed returns gamma (W - I) times what neighbours know.
func (r *reference) mixed(w *mat.Dense, gamma float64) *mat.Dense {
	return times(gamma, minus(mul(w, r.hat), r.hat))
}

func (s stacked) c2dfb(a algorithms.C2DFB, c func(*mat.Dense, int) *mat.Dense) (tr trajectory) {
	x := s.x0
	nothing := times(0, s.y0)
	y, z := reference{s.y0, nothing}, reference{s.y0, nothing}
	ry := func() *mat.Dense { return sum(s.gradFy(x, y.at), times(a.Lambda, s.gradGy(x, y.at))) }
	rz := func() *mat.Dense { return s.gradGy(x, z.at) }
	hyper := func() *mat.Dense { return sum(s.gradFx(x, y.at), times(a.Lambda, s.gradGx(minus(y.at, z.at)))) }
	oldY, oldZ, oldX := ry(), rz(), hyper()
	sy, sz, sx := reference{oldY, nothing}, reference{oldZ, nothing}, oldX
	tr.add(x, y.at)
	for range a.Outer {
		x = sum(x, times(a.GammaX, minus(mul(s.wx, x), x)), times(-a.EtaX, sx))
		mixedX := times(a.GammaX, minus(mul(s.wx, sx), sx))
		for range a.Inner {
			y.at = sum(y.at, y.mixed(s.wy, a.GammaD), times(-a.EtaY, sy.at))
			z.at = sum(z.at, z.mixed(s.wy, a.GammaD), times(-a.EtaZ, sz.at))
			sy.at = sum(sy.at, sy.mixed(s.wy, a.GammaD), ry(), times(-1, oldY))
			sz.at = sum(sz.at, sz.mixed(s.wy, a.GammaD), rz(), times(-1, oldZ))
			oldY, oldZ = ry(), rz()
			for _, r := range []*reference{&y, &z, &sy, &sz} {
				r.hat = sum(r.hat, c(minus(r.at, r.hat), s.q))
			}
		}
		sx = sum(sx, mixedX, hyper(), times(-1, oldX))
		oldX = hyper()
		tr.add(x, y.at)
	}
	return tr
}

// Twins of the C-SOBA family on the clients, with and without compression.
func TestCSOBATwin(t *testing.T) {
	for name, a := range map[string]algorithms.CSOBA{
		"c": {}, "cm": {Theta: .6}, "ef": {Theta: .6, Delta: .7}, "ef21": {Theta: .6, Delta: 1}, "clipped": {Clip: .3},
	} {
		a.Outer, a.Alpha, a.Beta, a.Gamma = twinIterations, .03, .1, .08
		for how, way := range compressing() {
			for _, clients := range []int{1, 2, 4} {
				t.Run(how+"/"+name, func(t *testing.T) {
					spec := fourNodes()
					spec.Nodes = spec.Nodes[:clients]
					s := stack(mean(clients), spec, func(int) (x, y []float64) { return waveStart(3, 5)(0) })
					out := finish(t, world{w: star(clients + 1), on: s.split(), server: true, configure: way.configure}, a)
					for k := range out.at {
						closeTo(t, "the server's x", out.at[k].X[0], out.at[k].X[1], 0)
						out.at[k].X, out.at[k].Y = out.at[k].X[1:], out.at[k].Y[1:]
					}
					compare(t, out, s.csoba(a, way.c), twinTolerance)
				})
			}
		}
	}
}

func (s stacked) csoba(a algorithms.CSOBA, c func(*mat.Dense, int) *mat.Dense) (tr trajectory) {
	x, y, z, h := s.x0, s.y0, times(0, s.y0), times(0, s.x0)
	memory := map[string]*mat.Dense{"y": times(0, y), "z": times(0, z), "x": times(0, x)}
	receive := func(name string, w, d *mat.Dense, n int) *mat.Dense {
		m := memory[name]
		sent := c(minus(d, m), n)
		memory[name] = sum(m, times(a.Delta, sent))
		return mul(w, sum(m, sent))
	}
	tr.add(x, y)
	for range a.Outer {
		dy := receive("y", s.wy, s.gradGy(x, y), s.q)
		dz := receive("z", s.wy, sum(mul(s.h, z), s.gradFy(x, y)), s.q)
		dx := receive("x", s.wx, sum(s.gradFx(x, y), mul(s.pm, z)), s.p)
		y, z = sum(y, times(-a.Beta, dy)), sum(z, times(-a.Gamma, dz))
		if norm := mat.Norm(part(z, 0, s.q), 2); a.Clip > 0 && norm > a.Clip {
			z = times(a.Clip/norm, z)
		}
		if a.Theta > 0 {
			x, h = sum(x, times(-a.Alpha, h)), sum(times(1-a.Theta, h), times(a.Theta, dx))
		} else {
			x = sum(x, times(-a.Alpha, dx))
		}
		tr.add(x, y)
	}
	return tr
}

// With error feedback, a compression that keeps half of each message does not move the limit from the optimum.
// C-SOBA ends at a distance from it, since nodes differ.
func TestEFSOBAIsExact(t *testing.T) {
	s := generatedStack(mean(8), 3, 4)
	xs, _, err := s.problemOfMethods.Solution()
	if err != nil {
		t.Fatal(err)
	}
	off := func(a algorithms.CSOBA) float64 {
		a.Outer, a.Alpha, a.Beta, a.Gamma = 3000, .02, .05, .05
		w := world{w: star(9), on: s.split(), server: true, every: a.Outer, configure: compressing()["half"].configure}
		last := finish(t, w, a).last()
		var x []float64
		for i := 1; i < 9; i++ {
			x = append(x, last.X[i]...)
		}
		return floats.Distance(x, repeat(xs, 8), math.Inf(1))
	}
	if d := off(algorithms.CSOBA{Theta: .5, Delta: 1}); !(d < 1e-8) {
		t.Errorf("EF-SOBA ends %g from the optimum", d)
	}
	if d := off(algorithms.CSOBA{}); !(d > 1e-4) {
		t.Errorf("C-SOBA ends %g from the optimum; nodes do not differ enough for a test", d)
	}
}

// C2DFB ends at the minimizer of the penalized problem with a compression that keeps half of each message.
func TestC2DFBHasTheUncompressedLimit(t *testing.T) {
	s := generatedStack(ring(8), 3, 4)
	a := algorithms.C2DFB{Outer: 1500, Inner: 3, Lambda: 10, EtaX: .01, EtaY: .008, EtaZ: .05, GammaX: .6, GammaD: .3}
	w := world{w: ring(8), on: s.split(), every: a.Outer, configure: compressing()["half"].configure}
	last := finish(t, w, a).last()
	var x, y []float64
	for i := range s.n {
		x, y = append(x, last.X[i]...), append(y, last.Y[i]...)
	}
	want := s.penalized(a.Lambda)
	closeTo(t, "x", x, values(want)[:s.n*s.p], 1e-8)
	closeTo(t, "y", y, values(want)[s.n*s.p:], 1e-8)
}
