package methodtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/sim"
)

// Quadratic is a node's share of a problem, or one sample of it:
//
//	g = 1/2 y'H y + x'P y + q'y,   f = 1/2 x'A x + x'B y + 1/2 y'C y + a'x + c'y.
//
// Without an inner problem only A and a are used, and the rest is nil.
type Quadratic struct {
	H, P, A, B, C             *mat.Dense // H, C (q x q) and A (p x p) symmetric; P, B (p x q)
	LinearG, LinearX, LinearY []float64  // q (q), a (p), c (q)
}

// Samples of a node. Mini-batches of up to three samples differ from all of them, and a
// node has a few blocks of that size.
const (
	valSamples   = 7
	trainSamples = 10
)

// share is what one node holds, and where it starts.
type share struct {
	p, q       int
	val, train []Quadratic // f and g of each sample
	x0, y0     []float64
}

func newShare(id, p, q int) *share {
	r := sim.Stream(1, "methodtest", id, p, q)
	base := randomQuadratic(r, p, q, 1)
	for _, m := range []struct {
		of    *mat.Dense
		least float64
	}{{base.H, 2.5}, {base.A, 2.5}, {base.C, 0.5}} {
		for i := 0; m.of != nil && i < m.of.RawMatrix().Rows; i++ {
			m.of.Set(i, i, m.of.At(i, i)+m.least+float64(id%4)/3)
		}
	}
	s := &share{p: p, q: q, x0: normals(r, p), y0: normals(r, q)}
	for range valSamples {
		s.val = append(s.val, around(base, r))
	}
	for range trainSamples {
		s.train = append(s.train, around(base, r))
	}
	return s
}

// around returns the function of a sample: entries of half the size are added to those of the node.
func around(base Quadratic, r *rand.Rand) Quadratic {
	z := randomQuadratic(r, base.A.RawMatrix().Rows, len(base.LinearG), .5)
	z.add(base)
	return z
}

// randomQuadratic has entries of the given size, and 0.15 of it in the Hessians, which
// are not definite by themselves.
func randomQuadratic(r *rand.Rand, p, q int, size float64) Quadratic {
	z := Quadratic{A: symmetric(r, p, .15*size), LinearX: scaled(size, normals(r, p))}
	if q == 0 {
		return z
	}
	z.H, z.C = symmetric(r, q, .15*size), symmetric(r, q, .15*size)
	z.P = mat.NewDense(p, q, scaled(.3*size, normals(r, p*q)))
	z.B = mat.NewDense(p, q, scaled(.3*size, normals(r, p*q)))
	z.LinearG, z.LinearY = scaled(size, normals(r, q)), scaled(size, normals(r, q))
	return z
}

// symmetric has entries in [-size, size].
func symmetric(r *rand.Rand, n int, size float64) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i + 1 {
			v := size * (2*r.Float64() - 1)
			m.Set(i, j, v)
			m.Set(j, i, v)
		}
	}
	return m
}

func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

func scaled(c float64, v []float64) []float64 {
	floats.Scale(c, v)
	return v
}

// clone returns a copy that shares no memory.
func (z Quadratic) clone() Quadratic {
	same := func(m *mat.Dense) *mat.Dense {
		if m == nil {
			return nil
		}
		return mat.DenseCopyOf(m)
	}
	return Quadratic{same(z.H), same(z.P), same(z.A), same(z.B), same(z.C),
		slices.Clone(z.LinearG), slices.Clone(z.LinearX), slices.Clone(z.LinearY)}
}

// entries are those of all matrices and vectors.
func (z Quadratic) entries() [][]float64 {
	all := [][]float64{z.LinearG, z.LinearX, z.LinearY}
	for _, m := range []*mat.Dense{z.H, z.P, z.A, z.B, z.C} {
		if m != nil {
			all = append(all, m.RawMatrix().Data)
		}
	}
	return all
}

// add adds the entries of another function.
func (z Quadratic) add(others ...Quadratic) {
	sums := z.entries()
	for _, o := range others {
		for i, terms := range o.entries() {
			floats.Add(sums[i], terms)
		}
	}
}

// mean returns the mean of f over some validation samples and of g over some training samples.
func mean(val, train []Quadratic) Quadratic {
	f, g := meanOf(val), meanOf(train)
	f.H, f.P, f.LinearG = g.H, g.P, g.LinearG
	return f
}

func meanOf(all []Quadratic) Quadratic {
	z := all[0].clone()
	z.add(all[1:]...)
	for _, v := range z.entries() {
		floats.Scale(1/float64(len(all)), v)
	}
	return z
}

// local is the Local of a node's share. With bend > 0 it is not quadratic: it adds bend times the sum of
// ln cosh(y_j + x_{j mod p}) to g, and of ln cosh(x_j) to f.
type local struct {
	*share
	bend  float64
	z     Quadratic // the mean of the batch
	drawn []batch   // so far
}

// batch is a choice of samples; nil is all of them.
type batch struct{ val, train []int }

func (b batch) partial() bool { return b.val != nil || b.train != nil }

