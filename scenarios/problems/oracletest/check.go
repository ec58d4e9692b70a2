package oracletest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
	"tallynet/sim"
)

// Options configures the checks. The zero value is a good start.
type Options struct {
	Seed   uint64
	Points int     // number of random points; 0 means 2
	Spread float64 // standard deviation of a point's coordinates; 0 means 1

	// Step of the central differences, relative to 1 + |coordinate|; 0 means 1e-5.
	Step float64
	// Tolerance for finite differences, relative to 1 + the largest element of the
	// derivative; 0 means 1e-6. Results that may differ only by rounding (columns and
	// products, means over batches) have tolerance 1e-12 on the same scale.
	Tolerance float64
}

const exact = 1e-12

// Check returns nil if l keeps the contract, or else all violations, each with the name
// of the method. It leaves all samples of l in use.
func Check(l problems.Local, o Options) error {
	if o.Points == 0 {
		o.Points = 2
	}
	if o.Spread == 0 {
		o.Spread = 1
	}
	if o.Step == 0 {
		o.Step = 1e-5
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-6
	}
	c := &checker{l: l, o: o, rng: sim.Stream(o.Seed, "oracletest")}
	c.p, c.q = l.Dims()
	val, train := l.Samples()
	for k := range o.Points {
		x, y := c.random(c.p), c.random(c.q)
		c.where = fmt.Sprintf("point %d, all samples", k)
		l.SetBatch(nil, nil)
		c.derivatives(x, y)
		c.forms(x, y)
		c.factors(x, y)
		c.purity(x, y)
		if val+train > 0 {
			c.where = fmt.Sprintf("point %d, a batch", k)
			l.SetBatch(c.batch(val), c.batch(train))
			c.derivatives(x, y)
			c.forms(x, y)
			c.purity(x, y)
			c.where = fmt.Sprintf("point %d", k)
			c.means(x, y, val, train)
		}
	}
	l.SetBatch(nil, nil)
	return errors.Join(c.errs...)
}

type checker struct {
	l     problems.Local
	o     Options
	rng   *rand.Rand
	p, q  int
	where string
	errs  []error
}

func (c *checker) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("oracletest: %s: %s", c.where, fmt.Sprintf(format, args...)))
}

func (c *checker) random(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = c.o.Spread * c.rng.NormFloat64()
	}
	return v
}

// batch draws about half of n samples, with replacement.
func (c *checker) batch(n int) []int {
	if n == 0 {
		return nil
	}
	idx := make([]int, (n+1)/2)
	for k := range idx {
		idx[k] = c.rng.IntN(n)
	}
	return idx
}

// compare records the first element in which got and want differ.
func (c *checker) compare(method, against string, got, want []float64, tol float64) {
	scale := 1.0
	for _, v := range want {
		scale = max(scale, 1+math.Abs(v))
	}
	for k := range want {
		if d := math.Abs(got[k] - want[k]); !(d <= tol*scale) {
			c.fail("%s[%d] = %.10g, %s %.10g (difference %.1e, allowed %.1e)",
				method, k, got[k], against, want[k], d, tol*scale)
			return
		}
	}
}

// vector returns the result of a call with a destination vector, filled with NaN first so
// that elements that are not overwritten show.
func vector(n int, call func(dst []float64)) []float64 {
	dst := make([]float64, n)
	for i := range dst {
		dst[i] = math.NaN()
	}
	call(dst)
	return dst
}

// difference returns ∂f/∂at[k] for all k. It changes at and restores it.
func (c *checker) difference(at []float64, f func() float64) []float64 {
	out := make([]float64, len(at))
	for k, v := range at {
		h := c.o.Step * (1 + math.Abs(v))
		at[k] = v + h
		up := f()
		at[k] = v - h
		down := f()
		at[k] = v
		out[k] = (up - down) / (2 * h)
	}
	return out
}

// derivatives compares all first derivatives and products with finite differences.
func (c *checker) derivatives(x, y []float64) {
	for _, call := range c.calls(x, y, c.random(c.q)) {
		if call.of != nil {
			c.compare(call.name, "finite differences give", vector(call.n, call.run), c.difference(call.at, call.of),
				c.o.Tolerance)
		}
	}
}

// forms compares matrices with products.
func (c *checker) forms(x, y []float64) {
	if c.p == 0 || c.q == 0 {
		return // gonum has no empty matrices
	}
	hess := mat.NewSymDense(c.q, vector(c.q*c.q, func([]float64) {}))
	c.l.HessGyy(hess, x, y)
	jac := mat.NewDense(c.p, c.q, vector(c.p*c.q, func([]float64) {}))
	c.l.JacGxy(jac, x, y)
	unit := make([]float64, c.q)
	for b := range c.q {
		unit[b] = 1
		c.compare(fmt.Sprintf("HessGyy, column %d, ", b), "HessGyyMul gives", mat.Col(nil, b, hess),
			vector(c.q, func(d []float64) { c.l.HessGyyMul(d, x, y, unit) }), exact)
		c.compare(fmt.Sprintf("JacGxy, column %d, ", b), "JacGxyMul gives", mat.Col(nil, b, jac),
			vector(c.p, func(d []float64) { c.l.JacGxyMul(d, x, y, unit) }), exact)
		unit[b] = 0
	}
	block, ok := c.l.(problems.BlockHVP)
	if !ok {
		return
	}
	for _, m := range []int{1, 3, c.p} {
		v := mat.NewDense(c.q, m, c.random(c.q*m))
		dst := mat.NewDense(c.q, m, vector(c.q*m, func([]float64) {}))
		block.HessGyyMulMat(dst, x, y, v)
		for j := range m {
			c.compare(fmt.Sprintf("HessGyyMulMat, column %d of %d, ", j, m), "HessGyyMul gives", mat.Col(nil, j, dst),
				vector(c.q, func(d []float64) { c.l.HessGyyMul(d, x, y, mat.Col(nil, j, v)) }), exact)
		}
	}
}

