package problems

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// ToyConfig describes one of the small problems of BOME (Liu, Ye, Wright, Stone, Liu,
// NeurIPS 2022), with the paper's v and θ as x and y. Each node has the whole problem.
//
//	coreset     f = Scale ‖y - (3, -2)‖², g = ‖y - Σ_j σ_j(x) a_j‖², σ the softmax, p = 4,
//	            q = 2. Variant paper has a = (1,3), (3,1), (-2,2), (-3,2), where
//	            y → (3, 1); variant code has a_4 = (-3,-2), where y → (1.8, 0.4). Both
//	            are reached for x to infinity only.
//	minimax     f = xy, g = -xy, p = q = 1: the solution is 0. g has no minimizer for
//	            x other than 0.
//	degenerate  p = 1, q = 2, and many inner minimizers. Variant paper is f =
//	            ‖y - (x, 1)‖², g = (y_1 - x)²: optimal is every x with y = (x, 1). Variant
//	            code, also that of Liu et al. 2020, is f = 1/2 (x - y_2)² + 1/2 (y_1 - 1)²,
//	            g = 1/2 y_1² - x y_1: optimal is x = 1, y = (1, 1).
//
// Source: BOME's section of toy problems; the variants code from its program.
type ToyConfig struct {
	Kind    string // "coreset", "minimax", "degenerate"
	Variant string // "paper", "code"; for minimax ""
	Nodes   int
	Scale   float64   // coreset only, > 0: 1 in the paper, 0.1 in its program
	X0, Y0  []float64 // the starting point; one number stands for all coordinates
}

// NewToy builds the problem. All are Known. minimax and degenerate are Solved, the
// variant paper with an error; degenerate is InnerSolved; minimax is Unmeasurable.
func NewToy(c ToyConfig) (Problem, error) {
	if err := needCount("nodes", c.Nodes); err != nil {
		return nil, err
	}
	if c.Kind == "minimax" {
		if c.Variant != "" {
			return nil, wrong("variant", "variant is %q, but minimax has no variants", c.Variant)
		}
	} else if c.Variant != "paper" && c.Variant != "code" {
		return nil, wrong("variant", "variant is %q; choose paper or code", c.Variant)
	}
	if c.Kind == "coreset" {
		if err := needPositive("scale", c.Scale); err != nil {
			return nil, err
		}
	} else if c.Scale != 0 {
		return nil, wrong("scale", "scale is %v, but only coreset has one", c.Scale)
	}
	t := toy{nodes: c.Nodes}
	switch c.Kind {
	case "coreset":
		t.p, t.q = 4, 2
	case "minimax":
		t.p, t.q = 1, 1
	case "degenerate":
		t.p, t.q = 1, 2
	default:
		return nil, fmt.Errorf("toy is %q; choose coreset, minimax or degenerate", c.Kind)
	}
	t.about = "toy " + c.Kind
	if c.Variant != "" {
		t.about += ", as in BOME's " + c.Variant
	}
	var err error
	if t.x0, err = start("x0", c.X0, t.p); err != nil {
		return nil, err
	}
	if t.y0, err = start("y0", c.Y0, t.q); err != nil {
		return nil, err
	}
	switch {
	case c.Kind == "coreset":
		return newCoreset(t, c.Scale, c.Variant), nil
	case c.Kind == "minimax":
		return minimax{t}, nil
	case c.Variant == "paper":
		return degenerate{t, paperFormulas{}}, nil
	}
	return solvedDegenerate{degenerate{t, codeFormulas{}}}, nil
}

// start returns the n coordinates of a starting point.
func start(name string, v []float64, n int) ([]float64, error) {
	for _, e := range v {
		if !finite(e) {
			return nil, wrong(name, "%s is %v; want finite numbers", name, v)
		}
	}
	switch len(v) {
	case n:
		return slices.Clone(v), nil
	case 0:
		return make([]float64, n), nil
	case 1:
		return fill(n, v[0]), nil
	}
	return nil, fmt.Errorf("%s has %d numbers; want %d, or one for all", name, len(v), n)
}