func (b batch) equal(c batch) bool {
	return slices.Equal(b.val, c.val) && slices.Equal(b.train, c.train)
}

func (b batch) String() string { return fmt.Sprintf("of samples %v and %v", b.val, b.train) }

func newLocal(s *share, bend float64) *local {
	return &local{share: s, bend: bend, z: mean(s.val, s.train)}
}

var _ algorithms.Local = (*local)(nil)

func (l *local) Dims() (p, q int)          { return l.p, l.q }
func (l *local) Samples() (val, train int) { return valSamples, trainSamples }

func (l *local) SetBatch(val, train []int) {
	l.drawn = append(l.drawn, batch{val, train})
	l.z = mean(pick(l.val, val), pick(l.train, train))
}

func pick(all []Quadratic, which []int) []Quadratic {
	if which == nil {
		return all
	}
	some := make([]Quadratic, len(which))
	for i, k := range which {
		some[i] = all[k]
	}
	return some
}

func (l *local) Flops(_ metrics.Call, samples int) float64 {
	return float64((samples + 1) * (l.p + 1) * (l.q + 1))
}

func vector(v []float64) *mat.VecDense { return mat.NewVecDense(len(v), v) }

// addMul adds m v to dst.
func addMul(dst []float64, m mat.Matrix, v []float64) {
	var product mat.VecDense
	product.MulVec(m, vector(v))
	floats.Add(dst, product.RawVector().Data)
}

func form(x []float64, m mat.Matrix, y []float64) float64 { return mat.Inner(vector(x), m, vector(y)) }

// begin checks that dst is none of the arguments, as Local demands, and clears it.
func begin(dst []float64, arguments ...[]float64) {
	for _, a := range arguments {
		if len(a) > 0 && len(dst) > 0 && &a[0] == &dst[0] {
			panic("methodtest: the destination of an oracle call is one of its arguments")
		}
	}
	clear(dst)
}

func (l *local) F(x, y []float64) float64 {
	z := l.z
	f := form(x, z.A, x)/2 + floats.Dot(z.LinearX, x)
	if l.q > 0 {
		f += form(x, z.B, y) + form(y, z.C, y)/2 + floats.Dot(z.LinearY, y)
	}
	for _, v := range x {
		f += l.bend * math.Log(math.Cosh(v))
	}
	return f
}

func (l *local) G(x, y []float64) float64 {
	g := form(y, l.z.H, y)/2 + form(x, l.z.P, y) + floats.Dot(l.z.LinearG, y)
	for j, v := range y {
		g += l.bend * math.Log(math.Cosh(v+x[j%l.p]))
	}
	return g
}

func (l *local) GradFx(dst, x, y []float64) {
	begin(dst, x, y)
	addMul(dst, l.z.A, x)
	floats.Add(dst, l.z.LinearX)
	if l.q > 0 {
		addMul(dst, l.z.B, y)
	}
	for i, v := range x {
		dst[i] += l.bend * math.Tanh(v)
	}
}

func (l *local) GradFy(dst, x, y []float64) {
	begin(dst, x, y)
	addMul(dst, l.z.B.T(), x)
	addMul(dst, l.z.C, y)
	floats.Add(dst, l.z.LinearY)
}

func (l *local) GradGx(dst, x, y []float64) {
	begin(dst, x, y)
	addMul(dst, l.z.P, y)
	for j, v := range y {
		dst[j%l.p] += l.bend * math.Tanh(v+x[j%l.p])
	}
}

func (l *local) GradGy(dst, x, y []float64) {
	begin(dst, x, y)
	addMul(dst, l.z.H, y)
	addMul(dst, l.z.P.T(), x)
	floats.Add(dst, l.z.LinearG)
	for j, v := range y {
		dst[j] += l.bend * math.Tanh(v+x[j%l.p])
	}
}

// bent is the second derivative of bend ln cosh at y_j + x_{j mod p}.
func (l *local) bent(x, y []float64, j int) float64 {
	t := math.Tanh(y[j] + x[j%l.p])
	return l.bend * (1 - t*t)
}

func (l *local) HessGyyMul(dst, x, y, v []float64) {
	begin(dst, x, y, v)
	addMul(dst, l.z.H, v)
	for j := range y {
		dst[j] += l.bent(x, y, j) * v[j]
	}
}

func (l *local) JacGxyMul(dst, x, y, v []float64) {
	begin(dst, x, y, v)
	addMul(dst, l.z.P, v)
	for j := range y {
		dst[j%l.p] += l.bent(x, y, j) * v[j]
	}
}

func (l *local) HessGyy(dst *mat.SymDense, x, y []float64) {
	for i := range l.q {
		for j := range i + 1 {
			dst.SetSym(i, j, l.z.H.At(i, j))
		}
		dst.SetSym(i, i, dst.At(i, i)+l.bent(x, y, i))
	}
}

func (l *local) JacGxy(dst *mat.Dense, x, y []float64) {
	dst.Copy(l.z.P)
	for j := range l.q {
		dst.Set(j%l.p, j, dst.At(j%l.p, j)+l.bent(x, y, j))
	}
}
