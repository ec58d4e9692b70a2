package problems

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// formulas are one node's f and g and their derivatives, as in Local. An oracle
// checks the lengths of all arguments before it calls them.
type formulas interface {
	functions
	counts() (val, train int) // of the samples behind f and g
	setBatch(val, train []int)

	hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense)
	hess(dst *mat.SymDense, x, y []float64)
	jac(dst *mat.Dense, x, y []float64)

	// flops returns the cost of each call, except a solve.
	flops(n sizes) costs
}

// functions are the formulas that determine all others.
type functions interface {
	f(x, y []float64) float64
	g(x, y []float64) float64
	fx(dst, x, y []float64)
	fy(dst, x, y []float64)
	gx(dst, x, y []float64)
	gy(dst, x, y []float64)
	hessMul(dst, x, y, v []float64)
	jacMul(dst, x, y, v []float64)
}

// sizes determine the cost of a call: the samples that it touches, p and q.
type sizes struct{ samples, p, q float64 }

// costs holds the FLOP of each oracle call.
type costs [metrics.NumCalls]float64

// oracle implements Local, BlockHVP and StructuredGyy by formulas.
type oracle struct {
	formulas
	p, q    int
	limited bool          // to matrices of MaxMatrix elements
	low     *diagonalPlus // of FactorGyy
}

func (o *oracle) Dims() (p, q int)          { return o.p, o.q }
func (o *oracle) Samples() (val, train int) { return o.counts() }
func (o *oracle) SetBatch(val, train []int) { o.setBatch(val, train) }

// point panics unless x and y have the right lengths.
func (o *oracle) point(x, y []float64) {
	mustLen("x", x, o.p)
	mustLen("y", y, o.q)
}

func (o *oracle) F(x, y []float64) float64 {
	o.point(x, y)
	return o.f(x, y)
}

func (o *oracle) G(x, y []float64) float64 {
	o.point(x, y)
	return o.g(x, y)
}

func (o *oracle) GradFx(dst, x, y []float64) {
	o.point(x, y)
	mustLen("dst", dst, o.p)
	o.fx(dst, x, y)
}

func (o *oracle) GradFy(dst, x, y []float64) {
	o.point(x, y)
	mustLen("dst", dst, o.q)
	o.fy(dst, x, y)
}

func (o *oracle) GradGx(dst, x, y []float64) {
	o.point(x, y)
	mustLen("dst", dst, o.p)
	o.gx(dst, x, y)
}

func (o *oracle) GradGy(dst, x, y []float64) {
	o.point(x, y)
	mustLen("dst", dst, o.q)
	o.gy(dst, x, y)
}

func (o *oracle) HessGyyMul(dst, x, y, v []float64) {
	o.point(x, y)
	mustLen("dst", dst, o.q)
	mustLen("v", v, o.q)
	o.hessMul(dst, x, y, v)
}

func (o *oracle) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	o.point(x, y)
	_, m := v.Dims()
	mustDims("v", v, o.q, m)
	mustDims("dst", dst, o.q, m)
	o.hessMulMat(dst, x, y, v)
}

func (o *oracle) JacGxyMul(dst, x, y, v []float64) {
	o.point(x, y)
	mustLen("dst", dst, o.p)
	mustLen("v", v, o.q)
	o.jacMul(dst, x, y, v)
}

func (o *oracle) HessGyy(dst *mat.SymDense, x, y []float64) {
	o.mustForm("Hessian", o.q, o.q)
	o.point(x, y)
	mustDims("dst", dst, o.q, o.q)
	o.hess(dst, x, y)
}

func (o *oracle) JacGxy(dst *mat.Dense, x, y []float64) {
	o.mustForm("Jacobian", o.p, o.q)
	o.point(x, y)
	mustDims("dst", dst, o.p, o.q)
	o.jac(dst, x, y)
}