// toy is what the toys share.
type toy struct {
	p, q, nodes int
	x0, y0      []float64
	about       string
}

func (t toy) Dims() (p, q int) { return t.p, t.q }
func (t toy) Nodes() int       { return t.nodes }

func (t toy) Start(i int) (x0, y0 []float64) {
	mustNode(i, t.nodes)
	return slices.Clone(t.x0), slices.Clone(t.y0)
}

func (t toy) About() string {
	return fmt.Sprintf("%s; %d nodes with the same f and g, p = %d, q = %d", t.about, t.nodes, t.p, t.q)
}

// toyLocal is what the oracles of toys share: no samples, and second derivatives from
// products, since the matrices are tiny.
type toyLocal struct {
	toy
	formulas
	flops [metrics.NumCalls]float64
	unit  [2]float64 // scratch, with room for q of any toy
	col   [4]float64 // scratch, with room for p of any toy
}

// formulas are a toy's functions, whose arguments have the right lengths.
type formulas interface {
	f(x, y []float64) float64
	g(x, y []float64) float64
	fx(dst, x, y []float64)
	fy(dst, x, y []float64)
	gx(dst, x, y []float64)
	gy(dst, x, y []float64)
	hess(dst, x, y, v []float64) // dst (q) = (∇²_yy g) v
	jac(dst, x, y, v []float64)  // dst (p) = (∇²_xy g) v
}

func (l *toyLocal) Samples() (val, train int) { return 0, 0 }
func (l *toyLocal) SetBatch(val, train []int) {}

func (l *toyLocal) point(x, y []float64) {
	mustLen("x", x, l.p)
	mustLen("y", y, l.q)
}

func (l *toyLocal) F(x, y []float64) float64 {
	l.point(x, y)
	return l.f(x, y)
}

func (l *toyLocal) G(x, y []float64) float64 {
	l.point(x, y)
	return l.g(x, y)
}

func (l *toyLocal) GradFx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	l.fx(dst, x, y)
}

func (l *toyLocal) GradFy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.fy(dst, x, y)
}

func (l *toyLocal) GradGx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	l.gx(dst, x, y)
}

func (l *toyLocal) GradGy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.gy(dst, x, y)
}

func (l *toyLocal) HessGyyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	mustLen("v", v, l.q)
	l.hess(dst, x, y, v)
}

func (l *toyLocal) JacGxyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	mustLen("v", v, l.q)
	l.jac(dst, x, y, v)
}

func (l *toyLocal) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	l.point(x, y)
	_, m := v.Dims()
	mustDims("v", v, l.q, m)
	mustDims("dst", dst, l.q, m)
	for j := range m {
		for b := range l.q {
			l.unit[b] = v.At(b, j)
		}
		l.hess(l.col[:l.q], x, y, l.unit[:l.q])
		for b := range l.q {
			dst.Set(b, j, l.col[b])
		}
	}
}

func (l *toyLocal) HessGyy(dst *mat.SymDense, x, y []float64) {
	l.point(x, y)
	mustDims("dst", dst, l.q, l.q)
	for b := range l.q {
		l.unit = [2]float64{}
		l.unit[b] = 1
		l.hess(l.col[:l.q], x, y, l.unit[:l.q])
		for a := range b + 1 {
			dst.SetSym(a, b, l.col[a])
		}
	}
}

func (l *toyLocal) JacGxy(dst *mat.Dense, x, y []float64) {
	l.point(x, y)
	mustDims("dst", dst, l.p, l.q)
	for b := range l.q {
		l.unit = [2]float64{}
		l.unit[b] = 1
		l.jac(l.col[:l.p], x, y, l.unit[:l.q])
		for a := range l.p {
			dst.Set(a, b, l.col[a])
		}
	}
}

// Flops returns the table beside each toy's formulas. A product with a matrix of
// zeros and ones, or a matrix that is constant, costs nothing.
func (l *toyLocal) Flops(c metrics.Call, samples int) float64 {
	if c == metrics.CallSolve {
		return flopsSolve(l.q)
	}
	return l.flops[c]
}