// factors puts the solutions of StructuredGyy back into the system.
func (c *checker) factors(x, y []float64) {
	structured, ok := c.l.(problems.StructuredGyy)
	if !ok {
		return
	}
	for _, a := range [][2]float64{{1, 0}, {0.3, 0}, {1, 0.7}, {0.05, 1.5}} {
		scale, shift := a[0], a[1]
		solve := structured.FactorGyy(x, y, scale, shift)
		if solve == nil {
			continue
		}
		for range 2 {
			b := c.random(c.q)
			v := vector(c.q, func(d []float64) { solve(d, b) })
			back := vector(c.q, func(d []float64) { c.l.HessGyyMul(d, x, y, v) })
			for j := range back {
				back[j] = scale*back[j] + shift*v[j]
			}
			c.compare(fmt.Sprintf("FactorGyy, scale %v, shift %v: A A⁻¹ b", scale, shift), "b is", back, b, 1e-11)
		}
	}
}

// calls returns the calls whose result is a number or a vector.
func (c *checker) calls(x, y, v []float64) []call {
	l := c.l
	f := func() float64 { return l.F(x, y) }
	g := func() float64 { return l.G(x, y) }
	gradGy := func(d []float64) { l.GradGy(d, x, y) }
	// ∇_y ⟨∇_y g, v⟩ = H v and ∇_x ⟨∇_y g, v⟩ = J v.
	along := func() float64 { return floats.Dot(vector(c.q, gradGy), v) }
	return []call{
		{"F", true, 1, func(d []float64) { d[0] = f() }, nil, nil},
		{"G", false, 1, func(d []float64) { d[0] = g() }, nil, nil},
		{"GradFx", true, c.p, func(d []float64) { l.GradFx(d, x, y) }, x, f},
		{"GradFy", true, c.q, func(d []float64) { l.GradFy(d, x, y) }, y, f},
		{"GradGx", false, c.p, func(d []float64) { l.GradGx(d, x, y) }, x, g},
		{"GradGy", false, c.q, gradGy, y, g},
		{"HessGyyMul", false, c.q, func(d []float64) { l.HessGyyMul(d, x, y, v) }, y, along},
		{"JacGxyMul", false, c.p, func(d []float64) { l.JacGxyMul(d, x, y, v) }, x, along},
	}
}

type call struct {
	name string
	ofF  bool // depends on f, else on g
	n    int
	run  func(dst []float64)
	at   []float64      // the result is the derivative by at
	of   func() float64 // of this; nil: it is no derivative
}

// purity checks that calls leave their inputs unchanged, and that a repeated call gives
// the same bits after a call at another point.
func (c *checker) purity(x, y []float64) {
	v := c.random(c.q)
	x0, y0, v0 := slices.Clone(x), slices.Clone(y), slices.Clone(v)
	other := c.calls(c.random(c.p), c.random(c.q), c.random(c.q))
	for k, call := range c.calls(x, y, v) {
		first := vector(call.n, call.run)
		if !slices.Equal(x, x0) || !slices.Equal(y, y0) || !slices.Equal(v, v0) {
			c.fail("%s changes its input", call.name)
			copy(x, x0)
			copy(y, y0)
			copy(v, v0)
		}
		vector(other[k].n, other[k].run)
		for i, e := range vector(call.n, call.run) {
			if math.Float64bits(e) != math.Float64bits(first[i]) {
				c.fail("%s[%d] is %v, but %v when repeated after a call at another point", call.name, i, first[i], e)
				break
			}
		}
	}
}

// means compares every call with its mean over all batches of one sample, and with itself
// after these batches. f depends on the validation samples, g on the training samples.
func (c *checker) means(x, y []float64, val, train int) {
	for _, call := range c.calls(x, y, c.random(c.q)) {
		samples := train
		if call.ofF {
			samples = val
		}
		c.l.SetBatch(nil, nil)
		full := vector(call.n, call.run)
		mean := make([]float64, call.n)
		for k := range samples {
			if call.ofF {
				c.l.SetBatch([]int{k}, nil)
			} else {
				c.l.SetBatch(nil, []int{k})
			}
			for i, e := range vector(call.n, call.run) {
				mean[i] += e / float64(samples)
			}
		}
		c.l.SetBatch(nil, nil)
		if samples > 0 {
			c.compare(call.name+" of all samples, ", "the mean over single samples is", full, mean, exact)
		}
		c.compare(call.name+" after batches, ", "before them it was", vector(call.n, call.run), full, 0)
	}
}