// FactorGyy implements StructuredGyy where a root of the loss's Hessian has r < q rows: the
// factorization then takes about r² q FLOPs instead of q³/3.
func (o *oracle) FactorGyy(x, y []float64, scale, shift float64) (solve func(dst, b []float64)) {
	o.point(x, y)
	m, ok := o.formulas.(*modelFormulas)
	if !ok || scale <= 0 {
		return nil
	}
	loss, ok := m.train.at(x).(rootedRisk)
	if !ok || loss.rank() >= o.q {
		return nil
	}
	if o.low == nil {
		o.low = &diagonalPlus{}
	}
	o.low.resize(loss.rank(), o.q)
	r := m.regularizer.at(x)
	for b := range o.low.diag {
		o.low.diag[b] = r[b%len(r)]
	}
	loss.root(o.low.s, y)
	if !o.low.factor(scale, shift) {
		return nil
	}
	return o.low.solve
}

// Flops counts a solve as Cholesky with one forward and one backward substitution,
// q³/3 + 2q²; the formulas' flops document all other calls.
func (o *oracle) Flops(c metrics.Call, samples int) float64 {
	if c >= metrics.NumCalls {
		panic(fmt.Sprintf("problems: unknown oracle call %d", c))
	}
	n := sizes{float64(samples), float64(o.p), float64(o.q)}
	if c == metrics.CallSolve {
		return n.q*n.q*n.q/3 + 2*n.q*n.q
	}
	return o.flops(n)[c]
}

// MaxMatrix is the largest matrix, in elements, of problems that are MatrixLimited: 256 MB.
const MaxMatrix = 1 << 25

func (o *oracle) mustForm(name string, rows, cols int) {
	if o.limited && rows*cols > MaxMatrix {
		panic(fmt.Sprintf("problems: the %s is %d x %d, above the limit of %d elements; "+
			"shrink the problem or use a method that needs only products", name, rows, cols, MaxMatrix))
	}
}

// noSamples is embedded in formulas that need no samples.
type noSamples struct{}

func (noSamples) counts() (val, train int)  { return 0, 0 }
func (noSamples) setBatch(val, train []int) {}

// sampled is embedded in formulas over samples: val is behind f, train behind g.
type sampled[R interface {
	len() int
	setBatch(idx []int)
}] struct{ val, train R }

func (s *sampled[R]) counts() (val, train int) { return s.val.len(), s.train.len() }

func (s *sampled[R]) setBatch(val, train []int) {
	s.val.setBatch(val)
	s.train.setBatch(train)
}

// columnwise is embedded in formulas whose matrices come from products with vectors, one for each column.
type columnwise struct {
	hessian, jacobian product   // hessMul and jacMul
	in, out           []float64 // scratch
}

type product func(dst, x, y, v []float64)

func (c *columnwise) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	rows, cols := v.Dims()
	c.in, c.out = grow(c.in, rows), grow(c.out, rows)
	for k := range cols {
		mat.Col(c.in, k, v)
		c.hessian(c.out, x, y, c.in)
		dst.SetCol(k, c.out)
	}
}

func (c *columnwise) hess(dst *mat.SymDense, x, y []float64) {
	c.forUnits(c.hessian, len(y), x, y, func(b int, column []float64) {
		for a := range b + 1 {
			dst.SetSym(a, b, column[a])
		}
	})
}

func (c *columnwise) jac(dst *mat.Dense, x, y []float64) {
	c.forUnits(c.jacobian, len(x), x, y, dst.SetCol)
}

// forUnits calls set with each column of the matrix that mul multiplies by.
func (c *columnwise) forUnits(mul product, rows int, x, y []float64, set func(b int, column []float64)) {
	c.in, c.out = grow(c.in, len(y)), grow(c.out, rows)
	clear(c.in)
	for b := range y {
		c.in[b] = 1
		mul(c.out, x, y, c.in)
		c.in[b] = 0
		set(b, c.out)
	}
}
